// replay: what a recording came to, as `run` said it when it was made, or what came of a part of it.
#include <algorithm>
#include <memory>

#include <fmt/format.h>
#include <CLI/CLI.hpp>
#include <QGuiApplication>
#include <nlohmann/json.hpp>

#include "app/leasescopectl.h"
#include "app/leasescopectl_files.h"
#include "app/leasescopectl_offscreen.h"
#include "app/leasescopectl_progress.h"
#include "app/leasescopectl_recorded.h"
#include "app/leasescopectl_run_reports.h"
#include "app/leasescopectl_watched_json.h"
#include "core/alerts/alert_kinds.h"
#include "core/observe/watch_record.h"
#include "simulator/alerts/alert_rules_file.h"
#include "simulator/run/outcome_text.h"
#include "simulator/run/recorded_run.h"
#include "simulator/run/stretch.h"
#include "simulator/scenario/text_file.h"

namespace leasescope::ctl {
namespace {

struct ReplayCommand {
  std::string recording;
  Moments moments;
  std::vector<std::string> mutexes;
  std::string alerts;
  WantedReports reports;

  bool whole() const { return moments.all() && mutexes.empty(); }
  bool json = false;
  bool quiet = false;
};

// What is shown at the end: of a whole recording as its run said it, of a part what the events of it come to.
struct Shown {
  Outcome outcome;
  History history;
  Figures figures;
  std::unique_ptr<WatchedJson> watched;  // null: nobody asked, or nobody watched
};

// The events up to the end of the range, for the reports from its beginning on.
// Why they are not what was asked for, empty where they are.
std::string read_events(RecordingReader& recording, const ReplayCommand& asked, const Range& range,
                        const Scenario& scenario, RunReports& reports, Stretch* stretch, Shown& shown) {
  History& page = shown.history;
  const std::size_t looked_back_at = reports.look_back();
  bool begun = asked.moments.from.empty();
  ChosenMutexes chosen(asked.mutexes);
  Progress progress(asked.quiet);
  const auto take = [&] {
    progress.tell([&] { return fmt::format("{} of {} events", page.last(), recording.events()); });
    if (stretch != nullptr) stretch->append(page);
    if (stretch == nullptr) shown.figures.append(page);
    if (shown.watched) shown.watched->append(page);
    if (!begun) {
      const auto first = std::find_if(page.events.begin(), page.events.end(),
                                      [&](const Event& event) { return event.at() >= range.from; });
      begun = first != page.events.end();
      const auto before = page.forgotten + static_cast<Sequence>(first - page.events.begin());
      if (begun) reports.part({range.from, range.to, before});
    }
    if (begun) reports.append(page);
    if (page.events.size() < 2 * looked_back_at) return;
    reports.fold(page, scenario);
    page.forget_all_but(looked_back_at);
  };
  each_page(recording, range.to, page, take, &chosen);
  const std::string& to = asked.moments.to;
  return chosen.problem(to.empty() ? asked.recording : asked.recording + " before --to " + to, page.names);
}

Shown part_of(const RecordingReader& recording, const ReplayCommand& asked, const Range& range, Stretch& stretch,
              Shown shown) {
  stretch.finish(range.to);
  shown.history.incidents = stretch.incidents();
  shown.history.summary = stretch.summary();
  shown.history.now = range.to;
  shown.figures = stretch.figures();
  shown.outcome = outcome_of(recording.header(), shown.history, std::nullopt);
  shown.outcome.simulated = range.to - range.from;
  shown.outcome.not_judged = part_words(asked.mutexes.empty(), range.from, range.to);
  return shown;
}

// What was told of alerts, as far as it is asked for; none: the recording does not keep it.
std::optional<std::vector<AlertNote>> fired_in(const RecordingReader& recording, const ReplayCommand& asked) {
  if (recording.alerts() == nullptr) return std::nullopt;
  const ChosenMutexes chosen(asked.mutexes);
  std::vector<AlertNote> out;
  for (const AlertNote& each : *recording.alerts())
    if (is_about_stores(each.kind) || chosen.picks(recording.frame().names.text(each.subject))) out.push_back(each);
  return out;
}

// Of a watch, for --json; else null.
std::unique_ptr<WatchedJson> watched_of(const RecordingReader& recording, const ReplayCommand& asked,
                                        const Range& range, const std::vector<AlertRule>& rules,
                                        const std::optional<std::vector<AlertNote>>& fired) {
  if (!asked.json || recording.header().scenario != kWatchName) return nullptr;
  WatchedWish wish{std::nullopt, asked.mutexes, rules, fired};
  if (!asked.moments.all()) wish.part = {range.from, range.to};
  return std::make_unique<WatchedJson>(std::move(wish), recording.frame().legend, recording.frame().forgotten);
}

std::string json_of(const HistoryHeader& header, const Scenario& scenario, const Shown& shown) {
  const std::string outcome = outcome_json(shown.outcome, shown.history, scenario, &shown.figures);
  if (!shown.watched) return outcome + "\n";
  using Json = nlohmann::ordered_json;
  Json out = Json::parse(outcome);
  out["watched"] = shown.watched->json(header, shown.history.names, shown.history.now);
  return out.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

int show(const ReplayCommand& asked, const HistoryHeader& header, const Scenario& scenario, const Shown& shown,
         RunReports& reports) {
  std::FILE* const out = asked.reports.standard_output() ? stderr : stdout;
  put(asked.json ? json_of(header, scenario, shown) : outcome_text(shown.outcome, shown.history, scenario), out);
  Progress progress(asked.quiet);
  reports.show(progress);
  reports.finish(shown.history, scenario, shown.outcome);
  progress.clear();
  if (!reports.error().empty()) return failed(reports.error());
  if (!asked.json) put(reports.told(), out);
  return shown.outcome.as_expected.value_or(true) ? kAsExpected : kNotAsExpected;
}

tl::expected<std::vector<AlertRule>, std::string> rules_of(const ReplayCommand& asked) {
  if (asked.alerts.empty()) return std::vector<AlertRule>{};
  auto rules = read_alert_rules_file(asked.alerts);
  if (!rules) return tl::make_unexpected("--alerts " + rules.error());
  return rules;
}

int replay(const ReplayCommand& asked, int argc, char** argv) {
  if (const std::string problem = asked.reports.problem(asked.recording); !problem.empty()) return bad_input(problem);
  auto recording = RecordingReader::open(asked.recording);
  if (!recording) return bad_input(recording.error());
  for (const std::string& remark : recording->remarks()) complain(fmt::format("{}: {}", asked.recording, remark));
  const auto scenario = scenario_of(recording->header(), asked.recording);
  if (!scenario) return bad_input(scenario.error());
  auto rules = rules_of(asked);
  if (!rules) return bad_input(rules.error());
  const auto range = range_of(asked.moments, *recording, scenario);
  if (!range) return bad_input(range.error());

  std::unique_ptr<QGuiApplication> application;
  if (asked.reports.drawn()) application = offscreen_application(argc, argv);
  RunReports reports;
  if (const std::string error = reports.open(asked.reports); !error.empty()) return bad_input(error);
  auto fired = fired_in(*recording, asked);
  Shown shown;
  shown.history = recording->frame();
  shown.watched = watched_of(*recording, asked, *range, *rules, fired);
  reports.head(recording->header());
  reports.choice({asked.mutexes, *std::move(rules), std::move(fired)});
  if (!asked.moments.all()) reports.part({range->from, range->to, recording->frame().forgotten});

  std::unique_ptr<Stretch> stretch;
  if (!asked.whole())
    stretch = std::make_unique<Stretch>(recording->header(), *scenario, recording->frame(), range->from);
  const std::string problem = read_events(*recording, asked, *range, *scenario, reports, stretch.get(), shown);
  if (!recording->error().empty()) return bad_input(recording->error());
  if (!problem.empty()) return bad_input(problem);
  if (stretch) {
    shown = part_of(*recording, asked, *range, *stretch, std::move(shown));
  } else {
    shown.outcome = outcome_of(recording->header(), shown.history, recording->outcome());
  }
  return show(asked, recording->header(), *scenario, shown, reports);
}

}  // namespace

void add_replay_command(CLI::App& app, int& exit, int argc, char** argv) {
  auto asked = std::make_shared<ReplayCommand>();
  CLI::App* command = app.add_subcommand(
      "replay",
      "What a recording came to: its summary, incidents and verdict, as run said them. Of a part, what its events come "
      "to, which is no verdict");
  command->add_option("RECORDING", asked->recording, "A file that run --record wrote, or is still writing")->required();
  command->add_option("--from", asked->moments.from,
                      "Of what comes from there on, e.g. 20s, \"3 leases\", or 03:12 (UTC) where it had a wall clock");
  command->add_option("--to", asked->moments.to, "Of what came until there");
  command
      ->add_option("--mutex", asked->mutexes,
                   "Only of mutexes that are called so, '*' and '?' as in a shell; again for more")
      ->take_all();
  command->add_option("--alerts", asked->alerts, "Rules of alerts: reports and --json say when they would have held");
  command->add_flag("--json", asked->json,
                    "Print one JSON object; of a watch also what its evidence report says, under \"watched\"");
  asked->reports.add_options(*command, true);
  command->add_flag("--quiet", asked->quiet, "No progress on a terminal");
  command->callback([asked, &exit, argc, argv] { exit = replay(*asked, argc, argv); });
}

}  // namespace leasescope::ctl
