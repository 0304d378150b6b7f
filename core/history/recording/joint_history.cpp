#include "core/history/recording/joint_history.h"

#include <algorithm>

#include <fmt/format.h>

#include "core/history/recorder.h"
#include "core/history/recording/joined_names.h"
#include "core/history/recording/merged_history.h"

namespace leasescope {
namespace {

constexpr std::size_t kEventsInPage = 4096;

// Its moment 0 by the first one's clock, at the earliest and at the latest.
struct Begin {
  std::int64_t lo_ns, hi_ns;
};
Begin begin_of(const ObservedPart& part, const PlacedClock& clock) {
  const std::int64_t epoch = *part.source->header().epoch_ns;
  return {epoch - clock.ahead.hi.count(), epoch - clock.ahead.lo.count()};
}

std::vector<Name> stores_of(const HistoryHeader& header, NameTable& names) {
  std::vector<Name> out;
  if (header.watch)
    for (const WatchSettings::Store& store : header.watch->stores) out.push_back(names.intern(store.name));
  if (out.empty()) out.push_back(names.intern(header.store));
  return out;
}

// Two accounts of one incident: of the same, at one time.
bool is_same(const Incident& a, const Incident& b) {
  return a.kind == b.kind && a.mutex == b.mutex && a.contenders == b.contenders && a.tokens == b.tokens &&
         a.start <= b.end && b.start <= a.end;
}

}  // namespace

JointHistory::JointHistory(std::vector<ObservedPart> parts, const std::vector<PlacedClock>& clocks, NameTable names) {
  frame_.names = std::move(names);
  std::int64_t epoch = INT64_MAX;
  for (std::size_t i = 0; i < parts.size(); ++i) epoch = std::min(epoch, begin_of(parts[i], clocks[i]).lo_ns);
  for (std::size_t i = 0; i < parts.size(); ++i) {
    ObservedPart& part = parts[i];
    join_header(part, clocks[i]);
    const Begin begin = begin_of(part, clocks[i]);
    const Duration lo(begin.lo_ns - epoch), hi(begin.hi_ns - epoch), middle = lo + (hi - lo) / 2;
    part.account.shift(lo, hi);
    frame_.now = std::max(frame_.now, part.source->frame().now + hi);
    join_outcome(part, hi, i == 0);
    join_incidents(part, middle);
    join_alerts(part, middle);
  }
  header_.epoch_ns = epoch;
  join_events(parts);
  if (alerts_)
    std::stable_sort(alerts_->begin(), alerts_->end(),
                     [](const AlertNote& a, const AlertNote& b) { return a.at < b.at; });
  sum_up();
}

void JointHistory::join_header(const ObservedPart& part, const PlacedClock& clock) {
  const std::string& path = part.source->path();
  const HistoryHeader& header = part.source->header();
  for (const std::string& remark : part.source->remarks()) remarks_.push_back(fmt::format("{}: {}", path, remark));
  if (path_.empty()) {
    path_ = path;
    header_ = header;
    header_.until_ns.reset();
    frame_.legend = part.source->frame().legend;
    return;
  }
  path_ += ", " + path;
  header_.scenario = joined_list(header_.scenario, header.scenario, " + ");
  header_.title += fmt::format("; {}: {}", path.substr(path.rfind('/') + 1), clock.said);
  header_.store = joined_list(header_.store, header.store, ", ");
  if (header_.seed != header.seed) header_.seed = 0;
  join_watches(header_.watch, header.watch);
  const StoreLegend& store = part.source->frame().legend.store;
  StoreLegend& into = frame_.legend.store;
  into.timeout = std::max(into.timeout, store.timeout);
  into.round_trip = std::max(into.round_trip, store.round_trip);
  into.tells = into.tells && store.tells;
}

void JointHistory::join_events(std::vector<ObservedPart>& parts) {
  std::vector<JointPart> joined;
  for (const ObservedPart& part : parts)
    joined.push_back({&part.account, stores_of(part.source->header(), frame_.names)});
  events_ = joint_events(joined);
  if (!events_.empty()) frame_.now = std::max(frame_.now, events_.back().hi);
}

void JointHistory::join_outcome(const ObservedPart& part, Duration shift, bool first) {
  const std::optional<RecordedOutcome>& of = part.source->outcome();
  if (first) outcome_.emplace();
  if (!of) outcome_.reset();
  if (!outcome_) return;
  outcome_->simulated_ns = std::max(outcome_->simulated_ns, of->simulated_ns + shift.count());
  outcome_->wall_ns = std::max(outcome_->wall_ns, of->wall_ns);
  outcome_->inputs += of->inputs;
  outcome_->not_judged = "several recordings in one, each of which has its own verdict";
}

// What two tell of alike is one, as the first of them tells of it.
void JointHistory::join_incidents(const ObservedPart& part, Duration shift) {
  const std::size_t before = frame_.incidents.size();
  for (Incident incident : part.source->frame().incidents) {
    incident.mutex = part.mutexes[incident.mutex.handle];
    for (Name& contender : incident.contenders) contender = part.names[contender.handle];
    incident.start += shift;
    incident.end += shift;
    bool known = false;
    for (std::size_t i = 0; i < before && !known; ++i) known = is_same(frame_.incidents[i], incident);
    if (!known) frame_.incidents.push_back(std::move(incident));
  }
}

// Each observer fires its own.
void JointHistory::join_alerts(const ObservedPart& part, Duration shift) {
  if (part.source->alerts() == nullptr) return;
  if (!alerts_) alerts_.emplace();
  std::uint64_t before = 0;
  for (const AlertNote& note : *alerts_) before = std::max(before, note.alert);
  for (AlertNote note : *part.source->alerts()) {
    note.alert += before;
    note.at += shift;
    note.until += shift;
    note.subject = part.mutexes[note.subject.handle];
    alerts_->push_back(std::move(note));
  }
}

// What is counted is counted in what came of it, as a sum has each hand-off twice; incidents are those that are there.
void JointHistory::sum_up() {
  std::vector<Incident> sorted(frame_.incidents.begin(), frame_.incidents.end());
  std::stable_sort(sorted.begin(), sorted.end(),
                   [](const Incident& a, const Incident& b) { return a.start < b.start; });
  frame_.incidents = {};
  Recorder recorder(frame_.names, LeaseTerms{}, frame_.legend);
  std::size_t place = 0;
  for (const Event& event : events_) {
    recorder.append(event);
    if (++place % kEventsInPage == 0) recorder.forget(recorder.history().last(), recorder.history().incidents);
  }
  recorder.finish(frame_.now);
  frame_.summary = recorder.history().summary;
  frame_.summary.incidents = {};
  for (Incident& each : sorted) {
    ++frame_.summary.incidents[static_cast<std::size_t>(each.kind)];
    frame_.incidents.push_back(std::move(each));
  }
}

std::vector<std::string> JointHistory::mutexes() const {
  std::vector<bool> met(frame_.names.size());
  std::vector<std::string> out;
  for (const Event& event : events_)
    if (!event.mutex.empty() && !met[event.mutex.handle]) {
      met[event.mutex.handle] = true;
      out.emplace_back(frame_.names.text(event.mutex));
    }
  return out;
}

int JointHistory::permille() const { return events_.empty() ? 1000 : static_cast<int>(given_ * 1000 / events_.size()); }

bool JointHistory::read_page(std::vector<Event>& events) {
  const std::size_t count = std::min(kEventsInPage, events_.size() - given_);
  const auto from = events_.begin() + static_cast<std::ptrdiff_t>(given_);
  events.insert(events.end(), from, from + static_cast<std::ptrdiff_t>(count));
  given_ += count;
  return count > 0;
}

}  // namespace leasescope
