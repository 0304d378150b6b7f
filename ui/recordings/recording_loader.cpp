#include "ui/recordings/recording_loader.h"

#include <algorithm>
#include <future>

#include "simulator/run/recorded_run.h"

namespace leasescope {
namespace {

// Events between two looks at whether to stop, some 10 ms of work.
constexpr std::size_t kAtOnce = 32'768;

std::vector<Event> next_events(RecordingReader& reader) {
  std::vector<Event> out;
  out.reserve(kAtOnce);
  while (out.size() < kAtOnce && reader.read_page(out)) {
  }
  return out;
}

RunFacts facts_of(const HistoryHeader& header, const Scenario& scenario, const Legend& legend, Duration length) {
  const bool lived = header.world == "live";
  RunFacts out = run_facts(scenario, header.world, lived ? header.store : std::string());
  out.legend = legend;  // the words for faults are those of the program that recorded it
  out.length = length;
  return out;
}

// What has come beside the chart.
void fold_tables(const History& history, FoldedHistory& into) {
  into.cast.sync(history);
  into.contenders.sync(history, into.cast);
  into.moments.follow();
}

}  // namespace

RecordingLoader::RecordingLoader(std::string path) : path_(std::move(path)) {
  thread_ = std::thread([this] {
    auto loaded = load();
    const std::lock_guard lock(lock_);
    result_ = std::move(loaded);
  });
}

RecordingLoader::~RecordingLoader() {
  stop_ = true;
  thread_.join();
}

std::optional<tl::expected<LoadedRecording, std::string>> RecordingLoader::result() {
  const std::lock_guard lock(lock_);
  return std::exchange(result_, std::nullopt);
}

tl::expected<LoadedRecording, std::string> RecordingLoader::load() {
  auto reader = RecordingReader::open(path_);
  if (!reader) return tl::make_unexpected(reader.error());
  auto scenario = scenario_of(reader->header(), path_);
  if (!scenario) return tl::make_unexpected(scenario.error());
  LoadedRecording out;
  out.header = reader->header();
  out.scenario = std::move(*scenario);
  out.outcome = reader->outcome();
  out.remarks = reader->remarks();
  out.history = std::make_unique<History>(reader->frame());
  const Duration known = out.history->now - TrueTime{};
  const Duration ran = out.outcome ? Duration(out.outcome->simulated_ns) : out.scenario.length();
  out.facts = facts_of(out.header, out.scenario, out.history->legend, std::max(ran, known));
  events_ = reader->events();
  read(*reader, out);
  return out;
}

// The next events are read while the last are folded, into the chart on the one hand and into all else on the other.
// Incidents are shown when all that they are of has come.
void RecordingLoader::read(RecordingReader& reader, LoadedRecording& into) {
  History& history = *into.history;
  IncidentList incidents = std::exchange(history.incidents, {});
  TrueTime end = std::exchange(history.now, TrueTime{});
  FoldedHistory& folded = into.folded;
  folded.chart.reset(into.facts);
  folded.cast.reset(history.legend.contenders);
  folded.moments.setHistory(&history, &folded.cast);
  folded.contenders = ContenderTallies(history.legend);
  history.events.reserve(events_);
  const auto ahead = [&reader] { return std::async(std::launch::async, next_events, std::ref(reader)); };
  std::vector<Event> page = next_events(reader);
  for (; !page.empty() && !stop_; come_ = history.events.size()) {
    auto next = ahead();
    for (const Event& event : page) history.now = std::max(history.now, event.at());
    history.events.insert(history.events.end(), page.begin(), page.end());
    auto tables = std::async(std::launch::async, fold_tables, std::cref(history), std::ref(folded));
    folded.chart.append(history);
    tables.get();
    page = next.get();
  }
  into.error = reader.error();
  into.stopped = !page.empty();
  const bool part = into.stopped || !into.error.empty();
  if (part) end = history.now;
  for (const Incident& incident : incidents)
    if (!part || incident.start <= end) history.incidents.push_back(incident);
  history.now = end;
  folded.chart.append(history);
  folded.moments.setCast(nullptr);
}

}  // namespace leasescope
