#include "simulator/run/fork.h"

#include <fmt/format.h>

#include "core/time/duration_text.h"
#include "simulator/run/bare_run.h"

namespace leasescope {
namespace {

// `changed`, with all that a fork may change taken back.
Scenario what_must_stay(const Scenario& changed, const Scenario& of) {
  Scenario out = changed;
  out.name = of.name;
  out.title = of.title;
  out.about = of.about;
  out.mutex.named = of.mutex.named;
  out.duration = of.duration;
  out.store.latency = of.store.latency;
  out.store.loss_ppm = of.store.loss_ppm;
  for (std::size_t i = 0; i < std::min(out.resources.size(), of.resources.size()); ++i) {
    out.resources[i].fencing = of.resources[i].fencing;
    out.resources[i].accepts_tokenless = of.resources[i].accepts_tokenless;
    out.resources[i].latency = of.resources[i].latency;
  }
  out.faults = of.faults;
  out.expected = of.expected;
  out.expected_unfenced = of.expected_unfenced;
  out.heal = of.heal;
  out.replay = of.replay;
  out.edits = of.edits;
  return out;
}

std::string_view first_difference(const Scenario& a, const Scenario& b) {
  if (a.seed != b.seed) return "seed";
  if (a.mutex.name != b.mutex.name) return "mutex.name";
  if (a.mutex.count != b.mutex.count) return "mutex.count";
  if (a.mutex.terms.ttl != b.mutex.terms.ttl) return "mutex.ttl";
  if (a.mutex.terms.transition != b.mutex.terms.transition) return "mutex.transition";
  if (!(a.mutex == b.mutex)) return "mutex";
  if (!(a.store == b.store)) return "store, but for its latency and loss,";
  if (a.contender_count() != b.contender_count()) return "the number of contenders";
  if (a.contender_names() != b.contender_names()) return "the contenders' names";
  if (!(a.contenders == b.contenders)) return "contender";
  if (a.resources.size() != b.resources.size()) return "the number of resources";
  return "resource, but for fencing, tokenless and latency,";
}

}  // namespace

tl::expected<void, std::string> check_fork(const Scenario& of, const Scenario& changed) {
  const Scenario same = what_must_stay(changed, of);
  if (same == of) return {};
  return tl::make_unexpected(
      fmt::format("{} cannot change at a fork: expected changes of fault, resource.fencing, resource.tokenless, "
                  "resource.latency, store.latency, store.loss or duration",
                  first_difference(of, same)));
}

tl::expected<BareRun, std::string> fork(const BareRun& run, const Scenario& of, const Scenario& changed, TrueTime at) {
  if (auto may = check_fork(of, changed); !may) return tl::make_unexpected(may.error());
  if (TrueTime{} + changed.length() < at)
    return tl::make_unexpected(fmt::format("duration is {}: expected to end after the fork at {} s",
                                           format_duration(changed.length()), format_seconds(at.time_since_epoch())));
  BareRun out = run;
  if (auto done = out.change_course(changed, at); !done) return tl::make_unexpected(done.error());
  return out;
}

}  // namespace leasescope
