#include "ui/lab/scenario_forms.h"

#include <fmt/format.h>

#include "core/base/shell_word.h"
#include "core/simba/contend_period.h"
#include "core/time/duration_text.h"
#include "simulator/model/store_terms.h"
#include "simulator/scenario/differences.h"

namespace leasescope {
namespace {

// A word that no line of the text is.
std::string end_word(const std::string& text) {
  std::string word = "TOML";
  while (text.find(word) != std::string::npos) word += "_";
  return word;
}

}  // namespace

tl::expected<std::string, std::string> commandLine(const ScenarioDocument& document) {
  if (!document.isOpen()) return tl::make_unexpected(std::string("no scenario is open"));
  const LabSource& source = document.source();
  const std::string store = document.values().live()
                                ? fmt::format(" --store {}", shell_word(shownStore(document.values().store)))
                                : std::string();
  if (source.written) {
    if (const auto settings = settings_for(document.scenario(), source.toml, source.name)) {
      std::string out = fmt::format("leasescopectl run {}{}", shell_word(source.name), store);
      for (const std::string& setting : *settings) out += " --set " + shell_word(setting);
      return out + "\n";
    }
  }
  std::string text = document.values().toml.toStdString();
  if (!text.empty() && text.back() != '\n') text += '\n';
  const std::string end = end_word(text);
  return fmt::format("leasescopectl run -{} <<'{}'\n{}{}\n", store, end, text, end);
}

tl::expected<std::string, std::string> springProperties(const Scenario& scenario) {
  const bool redis = scenario.store.model == RedisTerms::kName, sql = scenario.store.model == SqlTerms::kName;
  if (scenario.mutex.system != SimbaTerms::kSystem || !(redis || sql))
    return tl::make_unexpected(fmt::format("Simba has leases on redis and sql, and this is {} on {}",
                                           scenario.mutex.system, scenario.store.model));
  const std::string backend = redis ? "redis" : "jdbc";
  const LeaseTerms& terms = scenario.terms();
  std::string out =
      fmt::format("# The mutex {}, ttl and transition of scenario {}\n", scenario.mutex.name, scenario.name);
  for (const char* each : {"redis", "jdbc", "zookeeper"})
    out += fmt::format("simba.{}.enabled={}\n", each, backend == each);
  out += fmt::format("simba.{0}.ttl={1}\nsimba.{0}.transition={2}\n", backend, format_duration(terms.ttl),
                     format_duration(terms.transition));
  const Duration delay = scenario.mutex.initial_delay;
  if (sql) out += fmt::format("simba.jdbc.initial-delay={}\n", format_duration(delay));
  if (redis && delay != Duration::zero())
    out += fmt::format("# On Redis Simba has no initial delay; here it is {}\n", format_duration(delay));
  const LeaseTerms plain;
  if (terms.jitter != plain.jitter)
    out += fmt::format("# Simba's jitter is {} to {} and no property; here it is {} to {}\n",
                       format_duration(plain.jitter.min), format_duration(plain.jitter.max),
                       format_duration(terms.jitter.min), format_duration(terms.jitter.max));
  return out;
}

}  // namespace leasescope
