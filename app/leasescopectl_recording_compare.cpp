// recording compare: two recordings side by side, and where they part.
#include <algorithm>
#include <memory>

#include <fmt/format.h>
#include <CLI/CLI.hpp>
#include <nlohmann/json.hpp>

#include "app/leasescopectl.h"
#include "app/leasescopectl_recording.h"
#include "core/base/escaped.h"
#include "core/history/comparison.h"
#include "core/history/recording/recording_reader.h"
#include "core/time/duration_text.h"
#include "ui/models/words.h"

namespace leasescope::ctl {
namespace {

using Json = nlohmann::ordered_json;

struct Asked {
  std::string a, b;
  bool json = false;
  bool all = false;
};

constexpr std::size_t kShown = 40;  // differences, unless all are wanted

struct Compared {
  History a, b;
  ComparedHistories found;

  std::string words_of(const ComparedEvent& event) const {
    const History& history = event.a ? a : b;
    return kindText(history, history.event((event.a ? event.a : event.b)->event)).toStdString();
  }
};

Json moment_json(const std::optional<ComparedMoment>& moment) {
  if (!moment) return nullptr;
  return {{"lo_ns", moment->lo.time_since_epoch().count()},
          {"hi_ns", moment->hi.time_since_epoch().count()},
          {"event", moment->event}};
}

std::string as_json(const Asked& asked, const Compared& compared) {
  const ComparedHistories& of = compared.found;
  Json out{{"a", asked.a}, {"b", asked.b}, {"same", of.same()}};
  out["counts"] = Json::object();
  for (const ComparedCount& each : of.counts) out["counts"][each.name] = {{"a", each.a}, {"b", each.b}};
  out["lengths_ns"] = Json::object();
  for (const ComparedLength& each : of.lengths)
    out["lengths_ns"][each.name] = {{"a", each.a.count()}, {"b", each.b.count()}};
  out["only_a"] = of.only_a;
  out["only_b"] = of.only_b;
  out["moved"] = of.moved;
  out["events"] = Json::array();
  for (const ComparedEvent& each : of.events) {
    if (!asked.all && each.at_once()) continue;
    Json row{{"what", compared.words_of(each)}, {"who", each.who}, {"mutex", each.mutex}, {"token", each.token}};
    row["a"] = moment_json(each.a);
    row["b"] = moment_json(each.b);
    out["events"].push_back(std::move(row));
  }
  return out.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

std::string seconds(const std::optional<ComparedMoment>& moment) {
  return moment ? format_seconds(moment->hi.time_since_epoch()) + " s" : "-";
}

std::string line_of(const Compared& compared, const ComparedEvent& event) {
  const std::string later = event.in_both() ? signedText(event.later()).toStdString() : "";
  const std::string token = event.token == kNoToken ? "" : fmt::format(" #{}", event.token);
  const std::string who = event.who.empty() ? "the store" : escaped(event.who, 40);
  return fmt::format("  {:>12}  {:>12}  {:>12}  {} {}{}\n", seconds(event.a), seconds(event.b), later, who,
                     compared.words_of(event), token);
}

std::string as_text(const Asked& asked, const Compared& compared) {
  const ComparedHistories& of = compared.found;
  std::string out = fmt::format("  {:<26}{:>16}{:>16}\n", "", "A", "B");
  for (const ComparedCount& each : of.counts) out += fmt::format("  {:<26}{:>16}{:>16}\n", each.name, each.a, each.b);
  for (const ComparedLength& each : of.lengths)
    out += fmt::format("  {:<26}{:>16}{:>16}\n", each.name, spanText(each.a).toStdString(),
                       spanText(each.b).toStdString());
  const std::size_t same = of.events.size() - of.only_a - of.only_b - of.moved;
  out += fmt::format("\n{} the same, {} moved, {} in A only, {} in B only\n", counted(same, "event"), of.moved,
                     of.only_a, of.only_b);
  std::size_t told = 0;
  for (const ComparedEvent& event : of.events) {
    if (event.at_once() && !asked.all) continue;
    if (told == 0) out += fmt::format("\n  {:>12}  {:>12}  {:>12}\n", "A", "B", "later");
    if (++told <= kShown || asked.all) out += line_of(compared, event);
  }
  if (told > kShown && !asked.all) out += fmt::format("  … and {} more: --all\n", told - kShown);
  return out;
}

tl::expected<History, std::string> read_whole(const std::string& path) {
  auto reader = RecordingReader::open(path);
  if (!reader) return tl::make_unexpected(reader.error());
  return reader->read();
}

int compare_recordings(const Asked& asked) {
  auto a = read_whole(asked.a);
  if (!a) return bad_input(a.error());
  auto b = read_whole(asked.b);
  if (!b) return bad_input(b.error());
  Compared compared{std::move(*a), std::move(*b), {}};
  compared.found = compare(compared.a, compared.b);
  put(asked.json ? as_json(asked, compared) : as_text(asked, compared));
  return compared.found.same() ? kAsExpected : kNotAsExpected;
}

}  // namespace

void add_recording_compare(CLI::App& group, int& exit) {
  auto asked = std::make_shared<Asked>();
  CLI::App* command = group.add_subcommand(
      "compare",
      "Two side by side, event by event: of two worlds, seeds or settings; 0 when they are the same, else 3");
  command->add_option("A", asked->a, "A recording")->required();
  command->add_option("B", asked->b, "Another")->required();
  command->add_flag("--json", asked->json, "Print one JSON object");
  command->add_flag("--all", asked->all, "What is the same in both, too");
  command->callback([asked, &exit] { exit = compare_recordings(*asked); });
}

}  // namespace leasescope::ctl
