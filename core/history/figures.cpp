#include "core/history/figures.h"

#include <algorithm>

namespace leasescope {
namespace {

constexpr std::size_t kMostLengths = 200'000;  // what comes later changes a percentile no more

void add(std::vector<Duration>& to, Duration length) {
  if (to.size() < kMostLengths) to.push_back(length);
}

}  // namespace

Percentiles percentiles_of(std::vector<Duration> lengths) {
  Percentiles out;
  out.count = lengths.size();
  if (lengths.empty()) return out;
  std::sort(lengths.begin(), lengths.end());
  const auto at = [&](std::size_t percent) { return lengths[(lengths.size() * percent + 99) / 100 - 1]; };
  out.p50 = at(50);
  out.p95 = at(95);
  out.p99 = at(99);
  out.longest = lengths.back();
  return out;
}

void Figures::append(const History& history) {
  seen_ = std::max(seen_, history.forgotten);
  for (; seen_ < history.forgotten + history.events.size(); ++seen_) take(history.events[seen_ - history.forgotten]);
}

void Figures::take(const Event& event) {
  ContenderFigures& of = contenders_[event.node.handle];
  switch (event.kind) {
    case EventKind::kAttempt:
      of.attempts_lost += static_cast<AttemptResult>(event.detail) == AttemptResult::kLost;
      of.calls_failed += static_cast<AttemptResult>(event.detail) >= AttemptResult::kFailed;
      break;
    case EventKind::kGranted:
      of.acquisitions += static_cast<GrantKind>(event.detail) == GrantKind::kAsked;
      take_hold(event);
      break;
    case EventKind::kRenewed:
      ++of.renewals;
      break;
    case EventKind::kReleased:
    case EventKind::kExpired:
      take_hold(event);
      break;
    case EventKind::kBelieved:
      take_belief(event, true);
      break;
    case EventKind::kDisbelieved:
    case EventKind::kCrashed:
      take_belief(event, false);
      break;
    case EventKind::kWriteAccepted:
      ++of.writes_accepted;
      break;
    case EventKind::kWriteRejected:
      ++of.writes_rejected;
      break;
    case EventKind::kWriteStaleAccepted:
      ++of.stale_writes_accepted;
      break;
    default:
      break;
  }
}

void Figures::take_hold(const Event& event) {
  Mutex& mutex = mutexes_[event.mutex.handle];
  if (event.kind != EventKind::kGranted) {
    if (mutex.owner != event.node) return;  // an earlier owner's
    mutex.held = false;
    mutex.released = event.kind == EventKind::kReleased;
    mutex.free_since = event.at();
    return;
  }
  if (!mutex.held && !mutex.owner.empty()) {
    const Duration length = std::max(Duration::zero(), event.at() - mutex.free_since);
    add(gaps_, length);
    if (mutex.released && mutex.owner != event.node) add(handoffs_, length);
  }
  mutex.held = true;
  mutex.owner = event.node;
}

void Figures::take_belief(const Event& event, bool believes) {
  Belief& belief = beliefs_[event.node.handle];
  if (belief.believes && !believes) contenders_[event.node.handle].believed += event.at() - belief.since;
  if (!belief.believes) belief.since = event.at();
  belief.believes = believes;
}

std::map<std::string, ContenderFigures> Figures::contenders(const History& history) const {
  std::map<std::string, ContenderFigures> out;
  for (const auto& [handle, figures] : contenders_) {
    if (handle == 0) continue;
    ContenderFigures& of = out[std::string(history.names.text(Name{handle}))];
    of = figures;
    const auto belief = beliefs_.find(handle);
    if (belief != beliefs_.end() && belief->second.believes) of.believed += history.now - belief->second.since;
  }
  return out;
}

}  // namespace leasescope
