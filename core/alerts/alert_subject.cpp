#include "core/alerts/alert_subject.h"

#include <algorithm>

namespace leasescope {
namespace {

constexpr std::size_t kMostHandoffs = 10'000;  // no rule counts more

TrueTime end_after(TrueTime at, std::int64_t length_ns) {
  const bool endless = length_ns >= (TrueTime::max() - at).count();
  return endless ? TrueTime::max() : at + Duration(length_ns);
}

}  // namespace

void AlertSubject::append(const Event& event, const Standing& standing) {
  const Standing::Mutex& after = *standing.mutex(event.mutex);
  const bool shared = event.detail == static_cast<std::uint8_t>(GrantKind::kShared);
  switch (event.kind) {
    case EventKind::kGranted:
      if (!last_owner.empty() && last_owner != event.node && !(shared && last_shared)) handoffs.push_back(event.hi);
      if (handoffs.size() > kMostHandoffs) handoffs.pop_front();
      if (event.token != kNoToken) {
        // Who is seen to hold again, as before a gap, has been granted nothing new.
        const bool again = event.token == highest && event.node == last_owner;
        regressed = event.token > highest || again ? TrueTime::max() : event.hi;
        highest = std::max(highest, event.token);
      }
      owner = last_owner = event.node;
      changed = event.hi;
      last_shared = shared;
      seen = true;
      begin_lease(event);
      break;
    case EventKind::kRenewed:
      renewed_end = lease_end;
      renewed_length = lease_length;
      renewed_lo = event.lo;
      renewed_hi = event.hi;
      // What was while nobody looked says nothing of how often it is looked at.
      if (event.lo >= observed_from) renewal_known_within = event.hi - event.lo;
      begin_lease(event);
      break;
    case EventKind::kReleased:
    case EventKind::kExpired:
      changed = event.hi;
      if (!after.free()) break;  // others hold beside it
      renewed_end = event.kind == EventKind::kExpired ? lease_end : TrueTime::max();
      renewed_length = lease_length;
      renewed_lo = lease_end;  // until then it was not
      renewed_hi = event.hi;
      owner = Name{};
      seen = true;
      free_since = event.hi;
      lease_end = TrueTime::max();
      break;
    case EventKind::kBelieved:
    case EventKind::kDisbelieved:
    case EventKind::kCrashed:
      append_belief(event, standing);
      break;
    case EventKind::kQueued:
    case EventKind::kDequeued:
      append_waiter(event, standing);
      break;
    case EventKind::kUnobservedBegan:
      // Before anything was told of it nobody knew that it was there: that is no silence of its store.
      if (observed) unobserved_since = seen ? event.lo : event.hi;
      observed = false;
      break;
    case EventKind::kUnobservedEnded:
      observed = true;
      seen = true;
      observed_from = event.lo;
      observed_since = event.hi;
      free_since = std::max(free_since, event.hi);
      changed = std::max(changed, event.hi);
      break;
    default:
      break;
  }
}

void AlertSubject::append_store(const Event& event) {
  if (event.kind != EventKind::kDisconnected)
    away_since = TrueTime::max();
  else if (away_since == TrueTime::max())
    away_since = event.lo;
}

void AlertSubject::begin_lease(const Event& event) {
  lease_since = event.hi;
  lease_end = end_after(event.lo, event.a);
  lease_length = lease_end == TrueTime::max() ? Duration::zero() : Duration(event.a);
}

void AlertSubject::append_waiter(const Event& event, const Standing& standing) {
  if (waiting.empty()) waited_since = event.hi;
  waiting.clear();
  for (const std::uint32_t each : standing.mutex(event.mutex)->queue) waiting.push_back(standing.contender(each).name);
}

void AlertSubject::append_belief(const Event& event, const Standing& standing) {
  const Standing::Mutex& after = *standing.mutex(event.mutex);
  believers.clear();
  for (const std::uint32_t each : after.believers) believers.push_back(standing.contender(each).name);
  if (!standing.too_many(after))
    too_many_believe = TrueTime::max();
  else if (too_many_believe == TrueTime::max())
    too_many_believe = event.hi;
}

}  // namespace leasescope
