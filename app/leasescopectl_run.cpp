#include <csignal>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <memory>

#include <fmt/format.h>
#include <QCoreApplication>
#include <QGuiApplication>
#include <QTimer>

#include "app/leasescopectl.h"
#include "app/leasescopectl_files.h"
#include "app/leasescopectl_password.h"
#include "app/leasescopectl_progress.h"
#include "core/history/figures.h"
#include "core/history/history_file.h"
#include "core/store/password.h"
#include "core/time/duration_text.h"
#include "simulator/campaign/replay.h"
#include "simulator/live/live_run.h"
#include "simulator/run/fork.h"
#include "simulator/run/outcome_text.h"
#include "simulator/run/virtual_run.h"
#include "simulator/scenario/catalogue.h"
#include "simulator/scenario/scenario_text.h"
#include "simulator/scenario/text_file.h"
#include "ui/timeline/paint/picture.h"

namespace leasescope::ctl {
namespace {

volatile std::sig_atomic_t interrupted = 0;
// A signal only sets a flag: the run is ended in good order, its history with it, and its servers.
void end_on_signals() {
  std::signal(SIGINT, [](int) { interrupted = 1; });
  std::signal(SIGTERM, [](int) { interrupted = 1; });
  std::signal(SIGHUP, [](int) { interrupted = 1; });
}

constexpr std::uint64_t kInputsAtOnce = 20'000;  // then what came of them goes to the disk

// A machine without a desktop session has no runtime folder: Qt says so on every run, and it does not matter here.
void without_the_runtime_folder(QtMsgType, const QMessageLogContext&, const QString& text) {
  if (!text.startsWith("QStandardPaths: XDG_RUNTIME_DIR")) fmt::print(stderr, "{}\n", text.toStdString());
}

bool is_virtual(const std::string& store) { return store == "model" || store.rfind("model:", 0) == 0; }

std::string wrong_ending(const std::string& path, std::initializer_list<const char*> endings) {
  if (path.empty() || path == kStandardInput) return {};
  std::string known;
  for (const char* ending : endings) {
    if (std::filesystem::path(path).extension() == ending) return {};
    known += fmt::format("{}{}", known.empty() ? "" : " or ", ending);
  }
  return fmt::format("{}: expected a file ending in {}", path, known);
}

// Where the history goes, if anywhere; a recording that fails does not end the run.
class Recording {
 public:
  std::string open(const std::string& path) {
    if (path.empty()) return {};
    auto opened = path == kStandardInput ? HistoryFile::standard_output() : HistoryFile::open(path);
    if (!opened) return opened.error();
    file_ = std::make_unique<HistoryFile>(std::move(*opened));
    return {};
  }
  // The first line.
  void head(const HistoryHeader& header) {
    if (file_ == nullptr) return;
    if (const auto done = file_->head(header); !done) error_ = done.error();
  }
  void append(const History& history) {
    if (file_ == nullptr || !error_.empty()) return;
    if (const auto done = file_->append(history); !done) error_ = done.error();
  }
  const std::string& error() const { return error_; }

 private:
  std::unique_ptr<HistoryFile> file_;
  std::string error_;
};

struct Fork {
  TrueTime at{};
  Scenario changed;
};

HistoryHeader header_of(const Scenario& scenario, const Outcome& outcome, TrueTime until) {
  HistoryHeader header;
  header.program = program_version();
  header.scenario = scenario.name;
  header.toml = scenario_text(scenario);
  header.seed = scenario.seed;
  header.world = outcome.world;
  header.store = outcome.store;
  if (until != TrueTime::max()) header.until_ns = until.time_since_epoch().count();
  return header;
}

bool write_report(const History& history, const Scenario& scenario, const Outcome& outcome, const std::string& path,
                  std::string& error) {
  PictureOptions options;
  options.facts = run_facts(scenario, outcome.world, outcome.world == "virtual" ? "" : outcome.store);
  options.scale = 2;
  options.outcome = QString::fromStdString(verdict_text(outcome));
  QString reason;
  const bool good = write_picture(history, options, QString::fromStdString(path), &reason);
  error = reason.toStdString();
  return good;
}

// What the store says instead of doing what it is asked is told at once, and once.
void tell_refusals(const History& history, std::size_t& seen) {
  for (; seen < history.incidents.size(); ++seen)
    if (history.incidents[seen].kind == IncidentKind::kStoreRefuses) complain(history.incidents[seen].cause);
}

// Prints, draws what was asked for, and turns the verdict into an exit code.
int report(const RunOptions& options, const Scenario& scenario, const Outcome& outcome, const History& history,
           const Recording& recording, const Figures& figures) {
  const std::string text = options.json ? outcome_json(outcome, history, scenario, &figures) + "\n"
                                        : outcome_text(outcome, history, scenario);
  std::FILE* const out = options.history == kStandardInput ? stderr : stdout;  // the history has the other for itself
  put(text, out);
  if (!recording.error().empty()) return failed(recording.error());
  if (!options.report.empty()) {
    std::string error;
    if (!write_report(history, scenario, outcome, options.report, error)) return failed(error);
    if (!options.json) put(fmt::format("chart written to {}\n", options.report), out);
  }
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
  Recording recording;
  if (const std::string error = recording.open(options.history); !error.empty()) return bad_input(error);
  HistoryHeader header = header_of(scenario, run.outcome(), until);
  if (fork) header.fork = {fork->at.time_since_epoch().count(), scenario_text(fork->changed)};
  recording.head(header);
  end_on_signals();
  Figures figures;
  Progress progress(options.quiet);
  const TrueTime end = std::min(until, TrueTime{} + scenario.length());
  const auto advance = [&](TrueTime to) {
    for (bool more = true; more && run.now() < to && interrupted == 0;) {
      more = run.advance(to, kInputsAtOnce);
      recording.append(run.history());
      figures.append(run.history());
      progress.tell([&] { return progress_text(run.now(), end, "simulated"); });
      if (options.report.empty()) run.forget_events();  // only a chart looks back
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
  return unless_interrupted(report(options, run.scenario(), run.outcome(), run.history(), recording, figures),
                            run.now());
}

int run_live(const RunOptions& options, const Scenario& scenario, TrueTime until) {
  LiveRun run(scenario, options.store);
  if (!options.password_file.empty()) {
    const auto password = password_of_file(options.password_file);
    if (!password) return bad_input("--password-file " + password.error());
    run.use_password(*password);
  }
  run.ask_password_with(ask_password);
  if (const auto ready = run.prepare(); !ready) return bad_input(ready.error());
  Recording recording;
  if (const std::string error = recording.open(options.history); !error.empty()) return bad_input(error);
  end_on_signals();
  QTimer watch;
  Figures figures;
  Progress progress(options.quiet);
  const TrueTime end = std::min(until, TrueTime{} + scenario.length());
  QObject::connect(&watch, &QTimer::timeout, [&] {
    progress.tell([&] { return progress_text(run.now(), end, "run"); });
    if (interrupted != 0 || run.now() >= until) run.stop();
  });
  std::size_t incidents_seen = 0;
  QObject::connect(&run, &LiveRun::advanced, [&] {
    recording.append(run.history());
    tell_refusals(run.history(), incidents_seen);
    figures.append(run.history());
  });
  QObject::connect(&run, &LiveRun::finished, QCoreApplication::instance(), &QCoreApplication::quit,
                   Qt::QueuedConnection);
  watch.start(20);
  run.start();
  HistoryHeader header = header_of(scenario, run.outcome(), until);
  header.epoch_ns = run.epoch_ns();
  recording.head(header);
  QCoreApplication::exec();
  recording.append(run.history());
  tell_refusals(run.history(), incidents_seen);
  figures.append(run.history());
  progress.clear();
  return unless_interrupted(report(options, scenario, run.outcome(), run.history(), recording, figures), run.now());
}

// The time of an option in the scenario's measures; the error is for the user.
tl::expected<TrueTime, std::string> time_of(const char* option, const std::string& text, const Scenario& scenario) {
  const auto parsed = parse_time_expression(text);
  if (!parsed) return tl::make_unexpected(fmt::format("{}: {}", option, parsed.error()));
  const TrueTime at = TrueTime{} + parsed->under(scenario.terms());
  if (at <= TrueTime{}) return tl::make_unexpected(fmt::format("{} {}: expected more than 0s", option, text));
  return at;
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
  for (const std::string& problem :
       {wrong_ending(options.report, {".svg", ".png"}), wrong_ending(options.history, {".jsonl"}),
        options.report == kStandardInput ? std::string("--report -: expected a file ending in .svg or .png")
                                         : std::string(),

        unwritable(options.report), unwritable(options.history)})
    if (!problem.empty()) return bad_input(problem);

  std::unique_ptr<QCoreApplication> application;
  if (!options.report.empty()) {
    qInstallMessageHandler(without_the_runtime_folder);
    qputenv("QT_QPA_PLATFORM", "offscreen");  // pictures need fonts, not a display
    application = std::make_unique<QGuiApplication>(argc, argv);
  } else if (!is_virtual(options.store)) {
    application = std::make_unique<QCoreApplication>(argc, argv);
  }
  return is_virtual(options.store) ? run_virtual(options, *scenario, until, fork) : run_live(options, *scenario, until);
}

}  // namespace leasescope::ctl
