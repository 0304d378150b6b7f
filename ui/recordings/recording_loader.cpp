#include "ui/recordings/recording_loader.h"

#include <algorithm>
#include <future>

#include "core/history/recording/recording_reader.h"
#include "simulator/run/recorded_run.h"

namespace leasescope {
namespace {

// Events between two looks at whether to stop, some 10 ms of work.
constexpr std::size_t kAtOnce = 32'768;

// In the memory of `out`, whatever was in it.
std::vector<Event> next_events(HistorySource& source, std::vector<Event> out) {
  out.clear();
  out.reserve(kAtOnce);
  while (out.size() < kAtOnce && source.read_page(out)) {
  }
  return out;
}

RunFacts facts_of(const HistoryHeader& header, const Scenario& scenario, const Legend& legend, Duration length) {
  const bool lived = header.world != "virtual";
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

RecordingLoader::RecordingLoader(HistoryPlace place) : place_(std::move(place)) {
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
  const auto source = place_.open(stop_);
  if (!source) return tl::make_unexpected(source.error());
  auto scenario = scenario_of((*source)->header(), place_.word().toStdString());
  if (!scenario) return tl::make_unexpected(scenario.error());
  LoadedRecording out;
  out.header = (*source)->header();
  out.scenario = std::move(*scenario);
  out.history = std::make_unique<History>((*source)->frame());
  const Duration known = out.history->now - TrueTime{};
  const auto& ended = (*source)->outcome();
  const Duration ran = ended ? Duration(ended->simulated_ns) : out.scenario.length();
  out.facts = facts_of(out.header, out.scenario, out.history->legend, std::max(ran, known));
  read(**source, out);
  out.outcome = (*source)->outcome();
  out.remarks = (*source)->remarks();
  if ((*source)->alerts() != nullptr) out.fired = *(*source)->alerts();
  return out;
}

// The next events are read while the last are folded, into the chart on the one hand and into all else on the other.
// Incidents are shown when all that they are of has come.
void RecordingLoader::read(HistorySource& source, LoadedRecording& into) {
  History& history = *into.history;
  history.incidents = {};
  history.now = TrueTime{};
  FoldedHistory& folded = into.folded;
  folded.chart.reset(into.facts);
  folded.cast.reset(history.legend.contenders);
  folded.moments.setHistory(&history, &folded.cast);
  folded.contenders = ContenderTallies(history.legend);
  if (const auto* const recording = dynamic_cast<const RecordingReader*>(&source)) {
    into.grows = !source.outcome();
    // Room for as much again: a long history is not to be copied in the window's thread when it grows.
    history.events.reserve(recording->events() * (into.grows ? 2 : 1));
  }
  std::vector<Event> page = next_events(source, {}), used;
  const auto ahead = [&source, &used] {
    return std::async(std::launch::async, next_events, std::ref(source), std::move(used));
  };
  for (; !page.empty() && !stop_; come_ = history.events.size()) {
    take_names(history, source.frame());
    permille_ = source.permille();
    auto next = ahead();
    for (const Event& event : page) history.now = std::max(history.now, event.at());
    history.events.insert(history.events.end(), page.begin(), page.end());
    auto tables = std::async(std::launch::async, fold_tables, std::cref(history), std::ref(folded));
    folded.chart.append(history);
    tables.get();
    used = std::exchange(page, next.get());
  }
  into.error = source.error();
  into.stopped = !page.empty();
  const bool part = into.stopped || !into.error.empty();
  if (!part) history.now = source.frame().now;
  for (const Incident& incident : source.frame().incidents)
    if (!part || incident.start <= history.now) history.incidents.push_back(incident);
  history.summary = source.frame().summary;
  folded.chart.append(history);
  folded.moments.setCast(nullptr);
}

}  // namespace leasescope
