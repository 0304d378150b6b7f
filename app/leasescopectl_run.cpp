#include <csignal>
#include <cstdio>
#include <memory>

#include <fmt/format.h>
#include <QCoreApplication>
#include <QGuiApplication>
#include <QTimer>

#include "app/leasescopectl.h"
#include "app/leasescopectl_files.h"
#include "app/leasescopectl_moment.h"
#include "app/leasescopectl_offscreen.h"
#include "app/leasescopectl_password.h"
#include "app/leasescopectl_progress.h"
#include "app/leasescopectl_reports.h"
#include "app/leasescopectl_run_reports.h"
#include "core/history/figures.h"
#include "core/history/recording/recording_file.h"
#include "core/store/password.h"
#include "core/time/duration_text.h"
#include "simulator/live/live_run.h"
#include "simulator/run/fork.h"
#include "simulator/run/outcome_text.h"
#include "simulator/run/recorded_run.h"
#include "simulator/run/virtual_run.h"
#include "simulator/scenario/catalogue.h"
#include "simulator/scenario/scenario_text.h"
#include "simulator/scenario/text_file.h"

namespace leasescope::ctl {
namespace {

volatile std::sig_atomic_t interrupted = 0;  // by that signal
// A signal only sets a flag: the run is ended in good order, its history with it, and its servers.
void end_on_signals() {
  for (const int number : {SIGINT, SIGTERM, SIGHUP}) std::signal(number, [](int came) { interrupted = came; });
}

constexpr int kLookMs = 20;  // between two looks at it

constexpr std::uint64_t kInputsAtOnce = 20'000;  // then what came of them goes to the disk

bool is_virtual(const std::string& store) { return store == "model" || store.rfind("model:", 0) == 0; }

struct Fork {
  TrueTime at{};
  Scenario changed;
};

// What the store says instead of doing what it is asked is told at once, and once.
void tell_refusals(const History& history, std::size_t& seen) {
  for (; seen < history.incidents.size(); ++seen)
    if (history.incidents[seen].kind == IncidentKind::kStoreRefuses) complain(history.incidents[seen].cause);
}

// Prints, draws what was asked for, and turns the verdict into an exit code.
int report(const RunOptions& options, const Scenario& scenario, const Outcome& outcome, const History& history,
           RunReports& reports, const Figures& figures) {
  const std::string text = options.json ? outcome_json(outcome, history, scenario, &figures) + "\n"
                                        : outcome_text(outcome, history, scenario);
  std::FILE* const out = options.reports.standard_output() ? stderr : stdout;
  put(text, out);
  Progress progress(options.quiet);
  reports.show(progress);
  reports.finish(history, scenario, outcome);
  progress.clear();
  if (!reports.error().empty()) return failed(reports.error());
  if (!options.json) put(reports.told(), out);
  return outcome.as_expected.value_or(true) ? kAsExpected : kNotAsExpected;
}

// What came until then has been reported; it is no verdict on the run.
int unless_interrupted(int code, TrueTime at) {
  if (interrupted == 0) return code;
  return failed(fmt::format("interrupted at {} s", format_seconds(at.time_since_epoch())));
}

std::string progress_text(TrueTime now, TrueTime end, const char* what) {
  return fmt::format("{} of {} s {}", format_seconds(now.time_since_epoch(), 1),
                     format_seconds(end.time_since_epoch(), 1), what);
}

int run_virtual(const RunOptions& options, const Scenario& scenario, TrueTime until, const std::optional<Fork>& fork) {
  VirtualRun run(scenario);
  RunReports reports;
  if (const std::string error = reports.open(options.reports); !error.empty()) return bad_input(error);
  HistoryHeader header = history_header(scenario, run.outcome(), until);
  if (fork) header.fork = {fork->at.time_since_epoch().count(), scenario_text(fork->changed)};
  reports.head(header);
  end_on_signals();
  Figures figures;
  Progress progress(options.quiet);
  const TrueTime end = std::min(until, TrueTime{} + scenario.length());
  const std::size_t looked_back_at = reports.look_back();
  const auto advance = [&](TrueTime to) {
    for (bool more = true; more && run.now() < to && interrupted == 0;) {
      more = run.advance(to, kInputsAtOnce);
      reports.append(run.history());
      figures.append(run.history());
      progress.tell([&] { return progress_text(run.now(), end, "simulated"); });
      if (run.history().events.size() < 2 * looked_back_at) continue;
      reports.fold(run.history(), fork ? fork->changed : scenario);
      reports.catch_up(run.history());
      run.forget_events(looked_back_at);
    }
  };
  if (fork) {
    advance(fork->at - Duration(1));
    if (interrupted != 0) return unless_interrupted(kAsExpected, run.now());
    if (const auto forked = run.fork(fork->at, fork->changed); !forked)
      return bad_input(fmt::format("--fork-at {}: {}", options.fork_at, forked.error()));
  }
  advance(until);
  run.finish();
  progress.clear();
  return unless_interrupted(report(options, run.scenario(), run.outcome(), run.history(), reports, figures), run.now());
}

// Nothing has begun that could be told of: the program ends as the signal would have ended it, with nothing left.
int end_by(int signal) {
  std::signal(signal, SIG_DFL);
  std::raise(signal);
  return kFailed;
}

// Runs the event loop until the run is prepared; nothing then, else the code to leave with.
std::optional<int> prepare(LiveRun& run, const RunOptions& options) {
  Progress progress(options.quiet);
  std::optional<std::string> failure;
  bool prepared = false;
  QTimer watch;
  std::string step;
  QObject::connect(&run, &LiveRun::preparing, &watch, [&](const PreparationStep& now) { step = now.words; });
  QObject::connect(&run, &LiveRun::prepared, &watch, [&] {
    prepared = true;
    QCoreApplication::quit();
  });
  QObject::connect(&run, &LiveRun::cancelled, &watch, &QCoreApplication::quit);
  QObject::connect(&run, &LiveRun::failed, &watch, [&](const std::string& message) {
    failure = message;
    QCoreApplication::quit();
  });
  QObject::connect(&watch, &QTimer::timeout, [&] {
    progress.tell([&] { return step; });
    if (interrupted != 0) run.cancel();
  });
  run.ask_password_with([&](const std::string& store) {
    progress.clear();
    auto typed = ask_password(store);
    if (interrupted != 0) run.cancel();
    return typed;
  });
  watch.start(kLookMs);
  run.prepare();
  QCoreApplication::exec();
  run.ask_password_with(nullptr);
  progress.clear();
  if (prepared) return std::nullopt;
  return failure ? bad_input(*failure) : end_by(interrupted);
}

int run_live(const RunOptions& options, const Scenario& scenario, TrueTime until) {
  end_on_signals();
  LiveRun run(scenario, options.store);
  if (!options.password_file.empty()) {
    const auto password = password_of_file(options.password_file);
    if (!password) return bad_input("--password-file " + password.error());
    run.use_password(*password);
  }
  if (const auto code = prepare(run, options)) return *code;
  for (const std::string& remark : run.remarks()) fmt::print(stderr, "leasescopectl: {}\n", remark);
  RunReports reports;
  if (const std::string error = reports.open(options.reports); !error.empty()) return bad_input(error);
  QTimer watch;
  Figures figures;
  Progress progress(options.quiet);
  const TrueTime end = std::min(until, TrueTime{} + scenario.length());
  QObject::connect(&watch, &QTimer::timeout, [&] {
    progress.tell([&] { return progress_text(run.now(), end, "run"); });
    if (interrupted != 0 || run.now() >= until) run.stop();
  });
  std::size_t incidents_seen = 0;
  QObject::connect(&run, &LiveRun::troubled, [](const std::string& why) { complain(why); });
  QObject::connect(&run, &LiveRun::advanced, [&] {
    reports.append(run.history());
    tell_refusals(run.history(), incidents_seen);
    figures.append(run.history());
  });
  QObject::connect(&run, &LiveRun::finished, QCoreApplication::instance(), &QCoreApplication::quit,
                   Qt::QueuedConnection);
  watch.start(kLookMs);
  run.start();
  HistoryHeader header = history_header(scenario, run.outcome(), until);
  header.epoch_ns = run.epoch_ns();
  reports.head(header);
  QCoreApplication::exec();
  reports.append(run.history());
  tell_refusals(run.history(), incidents_seen);
  figures.append(run.history());
  progress.clear();
  return unless_interrupted(report(options, scenario, run.outcome(), run.history(), reports, figures), run.now());
}

tl::expected<Fork, std::string> read_fork(const RunOptions& options, const Scenario& scenario, TrueTime until) {
  if (!is_virtual(options.store))
    return tl::make_unexpected(fmt::format(
        "--fork-at {}: a run on a live store has one course only: expected a run in virtual time (--store model)",
        options.fork_at));
  const auto at = time_of("--fork-at", options.fork_at, scenario);
  if (!at) return tl::make_unexpected(at.error());
  const TrueTime end = std::min(until, TrueTime{} + scenario.length());
  if (*at >= end)
    return tl::make_unexpected(fmt::format("--fork-at {}: expected a time before the end of the run at {}",
                                           options.fork_at, format_duration(end.time_since_epoch())));
  std::vector<std::string> sets = options.sets;
  sets.insert(sets.end(), options.fork_sets.begin(), options.fork_sets.end());
  auto changed = find_scenario(options.scenario, sets);
  if (!changed) return tl::make_unexpected(changed.error().text());
  if (options.seed) changed->seed = *options.seed;
  if (const auto may = check_fork(scenario, *changed); !may)
    return tl::make_unexpected(fmt::format("--fork-at {}: {}", options.fork_at, may.error()));
  return Fork{*at, std::move(*changed)};
}

}  // namespace

int run(const RunOptions& options, int argc, char** argv) {
  auto scenario = find_scenario(options.scenario, options.sets);
  if (!scenario) return bad_input(scenario.error().text());
  if (const std::string advice = scenario->advice(); !advice.empty()) complain(advice);
  if (options.seed && *options.seed != scenario->seed) scenario->replay.reset();  // no longer what it tells of
  if (options.seed) scenario->seed = *options.seed;
  TrueTime until = TrueTime::max();
  if (!options.until.empty()) {
    const auto at = time_of("--until", options.until, *scenario);
    if (!at) return bad_input(at.error());
    until = *at;
  }
  std::optional<Fork> fork;
  if (!options.fork_at.empty()) {
    auto read = read_fork(options, *scenario, until);
    if (!read) return bad_input(read.error());
    fork = std::move(*read);
  }
  if (const std::string problem = options.reports.problem(); !problem.empty()) return bad_input(problem);

  std::unique_ptr<QCoreApplication> application;
  if (options.reports.drawn()) {
    application = offscreen_application(argc, argv);
  } else if (!is_virtual(options.store)) {
    application = std::make_unique<QCoreApplication>(argc, argv);
  }
  return is_virtual(options.store) ? run_virtual(options, *scenario, until, fork) : run_live(options, *scenario, until);
}

}  // namespace leasescope::ctl
