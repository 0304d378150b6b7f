// recording compact: a recording in one file, in as little room as it needs, and in the newest form.
#include <memory>

#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include "app/leasescopectl.h"
#include "app/leasescopectl_recorded.h"
#include "app/leasescopectl_recording.h"
#include "core/history/recording/compact.h"

namespace leasescope::ctl {

void add_recording_compact(CLI::App& group, int& exit) {
  auto asked = std::make_shared<std::string>();
  CLI::App* command = group.add_subcommand(
      "compact", "Puts it into one file in as little room as it needs, and in this program's form where it is older");
  command->add_option("RECORDING", *asked, "A file that run --record wrote")->required();
  command->callback([asked, &exit] {
    const auto done = compact_recording(*asked);
    if (!done) {
      exit = bad_input(done.error());
      return;
    }
    say("{}: {} bytes, {} before\n", *asked, done->after, done->before);
    exit = kAsExpected;
  });
}

}  // namespace leasescope::ctl
