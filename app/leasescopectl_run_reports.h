// The files that one run is written to, beside what the terminal is told.
#pragma once
#include <algorithm>
#include <memory>
#include <string>
#include <vector>

#include "app/leasescopectl_reports.h"

namespace leasescope::ctl {

// By their options; empty: not wanted.
struct WantedReports {
  std::string report;
  std::string history;
  std::string record;
};

// Where the run goes beside the terminal, if anywhere. A file that fails does not end the run, and is not written to
// again.
class RunReports {
 public:
  // Empty, or why one cannot be begun.
  std::string open(const WantedReports& wanted);
  // Of a part of a run only.
  void part(const ReportPart& part) {
    each([&](Report& report) {
      report.part(part);
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
  void finish(const History& history, const Scenario& scenario, const Outcome& outcome) {
    each([&](Report& report) { return report.finish(history, scenario, outcome); });
  }
  bool look_back() const {
    return std::any_of(files_.begin(), files_.end(), [](const File& file) { return file.kind->looks_back; });
  }
  // Of the first that failed.
  std::string error() const {
    for (const File& file : files_)
      if (!file.error.empty()) return file.error;
    return {};
  }
  std::string chart() const {
    for (const File& file : files_)
      if (file.kind->option == "--report" && file.error.empty()) return file.path;
    return {};
  }

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
