#include "app/leasescopectl_run_reports.h"

#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include "simulator/scenario/text_file.h"

namespace leasescope::ctl {

void WantedReports::add_options(CLI::App& command, bool of_recording) {
  for (const ReportKind& kind : report_kinds()) {
    if (of_recording && kind.of_run_only) continue;
    const auto [path, first] = paths_.try_emplace(kind.option);
    if (first) command.add_option(std::string(kind.option), path->second, report_help(kind.option));
  }
}

std::vector<WantedReports::Named> WantedReports::named() const {
  std::vector<Named> out;
  for (const auto& [option, path] : paths_)
    if (const ReportKind* const kind = path.empty() ? nullptr : report_kind_of(option, path))
      out.push_back({kind, &path});
  return out;
}

std::string WantedReports::problem(const std::string& read) const {
  for (const auto& [option, path] : paths_)
    if (std::string wrong = wrong_report(option, path); !wrong.empty()) return wrong;
  for (const Named& each : named())
    if (std::string why = each.kind->why_not(*each.path); !why.empty()) return why;
  for (const Named& each : named()) {
    if (!read.empty() && *each.path == read) return fmt::format("{}: expected another file than the recording", read);
    for (const Named& other : named())
      if (each.kind->option < other.kind->option && *each.path == *other.path)
        return fmt::format("{} and {} {}: expected two files", each.kind->option, other.kind->option, *each.path);
  }
  return {};
}

bool WantedReports::drawn() const {
  const std::vector<Named> all = named();
  return std::any_of(all.begin(), all.end(), [](const Named& each) { return each.kind->draws; });
}

bool WantedReports::standard_output() const {
  const std::vector<Named> all = named();
  return std::any_of(all.begin(), all.end(), [](const Named& each) { return *each.path == kStandardInput; });
}

std::string RunReports::open(const WantedReports& wanted) {
  for (const auto& [kind, path] : wanted.named()) {
    files_.push_back({kind, *path, kind->make(), {}});
    if (std::string error = files_.back().report->open(*path); !error.empty()) return error;
  }
  return {};
}

std::string RunReports::told() const {
  std::string out;
  for (const File& file : files_)
    if (!file.kind->noun.empty() && file.error.empty())
      out += fmt::format("{} written to {}\n", file.kind->noun, file.path);
  return out;
}

}  // namespace leasescope::ctl
