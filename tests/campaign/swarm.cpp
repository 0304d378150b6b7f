// The swarm commands of the terminal program without Qt, so that every compiler and sanitizer can build them quickly.
#include <CLI/CLI.hpp>

#include "app/leasescopectl.h"

int main(int argc, char** argv) {
  CLI::App app("Many seeds of the virtual world.", "leasescope_swarm");
  app.require_subcommand(1);
  int exit = -1;
  leasescope::ctl::add_swarm_commands(app, exit);
  leasescope::ctl::add_seed_commands(app, exit);
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    return app.exit(error) == 0 ? 0 : leasescope::ctl::kBadInput;
  }
  return exit;
}
