#include "simulator/campaign/swarm_run.h"

#include <algorithm>

#include <fmt/format.h>

#include "core/time/duration_text.h"
#include "simulator/campaign/progress.h"
#include "simulator/run/bare_run.h"
#include "simulator/run/legality.h"

namespace leasescope {
namespace {

// The busiest of a hundred thousand seeds takes a tenth of that.
constexpr std::uint64_t kMostInputs = 2'000'000;

class SwarmRun {
 public:
  explicit SwarmRun(const Scenario& scenario)
      : scenario_(scenario),
        run_(scenario),
        invariants_(scenario, run_.world().names()),
        legality_(scenario),
        progress_(scenario, run_.world()) {}

  Verdict judge() {
    advance(TrueTime{} + last_row());
    Verdict out;
    // Who waits in a queue is told nothing meanwhile, and who loses a session nothing until it asks: what is demanded
    // of leases, to get on and to lose nothing undisturbed, is not of other systems.
    if (!leases()) advance(TrueTime{} + scenario_.length());
    const bool recovered = !leases() || recovers();
    const bool kept = !leases() || !recovered || keeps();
    if (stormed()) {
      out.failure = Failure::kStorm;
      out.reason = fmt::format("{} inputs, and it has only come to {} s: {}", run_.inputs(),
                               format_seconds(now_.time_since_epoch()), progress_.state());
    } else if (!recovered) {
      out.failure = Failure::kNoProgress;
      out.reason = progress_.missing();
    } else if (!kept) {
      out.failure = Failure::kLostUndisturbed;
      out.reason = progress_.lost();
    }
    run_.finish(now_);
    const LegalVerdict legal = legality_.judge();
    out.undecided = legal.undecided > 0 || legal.too_many;
    for (Broken& broken : invariants_.broken(run_.checkers(), legal)) {
      if (!leases() && broken.failure == Failure::kUnexplainedOverlap) continue;
      if (broken.excused_by >= 0) {
        out.excused.push_back(std::move(broken));
      } else if (!out.failure || broken.failure < *out.failure) {
        out.failure = broken.failure;
        out.reason = broken.reason;
      }
    }
    out.firings = invariants_.firings();
    out.summary = run_.checkers().summary();
    out.summary.illegal_mutexes = legal.illegal;
    out.inputs = run_.inputs();
    out.end = now_;
    out.trace_hash = run_.trace_hash();
    if (stormed()) end_before_the_storm(out);
    return out;
  }

  // Of the run it observes.
  void input(const DispatchedInput&) {}
  void event(const Event& event) {
    invariants_.append(event);
    legality_.append(event, run_.world().names());
    progress_.append(event, run_.checkers().change(), run_.checkers().standing());
  }

 private:
  bool leases() const { return scenario_.family() == Family::kLease; }
  bool stormed() const { return run_.inputs() >= kMostInputs; }

  // All of it may be at one moment, which a replay would then never get past.
  void end_before_the_storm(Verdict& out) const {
    out.end -= Duration(1);
    BareRun run(scenario_);
    run.advance(out.end);
    out.trace_hash = run.trace_hash();
  }

  Duration last_row() const {
    Duration last = scenario_.heal->under(scenario_.terms());
    for (const FaultTable& fault : scenario_.faults) last = std::max(last, fault.at.under(scenario_.terms()));
    return last;
  }

  void advance(TrueTime until) {
    while (!stormed() && run_.step(until, *this)) {
    }
    now_ = stormed() ? run_.now() : until;
  }

  // Rows that waited for whom they hit may still begin, and what they began must end: then it is quiet anew.
  bool recovers() {
    const Duration slice = scenario_.terms().lease() / 4 + std::chrono::milliseconds(1);
    while (!progress_.complete() && !stormed()) {
      const TrueTime quiet = progress_.quiet_since();
      if (quiet != TrueTime::max() && now_ - quiet > progress_.budget()) return false;
      advance(now_ + slice);
    }
    return true;
  }

  // Until nothing has disturbed for so long that no answer of before is still to come, and no lease that such an answer
  // began lasts. Rows that waited may begin meanwhile.
  void settle() {
    const Duration enough = scenario_.store.timeout + scenario_.terms().lease();
    while (!stormed()) {
      const TrueTime quiet = progress_.quiet_since();
      if (quiet != TrueTime::max() && now_ >= quiet + enough) return;
      advance(quiet == TrueTime::max() ? now_ + enough : quiet + enough);
    }
  }

  // A renewal must not be missed while nothing is lost on the way. A call sent while a fault lasted may have been
  // answered so late that its lease is lost before it is renewed: that lease has to be over.
  bool keeps() {
    if (scenario_.store.loss_ppm > 0 || stormed()) return true;
    settle();
    progress_.guard();
    advance(now_ + scenario_.terms().lease() + scenario_.terms().ttl / 4);
    return progress_.lost().empty();
  }

  const Scenario& scenario_;
  BareRun run_;
  Invariants invariants_;
  Legality legality_;
  Progress progress_;
  TrueTime now_{};
};

}  // namespace

Verdict judge_swarm(const Scenario& scenario) { return SwarmRun(scenario).judge(); }

}  // namespace leasescope
