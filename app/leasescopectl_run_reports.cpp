#include "app/leasescopectl_run_reports.h"

#include <utility>

namespace leasescope::ctl {

std::string RunReports::open(const WantedReports& wanted) {
  for (const auto& [option, path] : {std::pair{"--report", &wanted.report}, std::pair{"--history", &wanted.history},
                                     std::pair{"--record", &wanted.record}}) {
    const ReportKind* const kind = path->empty() ? nullptr : report_kind_of(option, *path);
    if (kind == nullptr) continue;
    files_.push_back({kind, *path, kind->make(), {}});
    if (std::string error = files_.back().report->open(*path); !error.empty()) return error;
  }
  return {};
}

}  // namespace leasescope::ctl
