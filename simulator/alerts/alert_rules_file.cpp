#include "simulator/alerts/alert_rules_file.h"

#include <algorithm>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "core/alerts/alert_kinds.h"
#include "core/base/nearest_word.h"
#include "simulator/scenario/table_reader.h"
#include "simulator/scenario/text_file.h"
#include "simulator/scenario/time_expression.h"

namespace leasescope {
namespace {

constexpr std::int64_t kSchema = 1;
constexpr std::int64_t kMostHandoffs = 5'000;
constexpr std::string_view kOf = "a rule";
constexpr std::string_view kExpected =
    "rules of alerts as TOML: schema = 1, then a table [[rule]] for each, as in the example of core/alerts/README.md";

std::vector<std::string> kind_names() {
  std::vector<std::string> out;
  for (const AlertKind* kind : alert_kinds()) out.emplace_back(kind->word);
  return out;
}

// In the measures of a lease no store tells all: how much of it is transition its owners have agreed on.
void read_length(TableReader& in, AlertRule& rule) {
  const std::string_view key = rule.kind->length;
  TimeExpression time;
  LeaseTerms terms;
  terms.ttl = terms.transition = Duration::zero();
  in.time(key, time, true);
  in.duration("transition", terms.transition, Duration(1));
  if (in.failed()) return;
  const auto fail = [&](std::string_view expected) {
    in.fail_at(key, fmt::format("{} is \"{}\": expected {}", in.name(key), time.text, expected));
  };
  if (time.ttls != 0) return fail("a time such as 12s, in transitions, or in leases");
  if (time.leases != 0 && !rule.kind->of_lease)
    return fail("a time such as 12s or in transitions: this kind is about no lease");
  if (time.transitions != 0 && terms.transition == Duration::zero())
    return fail("transition = \"6s\" beside it, or as much as it is: no store's events tell");
  if (!time.relative() && time.fixed == Duration::zero()) return fail("1ns or more");
  rule.leases = std::exchange(time.leases, 0);
  if (rule.leases != 0 || time.relative()) rule.written = time.text;
  rule.length = time.under(terms);
  if (rule.leases == 0 && (rule.length <= Duration::zero() || rule.length > TableReader::kLongest))
    fail("1ns or more, and ten years at most");
}

AlertRule read_rule(TableReader& in, const toml::table& table, const std::vector<AlertRule>& before) {
  AlertRule rule;
  std::string word;
  in.text("name", rule.name, true);
  in.text("kind", word, true);
  if (in.failed()) return rule;
  const bool again =
      std::any_of(before.begin(), before.end(), [&](const AlertRule& each) { return each.name == rule.name; });
  if (again) in.fail_at("name", fmt::format("there is a rule \"{}\" already: expected a name of its own", rule.name));
  if (rule.name.empty()) in.fail_at("name", "expected a name, by which an alert is told");
  rule.kind = find_alert_kind(word);
  if (rule.kind == nullptr) {
    const std::vector<std::string> names = kind_names();
    in.fail(*table.get("kind"), fmt::format("{} is \"{}\"{}: expected {}", in.name("kind"), word,
                                            did_you_mean(word, names), fmt::join(names, ", ")));
    return rule;
  }
  in.text(rule.kind->of_stores ? "store" : "mutex", rule.kind->of_stores ? rule.store : rule.mutex);
  if (rule.mutex.empty()) in.fail_at("mutex", "expected the name of a mutex, in which * stands for any letters");
  if (rule.store.empty()) in.fail_at("store", "expected the address of a store, in which * stands for any letters");
  if (!rule.kind->length.empty()) read_length(in, rule);
  if (rule.kind->counts) in.integer("more_than", rule.count, 0, kMostHandoffs, true);
  in.done(kOf);
  return rule;
}

}  // namespace

tl::expected<std::vector<AlertRule>, InputError> read_alert_rules(std::string_view toml, const std::string& file) {
  const auto root = parse_toml(toml, file, kExpected);
  if (!root) return tl::unexpected(root.error());
  std::vector<AlertRule> rules;
  MaybeError error;
  TableReader in(*root, "", error);
  std::int64_t schema = 0;
  in.integer("schema", schema, kSchema, kSchema, true);
  for (const toml::table* table : in.tables("rule")) {
    if (error) break;
    TableReader row(*table, fmt::format("rule.{}", rules.size()), error);
    rules.push_back(read_rule(row, *table, rules));
  }
  in.done("a file of rules");
  if (!error && rules.empty()) in.fail_here("there is no rule: expected at least one table [[rule]]");
  if (error) return tl::unexpected(*error);
  return rules;
}

tl::expected<std::vector<AlertRule>, std::string> read_alert_rules_file(const std::string& path) {
  const auto text = path == kStandardInput ? standard_input() : read_text_file(path, "rules of alerts, a TOML file");
  if (!text) return tl::unexpected(fmt::format("{}: {}", path, text.error()));
  auto rules = read_alert_rules(*text, path);
  if (!rules) return tl::unexpected(rules.error().text());
  return *std::move(rules);
}

}  // namespace leasescope
