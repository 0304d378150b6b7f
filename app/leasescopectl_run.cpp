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
#include "core/history/export.h"
#include "core/time/duration_text.h"
#include "simulator/live/live_run.h"
#include "simulator/run/outcome_text.h"
#include "simulator/run/virtual_run.h"
#include "simulator/scenario/catalogue.h"
#include "ui/timeline/paint/picture.h"

namespace leasescope::ctl {
namespace {

volatile std::sig_atomic_t interrupted = 0;

int bad_input(const std::string& message) {
  fmt::print(stderr, "leasescopectl: {}\n", message);
  return kBadInput;
}

int failed(const std::string& message) {
  fmt::print(stderr, "leasescopectl: {}\n", message);
  return kFailed;
}

// A machine without a desktop session has no runtime folder: Qt says so on every run, and it does not matter here.
void without_the_runtime_folder(QtMsgType, const QMessageLogContext&, const QString& text) {
  if (!text.startsWith("QStandardPaths: XDG_RUNTIME_DIR")) fmt::print(stderr, "{}\n", text.toStdString());
}

bool is_virtual(const std::string& store) { return store == "model" || store.rfind("model:", 0) == 0; }

// A file that cannot be written must be known before the run, not after it.
std::string unwritable(const std::string& path) {
  if (path.empty()) return {};
  const std::filesystem::path folder = std::filesystem::absolute(path).parent_path();
  std::error_code code;
  if (!std::filesystem::is_directory(folder, code))
    return fmt::format("{}: the folder {} does not exist", path, folder.string());
  if (std::filesystem::is_directory(path, code)) return fmt::format("{} is a folder: expected a file", path);
  const bool existed = std::filesystem::exists(path, code);
  const bool opens = std::ofstream(path, std::ios::app).good();
  if (!existed) std::filesystem::remove(path, code);
  return opens ? std::string() : fmt::format("{} cannot be written", path);
}

std::string wrong_ending(const std::string& path, std::initializer_list<const char*> endings) {
  if (path.empty()) return {};
  std::string known;
  for (const char* ending : endings) {
    if (std::filesystem::path(path).extension() == ending) return {};
    known += fmt::format("{}{}", known.empty() ? "" : " or ", ending);
  }
  return fmt::format("{}: expected a file ending in {}", path, known);
}

bool write_history(const History& history, const std::string& path, std::string& error) {
  std::ofstream out(path, std::ios::binary | std::ios::trunc);
  write_history_lines(history, fault_kind_names(), out);
  out.flush();
  if (!out) error = fmt::format("{} could not be written whole: is the disk full?", path);
  return static_cast<bool>(out);
}

bool write_report(const History& history, const Scenario& scenario, const Outcome& outcome, const std::string& path,
                  std::string& error) {
  PictureOptions options;
  options.facts = run_facts(scenario, outcome.world, outcome.world == "virtual" ? "" : outcome.store);
  options.scale = 2;
  options.outcome = !outcome.as_expected ? "not judged" : *outcome.as_expected ? "as expected" : "not as expected";
  QString reason;
  const bool good = write_picture(history, options, QString::fromStdString(path), &reason);
  error = reason.toStdString();
  return good;
}

// Prints, writes what was asked for, and turns the verdict into an exit code.
int report(const RunOptions& options, const Scenario& scenario, const Outcome& outcome, const History& history) {
  fmt::print("{}",
             options.json ? outcome_json(outcome, history, scenario) + "\n" : outcome_text(outcome, history, scenario));
  std::fflush(stdout);
  std::string error;
  if (!options.history.empty() && !write_history(history, options.history, error)) return failed(error);
  if (!options.report.empty()) {
    if (!write_report(history, scenario, outcome, options.report, error)) return failed(error);
    if (!options.json) fmt::print("chart written to {}\n", options.report);
  }
  return outcome.as_expected.value_or(true) ? kAsExpected : kNotAsExpected;
}

int run_virtual(const RunOptions& options, const Scenario& scenario, TrueTime until) {
  VirtualRun run(scenario);
  run.advance(until);
  run.finish();
  return report(options, scenario, run.outcome(), run.history());
}

int run_live(const RunOptions& options, const Scenario& scenario, TrueTime until) {
  LiveRun run(scenario, options.store);
  if (const auto ready = run.prepare(); !ready) return bad_input(ready.error());
  std::signal(SIGINT, [](int) { interrupted = 1; });
  std::signal(SIGTERM, [](int) { interrupted = 1; });
  QTimer watch;  // a signal only sets a flag; the run is ended in good order, and its servers with it
  QObject::connect(&watch, &QTimer::timeout, [&] {
    if (interrupted != 0 || run.now() >= until) run.stop();
  });
  QObject::connect(&run, &LiveRun::finished, QCoreApplication::instance(), &QCoreApplication::quit,
                   Qt::QueuedConnection);
  watch.start(20);
  run.start();
  QCoreApplication::exec();
  const int code = report(options, scenario, run.outcome(), run.history());
  return interrupted != 0 ? kFailed : code;
}

}  // namespace

int run(const RunOptions& options, int argc, char** argv) {
  auto scenario = find_scenario(options.scenario, options.sets);
  if (!scenario) return bad_input(scenario.error().text());
  if (options.seed) scenario->seed = *options.seed;
  TrueTime until = TrueTime::max();
  if (!options.until.empty()) {
    const auto parsed = parse_time_expression(options.until);
    if (!parsed) return bad_input("--until: " + parsed.error());
    until = TrueTime{} + parsed->under(scenario->terms());
    if (until <= TrueTime{}) return bad_input("--until: expected more than 0s");
  }
  for (const std::string& problem :
       {wrong_ending(options.report, {".svg", ".png"}), wrong_ending(options.history, {".jsonl"}),
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
  return is_virtual(options.store) ? run_virtual(options, *scenario, until) : run_live(options, *scenario, until);
}

}  // namespace leasescope::ctl
