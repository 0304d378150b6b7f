#include "app/leasescopectl_recording.h"

#include <CLI/CLI.hpp>

#include "app/leasescopectl.h"

namespace leasescope::ctl {

void add_recording_commands(CLI::App& app, int& exit) {
  CLI::App* group = app.add_subcommand(
      "recording", "What is in a recording; in other forms, several in one, in less room, beside another");
  group->require_subcommand(1);
  add_recording_info(*group, exit);
  add_recording_export(*group, exit);
  add_recording_merge(*group, exit);
  add_recording_import(*group, exit);
  add_recording_compact(*group, exit);
  add_recording_compare(*group, exit);
  add_recording_retain(*group, exit);
}

}  // namespace leasescope::ctl
