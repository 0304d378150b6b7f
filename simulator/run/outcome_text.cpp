#include "simulator/run/outcome_text.h"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nlohmann/json.hpp>

#include "core/history/history_header.h"
#include "core/history/margin.h"
#include "core/time/duration_text.h"
#include "simulator/campaign/replay.h"
#include "simulator/engine/trace_hash.h"
#include "simulator/scenario/scenario_text.h"
#include "simulator/scenario/table_reader.h"
#include "simulator/scenario/validity.h"

namespace leasescope {
namespace {

using Json = nlohmann::ordered_json;

// Seconds as a JSON number, exact to the digits of a double; only for showing, never for reckoning.
Json seconds(Duration d) { return std::chrono::duration<double>(d).count(); }

std::string_view verdict_word(const LegalVerdict& legal) {
  return legal.illegal > 0 ? "illegal" : legal.undecided > 0 || legal.too_many ? "undecided" : "ok";
}

// Empty where there was nothing to judge.
std::string legality_text(const std::optional<LegalVerdict>& legal) {
  if (!legal || legal->calls == 0) return {};
  if (legal->illegal > 0) return fmt::format("  illegal: {}\n\n", legal->reason);
  if (legal->too_many) return fmt::format("  calls: more than {}, which nobody judges\n\n", Legality::kMostCalls);
  const std::string of = fmt::format("{} calls by the model {}", legal->calls, check::text(legal->model.kind));
  if (legal->undecided == 0) return fmt::format("  legal: {}\n\n", of);
  return fmt::format("  undecided: {}; leasescopectl check takes longer\n\n", of);
}

Json verdict(const std::optional<bool>& as_expected) { return as_expected ? Json(*as_expected) : Json(nullptr); }

Json expectations(const Scenario& scenario) {
  Json out = Json::object();
  for (const auto& [field, expectation] : wanted_of(scenario).fields) {
    const bool plain = !expectation.share && !expectation.is_true && !is_duration_field(field) &&
                       expectation.comparison == Comparison::kEqual;
    out[field] = plain ? Json(expectation.value) : Json(expectation.text);
  }
  return out;
}

Json of_toml(const toml::node& node) {
  if (const auto* table = node.as_table()) {
    Json out = Json::object();
    for (const auto& [key, value] : *table) out[std::string(key.str())] = of_toml(value);
    return out;
  }
  if (const auto* list = node.as_array()) {
    Json out = Json::array();
    for (const toml::node& value : *list) out.push_back(of_toml(value));
    return out;
  }
  if (const auto* text = node.as_string()) return text->get();
  if (const auto* number = node.as_integer()) return number->get();
  if (const auto* number = node.as_floating_point()) return number->get();
  if (const auto* truth = node.as_boolean()) return truth->get();
  return nullptr;
}

// The run's values, nested as a scenario file nests them.
Json values(const Scenario& scenario) {
  Json out = of_toml(toml::parse(scenario_text(scenario)));
  out.erase("expect");  // it is told as what was expected
  out.erase("replay");
  return out;
}

Json percentiles_json(const Percentiles& of) {
  if (of.count == 0) return {{"count", 0}, {"p50", nullptr}, {"p95", nullptr}, {"p99", nullptr}, {"max", nullptr}};
  return {{"count", of.count},
          {"p50", seconds(of.p50)},
          {"p95", seconds(of.p95)},
          {"p99", seconds(of.p99)},
          {"max", seconds(of.longest)}};
}

Percentiles overlaps(const History& history) {
  std::vector<Duration> lengths;
  for (const Incident& incident : history.incidents)
    if (incident.kind == IncidentKind::kBeliefOverlap) lengths.push_back(incident.end - incident.start);
  return percentiles_of(std::move(lengths));
}

Json legality_json(const std::optional<LegalVerdict>& legal) {
  if (!legal) return nullptr;
  return {{"model", check::text(legal->model.kind)},
          {"n", legal->model.n},
          {"calls", legal->calls},
          {"verdict", verdict_word(*legal)},
          {"reason", legal->reason.empty() ? Json(nullptr) : Json(legal->reason)}};
}

// Of ours, in fleet order; what other programs did on a shared store is in the incidents.
Json contenders_json(const Figures& figures, const History& history, const Scenario& scenario) {
  const auto by_name = figures.contenders(history);
  Json out = Json::array();
  for (const std::string& name : scenario.contender_names()) {
    const auto found = by_name.find(name);
    const ContenderFigures of = found == by_name.end() ? ContenderFigures{} : found->second;
    out.push_back({{"name", name},
                   {"acquisitions", of.acquisitions},
                   {"renewals", of.renewals},
                   {"attempts_lost", of.attempts_lost},
                   {"calls_failed", of.calls_failed},
                   {"believed_seconds", seconds(of.believed)},
                   {"writes_accepted", of.writes_accepted},
                   {"writes_rejected", of.writes_rejected},
                   {"stale_writes_accepted", of.stale_writes_accepted}});
  }
  return out;
}

// Times in ns; null where the history does not decide them, and the words then say what is missing.
Json margin_json(const Margin& of) {
  const auto length = [&](Duration d) { return of.known() ? Json(d.count()) : Json(nullptr); };
  return {{"measure", of.known() ? Json(text(of.measure)) : Json(nullptr)},
          {"had_ns", length(of.had)},
          {"needed_ns", length(of.needed)},
          {"margin_ns", length(of.margin())},
          {"words", of.words}};
}

Json incident_json(const Incident& incident, const Margin& margin, const NameTable& names) {
  Json out;
  out["kind"] = text(incident.kind);
  out["mutex"] = names.text(incident.mutex);
  out["start_ns"] = incident.start.time_since_epoch().count();
  out["end_ns"] = incident.end.time_since_epoch().count();
  out["contenders"] = Json::array();
  for (const Name who : incident.contenders) out["contenders"].push_back(names.text(who));
  out["tokens"] = incident.tokens;
  out["cause"] = incident.cause;
  out["margin"] = margin_json(margin);
  return out;
}

// Of a file that tells what it came to: why this run did not come to it, "" when it did. A run that was cut short or
// forked cannot be compared.
std::optional<std::string> compared(const Outcome& outcome, const Scenario& scenario) {
  const bool whole = outcome.simulated >= scenario.length() && !outcome.forked_at;
  if (!scenario.replay || !outcome.trace_hash || !whole) return std::nullopt;
  return differs(*scenario.replay, *outcome.trace_hash);
}

Json replay_json(const Outcome& outcome, const Scenario& scenario) {
  const std::optional<std::string> difference = compared(outcome, scenario);
  if (!difference) return nullptr;
  return {{"same", difference->empty()},         {"difference", *difference},
          {"version", scenario.replay->version}, {"trace_format", scenario.replay->trace_format},
          {"hash", scenario.replay->hash},       {"failure", scenario.replay->failure}};
}

std::string replay_text(const Outcome& outcome, const Scenario& scenario) {
  const std::optional<std::string> difference = compared(outcome, scenario);
  if (!difference) return {};
  std::string out = difference->empty() ? "  replay: the same run as when the file was written\n"
                                        : fmt::format("  replay: another run: {}\n", *difference);
  if (!scenario.replay->failure.empty()) out += fmt::format("  it was written for: {}\n", scenario.replay->failure);
  return out + "\n";
}

}  // namespace

std::string outcome_json(const Outcome& outcome, const History& history, const Scenario& scenario,
                         const Figures* figures) {
  const Summary& summary = outcome.summary;
  Figures held;
  if (figures == nullptr) held.append(history);
  const Figures& of = figures == nullptr ? held : *figures;
  Json out;
  out["schema"] = kOutcomeSchema;
  out["version"] = program_version();
  out["scenario"] = outcome.scenario;
  out["seed"] = outcome.seed;
  out["store"] = outcome.store;
  out["world"] = outcome.world;
  out["simulated_seconds"] = seconds(outcome.simulated);
  out["wall_seconds"] = outcome.measured ? seconds(outcome.wall) : Json(nullptr);
  out["forked_at_seconds"] = outcome.forked_at ? seconds(outcome.forked_at->time_since_epoch()) : Json(nullptr);
  out["events"] = outcome.measured ? Json(outcome.events) : Json(nullptr);
  out["trace_hash"] = outcome.trace_hash ? Json(hash_text(*outcome.trace_hash)) : Json(nullptr);
  out["contenders"] = summary.contenders;
  out["acquisitions"] = summary.acquisitions;
  out["renewals"] = summary.renewals;
  out["handoffs"] = summary.handoffs;
  out["leaderless_seconds"] = seconds(summary.leaderless);
  out["unobserved_seconds"] = seconds(summary.unobserved);
  out["belief_overlap_seconds"] = seconds(summary.belief_overlap);
  out["double_grants"] = summary.double_grants;
  out["stale_writes_rejected"] = summary.stale_writes_rejected;
  out["stale_writes_accepted"] = summary.stale_writes_accepted;
  out["tokenless_writes_refused"] = summary.tokenless_writes_refused;
  out["late_releases_refused"] = summary.late_releases_refused;
  out["fence_regressions"] = summary.fence_regressions;
  out["transfers"] = summary.transfers;
  out["transfers_duplicated"] = summary.transfers_duplicated;
  out["transfers_lost"] = summary.transfers_lost;
  out["illegal_mutexes"] = outcome.legal ? Json(outcome.legal->illegal) : Json(nullptr);
  out["legality"] = legality_json(outcome.legal);
  out["by_contender"] = contenders_json(of, history, scenario);
  out["percentiles"] = {{"handoff_seconds", percentiles_json(of.handoffs())},
                        {"gap_seconds", percentiles_json(of.gaps())},
                        {"overlap_seconds", percentiles_json(overlaps(history))}};
  out["values"] = values(scenario);
  out["incidents"] = Json::array();
  for (const Incident& incident : history.incidents)
    out["incidents"].push_back(
        incident_json(incident, margin_of(of.facts(), history.names, history.legend, incident), history.names));
  out["replay"] = replay_json(outcome, scenario);
  out["expected"] = expectations(scenario);
  out["as_expected"] = verdict(outcome.as_expected);
  out["reasons"] = outcome.reasons;
  out["not_judged"] = outcome.not_judged.empty() ? Json(nullptr) : Json(outcome.not_judged);
  return out.dump(2, ' ', false, Json::error_handler_t::replace);
}

std::string_view unheld_word(const Scenario& scenario) {
  if (scenario.capacity() > 1) return "no permit held";
  bool beside = false;
  visit_system(scenario.mutex.system, [&]<class Terms>(std::type_identity<Terms>) {
    if constexpr (requires(const Terms& terms) { terms.read_write(); })
      beside = std::get<Terms>(scenario.system).read_write();
  });
  return beside ? "nobody reads or writes" : "leaderless";
}

std::string outcome_text(const Outcome& outcome, const History& history, const Scenario& scenario) {
  const Summary& s = outcome.summary;
  std::string out = fmt::format("{} · {} · {} world, {}, seed {}\n", outcome.scenario, scenario.title, outcome.world,
                                outcome.store, outcome.seed);
  const std::string forked =
      outcome.forked_at ? fmt::format(", forked at {} s", format_seconds(outcome.forked_at->time_since_epoch()))
                        : std::string();
  const std::string took = outcome.measured ? fmt::format(" in {} s", format_seconds(outcome.wall)) : std::string();
  const std::string events = outcome.measured ? fmt::format(", {} inputs", outcome.events) : std::string();
  out += fmt::format("{} s {}{}{}{}{}\n\n", format_seconds(outcome.simulated),
                     outcome.world == kToldCalls  ? "told"
                     : outcome.world == "virtual" ? "simulated"
                                                  : "live",
                     took, forked, events,
                     outcome.trace_hash ? ", trace " + hash_text(*outcome.trace_hash) : std::string());
  out += fmt::format("  contenders {}   acquisitions {}   renewals {}   hand-offs {}   {} {} s\n", s.contenders,
                     s.acquisitions, s.renewals, s.handoffs, unheld_word(scenario), format_seconds(s.leaderless));
  out += fmt::format(
      "  belief overlap {} s   double grants {}   stale writes: {} rejected, {} accepted   without a "
      "token: {} refused   fence regressions {}\n\n",
      format_seconds(s.belief_overlap), s.double_grants, s.stale_writes_rejected, s.stale_writes_accepted,
      s.tokenless_writes_refused, s.fence_regressions);
  if (s.transfers + s.transfers_duplicated + s.transfers_lost > 0)
    out += fmt::format("  transfers: {} credited, {} of them once more than they should, {} lost\n\n", s.transfers,
                       s.transfers_duplicated, s.transfers_lost);
  if (s.late_releases_refused > 0)
    out += fmt::format("  {} late {} refused: the lease was another term's by then\n\n", s.late_releases_refused,
                       s.late_releases_refused == 1 ? "release" : "releases");
  if (s.unobserved > Duration::zero())
    out += fmt::format("  not observed {} s: the store did not tell who held it\n\n", format_seconds(s.unobserved));
  out += legality_text(outcome.legal);
  if (history.incidents.empty()) out += "  no incidents\n";
  for (const Incident& incident : history.incidents)
    out += fmt::format(
        "  {:>9}  {:<22} {:>9}  {}\n", format_seconds(incident.start.time_since_epoch()), title(incident.kind),
        incident.end > incident.start ? format_seconds(incident.end - incident.start) + " s" : "–", incident.cause);
  out += '\n' + replay_text(outcome, scenario);
  if (outcome.as_expected.value_or(true)) return out + verdict_text(outcome) + "\n";
  return out + fmt::format("NOT as expected: {}\n", fmt::join(outcome.reasons, "; "));
}

}  // namespace leasescope
