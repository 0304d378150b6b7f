// The files that one run is written to, beside what the terminal is told.
#pragma once
#include <algorithm>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "app/leasescopectl_reports.h"

namespace CLI {
class App;
}

namespace leasescope::ctl {

// What the options of the register of reports name.
class WantedReports {
 public:
  // An option for each kind there is; those that only a run can write are left out for a recording.
  void add_options(CLI::App& command, bool of_recording);
  // Empty, or why one of them cannot be written. `read`: a file that is read meanwhile; empty: none.
  std::string problem(const std::string& read = {}) const;
  // One of them is drawn.
  bool drawn() const;
  // One of them has standard output for itself.
  bool standard_output() const;

 private:
  friend class RunReports;

  struct Named {
    const ReportKind* kind;
    const std::string* path;
  };
  std::vector<Named> named() const;

  std::map<std::string_view, std::string> paths_;  // by option; empty: not wanted
};

// Where the run goes beside the terminal, if anywhere. A file that fails does not end the run, and is not written to
// again.
class RunReports {
 public:
  // Empty, or why one cannot be begun.
  std::string open(const WantedReports& wanted);
  // Which outlives the reports' end.
  void show(Progress& progress) {
    each([&](Report& report) {
      report.show(progress);
      return std::string();
    });
  }
  // Of a part of a run only.
  void part(const ReportPart& part) {
    each([&](Report& report) {
      report.part(part);
      return std::string();
    });
  }
  void choice(const ReportChoice& choice) {
    each([&](Report& report) {
      report.choice(choice);
      return std::string();
    });
  }
  void head(const HistoryHeader& header) {
    each([&](Report& report) { return report.head(header); });
  }
  void append(const History& history) {
    each([&](Report& report) { return report.append(history); });
  }
  // Whatever comes now may be forgotten after it.
  void catch_up(const History& history) {
    each([&](Report& report) { return report.catch_up(history); });
  }
  // What of the history is let go of after it, but for the last look_back() events.
  void fold(const History& history, const Scenario& scenario) {
    each([&](Report& report) { return report.fold(history, scenario); });
  }
  void finish(const History& history, const Scenario& scenario, const Outcome& outcome) {
    each([&](Report& report) { return report.finish(history, scenario, outcome); });
  }
  std::size_t look_back() const {
    std::size_t most = 0;
    for (const File& file : files_) most = std::max(most, file.kind->looks_back);
    return most;
  }
  // Of the first that failed.
  std::string error() const {
    for (const File& file : files_)
      if (!file.error.empty()) return file.error;
    return {};
  }
  // "chart written to FILE", a line each; empty where there is nothing to say.
  std::string told() const;

 private:
  struct File {
    const ReportKind* kind;
    std::string path;
    std::unique_ptr<Report> report;
    std::string error;
  };
  template <class Do>
  void each(Do what) {
    for (File& file : files_)
      if (file.error.empty()) file.error = what(*file.report);
  }

  std::vector<File> files_;
};

}  // namespace leasescope::ctl
