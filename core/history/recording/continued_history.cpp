#include "core/history/recording/continued_history.h"

#include <algorithm>
#include <set>
#include <utility>

#include <fmt/format.h>

#include "core/history/recording/event_words.h"
#include "core/history/recording/joined_names.h"
#include "core/history/summary_fields.h"

namespace leasescope {
namespace {

constexpr std::size_t kEventsInPage = 4096;

bool is_same_term(Token a, Token b) { return a == kNoToken || b == kNoToken || a == b; }

// It tells nothing of who holds.
bool is_of_belief(const Event& event) {
  return event.kind == EventKind::kBelieved || event.kind == EventKind::kDisbelieved;
}

}  // namespace

// One of the recordings, and what becomes of its names and numbers.
struct ContinuedHistory::Reading {
  explicit Reading(Part part) : source(std::move(part.source)), goes_on(part.goes_on) {}

  // False at its end, and after an error.
  bool fetch() {
    if (at < page.size()) return true;
    page.clear();
    at = 0;
    return source->read_page(page);
  }
  TrueTime end() const { return source->frame().now + shift; }

  std::unique_ptr<HistorySource> source;
  bool goes_on;
  Duration shift{};
  std::vector<Name> names, mutexes;  // by handle
  std::vector<Sequence> numbers;     // of its events, in their order; 0: it is left out
  std::vector<Event> page;
  std::size_t at = 0;
};

ContinuedHistory::ContinuedHistory() = default;
ContinuedHistory::~ContinuedHistory() = default;

tl::expected<std::unique_ptr<ContinuedHistory>, std::string> ContinuedHistory::of(
    std::string name, std::vector<Part> parts, const std::function<std::string(const std::string&)>& called) {
  std::unique_ptr<ContinuedHistory> out(new ContinuedHistory);
  out->name_ = std::move(name);
  for (Part& part : parts)
    if (std::string reason = out->add(std::move(part), called); !reason.empty())
      return tl::make_unexpected(std::move(reason));
  if (out->events_ > UINT32_MAX / 2)
    return tl::make_unexpected(fmt::format("{}: it has too many events: ask for a part of it", out->name_));
  return out;
}

std::string ContinuedHistory::add(Part part, const std::function<std::string(const std::string&)>& called) {
  const std::set<std::string> told(part.mutexes.begin(), part.mutexes.end());
  auto reading = std::make_unique<Reading>(std::move(part));
  const HistoryHeader& header = reading->source->header();
  const History& frame = reading->source->frame();
  if (!header.epoch_ns) return fmt::format("{} does not say what time it began at", reading->source->path());
  if (parts_.empty()) {
    header_ = header;
    frame_.legend = frame.legend;
    frame_.forgotten = 0;
  }
  header_.store = joined_list(header_.store, header.store, ", ");
  reading->shift = Duration(*header.epoch_ns - *header_.epoch_ns);
  for (std::uint32_t handle = 0; handle < frame.names.size(); ++handle) {
    const std::string text(frame.names.text({handle}));
    reading->names.push_back(frame_.names.intern(text));
    const bool is_renamed = called && told.count(text) > 0;
    reading->mutexes.push_back(is_renamed ? frame_.names.intern(called(text)) : reading->names.back());
  }
  anybody_ = frame_.names.intern(header.store);
  events_ += reading->source->events();
  for (const std::string& remark : reading->source->remarks())
    remarks_.push_back(fmt::format("{}: {}", reading->source->path(), remark));
  join_frame(*reading);
  parts_.push_back(std::move(reading));
  return {};
}

void ContinuedHistory::join_frame(const Reading& part) {
  const History& frame = part.source->frame();
  add_up(frame_.summary, frame.summary);
  frame_.now = std::max(frame_.now, part.end());
  for (Incident incident : frame.incidents) {
    incident.mutex = part.mutexes[incident.mutex.handle];
    for (Name& contender : incident.contenders) contender = part.names[contender.handle];
    incident.start += part.shift;
    incident.end += part.shift;
    frame_.incidents.push_back(std::move(incident));
  }
  outcome_ = part.source->outcome();
  if (outcome_) outcome_->simulated_ns += part.shift.count();
}

// ---- the events

Event ContinuedHistory::translated(Reading& part, Event event) const {
  event.lo += part.shift;
  event.hi += part.shift;
  event.node = part.names[event.node.handle];
  event.mutex = part.mutexes[event.mutex.handle];
  if (names_in_a(event)) event.a = part.names[static_cast<std::size_t>(event.a)].handle;
  if (names_in_b(event)) event.b = part.names[static_cast<std::size_t>(event.b)].handle;
  const Sequence forgotten = part.source->frame().forgotten;
  const std::uint64_t place = std::uint64_t{event.cause} - forgotten - 1;
  event.cause = event.cause > forgotten && place < part.numbers.size() ? part.numbers[place] : 0;
  return event;
}

// With what it says of who holds, for the next part.
void ContinuedHistory::put(Event event) {
  event.hi = reached_ = std::max(event.hi, reached_);
  ready_.push_back(event);
  if (event.mutex.empty()) return;
  Mutex& of = mutexes_[event.mutex.handle];
  if (is_of_belief(event)) {
    const auto is_of_it = [&](const Belief& belief) { return belief.owner == event.node; };
    of.beliefs.erase(std::remove_if(of.beliefs.begin(), of.beliefs.end(), is_of_it), of.beliefs.end());
    if (event.kind == EventKind::kBelieved) of.beliefs.push_back({event.node, event.token, event.hi});
    return;
  }
  if (event.kind == EventKind::kQueued || event.kind == EventKind::kDequeued) {
    of.waiting.erase(std::remove(of.waiting.begin(), of.waiting.end(), event.node), of.waiting.end());
    if (event.kind == EventKind::kQueued) of.waiting.push_back(event.node);
    return;
  }
  const auto is_its = [&](const Hold& hold) {
    return hold.owner == event.node && is_same_term(hold.token, event.token);
  };
  bool shared = false;
  const auto forget = [&] { of.holds.erase(std::remove_if(of.holds.begin(), of.holds.end(), is_its), of.holds.end()); };
  switch (event.kind) {
    case EventKind::kGranted:
    case EventKind::kRenewed:
      shared = event.kind == EventKind::kGranted ? event.detail == static_cast<std::uint8_t>(GrantKind::kShared)
                                                 : std::any_of(of.holds.begin(), of.holds.end(),
                                                               [&](auto& each) { return is_its(each) && each.shared; });
      forget();
      of.holds.push_back({event.node, event.token, deadline_after(event.lo, event.a), shared});
      break;
    case EventKind::kReleased:
    case EventKind::kExpired:
      forget();
      break;
    case EventKind::kUnobservedBegan:
      if (!std::exchange(of.dark, true)) of.dark_since = event.lo;
      of.store = event.node;
      break;
    case EventKind::kUnobservedEnded:
      of.dark = false;
      break;
    default:
      break;
  }
}

// Its holds ended between when it was seen last and `hi`: given back, where they could not have run out by then.
void ContinuedHistory::end_carried(Name mutex, Mutex& of, TrueTime hi, const std::vector<Name>& but) {
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
void ContinuedHistory::end_beliefs(Name mutex, Mutex& of, TrueTime hi) {
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
void ContinuedHistory::end_waits(Name mutex, Mutex& of, TrueTime hi) {
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
bool ContinuedHistory::joins_those_seen(Event& next) {
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
void ContinuedHistory::settle_open_question(Event* next) {
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
bool ContinuedHistory::settle(Event& event) {
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

void ContinuedHistory::tell(Event event) {
  settle_open_question(&event);
  const bool told = event.mutex.empty() || settle(event);
  std::vector<Sequence>& numbers = parts_[at_]->numbers;
  if (told) put(event);
  numbers.push_back(told ? static_cast<Sequence>(given_ + ready_.size()) : 0);
}

void ContinuedHistory::end_part(const Reading& part) {
  settle_open_question(nullptr);
  std::vector<std::uint32_t> handles;
  for (const auto& [handle, of] : mutexes_) handles.push_back(handle);
  std::sort(handles.begin(), handles.end());  // so that it is the same each time
  for (const std::uint32_t handle : handles) {
    Mutex& of = mutexes_[handle];
    of.fresh = true;
    if (part.goes_on) continue;
    end_beliefs(Name{handle}, of, std::max(part.end(), reached_));
    end_waits(Name{handle}, of, std::max(part.end(), reached_));
    if (of.dark) continue;
    Event event;
    event.kind = EventKind::kUnobservedBegan;
    event.node = of.store.empty() ? anybody_ : of.store;
    event.mutex = Name{handle};
    event.lo = event.hi = std::max(part.end(), reached_);
    put(event);
  }
}

int ContinuedHistory::permille() const {
  return events_ == 0 ? 1000 : static_cast<int>(std::min<std::uint64_t>(given_ * 1000 / events_, 1000));
}

bool ContinuedHistory::read_page(std::vector<Event>& events) {
  std::size_t count = 0;
  while (count < kEventsInPage && error_.empty()) {
    if (!ready_.empty()) {
      events.push_back(ready_.front());
      ready_.pop_front();
      ++given_;
      ++count;
      continue;
    }
    if (at_ >= parts_.size()) break;
    Reading& part = *parts_[at_];
    if (part.fetch()) {
      tell(translated(part, part.page[part.at++]));
      continue;
    }
    error_ = part.source->error();
    if (!error_.empty()) break;
    end_part(part);
    ++at_;
  }
  return count > 0;
}

}  // namespace leasescope
