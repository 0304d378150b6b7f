// recording export: the events of a recording in words, as `run --history` writes them.
#include <algorithm>
#include <memory>

#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include "app/leasescopectl.h"
#include "app/leasescopectl_files.h"
#include "app/leasescopectl_recorded.h"
#include "app/leasescopectl_recording.h"
#include "app/leasescopectl_recording_team.h"
#include "app/leasescopectl_reports.h"
#include "app/leasescopectl_team.h"
#include "simulator/run/recorded_run.h"

namespace leasescope::ctl {
namespace {

struct ExportCommand {
  std::string recording;
  std::string out;
  Moments moments;
  std::string observer;
  bool quiet = false;
};

// Pages, from the first event in the range on; why it could not be written, empty where it could.
std::string write_events(RecordingReader& recording, const Range& range, Report& report) {
  History page = recording.frame();
  if (range.from > TrueTime{}) {
    recording.seek(range.from);
    page.forgotten = static_cast<Sequence>(recording.next() - 1);
    report.part({range.from, range.to, page.forgotten});
  }
  std::string error;
  bool begun = range.from <= TrueTime{};
  each_page(recording, range.to, page, [&] {
    if (!begun) {
      begun = true;
      const auto first = std::find_if(page.events.begin(), page.events.end(),
                                      [&](const Event& event) { return event.at() >= range.from; });
      report.part({range.from, range.to, page.forgotten + static_cast<Sequence>(first - page.events.begin())});
    }
    if (error.empty()) error = report.append(page);
    page.forgotten = page.last();
    page.events.clear();
  });
  return error.empty() ? report.finish(page, Scenario{}, Outcome{}) : error;
}

int write_out(const ExportCommand& asked) {
  if (names_team(asked.recording))
    return team_export(asked.recording, asked.out, {asked.observer, asked.moments.from, asked.moments.to, asked.quiet});
  if (!asked.observer.empty())
    return bad_input(fmt::format("--observer {}: {} is one recording: it goes with a team's database", asked.observer,
                                 asked.recording));
  const std::string wanted = wrong_report("--history", asked.out);
  for (const std::string& problem : {wanted, unwritable(asked.out)})
    if (!problem.empty()) return bad_input(problem);
  if (asked.out == asked.recording)
    return bad_input(fmt::format("{}: expected another file than the recording", asked.out));
  auto recording = RecordingReader::open(asked.recording);
  if (!recording) return bad_input(recording.error());
  const auto range = range_of(asked.moments, *recording, scenario_of(recording->header(), asked.recording));
  if (!range) return bad_input(range.error());
  const auto report = report_kind_of("--history", asked.out)->make();
  std::string error = report->open(asked.out);
  if (error.empty()) error = report->head(recording->header());
  if (error.empty()) error = write_events(*recording, *range, *report);
  if (!error.empty()) return failed(error);
  if (!recording->error().empty()) return bad_input(recording->error());
  return kAsExpected;
}

}  // namespace

void add_recording_export(CLI::App& group, int& exit) {
  auto asked = std::make_shared<ExportCommand>();
  CLI::App* command = group.add_subcommand(
      "export",
      "Its events in words. Of a recording that is damaged those before the damage, and exit code 2. Of a team's "
      "database also a recording of its own, which the window opens");
  command
      ->add_option("RECORDING", asked->recording,
                   "A file that run --record wrote, or is still writing; or a team's database: "
                   "postgresql://host/database")
      ->required();
  command
      ->add_option(
          "OUT", asked->out,
          report_help("--history") + "; of a team's database any other FILE: a recording, which is not there yet")
      ->required();
  command->add_option("--from", asked->moments.from,
                      "What comes from there on, e.g. 20s, \"3 leases\", or 03:12 (UTC) where it had a wall clock");
  command->add_option("--to", asked->moments.to, "What came until there");
  command->add_option("--observer", asked->observer, "Of a team's database: what this one has seen");
  command->add_flag("--quiet", asked->quiet, "No progress on a terminal");
  command->callback([asked, &exit] { exit = write_out(*asked); });
}

}  // namespace leasescope::ctl
