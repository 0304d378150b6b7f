// recording merge: several recordings as one.
#include <memory>

#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include "app/leasescopectl.h"
#include "app/leasescopectl_recording.h"
#include "app/leasescopectl_recording_out.h"
#include "core/history/recording/merged_observers.h"
#include "core/time/duration_text.h"

namespace leasescope::ctl {
namespace {

constexpr Duration kMostOffset = std::chrono::hours(24 * 365);

struct MergeCommand {
  std::vector<std::string> files;    // the last is made
  std::vector<std::string> offsets;  // "FILE=120ms"
  bool no_offsets = false;
  bool quiet = false;
};

// Why not, or empty.
std::string read_offsets(const MergeCommand& asked, MergeTerms& into) {
  into.by_shared_events = !asked.no_offsets;
  if (asked.no_offsets && !asked.offsets.empty()) return "expected --offset or --no-offsets, not both";
  for (const std::string& each : asked.offsets) {
    const std::size_t is = each.rfind('=');
    if (is == std::string::npos || is == 0)
      return fmt::format(
          "--offset {}: expected one of the recordings, = and by how much its clock is ahead of the "
          "first one's, such as b.recording=120ms",
          each);
    const auto ahead = parse_duration(std::string_view(each).substr(is + 1));
    if (!ahead) return fmt::format("--offset {}: {}", each, ahead.error());
    if (*ahead > kMostOffset || *ahead < -kMostOffset) return fmt::format("--offset {}: expected a year at most", each);
    if (!into.ahead.emplace(each.substr(0, is), *ahead).second)
      return fmt::format("--offset {}: one was given of it before", each);
  }
  return {};
}

int merge(const MergeCommand& asked) {
  if (asked.files.size() < 2)
    return bad_input(
        fmt::format("{}: expected recordings, and at last the one to be made of them", asked.files.front()));
  const std::string& made = asked.files.back();
  MergeTerms terms;
  if (const std::string reason = read_offsets(asked, terms); !reason.empty()) return bad_input(reason);
  auto merged = merged_observers({asked.files.begin(), asked.files.end() - 1}, terms);
  if (!merged) return bad_input(merged.error());
  NewRecording out;
  if (const std::string reason = out.open(made); !reason.empty()) return bad_input(reason);
  Progress progress(asked.quiet);
  if (const int code = out.fill(*merged->source, progress); code != kAsExpected) return code;
  for (const std::string& said : merged->said) complain(said);
  for (const std::string& remark : merged->source->remarks()) complain(remark);
  say("{}: {} in one\n", made, counted(asked.files.size() - 1, "recording"));
  return kAsExpected;
}

}  // namespace

void add_recording_merge(CLI::App& group, int& exit) {
  auto asked = std::make_shared<MergeCommand>();
  CLI::App* command = group.add_subcommand(
      "merge",
      "Lays recordings of different mutexes, or of different observers, into one, ordered by time; what several "
      "observers saw of one mutex becomes one account, by how far their clocks are apart");
  command->add_option("FILES", asked->files, "Recordings, and at last the one to be made of them")->required();
  command
      ->add_option(
          "--offset", asked->offsets,
          "FILE=120ms: by so much the clock of that one is ahead of the first one's (-120ms: behind). Else that "
          "is reckoned from the grants and ends that both saw")
      ->allow_extra_args(false)
      ->type_name("FILE=TIME");
  command->add_flag("--no-offsets", asked->no_offsets,
                    "By the wall clocks alone, and each observer's account beside the others'");
  command->add_flag("--quiet", asked->quiet, "No progress on a terminal");
  command->callback([asked, &exit] { exit = merge(*asked); });
}

}  // namespace leasescope::ctl
