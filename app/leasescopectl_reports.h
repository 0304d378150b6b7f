// What a run can be written to: the register of reports.
#pragma once
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "app/leasescopectl_files.h"
#include "app/leasescopectl_progress.h"
#include "core/alerts/alert_note.h"
#include "core/alerts/alert_rule.h"
#include "core/history/history.h"
#include "core/history/history_header.h"
#include "simulator/run/outcome.h"
#include "simulator/scenario/scenario.h"

namespace leasescope::ctl {

// Of a run not all is to be reported.
struct ReportPart {
  TrueTime from{};
  TrueTime to{};
  Sequence before = 0;  // the number of the last event before it
};
// Only these mutexes, rules of alerts that are looked for in it, and what was told of alerts.
struct ReportChoice {
  std::vector<std::string> mutexes;             // empty: all
  std::vector<AlertRule> rules;                 // empty: nobody asked
  std::optional<std::vector<AlertNote>> fired;  // of these mutexes; none: nobody kept it
};

// One file of one run. Each call says why it failed, empty where it did not; what failed once is not written to again.
class Report {
 public:
  virtual ~Report() = default;
  // Before the run.
  virtual std::string open(const std::string& path) = 0;
  virtual std::string head(const HistoryHeader& /*header*/) { return {}; }
  // Where it tells how far it is, should that take long.
  virtual void show(Progress& /*progress*/) {}
  // Before what comes of it: only that is wanted. What looks back is shown from before it on all the same.
  virtual void part(const ReportPart& /*part*/) {}
  // Likewise; what comes is chosen already.
  virtual void choice(const ReportChoice& /*choice*/) {}
  // What has come since: as often as anything has.
  virtual std::string append(const History& /*history*/) { return {}; }
  // Likewise; when it returns nothing of it is needed any more.
  virtual std::string catch_up(const History& history) { return append(history); }
  // All that came, also before the part, which is not held any longer but for the last events that its kind looks back
  // at; `scenario`: what the run ends under. Of a run that is held to its end there is no call.
  virtual std::string fold(const History& /*history*/, const Scenario& /*scenario*/) { return {}; }
  // After the run.
  virtual std::string finish(const History& /*history*/, const Scenario& /*scenario*/, const Outcome& /*outcome*/) {
    return {};
  }
};

struct ReportKind {
  std::string_view ending;  // ".svg"; empty: any
  std::string_view option;  // "--report"
  std::string_view about;
  std::function<std::unique_ptr<Report>()> make;
  std::string_view noun = {};  // what the terminal says was written there; empty: it does not say so
  bool takes_standard_output = false;
  std::size_t looks_back = 0;                                    // so many events are held when more come
  bool draws = false;                                            // with the fonts of Qt Gui
  bool of_run_only = false;                                      // not of a recording
  std::string (*why_not)(const std::string& path) = unwritable;  // why that file cannot be written; empty: it can
};

const std::vector<ReportKind>& report_kinds();
// Of that file; null where an option has none for its ending.
const ReportKind* report_kind_of(std::string_view option, const std::string& path);
// Each once.
std::vector<std::string_view> report_options();
// For the help of the option: "FILE.svg the chart as a drawing, …".
std::string report_help(std::string_view option);
// Why that file cannot be what the option writes; empty where it can, or where no file is named.
std::string wrong_report(std::string_view option, const std::string& path);

}  // namespace leasescope::ctl
