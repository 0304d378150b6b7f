#include "simulator/engine/majority.h"

#include <algorithm>

namespace leasescope {
namespace {

// Until when so many of the servers are for it.
TrueTime lasts_until(const std::vector<Majority::Vote>& votes, std::uint64_t acquisition, std::size_t enough) {
  std::vector<TrueTime> ends;
  for (const Majority::Vote& vote : votes)
    if (vote.acquisition == acquisition) ends.push_back(vote.until);
  std::sort(ends.rbegin(), ends.rend());
  return ends[enough - 1];
}

// The holder himself: of a lock that he had, or of one that he was too late for.
bool gives_back(const Majority::Fact& fact) {
  const auto how = static_cast<VoteEnd>(fact.detail);
  return fact.kind == EventKind::kVoteEnded && (how == VoteEnd::kGivenBack || how == VoteEnd::kAborted);
}

}  // namespace

const std::vector<Majority::Change>& Majority::take(const Fact& fact, std::uint32_t mutex, TrueTime now,
                                                    const Servers& servers) {
  changes_.clear();
  if (fact.kind == EventKind::kVoteGranted && static_cast<GrantKind>(fact.detail) == GrantKind::kRestored)
    restored_[next_restored_++ % restored_.size()] = fact.acquisition;
  votes_.resize(servers_);
  for (std::size_t server = 0; server < servers_; ++server) votes_[server] = servers.vote(server, mutex);
  const auto count = [&](std::uint64_t acquisition) {
    return static_cast<std::size_t>(
        std::count_if(votes_.begin(), votes_.end(), [&](const Vote& vote) { return vote.acquisition == acquisition; }));
  };
  const auto chosen = std::find_if(votes_.begin(), votes_.end(), [&](const Vote& vote) {
    return vote.acquisition != 0 && count(vote.acquisition) >= enough();
  });

  Holder& of = holders_[mutex];
  const bool own = of.acquisition != 0 && fact.acquisition == of.acquisition && gives_back(fact);
  of.gives_back |= own;
  if (of.acquisition != 0 && (chosen == votes_.end() || chosen->acquisition != of.acquisition)) {
    std::size_t left = count(of.acquisition);  // and where it may get it back
    for (std::size_t server = 0; server < servers_; ++server)
      left += votes_[server].acquisition != of.acquisition && servers.lies_beneath(server, mutex, of.acquisition);
    if (own || left < enough()) end(of, fact);
  }
  if (chosen == votes_.end()) return changes_;
  const TrueTime until = lasts_until(votes_, chosen->acquisition, enough());
  if (chosen->acquisition != of.acquisition) {
    grant(of, *chosen, fact, until, now);
  } else if (fact.kind == EventKind::kVoteGranted && fact.acquisition == of.acquisition && until > of.until &&
             until - of.until > (of.until - of.since) / 100) {  // the others' votes make it last hardly longer
    of.until = until;
    of.since = now;
    changes_.push_back({EventKind::kRenewed, 0, of.owner, of.token, until - now});
  }
  return changes_;
}

void Majority::end(Holder& of, const Fact& fact) {
  const bool own = fact.kind == EventKind::kVoteEnded && fact.acquisition == of.acquisition;
  const auto how = static_cast<VoteEnd>(fact.detail);
  Change& change = changes_.emplace_back();
  change.owner = of.owner;
  change.token = of.token;
  if (of.gives_back) {
    change.kind = EventKind::kReleased;
  } else {
    change.kind = EventKind::kExpired;
    const bool ran_out = own && how == VoteEnd::kRanOut;
    change.detail = static_cast<std::uint8_t>(ran_out ? LeaseEnd::kRanOut : LeaseEnd::kForgotten);
  }
  of = Holder{{}, 0, kNoToken, {}, {}, false, of.last};
}

void Majority::grant(Holder& of, const Vote& to, const Fact& fact, TrueTime until, TrueTime now) {
  // Who has a majority again, and nobody was granted one anew since, was not granted it anew either.
  const bool before = gives_back(fact) || to.acquisition == of.last ||
                      std::find(restored_.begin(), restored_.end(), to.acquisition) != restored_.end();
  // A thief that has begun to give back may still take: on a server that its request reaches after its abort elsewhere,
  // whether that one was its victim's or free.
  const bool takes = fact.kind == EventKind::kVoteGranted && fact.acquisition == to.acquisition &&
                     static_cast<GrantKind>(fact.detail) != GrantKind::kRestored;
  const bool taken = fact.kind == EventKind::kVoteEnded && static_cast<VoteEnd>(fact.detail) == VoteEnd::kStolen;
  const bool steals = of.acquisition != 0 && (takes || taken);
  const GrantKind how = before                ? (steals ? GrantKind::kStolenAgain : GrantKind::kRestored)
                        : of.acquisition != 0 ? GrantKind::kStolen
                                              : GrantKind::kAsked;
  of = {to.owner, to.acquisition, to.token, until, now, false, before ? of.last : to.acquisition};
  changes_.push_back({EventKind::kGranted, static_cast<std::uint8_t>(how), to.owner, to.token, until - now});
}

}  // namespace leasescope
