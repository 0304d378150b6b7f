// recording info: what a recording is of, and how much of it there is.
#include <array>
#include <ctime>
#include <filesystem>
#include <memory>

#include <fmt/chrono.h>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <CLI/CLI.hpp>
#include <nlohmann/json.hpp>

#include "app/leasescopectl.h"
#include "app/leasescopectl_recorded.h"
#include "app/leasescopectl_recording.h"
#include "app/leasescopectl_recording_team.h"
#include "app/leasescopectl_team.h"
#include "core/base/escaped.h"
#include "core/history/recording/recording_reader.h"
#include "core/time/duration_text.h"
#include "simulator/engine/trace_hash.h"

namespace leasescope::ctl {
namespace {

using Json = nlohmann::ordered_json;

std::uint64_t size_of(const std::string& path) {
  std::error_code code;
  const auto size = std::filesystem::file_size(path, code);
  return code ? 0 : size;
}

// With what was written beside it and is not in it yet.
std::uint64_t bytes_of(const std::string& path) { return size_of(path) + size_of(path + "-wal"); }

template <class Of>
std::vector<std::string> names_of(const std::vector<Of>& of) {
  std::vector<std::string> out;
  out.reserve(of.size());
  for (const Of& one : of) out.push_back(one.name);
  return out;
}

template <class Value>
Json or_null(const std::optional<Value>& value) {
  return value ? Json(*value) : Json(nullptr);
}

Json incidents_json(const History& frame) {
  Json out = Json::object();
  for (const IncidentKind kind : kAllIncidentKinds)
    if (const auto count = frame.summary.incidents[static_cast<std::size_t>(kind)]; count > 0) out[text(kind)] = count;
  return out;
}

// So many were told of; none: that is not kept in it.
std::optional<std::size_t> alerts_in(const RecordingReader& of) {
  if (of.alerts() == nullptr) return std::nullopt;
  return fired_alerts(*of.alerts()).size();
}

std::string as_json(const RecordingReader& of) {
  const HistoryHeader& header = of.header();
  const History& frame = of.frame();
  Json out{{"file", of.path()},     {"form", of.form()},   {"program", header.program}, {"scenario", header.scenario},
           {"title", header.title}, {"seed", header.seed}, {"world", header.world},     {"store", header.store}};
  out["epoch_unix_ns"] = or_null(header.epoch_ns);
  out["until_ns"] = or_null(header.until_ns);
  out["fork_at_ns"] = header.fork ? Json(header.fork->at_ns) : Json(nullptr);
  out["finished"] = of.outcome().has_value();
  out["covered_seconds"] = std::chrono::duration<double>(frame.now.time_since_epoch()).count();
  out["events"] = of.events();
  out["incidents"] = incidents_json(frame);
  out["alerts"] = or_null(alerts_in(of));
  out["contenders"] = frame.legend.contenders;
  out["mutexes"] = names_of(frame.legend.mutexes);
  out["resources"] = names_of(frame.legend.resources);
  const bool hashed = of.outcome() && of.outcome()->trace_hash;
  out["trace_hash"] = hashed ? Json(hash_text(*of.outcome()->trace_hash)) : Json(nullptr);
  out["as_expected"] = of.outcome() ? or_null(of.outcome()->as_expected) : Json(nullptr);
  out["bytes"] = bytes_of(of.path());
  out["remarks"] = of.remarks();
  return out.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

std::string list(const char* noun, const std::vector<std::string>& names) {
  constexpr std::size_t kShown = 12;
  if (names.empty()) return {};
  std::string out = fmt::format("  {} {}", noun, names.size());
  for (std::size_t i = 0; i < std::min(names.size(), kShown); ++i)
    out += fmt::format("{} {}", i == 0 ? ":" : ",", escaped(names[i], 40));
  return out + (names.size() > kShown ? " …\n" : "\n");
}

std::string as_text(const RecordingReader& of) {
  const HistoryHeader& header = of.header();
  const History& frame = of.frame();
  std::string out = fmt::format("{} · {} · {} world, {}, seed {}\n", escaped(header.scenario), escaped(header.title),
                                escaped(header.world), escaped(header.store), header.seed);
  out += fmt::format("written by leasescope {} in form {}, {} bytes\n", escaped(header.program), of.form(),
                     bytes_of(of.path()));
  if (header.epoch_ns)
    out += fmt::format("began at {:%Y-%m-%d %H:%M:%S} UTC\n",
                       fmt::gmtime(static_cast<std::time_t>(*header.epoch_ns / 1'000'000'000)));
  if (header.fork) out += fmt::format("forked at {} s\n", format_seconds(Duration(header.fork->at_ns)));
  out +=
      of.outcome() ? "the run has ended\n" : "the run had not ended: it is still recorded, or its program was killed\n";
  const auto alerts = alerts_in(of);
  out += fmt::format("\n  {} s, {}, {}{}\n", format_seconds(frame.now.time_since_epoch()),
                     counted(of.events(), "event"), counted(frame.incidents.size(), "incident"),
                     alerts ? ", " + counted(*alerts, "alert") : std::string());
  out += list("contenders", frame.legend.contenders) + list("mutexes", names_of(frame.legend.mutexes)) +
         list("resources", names_of(frame.legend.resources));
  for (const std::string& remark : of.remarks()) out += fmt::format("  {}\n", escaped(remark));
  return out;
}

}  // namespace

void add_recording_info(CLI::App& group, int& exit) {
  struct Asked {
    std::string recording;
    bool json = false;
  };
  auto asked = std::make_shared<Asked>();
  CLI::App* command =
      group.add_subcommand("info", "What it is of, when, by which program, and how much of it there is");
  command
      ->add_option("RECORDING", asked->recording,
                   "A file that run --record wrote, or is still writing; or a team's database, of which all recordings "
                   "are listed: postgresql://host/database")
      ->required();
  command->add_flag("--json", asked->json, "Print one JSON object");
  command->callback([asked, &exit] {
    if (names_team(asked->recording)) {
      exit = team_info(asked->recording, asked->json);
      return;
    }
    const auto recording = RecordingReader::open(asked->recording);
    if (!recording) {
      exit = bad_input(recording.error());
      return;
    }
    put(asked->json ? as_json(*recording) : as_text(*recording));
    exit = kAsExpected;
  });
}

}  // namespace leasescope::ctl
