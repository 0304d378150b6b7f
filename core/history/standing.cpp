#include "core/history/standing.h"

#include <algorithm>
#include <utility>

#include "core/history/operation.h"
#include "core/store/port.h"

namespace leasescope {
namespace {

template <class List>
auto hold_of(List& holds, std::uint32_t place) {
  return std::find_if(holds.begin(), holds.end(), [&](const auto& hold) { return hold.contender == place; });
}

template <class T>
void forget(std::vector<T>& list, std::uint32_t place) {
  list.erase(std::remove_if(list.begin(), list.end(), [&](const T& one) { return one.contender == place; }),
             list.end());
}

bool gives_back(Operation operation) {
  switch (operation) {
    case Operation::kUnlock:
    case Operation::kRelease:
    case Operation::kReadUnlock:
    case Operation::kWriteUnlock:
      return true;
    default:
      return false;
  }
}

// A lease whose end is known within bounds may have run out by a clock that differs a little: NTP slews by 500 ppm.
bool over_as_promised(const Event& event, const Standing::Hold& hold) {
  const bool forgotten = event.detail == static_cast<std::uint8_t>(LeaseEnd::kForgotten);
  return !forgotten && event.lo < event.hi && event.hi >= hold.until - (hold.until - hold.since) / 2000;
}

}  // namespace

Standing::Standing(const Legend& legend) {
  auto known = std::make_shared<Known>();
  for (const FaultLegend& fault : legend.faults) known->disturbs.push_back(fault.disturbs);
  for (const MutexLegend& of : legend.mutexes)
    if (of.capacity != 1) known->capacities.emplace(of.name, of.capacity);
  known->contenders.insert(legend.contenders.begin(), legend.contenders.end());
  contenders_.reserve(legend.contenders.size());
  told_.reserve(legend.contenders.size());
  known_ = std::move(known);
}

// Also of one that has done nothing yet: a fault may come before.
bool Standing::is_contender(Name name, const NameTable& names) const {
  return place_of(name) != kNone || known_->contenders.count(std::string(names.text(name))) != 0;
}

const Standing::Contender* Standing::contender(Name name) const {
  const std::uint32_t place = place_of(name);
  return place == kNone ? nullptr : &contenders_[place];
}

const Standing::Mutex* Standing::mutex(Name name) const {
  const std::uint32_t place = mutex_place(name);
  return place == kNone ? nullptr : &mutexes_[place];
}

std::uint32_t Standing::place_mutex(Name name, const NameTable& names) {
  if (mutex_places_.size() <= name.handle) mutex_places_.resize(name.handle + 1);
  std::uint32_t& place = mutex_places_[name.handle];
  if (place == 0) {
    Mutex& added = mutexes_.emplace_back();
    added.name = name;
    const auto capacity = known_->capacities.find(std::string(names.text(name)));
    if (capacity != known_->capacities.end()) added.capacity = capacity->second;
    place = static_cast<std::uint32_t>(mutexes_.size());
  }
  return place - 1;
}

// The place of whom the event is about; a new one for whom nothing was heard of before.
std::uint32_t Standing::seat(const Event& event, const NameTable& names, Change& change) {
  if (contender_places_.size() <= event.node.handle) contender_places_.resize(event.node.handle + 1);
  std::uint32_t& place = contender_places_[event.node.handle];
  if (place == 0) {
    const std::uint32_t free = vacant_place();
    Contender& added = contenders_[free];
    added.name = added.id = event.node;
    added.mutex = place_mutex(event.mutex, names);
    place = free + 1;
  }
  change.contender = place - 1;
  return place - 1;
}

std::uint32_t Standing::vacant_place() {
  if (vacant_.empty()) {
    told_.emplace_back();
    contenders_.emplace_back();
    return static_cast<std::uint32_t>(contenders_.size() - 1);
  }
  const std::uint32_t place = vacant_.back();
  vacant_.pop_back();
  told_[place] = {};
  contenders_[place] = {};
  return place;
}

void Standing::forget_gone() {
  if (seated() < forgets_at_) return;
  const std::vector<bool> stays = needed();
  for (std::uint32_t place = 0; place < contenders_.size(); ++place) {
    const Name name = contenders_[place].name;
    if (stays[place] || place_of(name) != place) continue;  // or it is vacant already
    contender_places_[name.handle] = 0;
    contenders_[place] = {};
    vacant_.push_back(place);
  }
  // Why his lease ended is asked of one who believes, or to whom it was promised: he stays.
  for (Mutex& of : mutexes_)
    for (std::uint32_t* const last : {&of.ended, &of.first})
      if (*last != kNone && !stays[*last]) *last = kNone;
  forgets_at_ = seated() + std::max(kForgetsAt, seated() / 8);
}

std::vector<bool> Standing::needed() const {
  std::vector<bool> out(contenders_.size());
  for (std::uint32_t place = 0; place < contenders_.size(); ++place) {
    const Contender& who = contenders_[place];
    const auto lasts = [](const Spell& spell) { return spell.lasting > 0; };
    out[place] = who.ours || who.writes || who.holds > 0 || who.beliefs > 0 || who.queued || who.session != 0 ||
                 who.id != who.name || std::any_of(who.spells.begin(), who.spells.end(), lasts);
  }
  const auto need = [&](std::uint32_t place) {
    if (place != kNone) out[place] = true;
  };
  for (const Mutex& of : mutexes_) {
    for (const Hold& hold : of.holds) need(hold.contender);
    for (const Promise& promise : of.promises) need(promise.contender);
    for (const std::uint32_t believer : of.believers) need(believer);
    for (const std::uint32_t waiter : of.queue) need(waiter);
    need(of.grantee);
  }
  for (const std::uint32_t each : displaced_) need(each);
  return out;
}

bool Standing::passes(const Event& event) {
  switch (event.kind) {
    case EventKind::kAttempt: {
      const bool guard = event.b == static_cast<std::int64_t>(RequestKind::kGuard);
      const auto result = static_cast<AttemptResult>(event.detail);
      return result != AttemptResult::kLost || !guard;
    }
    case EventKind::kWakeupPlanned:
    case EventKind::kNotification:
    case EventKind::kChecked:
    case EventKind::kWriteAccepted:
    case EventKind::kConnected:
    case EventKind::kDisconnected:
    case EventKind::kRefused:
    case EventKind::kReleaseRefused:
    case EventKind::kAcknowledged:
    case EventKind::kVoteGranted:
    case EventKind::kVoteEnded:
    case EventKind::kElected:
    case EventKind::kTransferred:
      return true;
    default:
      return false;
  }
}

Change Standing::append(const Event& event, const NameTable& names) {
  Change change;
  if (passes(event)) {
    pass(event);
    return change;
  }
  ++appended_;
  switch (event.kind) {
    case EventKind::kStarted:
    case EventKind::kStopped:
    case EventKind::kRestarted: {
      const std::uint32_t place = seat(event, names, change);
      change.mutex = contenders_[place].mutex;
      on_life(event, contenders_[place]);
      break;
    }
    case EventKind::kCrashed: {
      const std::uint32_t place = seat(event, names, change);
      change.mutex = contenders_[place].mutex;
      change.belief = on_disbelieved(place, mutexes_[change.mutex]);  // nobody is told of it
      on_life(event, contenders_[place]);
      break;
    }
    case EventKind::kAttempt:
      contenders_[seat(event, names, change)].promised = false;  // it asks which term there is, and renews none
      break;
    case EventKind::kGranted:
    case EventKind::kRenewed:
    case EventKind::kReleased:
    case EventKind::kExpired: {
      displaced_.clear();
      const std::uint32_t place = seat(event, names, change);
      change.mutex = place_mutex(event.mutex, names);
      Mutex& of = mutexes_[change.mutex];
      change.hold = event.kind == EventKind::kGranted   ? on_granted(event, place, of)
                    : event.kind == EventKind::kRenewed ? on_renewed(event, place, of)
                                                        : on_freed(event, place, of);
      break;
    }
    case EventKind::kBelieved: {
      const std::uint32_t place = seat(event, names, change);
      change.mutex = event.mutex.empty() ? contenders_[place].mutex : place_mutex(event.mutex, names);
      change.belief = on_believed(event, place, mutexes_[change.mutex]);
      break;
    }
    case EventKind::kDisbelieved: {
      const std::uint32_t place = seat(event, names, change);
      change.mutex = event.mutex.empty() ? contenders_[place].mutex : place_mutex(event.mutex, names);
      change.belief = on_disbelieved(place, mutexes_[change.mutex]);
      break;
    }
    case EventKind::kWriteRejected:
    case EventKind::kWriteStaleAccepted:
      contenders_[seat(event, names, change)].writes = true;
      break;
    case EventKind::kInvoked:
    case EventKind::kReturned: {
      const std::uint32_t place = seat(event, names, change);
      change.mutex = contenders_[place].mutex;
      on_call(event, contenders_[place]);
      break;
    }
    case EventKind::kQueued:
    case EventKind::kDequeued:
    case EventKind::kReentered: {
      const std::uint32_t place = seat(event, names, change);
      change.mutex = place_mutex(event.mutex, names);
      if (event.kind == EventKind::kReentered)
        on_reentered(event, place, mutexes_[change.mutex]);
      else
        on_queue(event, place, mutexes_[change.mutex]);
      break;
    }
    case EventKind::kSessionOpened:
    case EventKind::kSessionRenewed:
    case EventKind::kSessionEnded:
      on_session(event, contenders_[seat(event, names, change)]);
      break;
    case EventKind::kFaultBegan:
    case EventKind::kFaultEnded:
      on_fault(event, names, change);
      break;
    case EventKind::kClockChanged:
      if (is_contender(event.node, names)) break;
      store_clock_ = {event.hi, Duration(event.a), store_clock_.ppm + event.b, store_clock_.ppm};
      break;
    case EventKind::kUnobservedBegan:
    case EventKind::kUnobservedEnded:
      on_unobserved(event, names);
      change.mutex = mutex_place(event.mutex);
      break;
    default:
      break;
  }
  return change;
}

// ---- who contends

void Standing::on_life(const Event& event, Contender& who) {
  if (event.kind == EventKind::kRestarted) {
    who.up = true;
    who.id = event.b == 0 ? event.node : Name{static_cast<std::uint32_t>(event.b)};
    shares_ids_ = shares_ids_ || event.b != 0;
    return;
  }
  who.up = event.kind == EventKind::kStarted;
  if (who.up) {
    ours_ += who.ours ? 0 : 1;
    who.ours = true;
    who.started = appended_;
    who.promised = false;
  }
  contend(event, who, who.up);
}

// An application that has given it back contends no more until it asks for it again.
void Standing::on_call(const Event& event, Contender& who) {
  const bool back = gives_back(static_cast<Operation>(event.detail));
  if (event.kind == EventKind::kInvoked ? !back && who.up : back)
    contend(event, who, event.kind == EventKind::kInvoked);
}

void Standing::contend(const Event& event, Contender& who, bool contends) {
  if (std::exchange(who.contends, contends) == contends) return;
  Mutex& of = mutexes_[who.mutex];
  if (!contends) {
    --of.contending;
    return;
  }
  if (of.contending++ > 0) return;
  of.contended_since = event.hi;
  of.first = static_cast<std::uint32_t>(&who - contenders_.data());
}

// ---- what the store did

Change::Hold Standing::on_granted(const Event& event, std::uint32_t place, Mutex& of) {
  const TrueTime until = deadline_after(event.lo, event.a);
  if (const auto own = hold_of(of.holds, place); own != of.holds.end()) {
    of.holds.erase(own);
  } else {
    ++contenders_[place].holds;
  }
  const bool shared = event.detail == static_cast<std::uint8_t>(GrantKind::kShared);
  const auto in_the_way = [&](const auto& hold) { return !(shared && hold.shared); };
  while (static_cast<std::size_t>(std::count_if(of.holds.begin(), of.holds.end(), in_the_way)) >= of.capacity) {
    const auto sooner = [&](const Hold& a, const Hold& b) {
      return in_the_way(a) != in_the_way(b) ? in_the_way(a) : a.until < b.until;
    };
    const auto first = std::min_element(of.holds.begin(), of.holds.end(), sooner);
    displaced_.push_back(first->contender);
    --contenders_[first->contender].holds;
    if (is_theft(static_cast<GrantKind>(event.detail))) {
      forget(of.promises, first->contender);
    } else if (first->until > event.hi && store_clock_.at == TrueTime::max() &&
               store_fault_.what == Disturbs::kNothing) {
      of.ended = first->contender;
      of.ending = Ending::kTaken;
    }
    of.holds.erase(first);
  }
  const auto times = static_cast<std::uint32_t>(std::max<std::int64_t>(1, event.b));
  of.holds.push_back({place, event.token, event.lo, until, shared, times});
  const auto over = [&](const Promise& promise) { return promise.contender == place || promise.until <= event.hi; };
  of.promises.erase(std::remove_if(of.promises.begin(), of.promises.end(), over), of.promises.end());
  of.promises.push_back({place, event.token, until, shared});
  of.grantee = place;
  of.token = event.token;
  of.released = false;
  contenders_[place].lease_end = until;
  contenders_[place].promised = true;
  contenders_[place].held = event.token;
  contenders_[place].shared = shared;
  return Change::Hold::kGranted;
}

Change::Hold Standing::on_renewed(const Event& event, std::uint32_t place, Mutex& of) {
  Contender& who = contenders_[place];
  const TrueTime until = deadline_after(event.lo, event.a);
  who.lease_end = until;
  who.promised = true;
  const auto own = hold_of(of.holds, place);
  // Of somebody whom another has taken it from it says nothing new.
  if (own == of.holds.end() && (!of.free() || of.grantee != place)) return Change::Hold::kSame;
  const auto promise = hold_of(of.promises, place);
  if (promise != of.promises.end()) {
    promise->until = until;
  } else {
    of.promises.push_back({place, event.token, until, who.shared});
  }
  if (own == of.holds.end()) {
    of.holds.push_back({place, event.token, event.lo, until, who.shared});
    ++who.holds;
    return Change::Hold::kTakenUp;
  }
  own->since = event.lo;
  own->until = until;
  return Change::Hold::kRenewed;
}

Change::Hold Standing::on_freed(const Event& event, std::uint32_t place, Mutex& of) {
  const bool released = event.kind == EventKind::kReleased;
  if (released) forget(of.promises, place);
  const auto own = hold_of(of.holds, place);
  if (own == of.holds.end()) return Change::Hold::kSame;  // another was granted before this end was known
  if (over_as_promised(event, *own)) forget(of.promises, place);
  of.ended = place;
  of.ending = ending_of(event, *own, contenders_[place]);
  of.clock = store_clock_;
  of.released = released;
  of.holds.erase(own);
  --contenders_[place].holds;
  if (of.free()) of.free_since = event.hi;
  return Change::Hold::kEnded;
}

Standing::Ending Standing::ending_of(const Event& event, const Hold& hold, const Contender& who) const {
  if (event.kind == EventKind::kReleased)
    return event.cause != 0 && event.cause < who.started ? Ending::kLateRelease : Ending::kReleased;
  const bool forgotten = event.detail == static_cast<std::uint8_t>(LeaseEnd::kForgotten);
  if (!forgotten && event.hi >= hold.until) return Ending::kRanOut;
  if (forgotten && who.session_forced == event.hi) return Ending::kSessionForced;
  if (forgotten && store_fault_.what == Disturbs::kNothing) return Ending::kFreed;
  if (!forgotten && (store_fault_.what != Disturbs::kFailsOver || store_fault_.at < hold.since))
    return store_clock_.at < TrueTime::max() && store_clock_.at >= hold.since ? Ending::kClock : Ending::kEarly;
  switch (store_fault_.what) {
    case Disturbs::kDeletes:
      return Ending::kDeleted;
    case Disturbs::kFailsOver:
      return Ending::kFailedOver;
    case Disturbs::kRestarts:
      return Ending::kRestarted;
    default:
      return Ending::kUnknown;
  }
}

// ---- sessions and queues

// The place it was told of when it came; who is before it leaves before it.
void Standing::on_queue(const Event& event, std::uint32_t place, Mutex& of) {
  of.queue.erase(std::remove(of.queue.begin(), of.queue.end(), place), of.queue.end());
  contenders_[place].queued = event.kind == EventKind::kQueued;
  if (contenders_[place].queued) of.queue.push_back(place);
}

void Standing::on_session(const Event& event, Contender& who) {
  const bool ended = event.kind == EventKind::kSessionEnded;
  if (ended && event.detail == static_cast<std::uint8_t>(SessionEnd::kForced)) who.session_forced = event.hi;
  if (ended && who.session != static_cast<std::uint64_t>(event.b)) return;  // it has a newer one
  who.session = ended ? 0 : static_cast<std::uint64_t>(event.b);
  who.session_until = ended ? event.hi : event.lo + Duration(event.a);
}

void Standing::on_reentered(const Event& event, std::uint32_t place, Mutex& of) {
  if (const auto own = hold_of(of.holds, place); own != of.holds.end())
    own->times = static_cast<std::uint32_t>(event.b);
}

bool Standing::all_share(const Mutex& of) const {
  return std::all_of(of.believers.begin(), of.believers.end(),
                     [&](std::uint32_t place) { return contenders_[place].shared; });
}

// What was not observed is not known to be free.
void Standing::on_unobserved(const Event& event, const NameTable& names) {
  Mutex& of = mutexes_[place_mutex(event.mutex, names)];
  const bool began = event.kind == EventKind::kUnobservedBegan;
  if (began && !of.unobserved) of.unobserved_since = event.hi;
  of.unobserved = began;
  if (!of.unobserved) of.free_since = std::max(of.free_since, event.hi);
}

// ---- what the contenders believed

// Outside, one may contend for several mutexes under one id.
Change::Belief Standing::on_believed(const Event& event, std::uint32_t place, Mutex& of) {
  Contender& who = contenders_[place];
  who.by_message = event.cause != 0 && event.cause == heard_;
  who.token = event.token;
  told_[place].deadline = deadline_after(event.hi, event.a);
  who.believes = true;
  if (std::find(of.believers.begin(), of.believers.end(), place) != of.believers.end()) return Change::Belief::kAgain;
  ++who.beliefs;
  of.believers.push_back(place);
  return Change::Belief::kBegan;
}

Change::Belief Standing::on_disbelieved(std::uint32_t place, Mutex& of) {
  const auto found = std::find(of.believers.begin(), of.believers.end(), place);
  if (found == of.believers.end()) return Change::Belief::kSame;
  of.believers.erase(found);
  Contender& who = contenders_[place];
  who.believes = --who.beliefs > 0;
  return Change::Belief::kEnded;
}

// ---- what disturbed

void Standing::on_fault(const Event& event, const NameTable& names, Change& change) {
  const Disturbs what = event.detail < known_->disturbs.size() ? known_->disturbs[event.detail] : Disturbs::kNothing;
  if (of_store_memory(what)) {
    store_fault_ = {what, event.hi};
    return;
  }
  if (what == Disturbs::kNothing || static_cast<int>(what) >= kSpells || !is_contender(event.node, names)) return;
  Spell& spell = contenders_[seat(event, names, change)].spells[static_cast<std::size_t>(what)];
  if (event.kind == EventKind::kFaultBegan) {
    if (spell.lasting++ == 0) spell = {event.lo, TrueTime::max(), 1};
  } else if (spell.lasting > 0 && --spell.lasting == 0) {
    spell.until = event.hi;
  }
}

std::size_t Standing::bytes() const {
  std::size_t bytes = sizeof *this + (contender_places_.size() + mutex_places_.size()) * sizeof(std::uint32_t);
  bytes += contenders_.size() * (sizeof(Contender) + sizeof(Told)) + vacant_.size() * sizeof(std::uint32_t) +
           mutexes_.size() * sizeof(Mutex);
  for (const Mutex& of : mutexes_)
    bytes += of.holds.size() * sizeof(Hold) + of.promises.size() * sizeof(Promise) +
             (of.believers.size() + of.queue.size()) * sizeof(std::uint32_t);
  return bytes;
}

}  // namespace leasescope
