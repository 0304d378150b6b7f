// recording import: a history in words as a recording.
#include <filesystem>
#include <memory>

#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include "app/leasescopectl.h"
#include "app/leasescopectl_recording.h"
#include "app/leasescopectl_recording_out.h"
#include "simulator/import/history_formats.h"

namespace leasescope::ctl {
namespace {

struct ImportCommand {
  std::string history;
  std::string out;
  bool quiet = false;
};

std::string known_formats() {
  std::string out;
  for (const HistoryFormat& format : history_formats())
    if (format.in_words) out += fmt::format("{}{}", out.empty() ? "" : "; ", format.about);
  return out;
}

int import_history(const ImportCommand& asked) {
  std::error_code unknown;  // then the format says why it cannot be read
  if (!std::filesystem::exists(asked.history, unknown) && !unknown)
    return bad_input(fmt::format("{}: No such file or directory: expected {}", asked.history, known_formats()));
  const HistoryFormat& format = history_format_of(asked.history);
  auto source = format.open(asked.history);
  if (!source) return bad_input(source.error());
  if (!format.in_words)
    return bad_input(fmt::format("{} is a recording already: expected {}", asked.history, known_formats()));
  NewRecording out;
  if (const std::string reason = out.open(asked.out); !reason.empty()) return bad_input(reason);
  Progress progress(asked.quiet);
  if (const int code = out.fill(**source, progress); code != kAsExpected) return code;
  for (const std::string& remark : (*source)->remarks()) complain(fmt::format("{}: {}", asked.history, remark));
  say("{}: {} as a recording\n", asked.out, format.about);
  return kAsExpected;
}

}  // namespace

void add_recording_import(CLI::App& group, int& exit) {
  auto asked = std::make_shared<ImportCommand>();
  CLI::App* command = group.add_subcommand(
      "import", "Makes a recording of a history in words. Incidents and summary are found anew; a verdict it has none");
  command->add_option("HISTORY", asked->history, known_formats())->required();
  command->add_option("OUT", asked->out, "The recording, which is not there yet")->required();
  command->add_flag("--quiet", asked->quiet, "No progress on a terminal");
  command->callback([asked, &exit] { exit = import_history(*asked); });
}

}  // namespace leasescope::ctl
