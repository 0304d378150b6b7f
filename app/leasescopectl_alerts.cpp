// alerts: rules are checked, and looked for in a recording: would they have fired last night?
#include <algorithm>
#include <string>

#include <fmt/format.h>
#include <CLI/CLI.hpp>
#include <nlohmann/json.hpp>

#include "app/leasescopectl.h"
#include "core/alerts/alert_engine.h"
#include "core/alerts/alert_kinds.h"
#include "core/base/escaped.h"
#include "core/history/recorded_clock.h"
#include "core/history/recording/recording_reader.h"
#include "core/time/duration_text.h"
#include "simulator/alerts/alert_rules_file.h"

namespace leasescope::ctl {
namespace {

using Json = nlohmann::ordered_json;

struct AlertOptions {
  std::string rules, recording;
  bool json = false;
};

std::string line_of(const AlertRule& rule) {
  const std::string& of = rule.kind->of_stores ? rule.store : rule.mutex;
  std::string out = fmt::format("{}: {} of {}", escaped(rule.name, 200), rule.kind->word, escaped(of, 200));
  if (rule.kind->counts) out += fmt::format(", more_than {}", rule.count);
  if (rule.kind->length.empty()) return out + "\n";
  const std::string length = rule.written.empty() ? length_text(rule)
                             : rule.leases != 0   ? rule.written
                                                  : fmt::format("{} ({})", rule.written, length_text(rule));
  return fmt::format("{}, {} {}\n", out, rule.kind->length, length);
}

// "Kinds of rules: no_owner (for), handoffs (within, more_than), …"
std::string kinds_text() {
  std::string out;
  for (const AlertKind* each : alert_kinds()) {
    std::string keys(each->length);
    if (each->counts) keys += ", more_than";
    out += fmt::format("{}{}{}", out.empty() ? "Kinds of rules: " : ", ", each->word,
                       keys.empty() ? "" : fmt::format(" ({})", keys));
  }
  return out;
}

int check(const AlertOptions& options) {
  const auto rules = read_alert_rules_file(options.rules);
  if (!rules) return bad_input(rules.error());
  for (const AlertRule& rule : *rules) put(line_of(rule));
  return kAsExpected;
}

Json json_of(const Alert& alert, const AlertEngine& engine, const NameTable& names) {
  const AlertRule& rule = engine.rules()[alert.rule];
  return {{"rule", rule.name},
          {"kind", std::string(rule.kind->word)},
          {rule.kind->of_stores ? "store" : "mutex", std::string(names.text(alert.subject))},
          {"from_ns", alert.from.time_since_epoch().count()},
          {"to_ns", alert.lasts() ? Json(nullptr) : Json(alert.to.time_since_epoch().count())},
          {"words", alert.words}};
}

std::string line_of(const Alert& alert, const AlertEngine& engine, const History& history, const RecordedClock& clock) {
  const TrueTime end = alert.lasts() ? history.now : alert.to;
  return fmt::format("{}  {}  {}  {}: {}: {}\n", clock.text(alert.from),
                     alert.lasts() ? std::string("and lasts") : clock.text(alert.to), format_duration(end - alert.from),
                     escaped(engine.rules()[alert.rule].name, 200), escaped(history.names.text(alert.subject), 200),
                     escaped(alert.words, 400));
}

int find(const AlertOptions& options) {
  auto rules = read_alert_rules_file(options.rules);
  if (!rules) return bad_input(rules.error());
  auto recording = RecordingReader::open(options.recording);
  if (!recording) return bad_input(recording.error());
  const auto history = recording->read();
  if (!history) return bad_input(history.error());
  AlertEngine engine(*std::move(rules), history->legend);
  for (const Event& event : history->events) engine.append(event, history->names);
  engine.advance(history->now, history->names);
  std::vector<const Alert*> found;
  for (const Alert& alert : engine.alerts()) found.push_back(&alert);
  std::stable_sort(found.begin(), found.end(), [](const Alert* a, const Alert* b) { return a->from < b->from; });
  if (options.json) {
    Json out = Json::array();
    for (const Alert* each : found) out.push_back(json_of(*each, engine, history->names));
    put(out.dump(2, ' ', false, Json::error_handler_t::replace) + "\n");
    return kAsExpected;
  }
  const RecordedClock clock(recording->header().epoch_ns);
  for (const Alert* each : found) put(line_of(*each, engine, *history, clock));
  if (found.empty()) put("none of the rules held at any time\n");
  return kAsExpected;
}

}  // namespace

void add_alert_commands(CLI::App& app, int& exit) {
  CLI::App* alerts = app.add_subcommand("alerts", "Rules of alerts: checked, or looked for in a recording");
  alerts->require_subcommand(1);
  const auto options = std::make_shared<AlertOptions>();
  CLI::App* checked = alerts->add_subcommand("check", "Whether a file of rules is right, and what is in it");
  checked->add_option("RULES", options->rules, "A TOML file; - for standard input")->required();
  checked->footer(kinds_text());
  checked->callback([&exit, options] { exit = check(*options); });
  CLI::App* found = alerts->add_subcommand("find", "When they would have fired: alerts find RULES RECORDING");
  found->add_option("RULES", options->rules, "A TOML file; - for standard input")->required();
  found->add_option("RECORDING", options->recording, "Of a watch, or of a run")->required();
  found->add_flag("--json", options->json, "As JSON");
  found->callback([&exit, options] { exit = find(*options); });
}

}  // namespace leasescope::ctl
