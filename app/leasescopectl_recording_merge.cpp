// recording merge: several recordings as one.
#include <memory>

#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include "app/leasescopectl.h"
#include "app/leasescopectl_recording.h"
#include "app/leasescopectl_recording_out.h"
#include "core/history/recording/merged_history.h"

namespace leasescope::ctl {
namespace {

struct MergeCommand {
  std::vector<std::string> files;  // the last is made
  bool quiet = false;
};

int merge(const MergeCommand& asked) {
  if (asked.files.size() < 2)
    return bad_input(
        fmt::format("{}: expected recordings, and at last the one to be made of them", asked.files.front()));
  const std::string& made = asked.files.back();
  auto merged = MergedHistory::open({asked.files.begin(), asked.files.end() - 1});
  if (!merged) return bad_input(merged.error());
  NewRecording out;
  if (const std::string reason = out.open(made); !reason.empty()) return bad_input(reason);
  Progress progress(asked.quiet);
  if (const int code = out.fill(**merged, progress); code != kAsExpected) return code;
  for (const std::string& remark : (*merged)->remarks()) complain(remark);
  say("{}: {} in one\n", made, counted(asked.files.size() - 1, "recording"));
  return kAsExpected;
}

}  // namespace

void add_recording_merge(CLI::App& group, int& exit) {
  auto asked = std::make_shared<MergeCommand>();
  CLI::App* command = group.add_subcommand(
      "merge", "Lays recordings of different mutexes, or of different observers, into one, ordered by time");
  command->add_option("FILES", asked->files, "Recordings, and at last the one to be made of them")->required();
  command->add_flag("--quiet", asked->quiet, "No progress on a terminal");
  command->callback([asked, &exit] { exit = merge(*asked); });
}

}  // namespace leasescope::ctl
