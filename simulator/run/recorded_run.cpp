#include "simulator/run/recorded_run.h"

#include <fmt/format.h>

#include "simulator/campaign/replay.h"
#include "simulator/scenario/reader.h"
#include "simulator/scenario/scenario_text.h"
#include "simulator/scenario/text_file.h"

namespace leasescope {
namespace {

RecordedOutcome::Legality recorded(const LegalVerdict& legal) {
  return {std::string(check::text(legal.model.kind)),
          legal.model.n,
          legal.model.eps,
          legal.calls,
          legal.illegal,
          legal.undecided,
          legal.since.time_since_epoch().count(),
          legal.reason,
          legal.excused,
          legal.too_many};
}

// None of a model that this program does not know.
std::optional<LegalVerdict> legality_of(const RecordedOutcome::Legality& recorded) {
  const auto kind = check::model_of(recorded.model);
  if (!kind) return std::nullopt;
  LegalVerdict out;
  out.model = {*kind, recorded.n, recorded.eps_ns};
  out.calls = recorded.calls;
  out.illegal = recorded.illegal;
  out.undecided = recorded.undecided;
  out.since = TrueTime(Duration(recorded.since_ns));
  out.reason = recorded.reason;
  out.excused = recorded.excused;
  out.too_many = recorded.too_many;
  return out;
}

}  // namespace

HistoryHeader history_header(const Scenario& scenario, const Outcome& outcome, TrueTime until) {
  HistoryHeader header;
  header.program = program_version();
  header.scenario = scenario.name;
  header.title = scenario.title;
  header.toml = scenario_text(scenario);
  header.seed = scenario.seed;
  header.world = outcome.world;
  header.store = outcome.store;
  if (until != TrueTime::max()) header.until_ns = until.time_since_epoch().count();
  return header;
}

RecordedOutcome recorded(const Outcome& outcome) {
  RecordedOutcome out;
  out.simulated_ns = outcome.simulated.count();
  out.wall_ns = outcome.wall.count();
  out.inputs = outcome.events;
  out.trace_hash = outcome.trace_hash;
  if (outcome.forked_at) out.forked_at_ns = outcome.forked_at->time_since_epoch().count();
  out.as_expected = outcome.as_expected;
  out.reasons = outcome.reasons;
  out.not_judged = outcome.not_judged;
  if (outcome.legal) out.legal = recorded(*outcome.legal);
  return out;
}

Outcome outcome_of(const HistoryHeader& header, const History& history,
                   const std::optional<RecordedOutcome>& recorded) {
  Outcome out;
  out.scenario = header.scenario;
  out.seed = header.seed;
  out.store = header.store;
  out.world = header.world;
  out.summary = history.summary;
  if (!recorded) {
    out.simulated = history.now.time_since_epoch();
    out.measured = false;
    out.not_judged = "the recording ends before the run did";
    return out;
  }
  out.simulated = Duration(recorded->simulated_ns);
  out.wall = Duration(recorded->wall_ns);
  out.events = recorded->inputs;
  out.measured = recorded->wall_ns > 0 || recorded->inputs > 0;  // of words it is not known
  out.trace_hash = recorded->trace_hash;
  if (recorded->forked_at_ns) out.forked_at = TrueTime(Duration(*recorded->forked_at_ns));
  out.as_expected = recorded->as_expected;
  out.reasons = recorded->reasons;
  out.not_judged = recorded->not_judged;
  if (recorded->legal) out.legal = legality_of(*recorded->legal);
  if (out.legal) out.summary.illegal_mutexes = out.legal->illegal;
  return out;
}

tl::expected<Scenario, std::string> scenario_of(const HistoryHeader& header, const std::string& file) {
  const std::string& toml = header.fork ? header.fork->toml : header.toml;
  const std::string where = file + ", its scenario";
  const auto wrong = [&](const InputError& error) {
    return tl::make_unexpected(fmt::format("{}: leasescope {} wrote it, and reads it", error.text(), header.program));
  };
  if (const auto beyond = beyond_bounds(toml, where)) return wrong(*beyond);
  auto scenario = read_scenario(toml, where);
  if (!scenario) return wrong(scenario.error());
  scenario->name = header.scenario;
  scenario->seed = header.seed;
  return std::move(*scenario);
}

}  // namespace leasescope
