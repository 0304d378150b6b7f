#include "ui/models/contender_tallies.h"

#include <algorithm>

namespace leasescope {
namespace {

void end_hold(ContenderTally& who, TrueTime at) {
  if (!who.holds) return;
  who.held += who.heldUntil(at) - who.heldSince;
  who.holds = false;
  who.unseen.reset();
}

}  // namespace

struct ContenderTallies::Reading {
  const History& history;
  const Cast& cast;
  const Standing& standing;
  std::vector<ContenderTally>& tallies;

  ContenderTally* at(int place) const {
    return place >= 0 && place < static_cast<int>(tallies.size()) ? &tallies[static_cast<std::size_t>(place)] : nullptr;
  }
  ContenderTally* of(std::uint32_t contender) const {
    return at(cast.indexOf(history, standing.contender(contender).name));
  }
  void lose_sight(std::uint32_t mutex, TrueTime at) const;
  void hold(ContenderTally& who, const Event& event) const;
  void count(const Event& event, const Change& change) const;
};

// The store does not answer: until it does, nobody is known to hold on.
void ContenderTallies::Reading::lose_sight(std::uint32_t mutex, TrueTime at) const {
  if (mutex == Standing::kNone) return;
  for (const Standing::Hold& hold : standing.mutex(mutex).holds)
    if (ContenderTally* const who = of(hold.contender); who != nullptr && who->holds && !who->unseen) who->unseen = at;
}

void ContenderTallies::Reading::hold(ContenderTally& who, const Event& event) const {
  ++(event.kind == EventKind::kGranted ? who.acquired : who.renewed);
  if (standing.contender(who.place).holds == 0) return;
  if (!who.holds) who.heldSince = event.at();
  who.holds = true;
  who.unseen.reset();
  who.token = event.token;
}

void ContenderTallies::Reading::count(const Event& event, const Change& change) const {
  if (event.kind == EventKind::kUnobservedBegan) lose_sight(change.mutex, event.lo);
  if (change.hold == Change::Hold::kGranted)
    for (const std::uint32_t other : standing.displaced())
      if (ContenderTally* const who = of(other); who != nullptr) end_hold(*who, event.at());
  ContenderTally* const found = at(cast.indexOf(history, event.node));
  if (found == nullptr) return;
  ContenderTally& who = *found;
  who.place = standing.place_of(event.node);
  if (change.hold == Change::Hold::kEnded) end_hold(who, event.at());
  if (change.belief == Change::Belief::kBegan) who.believedSince = event.at();
  if (change.belief == Change::Belief::kEnded) who.believed += event.at() - who.believedSince;
  switch (event.kind) {
    case EventKind::kStarted:
    case EventKind::kRestarted:
    case EventKind::kStopped:
    case EventKind::kCrashed:
      who.refused.reset();
      break;
    case EventKind::kRefused:
      who.refused = static_cast<LifecycleError>(event.detail);
      break;
    case EventKind::kGranted:
    case EventKind::kRenewed:
      hold(who, event);
      break;
    case EventKind::kAttempt:
      if (static_cast<AttemptResult>(event.detail) != AttemptResult::kWon) ++who.lost;
      break;
    case EventKind::kWriteAccepted:
    case EventKind::kWriteStaleAccepted:
      ++who.writes;
      break;
    case EventKind::kWriteRejected:
      ++who.rejected;
      break;
    default:
      break;
  }
}

TrueTime ContenderTally::heldUntil(TrueTime at) const {
  return unseen ? std::max(heldSince, std::min(at, *unseen)) : at;
}

void ContenderTallies::sync(const History& history, const Cast& cast) {
  tallies_.resize(std::max(tallies_.size(), static_cast<std::size_t>(cast.size())));
  const Reading reading{history, cast, standing_, tallies_};
  for (read_ = std::max(read_, history.forgotten); read_ < history.last(); ++read_) {
    const Event& event = history.event(read_ + 1);
    reading.count(event, standing_.append(event, history.names));
  }
}

Duration ContenderTallies::held(int contender, TrueTime at) const {
  const ContenderTally& who = (*this)[contender];
  return who.held + (who.holds ? who.heldUntil(at) - who.heldSince : Duration{});
}

Duration ContenderTallies::believed(int contender, TrueTime at) const {
  const ContenderTally& who = (*this)[contender];
  const bool believes = who.place != Standing::kNone && standing_.contender(who.place).believes;
  return who.believed + (believes ? at - who.believedSince : Duration{});
}

}  // namespace leasescope
