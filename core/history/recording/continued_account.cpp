#include "core/history/recording/continued_account.h"

#include <algorithm>
#include <utility>

namespace leasescope {
namespace {

bool is_same_term(Token a, Token b) { return a == kNoToken || b == kNoToken || a == b; }

// It tells nothing of who holds.
bool is_of_belief(const Event& event) {
  return event.kind == EventKind::kBelieved || event.kind == EventKind::kDisbelieved;
}

}  // namespace

// With what it says of who holds, for the next part.
void ContinuedAccount::put(Event event) {
  event.hi = reached_ = std::max(event.hi, reached_);
  ready_.push_back(event);
  if (event.mutex.empty()) return;
  Mutex& of = mutexes_[event.mutex.handle];
  if (is_of_belief(event)) return put_belief(event, of);
  of.told = event.hi;
  if (event.kind == EventKind::kUnobservedBegan) {
    if (!std::exchange(of.dark, true)) of.dark_since = event.lo;
    of.store = event.node;
  } else if (event.kind == EventKind::kUnobservedEnded) {
    of.dark = false;
  } else if (event.kind == EventKind::kQueued || event.kind == EventKind::kDequeued) {
    of.waiting.erase(std::remove(of.waiting.begin(), of.waiting.end(), event.node), of.waiting.end());
    if (event.kind == EventKind::kQueued) of.waiting.push_back(event.node);
  } else {
    put_hold(event, of);
  }
}

void ContinuedAccount::put_belief(const Event& event, Mutex& of) {
  const auto is_of_it = [&](const Belief& belief) { return belief.owner == event.node; };
  of.beliefs.erase(std::remove_if(of.beliefs.begin(), of.beliefs.end(), is_of_it), of.beliefs.end());
  if (event.kind == EventKind::kBelieved) of.beliefs.push_back({event.node, event.token, event.hi});
}

void ContinuedAccount::put_hold(const Event& event, Mutex& of) {
  const bool granted = event.kind == EventKind::kGranted, renewed = event.kind == EventKind::kRenewed;
  if (!granted && !renewed && event.kind != EventKind::kReleased && event.kind != EventKind::kExpired) return;
  const auto is_its = [&](const Hold& hold) {
    return hold.owner == event.node && is_same_term(hold.token, event.token);
  };
  const auto is_its_share = [&](const Hold& hold) { return is_its(hold) && hold.shared; };
  const bool shared = granted ? event.detail == static_cast<std::uint8_t>(GrantKind::kShared)
                              : std::any_of(of.holds.begin(), of.holds.end(), is_its_share);
  of.holds.erase(std::remove_if(of.holds.begin(), of.holds.end(), is_its), of.holds.end());
  if (granted || renewed) of.holds.push_back({event.node, event.token, deadline_after(event.lo, event.a), shared});
}

// Its holds ended between when it was seen last and `hi`: given back, where they could not have run out by then.
void ContinuedAccount::end_carried(Name mutex, Mutex& of, TrueTime hi, const std::vector<Name>& but) {
  for (const Hold& hold : std::vector<Hold>(of.holds)) {
    if (std::find(but.begin(), but.end(), hold.owner) != but.end()) continue;
    Event event;
    event.kind = hold.until > hi ? EventKind::kReleased : EventKind::kExpired;
    event.node = hold.owner;
    event.mutex = mutex;
    event.token = hold.token;
    event.hi = hi;
    event.lo = std::min(of.dark_since, hi);
    put(event);
  }
}

// Nobody listens from then on. Who goes on believing says so again to whoever listens later; of who does not nobody
// would hear that he has ended.
void ContinuedAccount::end_beliefs(Name mutex, Mutex& of, TrueTime hi) {
  for (const Belief& belief : std::exchange(of.beliefs, {})) {
    Event event;
    event.kind = EventKind::kDisbelieved;
    event.detail = static_cast<std::uint8_t>(DisbeliefReason::kLost);
    event.node = belief.owner;
    event.mutex = mutex;
    event.token = belief.token;
    event.lo = belief.said;
    event.hi = hi;
    put(event);
  }
}

// Likewise: whoever still waits is told of anew.
void ContinuedAccount::end_waits(Name mutex, Mutex& of, TrueTime hi) {
  for (const Name each : std::vector<Name>(of.waiting)) {
    Event event;
    event.kind = EventKind::kDequeued;
    event.node = each;
    event.mutex = mutex;
    event.lo = std::min(of.dark ? of.dark_since : hi, hi);
    event.hi = hi;
    put(event);
  }
}

// Those who hold beside each other are told of one by one, as they were seen at one moment: who did before, too, goes
// on.
bool ContinuedAccount::joins_those_seen(Event& next) {
  Question& of = *question_;
  const bool beside = next.kind == EventKind::kGranted && next.detail == static_cast<std::uint8_t>(GrantKind::kShared);
  const Mutex& mutex = mutexes_[of.mutex.handle];
  const bool alone = std::any_of(mutex.holds.begin(), mutex.holds.end(), [](const Hold& hold) { return !hold.shared; });
  if (!beside || alone || next.mutex != of.mutex || next.hi > of.seen) return false;
  of.beside.push_back(next.node);
  next.lo = std::min(mutex.dark_since, next.hi);
  if (std::any_of(mutex.holds.begin(), mutex.holds.end(), [&](const Hold& hold) { return hold.owner == next.node; })) {
    next.kind = EventKind::kRenewed;
    next.detail = 0;
  }
  return true;
}

// It was seen again, and what comes next says whether somebody holds it: a grant does, which is then told as what it
// is.
void ContinuedAccount::settle_open_question(Event* next) {
  if (!question_) return;
  if (next != nullptr && joins_those_seen(*next)) return;
  const auto [mutex, seen, beside] = *std::exchange(question_, std::nullopt);
  Mutex& of = mutexes_[mutex.handle];
  if (!beside.empty()) return end_carried(mutex, of, seen, beside);
  const bool held = next != nullptr && next->mutex == mutex && next->kind == EventKind::kGranted;
  if (!held) return end_carried(mutex, of, seen);
  const bool goes_on = std::any_of(of.holds.begin(), of.holds.end(), [&](const Hold& hold) {
    const bool alone = next->detail != static_cast<std::uint8_t>(GrantKind::kShared) && !hold.shared;
    return alone && hold.owner == next->node && is_same_term(hold.token, next->token);
  });
  next->lo = std::min(of.dark_since, next->hi);
  if (!goes_on) return end_carried(mutex, of, next->hi);
  next->kind = EventKind::kRenewed;
  next->detail = 0;
}

// The first that this part tells of a mutex that an earlier one knew; false: it says nothing new.
bool ContinuedAccount::settle(Event& event) {
  const auto found = mutexes_.find(event.mutex.handle);
  if (found == mutexes_.end() || !found->second.fresh || is_of_belief(event)) return true;
  Mutex& of = found->second;
  if (event.kind == EventKind::kUnobservedBegan && of.dark) return false;
  of.fresh = false;
  if (!of.dark) return true;
  if (event.kind == EventKind::kUnobservedEnded) {
    if (!of.holds.empty()) question_ = Question{event.mutex, event.hi, {}};
    return true;
  }
  // It was not there when all was looked at, and has come since.
  Event seen;
  seen.kind = EventKind::kUnobservedEnded;
  seen.node = of.store.empty() ? anybody_ : of.store;
  seen.mutex = event.mutex;
  seen.lo = seen.hi = event.lo;
  put(seen);
  end_carried(event.mutex, of, event.lo);
  return true;
}

bool ContinuedAccount::tell(const Event& told) {
  Event event = told;
  settle_open_question(&event);
  const bool is_news = event.mutex.empty() || settle(event);
  if (is_news) put(event);
  return is_news;
}

void ContinuedAccount::settle(TrueTime until) {
  if (question_ && question_->seen < until) settle_open_question(nullptr);
}

void ContinuedAccount::end_part(TrueTime end, bool goes_on, const Known& known) {
  settle_open_question(nullptr);
  std::vector<std::uint32_t> handles;
  for (const auto& [handle, of] : mutexes_) handles.push_back(handle);
  std::sort(handles.begin(), handles.end());  // so that it is the same each time
  for (const std::uint32_t handle : handles) {
    Mutex& of = mutexes_[handle];
    of.fresh = true;
    if (goes_on) continue;
    end_beliefs(Name{handle}, of, std::max(end, reached_));
    end_waits(Name{handle}, of, std::max(end, reached_));
    if (of.dark) continue;
    Event event;
    event.kind = EventKind::kUnobservedBegan;
    event.node = of.store.empty() ? anybody_ : of.store;
    event.mutex = Name{handle};
    event.lo = event.hi = std::max(end, reached_);
    if (known) event.lo = std::clamp(known(event.mutex), of.told, event.hi);
    put(event);
  }
}

}  // namespace leasescope
