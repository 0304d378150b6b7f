#include "simulator/scenario/validity.h"

#include <algorithm>
#include <charconv>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "core/time/duration_text.h"

namespace leasescope {
namespace {

constexpr std::string_view kContender = "contender.";

struct OfContender {
  std::size_t place = 0;
  std::string_view key;  // "count"
};

std::optional<OfContender> of_contender(std::string_view key) {
  if (key.substr(0, kContender.size()) != kContender) return std::nullopt;
  key.remove_prefix(kContender.size());
  OfContender out;
  const auto [end, error] = std::from_chars(key.data(), key.data() + key.size(), out.place);
  if (error != std::errc() || end == key.data() + key.size() || *end != '.') return std::nullopt;
  out.key = key.substr(static_cast<std::size_t>(end + 1 - key.data()));
  return out;
}

// Null where there are fewer.
template <class Of>
auto contender_at(Of& scenario, std::string_view key) -> decltype(&scenario.contenders.front()) {
  const auto of = of_contender(key);
  return of && of->place < scenario.contenders.size() ? &scenario.contenders[of->place] : nullptr;
}

std::string outside_of(const ValidFor& valid, Duration is, const LeaseTerms& terms) {
  const Duration from = valid.from.under(terms), to = valid.to.under(terms);
  if (is < from) return fmt::format("{} below {}", valid.key, format_duration(from));
  if (is > to) return fmt::format("{} above {}", valid.key, format_duration(to));
  return {};
}

std::string outside_of(const ValidFor& valid, std::int64_t is) {
  if (is < valid.least) return fmt::format("{} below {}", valid.key, valid.least);
  if (is > valid.most) return fmt::format("{} above {}", valid.key, valid.most);
  return {};
}

std::string outside_of(const ValidFor& valid, const Scenario& scenario) {
  if (valid.key == "mutex.ttl") return outside_of(valid, scenario.terms().ttl, scenario.terms());
  if (valid.key == "mutex.transition") return outside_of(valid, scenario.terms().transition, scenario.terms());
  if (valid.key == "duration") return outside_of(valid, scenario.length(), scenario.terms());
  const ContenderTable* contender = contender_at(scenario, valid.key);
  if (contender == nullptr) return fmt::format("there is no {}", valid.key);
  if (valid_key_of(valid.key) == ValidKey::kNumber) return outside_of(valid, contender->count);
  const std::string is(text(contender->behaviour));
  if (std::find(valid.words.begin(), valid.words.end(), is) != valid.words.end()) return {};
  return fmt::format("{} is {}, not {}", valid.key, is, fmt::join(valid.words, " or "));
}

template <class End>
std::string reversed(const End& from, const End& to) {
  return fmt::format(" goes from {} to {}: expected the lower end first", from, to);
}

void take(Scenario& to, const Scenario& from, const std::string& key) {
  if (key == "mutex.ttl") to.mutex.terms.ttl = from.mutex.terms.ttl;
  if (key == "mutex.transition") to.mutex.terms.transition = from.mutex.terms.transition;
  if (key == "duration") to.duration = from.duration;
  ContenderTable* there = contender_at(to, key);
  const ContenderTable* here = contender_at(from, key);
  if (there == nullptr || here == nullptr) return;
  if (valid_key_of(key) == ValidKey::kNumber) there->count = here->count;
  if (valid_key_of(key) == ValidKey::kWord) there->behaviour = here->behaviour;
}

}  // namespace

ValidKey valid_key_of(std::string_view key) {
  if (key == "mutex.ttl" || key == "mutex.transition" || key == "duration") return ValidKey::kTime;
  const auto of = of_contender(key);
  if (of && of->key == "count") return ValidKey::kNumber;
  if (of && of->key == "behaviour") return ValidKey::kWord;
  return ValidKey::kNone;
}

std::string never_within(const ValidFor& valid, const Scenario& scenario) {
  if (const auto of = of_contender(valid.key); of && of->place >= scenario.contenders.size())
    return fmt::format(": there is no contender.{}: expected contender.0{}", of->place,
                       scenario.contenders.size() == 1 ? "" : fmt::format(" to {}", scenario.contenders.size() - 1));
  for (const std::string& word : valid.words)
    if (const auto behaviour = parse_behaviour(word); !behaviour) return ": " + behaviour.error();
  if (valid.least > valid.most) return reversed(valid.least, valid.most);
  if (valid.from.under(scenario.terms()) > valid.to.under(scenario.terms()))
    return reversed(valid.from.text, valid.to.text);
  return {};
}

Expectations wanted_of(const Scenario& scenario) {
  if (!scenario.expected.enabled) return {};
  return scenario.fencing() ? scenario.expected : overlay(scenario.expected, scenario.expected_unfenced);
}

std::string outside_of_expectations(const Scenario& scenario) {
  const Expectations wanted = wanted_of(scenario);
  if (!scenario.expected.enabled) return "its expectations are off";
  if (wanted.empty()) return "nothing is expected of it";
  if (!scenario.edits.empty()) return fmt::format("edited ({})", fmt::join(scenario.edits, ", "));
  for (const ValidFor& valid : wanted.valid_for)
    if (std::string outside = outside_of(valid, scenario); !outside.empty()) return outside;
  return {};
}

bool judged_alike(Scenario changed, const Scenario& original) {
  changed.seed = original.seed;
  changed.name = original.name;
  changed.title = original.title;
  changed.about = original.about;
  changed.mutex.name = original.mutex.name;
  changed.mutex.named = original.mutex.named;
  changed.replay = original.replay;
  changed.edits = original.edits;
  for (std::size_t i = 0; i < std::min(changed.resources.size(), original.resources.size()); ++i)
    changed.resources[i].fencing = original.resources[i].fencing;
  for (const Expectations* expectations : {&changed.expected, &changed.expected_unfenced})
    for (const ValidFor& valid : expectations->valid_for) take(changed, original, valid.key);
  // Whoever says anew what is expected says it of what is there.
  return changed == original || changed.expected != original.expected ||
         changed.expected_unfenced != original.expected_unfenced;
}

}  // namespace leasescope
