#include "core/history/recording/joint_stretch.h"

#include <algorithm>
#include <iterator>
#include <utility>

namespace leasescope {
namespace {

// Until when it surely lasts: what has no end lasts as far as its observer looked, and after that nobody knows.
TrueTime surely_until(const ToldStretch& of) { return of.end ? of.end->lo : of.lasts_at; }
TrueTime end_hi(const ToldStretch& of) { return of.end ? of.end->hi : TrueTime::max(); }

bool may_meet(const ToldStretch& a, const ToldStretch& b) { return a.begin.lo <= end_hi(b) && b.begin.lo <= end_hi(a); }
// Both are in force at one moment, whenever they began and ended.
bool surely_meet(const ToldStretch& a, const ToldStretch& b) {
  return std::max(a.begin.hi, b.begin.hi) < std::min(surely_until(a), surely_until(b));
}
bool share_token(const ToldStretch& a, const ToldStretch& b) {
  return a.begin.token != kNoToken && a.begin.token == b.begin.token;
}
// Within the bounds of both; of two that contradict each other the earlier. The words are those of the narrower.
void narrow(Event& into, const Event& more) {
  const TrueTime lo = std::max(into.lo, more.lo), hi = std::min(into.hi, more.hi);
  const Token token = into.token != kNoToken ? into.token : more.token;
  if (lo > hi) {
    if (more.hi < into.hi) into = more;
  } else {
    if (more.hi - more.lo < into.hi - into.lo) into = more;
    into.lo = lo;
    into.hi = hi;
  }
  into.token = token;
}

}  // namespace

JointStretch::JointStretch(const ToldStretch& of, std::size_t observer) : again_(of.again), observers_{observer} {
  told.what = of.what;
  told.met = of.met;
  told.begin = of.begin;
  told.end = of.end;
  told.lasts_at = of.lasts_at;
}

bool JointStretch::is_by(std::size_t observer) const {
  return std::find(observers_.begin(), observers_.end(), observer) != observers_.end();
}

// What one observer tells of as two stretches are two. Without a token nobody knows whether two that do not surely meet
// are one: they stay two, of one owner.
bool JointStretch::take(const ToldStretch& of, std::size_t observer) {
  if (of.what != told.what || of.begin.node != told.begin.node || is_by(observer) || !may_meet(of, told)) return false;
  const bool same_term = of.what == ToldStretch::What::kHold && share_token(of, told);
  if (!same_term && !surely_meet(of, told)) return false;
  take_begin(of);
  take_end(of.end);
  told.lasts_at = std::max(told.lasts_at, of.lasts_at);
  take_again(of.again);
  observers_.push_back(observer);
  return true;
}

void JointStretch::take_begin(const ToldStretch& of) {
  if (told.met == of.met) {
    if (!told.met) return narrow(told.begin, of.begin);
    if (of.begin.hi < told.begin.hi) told.begin = of.begin;
    return;
  }
  // When it was only met says that it had begun by then.
  const TrueTime met_by = told.met ? told.begin.hi : of.begin.hi;
  if (told.met) told.begin = of.begin;
  told.met = false;
  if (met_by >= told.begin.lo) told.begin.hi = std::min(told.begin.hi, met_by);
}

void JointStretch::take_end(const std::optional<Event>& end) {
  if (!end) return;
  if (!told.end) {
    told.end = end;
  } else {
    narrow(*told.end, *end);
  }
}

// Both are in the order of time.
void JointStretch::take_again(const std::vector<Event>& events) {
  const auto sooner = [](const Event& a, const Event& b) { return a.hi < b.hi; };
  std::vector<Event> fresh;
  for (const Event& event : events) {
    const auto later =
        std::lower_bound(again_.begin(), again_.end(), event.lo, [](const Event& a, TrueTime lo) { return a.hi < lo; });
    if (later == again_.end() || later->lo > event.hi) fresh.push_back(event);
  }
  std::vector<Event> all;
  std::merge(again_.begin(), again_.end(), fresh.begin(), fresh.end(), std::back_inserter(all), sooner);
  again_ = std::move(all);
}

void JointStretch::end_between(TrueTime lo, TrueTime hi) {
  Event end = told.begin;
  end.detail = 0;
  end.a = end.b = 0;
  end.lo = std::min(lo, hi);
  end.hi = hi;
  switch (told.what) {
    case ToldStretch::What::kWait:
      end.kind = EventKind::kDequeued;
      break;
    case ToldStretch::What::kBelief:
      end.kind = EventKind::kDisbelieved;
      end.detail = static_cast<std::uint8_t>(DisbeliefReason::kLost);
      break;
    case ToldStretch::What::kHold: {
      TrueTime until = deadline_after(told.begin.lo, told.begin.a);
      for (const Event& each : again_) until = std::max(until, deadline_after(each.lo, each.a));
      end.kind = until > hi ? EventKind::kReleased : EventKind::kExpired;
    }
  }
  told.end = end;
}

// Bounds that would be none, of accounts that contradict each other, become a moment.
void JointStretch::is_over_by(TrueTime hi) {
  if (told.end) {
    told.end->hi = std::min(told.end->hi, hi);
    told.end->lo = std::min(told.end->lo, told.end->hi);
    hi = told.end->hi;
  }
  told.begin.hi = std::min(told.begin.hi, hi);
  told.begin.lo = std::min(told.begin.lo, told.begin.hi);
}

void JointStretch::begins_after(TrueTime lo) {
  told.begin.lo = std::clamp(lo, told.begin.lo, std::max(told.begin.lo, told.begin.hi));
  if (told.end) told.end->lo = std::clamp(told.begin.lo, told.end->lo, std::max(told.end->lo, told.end->hi));
}

std::vector<Event> JointStretch::events() const {
  std::vector<Event> out{told.begin};
  for (Event event : again_) {
    event.hi = std::max(event.hi, told.begin.hi);
    if (told.end) event.hi = std::min(event.hi, told.end->hi);
    event.lo = std::min(event.lo, event.hi);
    if (told.begin.token != kNoToken) event.token = told.begin.token;
    out.push_back(event);
  }
  if (!told.end) return out;
  out.push_back(*told.end);
  if (told.begin.token != kNoToken) out.back().token = told.begin.token;
  return out;
}

}  // namespace leasescope
