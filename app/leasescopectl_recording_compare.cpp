// recording compare: two recordings side by side, and where they part.
#include <algorithm>
#include <memory>
#include <utility>

#include <fmt/format.h>
#include <CLI/CLI.hpp>
#include <nlohmann/json.hpp>

#include "app/leasescopectl.h"
#include "app/leasescopectl_recording.h"
#include "core/base/escaped.h"
#include "core/history/comparison.h"
#include "core/history/recording/recording_reader.h"
#include "core/time/duration_text.h"
#include "simulator/run/recorded_run.h"
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
  std::string outcome_a, outcome_b;  // "as expected", "not judged: …"
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

Json place_json(const std::optional<TrueTime>& at) { return at ? Json(at->time_since_epoch().count()) : Json(nullptr); }

// Both figures, and when either is seen.
template <class Figure>
Json figure_json(const Figure& a, const Figure& b, const ComparedPlaces& at) {
  return {{"a", a}, {"b", b}, {"a_at_ns", place_json(at.a)}, {"b_at_ns", place_json(at.b)}};
}

double a_second(std::uint64_t thousandths) { return static_cast<double>(thousandths) / 1000; }

std::string as_json(const Asked& asked, const Compared& compared) {
  const ComparedHistories& of = compared.found;
  Json out{{"a", asked.a}, {"b", asked.b}, {"same", of.same()}};
  out["outcome"] = {{"a", compared.outcome_a}, {"b", compared.outcome_b}};
  out["counts"] = Json::object();
  for (const ComparedCount& each : of.counts) out["counts"][each.name] = figure_json(each.a, each.b, each.at);
  out["lengths_ns"] = Json::object();
  for (const ComparedLength& each : of.lengths)
    out["lengths_ns"][std::string(each.name)] = figure_json(each.a.count(), each.b.count(), each.at);
  out["per_second"] = Json::object();
  for (const ComparedRate& each : of.rates)
    out["per_second"][std::string(each.name)] = figure_json(a_second(each.a), a_second(each.b), each.at);
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

std::string figure_line(std::string_view name, const std::string& a, const std::string& b) {
  return fmt::format("  {:<30}{:>20}{:>20}\n", name, a, b);
}

// Of incidents also when the first began.
std::string count_text(const ComparedCount& of, std::uint64_t count, const std::optional<TrueTime>& at) {
  const bool when = at && count > 0 && of.name.rfind("incidents: ", 0) == 0;
  return when ? fmt::format("{} from {} s", count, format_seconds(at->time_since_epoch())) : std::to_string(count);
}

std::string figures_text(const Compared& compared) {
  const ComparedHistories& of = compared.found;
  std::string out = figure_line("", "A", "B") + figure_line("outcome", compared.outcome_a, compared.outcome_b);
  for (const ComparedCount& each : of.counts)
    out += figure_line(each.name, count_text(each, each.a, each.at.a), count_text(each, each.b, each.at.b));
  for (const ComparedLength& each : of.lengths)
    out += figure_line(each.name, spanText(each.a).toStdString(), spanText(each.b).toStdString());
  for (const ComparedRate& each : of.rates)
    out += figure_line(each.name, fmt::format("{:.1f}/s", a_second(each.a)), fmt::format("{:.1f}/s", a_second(each.b)));
  return out;
}

std::string as_text(const Asked& asked, const Compared& compared) {
  const ComparedHistories& of = compared.found;
  std::string out = figures_text(compared);
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

// With how the run it is of came out.
tl::expected<std::pair<History, std::string>, std::string> read_whole(const std::string& path) {
  auto reader = RecordingReader::open(path);
  if (!reader) return tl::make_unexpected(reader.error());
  auto history = reader->read();
  if (!history) return tl::make_unexpected(history.error());
  std::string outcome = verdict_text(outcome_of(reader->header(), *history, reader->outcome()));
  return std::pair(std::move(*history), std::move(outcome));
}

int compare_recordings(const Asked& asked) {
  auto a = read_whole(asked.a);
  if (!a) return bad_input(a.error());
  auto b = read_whole(asked.b);
  if (!b) return bad_input(b.error());
  Compared compared{std::move(a->first), std::move(b->first), std::move(a->second), std::move(b->second), {}};
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
