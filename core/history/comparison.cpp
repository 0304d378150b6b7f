#include "core/history/comparison.h"

#include <algorithm>
#include <iterator>
#include <utility>

#include "core/history/incident_kinds.h"
#include "core/history/summary_fields.h"

namespace leasescope {
namespace {

// Renewals, attempts and wake-ups are the way to what is told here, and there are hundreds of them.
bool is_told(EventKind kind) {
  switch (kind) {
    case EventKind::kStarted:
    case EventKind::kStopped:
    case EventKind::kCrashed:
    case EventKind::kRestarted:
    case EventKind::kGranted:
    case EventKind::kReleased:
    case EventKind::kExpired:
    case EventKind::kReleaseRefused:
    case EventKind::kBelieved:
    case EventKind::kDisbelieved:
    case EventKind::kWriteRejected:
    case EventKind::kWriteStaleAccepted:
    case EventKind::kFaultBegan:
    case EventKind::kFaultEnded:
    case EventKind::kSessionOpened:
    case EventKind::kSessionEnded:
    case EventKind::kElected:
    case EventKind::kUnobservedBegan:
    case EventKind::kUnobservedEnded:
      return true;
    default:
      return false;
  }
}

// The event that a field of the summary counts, among those that are told.
std::optional<EventKind> counted_by(std::string_view field) {
  constexpr std::pair<std::string_view, EventKind> kAll[] = {
      {"contenders", EventKind::kStarted},
      {"acquisitions", EventKind::kGranted},
      {"handoffs", EventKind::kGranted},
      {"double_grants", EventKind::kGranted},
      {"fence_regressions", EventKind::kGranted},
      {"stale_writes_rejected", EventKind::kWriteRejected},
      {"stale_writes_accepted", EventKind::kWriteStaleAccepted},
      {"late_releases_refused", EventKind::kReleaseRefused},
  };
  for (const auto& [name, kind] : kAll)
    if (name == field) return kind;
  return std::nullopt;
}

void order(std::vector<ComparedEvent>& events) {
  const auto earlier = [](const ComparedEvent& x, const ComparedEvent& y) { return x.at() < y.at(); };
  if (!std::is_sorted(events.begin(), events.end(), earlier)) std::stable_sort(events.begin(), events.end(), earlier);
}

}  // namespace

const ComparedEvent* ComparedHistories::first_difference() const {
  const auto found = std::find_if(events.begin(), events.end(), [](const ComparedEvent& e) { return !e.at_once(); });
  return found == events.end() ? nullptr : &*found;
}

Comparing::Comparing(const History& a, const History& b, std::optional<TrueTime> until)
    : a_(a), b_(b), end_(until.value_or(std::min(a.now, b.now))), figures_a_(a), figures_b_(b) {}

bool Comparing::told(const Event& event) const { return is_told(event.kind) && event.hi <= end_; }

Comparing::Like Comparing::likeness(const History& history, const Event& event) {
  return {event.kind, event.detail, history.names.text(event.node), history.names.text(event.mutex), event.token};
}

ComparedEvent Comparing::named(const Like& like) {
  ComparedEvent event;
  std::tie(event.kind, event.detail, event.who, event.mutex, event.token) = like;
  return event;
}

void Comparing::take_a(const Event& event, Sequence number) {
  if (!told(event)) return;
  const Like like = likeness(a_, event);
  alike_[like].in_a.push_back(of_a_.size());
  of_a_.push_back(named(like));
  of_a_.back().a = {event.lo, event.hi, number};
}

// Each finds the first of its like that has none of b yet.
void Comparing::take_b(const Event& event, Sequence number) {
  if (!told(event)) return;
  const Like like = likeness(b_, event);
  const ComparedMoment moment{event.lo, event.hi, number};
  const auto known = alike_.find(like);
  if (known != alike_.end() && known->second.paired < known->second.in_a.size()) {
    of_a_[known->second.in_a[known->second.paired++]].b = moment;
    return;
  }
  only_b_.push_back(named(like));
  only_b_.back().b = moment;
}

bool Comparing::advance(std::size_t events) {
  for (; events > 0 && at_a_ < a_.events.size(); --events, ++at_a_) take_a(a_.events[at_a_], a_.number(at_a_));
  figures_a_.append(a_.forgotten + static_cast<Sequence>(at_a_));
  for (; events > 0 && at_b_ < b_.events.size(); --events, ++at_b_) take_b(b_.events[at_b_], b_.number(at_b_));
  figures_b_.append(b_.forgotten + static_cast<Sequence>(at_b_));
  return done() < this->events();
}

// Where the two part in what it counts; where they do not, the first of it.
ComparedPlaces Comparing::places_of(std::string_view field) const {
  if (field == "renewals") return {figures_a_.first_renewal(), figures_b_.first_renewal()};
  const std::optional<EventKind> kind = counted_by(field);
  const ComparedEvent* found = nullptr;
  for (const ComparedEvent& event : out_.events) {
    if (!kind || event.kind != *kind) continue;
    if (found == nullptr || !event.at_once()) found = &event;
    if (!event.at_once()) break;
  }
  ComparedPlaces out;
  if (found != nullptr && found->a) out.a = found->a->hi;
  if (found != nullptr && found->b) out.b = found->b->hi;
  return out;
}

void Comparing::count() {
  const auto add = [&](std::string name, std::uint64_t in_a, std::uint64_t in_b, const ComparedPlaces& at) {
    if (in_a + in_b > 0) out_.counts.push_back({std::move(name), in_a, in_b, at});
  };
  const Summary &a = a_.summary, &b = b_.summary;
  for (const SummaryCount& field : kSummaryCounts)
    add(std::string(field.name), a.*field.of, b.*field.of, places_of(field.name));
  for (const IncidentKind kind : kAllIncidentKinds)
    add("incidents: " + std::string(text(kind)), a.incidents[static_cast<std::size_t>(kind)],
        b.incidents[static_cast<std::size_t>(kind)],
        {figures_a_.first_incident(kind), figures_b_.first_incident(kind)});
}

void Comparing::measure() {
  const auto add = [&](std::string_view name, const SeenLength& in_a, const SeenLength& in_b) {
    if (in_a.length != Duration{} || in_b.length != Duration{})
      out_.lengths.push_back({name, in_a.length, in_b.length, {in_a.at, in_b.at}});
  };
  const SideFigures &a = figures_a_, &b = figures_b_;
  const SeenLength gap_a = longest_of(a.gaps()), gap_b = longest_of(b.gaps());
  add("leaderless", {a_.summary.leaderless, gap_a.at}, {b_.summary.leaderless, gap_b.at});
  add("not observed", {a_.summary.unobserved, {}}, {b_.summary.unobserved, {}});
  const IncidentKind overlap = IncidentKind::kBeliefOverlap;
  add("belief overlap", {a_.summary.belief_overlap, a.first_incident(overlap)},
      {b_.summary.belief_overlap, b.first_incident(overlap)});
  add("hand-off, median", median_of(a.handoffs()), median_of(b.handoffs()));
  add("hand-off, longest", longest_of(a.handoffs()), longest_of(b.handoffs()));
  add("gap, median", median_of(a.gaps()), median_of(b.gaps()));
  add("gap, longest", gap_a, gap_b);
  add("store round trip, median", a.round_trip(), b.round_trip());
  const std::uint64_t asked_a = a.requests_per_kilosecond(), asked_b = b.requests_per_kilosecond();
  if (asked_a + asked_b > 0) out_.rates.push_back({"requests", asked_a, asked_b, {a.busiest(), b.busiest()}});
}

ComparedHistories Comparing::take() {
  order(of_a_);
  order(only_b_);
  out_.events.reserve(of_a_.size() + only_b_.size());
  std::merge(std::move_iterator(of_a_.begin()), std::move_iterator(of_a_.end()), std::move_iterator(only_b_.begin()),
             std::move_iterator(only_b_.end()), std::back_inserter(out_.events),
             [](const ComparedEvent& x, const ComparedEvent& y) { return x.at() < y.at(); });
  for (const ComparedEvent& event : out_.events) {
    out_.only_a += !event.b;
    out_.only_b += !event.a;
    out_.moved += event.in_both() && !event.at_once();
  }
  count();
  measure();
  return std::move(out_);
}

ComparedHistories compare(const History& a, const History& b, std::optional<TrueTime> until) {
  Comparing comparing(a, b, until);
  comparing.advance(comparing.events());
  return comparing.take();
}

}  // namespace leasescope
