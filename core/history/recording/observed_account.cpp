#include "core/history/recording/observed_account.h"

#include <algorithm>
#include <utility>

namespace leasescope {
namespace {

using What = ToldStretch::What;

bool is_same_term(Token a, Token b) { return a == kNoToken || b == kNoToken || a == b; }

void shift_event(Event& event, Duration lo, Duration hi) {
  event.lo += lo;
  event.hi += hi;
}

// Each is widened, so that two of them may touch: whatever was seen in between, nobody knows when.
void shift_blind(std::vector<BlindStretch>& blind, Duration lo, Duration hi) {
  std::vector<BlindStretch> out;
  for (BlindStretch each : blind) {
    if (each.begin != TrueTime::min()) each.begin += lo;
    if (each.end_hi != TrueTime::max()) {
      each.end_lo += lo;
      each.end_hi += hi;
    }
    if (!out.empty() && each.begin <= out.back().end_hi) {
      out.back().end_lo = each.end_lo;
      out.back().end_hi = each.end_hi;
    } else {
      out.push_back(each);
    }
  }
  blind = std::move(out);
}

}  // namespace

bool ObservedAccount::tell(const Event& event) {
  switch (event.kind) {
    case EventKind::kConnected:
    case EventKind::kDisconnected: {
      const auto [found, is_new] = away_.try_emplace(event.node.handle, stores_.size());
      if (is_new) stores_.push_back({{}, event.node, {}, {{TrueTime::min(), TrueTime{}, TrueTime{}}}, event.lo});
      return on_sight(event, stores_[found->second], nullptr), true;
    }
    case EventKind::kUnobservedBegan:
    case EventKind::kUnobservedEnded: {
      if (event.mutex.empty()) return false;
      Open& open = opened(event);
      return on_sight(event, mutexes_[open.place], &open), true;
    }
    case EventKind::kGranted:
      return on_granted(event, opened(event)), true;
    case EventKind::kRenewed:
      return on_again(event, opened(event), What::kHold), true;
    case EventKind::kReleased:
    case EventKind::kExpired:
      return on_end(event, opened(event), What::kHold), true;
    case EventKind::kQueued:
      return on_again(event, opened(event), What::kWait), true;
    case EventKind::kDequeued:
      return on_end(event, opened(event), What::kWait), true;
    case EventKind::kBelieved:
      return on_again(event, opened(event), What::kBelief), true;
    case EventKind::kDisbelieved:
      return on_end(event, opened(event), What::kBelief), true;
    default:
      return false;
  }
}

// Before its moment 0 an observer has seen nothing.
ObservedAccount::Open& ObservedAccount::opened(const Event& event) {
  const auto [found, is_new] = open_.try_emplace(event.mutex.handle);
  if (is_new) {
    found->second.place = mutexes_.size();
    mutexes_.push_back({event.mutex, {}, {}, {{TrueTime::min(), TrueTime{}, TrueTime{}}}, event.lo});
  }
  return found->second;
}

void ObservedAccount::on_sight(const Event& event, ToldMutex& of, Open* open) {
  if (of.store.empty()) of.store = event.node;
  BlindStretch& last = of.blind.back();
  const bool is_blind = last.end_hi == TrueTime::max();
  if (event.kind == EventKind::kUnobservedBegan || event.kind == EventKind::kDisconnected) {
    if (is_blind) return;
    if (event.lo > last.end_hi) {
      of.blind.push_back({event.lo});
    } else {
      last.end_lo = last.end_hi = TrueTime::max();
    }
    return;
  }
  if (is_blind) {
    last.end_lo = event.lo;
    last.end_hi = event.hi;
  }
  if (open == nullptr) return;
  open->seen_lo = event.lo;
  open->seen_hi = event.hi;
}

void ObservedAccount::begin(const Event& event, Open& open, What what) {
  std::vector<ToldStretch>& all = mutexes_[open.place].stretches;
  open.lasting.push_back(all.size());
  ToldStretch& made = all.emplace_back();
  made.what = what;
  made.begin = event;
  made.met = event.lo >= open.seen_lo && event.hi <= open.seen_hi;
}

// Whoever held alone holds no more, though nothing was said of its end.
void ObservedAccount::on_granted(const Event& event, Open& open) {
  std::vector<ToldStretch>& all = mutexes_[open.place].stretches;
  const bool shared = event.detail == static_cast<std::uint8_t>(GrantKind::kShared);
  for (const std::size_t place : std::vector<std::size_t>(open.lasting)) {
    ToldStretch& of = all[place];
    if (of.what != What::kHold) continue;
    const bool is_its = of.begin.node == event.node;
    if (is_its && is_same_term(of.begin.token, event.token)) {
      of.again.push_back(event);
      of.again.back().kind = EventKind::kRenewed;
      of.again.back().detail = 0;
      return;
    }
    if (!is_its && shared && of.is_shared()) continue;
    of.end = event;
    of.end->kind = EventKind::kReleased;
    of.end->detail = 0;
    of.end->node = of.begin.node;
    of.end->token = of.begin.token;
    of.end->a = of.end->b = 0;
    open.lasting.erase(std::find(open.lasting.begin(), open.lasting.end(), place));
  }
  begin(event, open, What::kHold);
}

void ObservedAccount::on_again(const Event& event, Open& open, What what) {
  std::vector<ToldStretch>& all = mutexes_[open.place].stretches;
  for (const std::size_t place : open.lasting)
    if (all[place].what == what && all[place].begin.node == event.node) return all[place].again.push_back(event);
  begin(event, open, what);
}

void ObservedAccount::on_end(const Event& event, Open& open, What what) {
  std::vector<ToldStretch>& all = mutexes_[open.place].stretches;
  const auto is_it = [&](std::size_t place) {
    const ToldStretch& of = all[place];
    const bool term = what != What::kHold || is_same_term(of.begin.token, event.token);
    return of.what == what && of.begin.node == event.node && term;
  };
  const auto found = std::find_if(open.lasting.begin(), open.lasting.end(), is_it);
  if (found == open.lasting.end()) return;
  all[*found].end = event;
  open.lasting.erase(found);
}

void ObservedAccount::finish(TrueTime now) {
  now_ = now;
  for (std::vector<ToldMutex>* const each : {&mutexes_, &stores_})
    for (ToldMutex& of : *each) {
      BlindStretch& last = of.blind.back();
      if (last.end_hi != TrueTime::max() && now > last.end_hi) {
        of.blind.push_back({now});
      } else {
        last.end_lo = last.end_hi = TrueTime::max();
      }
      const TrueTime until = std::min(now, of.blind.back().begin);
      for (ToldStretch& stretch : of.stretches)
        if (!stretch.end) stretch.lasts_at = std::max(stretch.begin.lo, until);
    }
}

void ObservedAccount::shift(Duration lo, Duration hi) {
  begin_ += hi;
  now_ += lo;
  for (std::vector<ToldMutex>* const each : {&mutexes_, &stores_})
    for (ToldMutex& of : *each) {
      shift_blind(of.blind, lo, hi);
      of.told_from += hi;
      for (ToldStretch& stretch : of.stretches) {
        shift_event(stretch.begin, lo, hi);
        for (Event& again : stretch.again) shift_event(again, lo, hi);
        if (stretch.end) shift_event(*stretch.end, lo, hi);
        stretch.lasts_at += lo;
      }
    }
}

const ToldMutex* ObservedAccount::mutex(Name name) const {
  const auto found = open_.find(name.handle);
  return found == open_.end() ? nullptr : &mutexes_[found->second.place];
}

}  // namespace leasescope
