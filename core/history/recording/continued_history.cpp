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
  if (header.watch) header_.watch = header.watch;  // as it looked last
  reading->shift = Duration(*header.epoch_ns - *header_.epoch_ns);
  for (std::uint32_t handle = 0; handle < frame.names.size(); ++handle) {
    const std::string text(frame.names.text({handle}));
    reading->names.push_back(frame_.names.intern(text));
    const bool is_renamed = called && told.count(text) > 0;
    reading->mutexes.push_back(is_renamed ? frame_.names.intern(called(text)) : reading->names.back());
  }
  account_.call_teller(frame_.names.intern(header.store));
  events_ += reading->source->events();
  for (const std::string& remark : reading->source->remarks())
    remarks_.push_back(fmt::format("{}: {}", reading->source->path(), remark));
  join_alerts(*reading);
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

// Before the frame has the part: so far was known of those that lasted then.
void ContinuedHistory::join_alerts(const Reading& part) {
  if (alerts_ && !parts_.empty())
    for (AlertNote& note : over_by(*alerts_, parts_.back()->end())) alerts_->push_back(std::move(note));
  if (part.source->alerts() == nullptr) return;
  if (!alerts_) alerts_.emplace();
  std::uint64_t before = 0;
  for (const AlertNote& note : *alerts_) before = std::max(before, note.alert);
  for (AlertNote note : *part.source->alerts()) {
    note.alert += before;
    note.subject = part.mutexes[note.subject.handle];
    note.at += part.shift;
    note.until += part.shift;
    alerts_->push_back(std::move(note));
  }
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

void ContinuedHistory::tell(const Event& event) {
  const bool told = account_.tell(event);
  parts_[at_]->numbers.push_back(told ? static_cast<Sequence>(given_ + account_.ready().size()) : 0);
}

int ContinuedHistory::permille() const {
  return events_ == 0 ? 1000 : static_cast<int>(std::min<std::uint64_t>(given_ * 1000 / events_, 1000));
}

bool ContinuedHistory::read_page(std::vector<Event>& events) {
  std::size_t count = 0;
  while (count < kEventsInPage && error_.empty()) {
    if (std::deque<Event>& ready = account_.ready(); !ready.empty()) {
      events.push_back(ready.front());
      ready.pop_front();
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
    account_.end_part(part.end(), part.goes_on);
    ++at_;
  }
  return count > 0;
}

}  // namespace leasescope
