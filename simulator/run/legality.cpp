#include "simulator/run/legality.h"

#include <algorithm>
#include <string_view>

#include <fmt/format.h>

#include "core/check/grant_call.h"
#include "core/time/duration_text.h"

namespace leasescope {
namespace {

// A search asks about every 256 steps: some seconds of them, of which legal histories take a few at most.
constexpr int kMostAsked = 20'000;

// A clock of the store that runs fast ends a lease so much before its time.
std::int64_t early(const Scenario& scenario) {
  const std::int64_t ppm = std::max(scenario.store.clock.drift_ppm, 0);
  return scenario.terms().lease().count() / 1'000'000 * ppm + (ppm > 0 ? 1'000'000 : 0);
}

std::string reason_of(const check::Call& call, std::string_view client, std::string_view mutex,
                      const check::Model& model) {
  return fmt::format("at {} s {} of {} on {} has no place in any order that the model {} allows",
                     format_seconds(Duration(call.returned.ns)), text(call.f), client, mutex, text(model.kind));
}

}  // namespace

check::Model fitting_model(const Scenario& scenario) {
  check::Model out;
  visit_system(scenario.mutex.system, [&]<class Terms>(std::type_identity<Terms>) {
    out = std::get<Terms>(scenario.system).model(scenario.entries());
  });
  each_model([&]<class Terms>(std::type_identity<Terms>) {
    if constexpr (requires(const Terms& terms) { terms.most_entries(); })
      if (Terms::kName == scenario.store.model)
        out.n = std::min(out.n, std::get<Terms>(scenario.store.terms).most_entries());
  });
  if (out.kind == check::ModelKind::kLease) out.eps = early(scenario);
  return out;
}

Legality::Legality(const Scenario& scenario) : model_(fitting_model(scenario)), calls_(false) {
  for (const FaultKind& kind : all_fault_kinds()) may_mislead_.push_back(scenario.may_mislead(kind));
}

void Legality::append(const Event& event, const NameTable& names) {
  ++appended_;
  if (event.kind == EventKind::kFaultBegan && may_mislead_[event.detail]) excused_ = std::min(excused_, event.hi);
  if (model_.kind == check::ModelKind::kLease)
    judge_grant(event, names);
  else if (calls_.size() <= kMostCalls)
    calls_.add(event, appended_, names);
}

void Legality::judge_grant(const Event& event, const NameTable& names) {
  auto call = check::grant_call(event.kind, {event.lo.time_since_epoch().count(), appended_},
                                {event.hi.time_since_epoch().count(), appended_}, event.a);
  if (!call) return;
  ++grants_.calls;
  if (illegal_.count(event.mutex.handle) > 0) return;
  call->client = event.node;
  if (check::step(model_, now_[event.mutex.handle], *call)) return;
  illegal_.insert(event.mutex.handle);
  if (++grants_.illegal > 1) return;
  grants_.since = event.hi;
  grants_.reason = reason_of(*call, names.text(event.node), names.text(event.mutex), model_);
}

LegalVerdict Legality::judge() const {
  LegalVerdict out = model_.kind == check::ModelKind::kLease ? grants_ : judge_calls();
  out.model = model_;
  out.excused = excused_ <= out.since;
  return out;
}

LegalVerdict Legality::judge_calls() const {
  LegalVerdict out;
  out.calls = calls_.size();
  out.too_many = calls_.size() > kMostCalls;
  if (out.too_many) return out;
  const check::Calls calls = calls_.calls();
  int asked = 0;
  const auto judged = check::judge(
      model_, calls, [&] { return ++asked > kMostAsked; }, check::Wanted::kVerdict);
  for (const check::LockVerdict& lock : judged.locks) {
    out.undecided += lock.verdict == check::Verdict::kUndecided;
    if (lock.verdict != check::Verdict::kIllegal) continue;
    ++out.illegal;
    const TrueTime at{lock.stuck ? Duration(calls.calls[*lock.stuck].returned.ns) : Duration::max()};
    if (at > out.since || !lock.stuck) continue;
    out.since = at;
    const check::Call& stuck = calls.calls[*lock.stuck];
    out.reason = reason_of(stuck, calls.text(stuck.client), calls.text(stuck.mutex), model_);
  }
  return out;
}

}  // namespace leasescope
