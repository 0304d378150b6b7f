#include "core/history/recording/merged_history.h"

#include <algorithm>
#include <map>

#include <fmt/format.h>

#include "core/base/escaped.h"
#include "core/history/recording/event_words.h"
#include "core/history/recording/joined_names.h"
#include "core/history/recording/recording_reader.h"
#include "core/history/summary_fields.h"

namespace leasescope {
namespace {

constexpr std::size_t kEventsInPage = 4096;
constexpr std::string_view kScenarios = " + ", kStores = ", ";
// Further apart than a life of anything that is recorded: a clock was wrong, and sums of moments must not overflow.
constexpr std::int64_t kFurthestApart = INT64_MAX / 4;

bool same(const FaultLegend& a, const FaultLegend& b) {
  return a.name == b.name && a.spoken == b.spoken && a.began == b.began && a.ended == b.ended &&
         a.disturbs == b.disturbs && a.band == b.band && a.lasts == b.lasts;
}

std::vector<std::string> names_in(const Legend& legend, const std::vector<std::string>& told) {
  std::vector<std::string> out = told;
  for (const MutexLegend& mutex : legend.mutexes) out.push_back(mutex.name);
  out.insert(out.end(), legend.contenders.begin(), legend.contenders.end());
  for (const ResourceLegend& resource : legend.resources) out.push_back(resource.name);
  return out;
}

// A watch has no legend of its mutexes: they are met.
tl::expected<std::vector<std::string>, std::string> mutexes_told_in(const std::string& path) {
  auto reader = RecordingReader::open(path);
  if (!reader) return tl::make_unexpected(reader.error());
  std::vector<std::string> out;
  if (!reader->frame().legend.mutexes.empty()) return out;
  std::vector<bool> met(reader->frame().names.size());
  std::vector<Event> page;
  for (; reader->read_page(page); page.clear())
    for (const Event& event : page)
      if (!event.mutex.empty() && !met[event.mutex.handle]) {
        met[event.mutex.handle] = true;
        out.emplace_back(reader->frame().names.text(event.mutex));
      }
  return out;  // of what is damaged it is told when it is read
}

}  // namespace

void join_watches(std::optional<WatchSettings>& into, const std::optional<WatchSettings>& from) {
  if (!into || !from) return into.reset();
  for (const WatchSettings::Store& store : from->stores)
    if (std::find(into->stores.begin(), into->stores.end(), store) == into->stores.end()) into->stores.push_back(store);
  if (into->mutexes != from->mutexes) into->mutexes.clear();
  if (into->rules != from->rules) into->rules.clear();
  into->belief_socket = into->belief_socket || from->belief_socket;
}

// One of the recordings, and what becomes of its names and numbers.
struct MergedHistory::Part {
  explicit Part(Source of) : reader(std::move(of.source)), frame(reader->frame()), told(std::move(of.mutexes)) {}

  bool fetch() {
    if (at < page.size()) return true;
    page.clear();
    at = 0;
    return reader->read_page(page);
  }
  // Of its next event, when it comes: not before those that were told before it.
  TrueTime due() const { return std::max(reached, page[at].hi + shift); }

  std::unique_ptr<HistorySource> reader;
  const History& frame;
  std::vector<std::string> told;
  Duration shift{};
  std::map<std::string, std::string> called;  // by the name it has in its own recording
  std::vector<Name> names;                    // by handle
  std::vector<std::uint8_t> faults;           // by detail
  std::vector<Sequence> numbers;              // of its events, in their order
  std::vector<Event> page;
  std::size_t at = 0;
  TrueTime reached = TrueTime::min();
};

MergedHistory::MergedHistory() = default;
MergedHistory::~MergedHistory() = default;

tl::expected<MergedHistory::Source, std::string> MergedHistory::one_of_several(const std::string& path) {
  auto reader = RecordingReader::open(path);
  if (!reader) return tl::make_unexpected(reader.error());
  auto told = mutexes_told_in(path);
  if (!told) return tl::make_unexpected(told.error());
  return Source{std::make_unique<RecordingReader>(std::move(*reader)), std::move(*told)};
}

tl::expected<std::unique_ptr<MergedHistory>, std::string> MergedHistory::open(const std::vector<std::string>& paths) {
  std::vector<Source> sources;
  if (paths.size() == 1) {
    auto reader = RecordingReader::open(paths.front());
    if (!reader) return tl::make_unexpected(reader.error());
    sources.push_back({std::make_unique<RecordingReader>(std::move(*reader)), {}});
    return of(std::move(sources));
  }
  for (const std::string& path : paths) {
    auto source = one_of_several(path);
    if (!source) return tl::make_unexpected(source.error());
    sources.push_back(std::move(*source));
  }
  return of(std::move(sources));
}

tl::expected<std::unique_ptr<MergedHistory>, std::string> MergedHistory::of(std::vector<Source> sources) {
  std::unique_ptr<MergedHistory> out(new MergedHistory);
  for (Source& source : sources)
    if (std::string reason = out->add(std::move(source)); !reason.empty())
      return tl::make_unexpected(std::move(reason));
  if (std::string reason = out->join(); !reason.empty()) return tl::make_unexpected(std::move(reason));
  return out;
}

std::string MergedHistory::add(Source source) {
  auto part = std::make_unique<Part>(std::move(source));
  if (std::string reason = why_not(*part); !reason.empty()) return reason;
  const std::string& path = part->reader->path();
  events_ += part->reader->events();
  if (events_ > UINT32_MAX)
    return fmt::format("{}: with it they have more than 4294967295 events: leave some out", path);
  for (const std::string& remark : part->reader->remarks()) remarks_.push_back(fmt::format("{}: {}", path, remark));
  path_ += path_.empty() ? path : std::string(kStores) + path;
  join_header(*part);
  parts_.push_back(std::move(part));
  return {};
}

std::string MergedHistory::join() {
  shift_to_first_epoch();
  JoinedNames joined;
  for (const auto& part : parts_) {
    part->called = joined.add(names_in(part->frame.legend, part->told));
    if (std::string reason = join_legend(*part); !reason.empty()) return reason;
    join_outcome(*part);
  }
  join_incidents();
  join_alerts();
  return {};
}

// ---- what is refused

std::string MergedHistory::why_not(const Part& part) const {
  const HistoryHeader& header = part.reader->header();
  const std::string& path = part.reader->path();
  for (const auto& other : parts_) {
    const HistoryHeader& of = other->reader->header();
    const std::string both = fmt::format("{} and {}", other->reader->path(), path);
    if (of.world != header.world)
      return fmt::format(
          "{} are of the {} and the {} world, whose times have nothing to do with each other: look at them "
          "side by side",
          both, escaped(of.world, 40), escaped(header.world, 40));
    const bool timed = of.epoch_ns && header.epoch_ns;
    const bool again = of.seed == header.seed && of.store == header.store && of.epoch_ns == header.epoch_ns;
    const bool meet = lists_meet(of.scenario, header.scenario, kScenarios);
    if (meet && again) return fmt::format("{} are recordings of the same run: name it once", both);
    if (meet && !timed)
      return fmt::format(
          "{} are two runs of {} (seeds {} and {}), each of which begins at 0: compare them side by side", both,
          escaped(header.scenario, 40), of.seed, header.seed);
    if (of.epoch_ns.has_value() != header.epoch_ns.has_value())
      return fmt::format("{}: {} does not say what time it began at, and the other does", both,
                         header.epoch_ns ? other->reader->path() : path);
    const auto apart = timed ? static_cast<double>(*of.epoch_ns) - static_cast<double>(*header.epoch_ns) : 0.0;
    if (std::abs(apart) > static_cast<double>(kFurthestApart))
      return fmt::format("{} began more than 70 years apart: the clock of one of them was wrong", both);
  }
  return {};
}

// ---- what is joined

void MergedHistory::join_header(const Part& part) {
  const HistoryHeader& header = part.reader->header();
  if (parts_.empty()) {
    header_ = header;
    return;
  }
  header_.scenario = joined_list(header_.scenario, header.scenario, kScenarios);
  header_.title = joined_list(header_.title, header.title, kScenarios);
  header_.store = joined_list(header_.store, header.store, kStores);
  if (header_.seed != header.seed) header_.seed = 0;
  if (header_.fork) header_.toml = header_.fork->toml;
  header_.fork.reset();
  header_.until_ns.reset();
  join_watches(header_.watch, header.watch);
  if (header_.epoch_ns) header_.epoch_ns = std::min(*header_.epoch_ns, *header.epoch_ns);
}

void MergedHistory::shift_to_first_epoch() {
  for (const auto& part : parts_)
    if (header_.epoch_ns) part->shift = Duration(*part->reader->header().epoch_ns - *header_.epoch_ns);
  if (parts_.size() == 1) frame_.forgotten = parts_.front()->frame.forgotten;
}

std::string MergedHistory::join_legend(Part& part) {
  const auto called = [&](const std::string& name) -> const std::string& {
    const auto found = part.called.find(name);
    return found == part.called.end() ? name : found->second;
  };
  const Legend& legend = part.frame.legend;
  Legend& into = frame_.legend;
  for (const FaultLegend& fault : legend.faults) {
    const bool first = &part == parts_.front().get();
    auto found = std::find_if(into.faults.begin(), into.faults.end(), [&](const auto& of) { return same(of, fault); });
    if (first || found == into.faults.end()) found = into.faults.insert(into.faults.end(), fault);
    part.faults.push_back(static_cast<std::uint8_t>(found - into.faults.begin()));
  }
  if (into.faults.size() > UINT8_MAX)
    return fmt::format("{}: with it there are more than 255 kinds of fault: leave one out", part.reader->path());
  for (MutexLegend mutex : legend.mutexes) {
    mutex.name = called(mutex.name);
    into.mutexes.push_back(std::move(mutex));
  }
  for (const std::string& contender : legend.contenders) into.contenders.push_back(called(contender));
  for (ResourceLegend resource : legend.resources) {
    resource.name = called(resource.name);
    into.resources.push_back(std::move(resource));
  }
  into.store.timeout = std::max(into.store.timeout, legend.store.timeout);
  into.store.round_trip = std::max(into.store.round_trip, legend.store.round_trip);
  into.store.tells = into.store.tells && legend.store.tells;
  for (std::uint32_t handle = 0; handle < part.frame.names.size(); ++handle)
    part.names.push_back(frame_.names.intern(called(std::string(part.frame.names.text({handle})))));
  std::string told;
  for (const auto& [name, now] : part.called)
    if (name != now) told += fmt::format("{}{} is {}", told.empty() ? "" : ", ", name, now);
  if (!told.empty()) remarks_.push_back(fmt::format("{}: {}", part.reader->path(), told));
  return {};
}

// Each of several has its own verdict, and none is that of all.
void MergedHistory::join_outcome(const Part& part) {
  add_up(frame_.summary, part.frame.summary);
  frame_.now = std::max(frame_.now, part.frame.now + part.shift);
  const std::optional<RecordedOutcome>& of = part.reader->outcome();
  if (parts_.size() == 1) {
    outcome_ = of;
    return;
  }
  if (&part == parts_.front().get()) outcome_.emplace();
  if (!of) outcome_.reset();
  if (!outcome_) return;
  outcome_->simulated_ns = std::max(outcome_->simulated_ns, of->simulated_ns + part.shift.count());
  outcome_->wall_ns = std::max(outcome_->wall_ns, of->wall_ns);
  outcome_->inputs += of->inputs;
  outcome_->not_judged = "several recordings in one, each of which has its own verdict";
}

// By their beginnings; of one recording in the order in which they were found.
void MergedHistory::join_incidents() {
  struct Found {
    TrueTime due;
    const Part* part;
    std::size_t place;
  };
  std::vector<Found> found;
  for (const auto& part : parts_) {
    TrueTime reached = TrueTime::min();
    for (std::size_t i = 0; i < part->frame.incidents.size(); ++i) {
      reached = std::max(reached, part->frame.incidents[i].start + part->shift);
      found.push_back({reached, part.get(), i});
    }
  }
  std::stable_sort(found.begin(), found.end(), [](const Found& a, const Found& b) { return a.due < b.due; });
  for (const auto& [due, part, place] : found) {
    Incident incident = part->frame.incidents[place];
    incident.mutex = part->names[incident.mutex.handle];
    for (Name& contender : incident.contenders) contender = part->names[contender.handle];
    incident.start += part->shift;
    incident.end += part->shift;
    if (parts_.size() > 1) incident.cause = renamed(incident.cause, part->called);
    frame_.incidents.push_back(std::move(incident));
  }
}

// By their moments, with numbers of their own.
void MergedHistory::join_alerts() {
  std::uint64_t before = 0;
  for (const auto& part : parts_) {
    if (part->reader->alerts() == nullptr) continue;
    if (!alerts_) alerts_.emplace();
    std::uint64_t last = before;
    for (AlertNote note : *part->reader->alerts()) {
      note.alert += before;
      last = std::max(last, note.alert);
      note.at += part->shift;
      note.until += part->shift;
      note.subject = part->names[note.subject.handle];
      alerts_->push_back(std::move(note));
    }
    before = last;
  }
  if (!alerts_ || parts_.size() == 1) return;
  std::stable_sort(alerts_->begin(), alerts_->end(),
                   [](const AlertNote& a, const AlertNote& b) { return a.at < b.at; });
}

// ---- the events

MergedHistory::Part* MergedHistory::earliest() {
  Part* first = nullptr;
  for (const auto& part : parts_) {
    if (!part->fetch()) {
      if (error_.empty()) error_ = part->reader->error();
      continue;
    }
    if (first == nullptr || part->due() < first->due()) first = part.get();
  }
  return error_.empty() ? first : nullptr;
}

Event MergedHistory::taken_from(Part& part) {
  part.reached = part.due();
  Event event = part.page[part.at++];
  ++given_;
  if (parts_.size() == 1) return event;
  event.lo += part.shift;
  event.hi += part.shift;
  event.node = part.names[event.node.handle];
  event.mutex = part.names[event.mutex.handle];
  if (names_in_a(event)) event.a = part.names[static_cast<std::size_t>(event.a)].handle;
  if (names_in_b(event)) event.b = part.names[static_cast<std::size_t>(event.b)].handle;
  const bool fault = event.kind == EventKind::kFaultBegan || event.kind == EventKind::kFaultEnded;
  if (fault) event.detail = event.detail < part.faults.size() ? part.faults[event.detail] : UINT8_MAX;
  // A cause that comes later, or that is no longer in its recording, has no number here.
  const std::uint64_t place = std::uint64_t{event.cause} - part.frame.forgotten - 1;
  event.cause = event.cause > part.frame.forgotten && place < part.numbers.size() ? part.numbers[place] : 0;
  part.numbers.push_back(static_cast<Sequence>(given_));
  return event;
}

int MergedHistory::permille() const { return events_ == 0 ? 1000 : static_cast<int>(given_ * 1000 / events_); }

bool MergedHistory::read_page(std::vector<Event>& events) {
  std::size_t count = 0;
  for (; count < kEventsInPage; ++count) {
    Part* const next = earliest();
    if (next == nullptr) break;
    events.push_back(taken_from(*next));
  }
  return count > 0;
}

}  // namespace leasescope
