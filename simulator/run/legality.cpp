#include "simulator/run/legality.h"

#include <algorithm>

#include <fmt/format.h>

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

template <class Terms>
std::uint32_t entries_of(const Scenario& scenario) {
  std::uint32_t most = 1;
  if constexpr (requires(const typename Terms::Plan& plan) { plan.entries(); })
    for (const ContenderTable& contender : scenario.contenders)
      most = std::max(most, std::get<typename Terms::Plan>(contender.plan).entries());
  return most;
}

std::string reason_of(const check::Calls& calls, const check::LockVerdict& lock, const check::Model& model) {
  const check::Call& call = calls.calls[*lock.stuck];
  return fmt::format("at {} s {} of {} on {} has no place in any order that the model {} allows",
                     format_seconds(Duration(call.returned.ns)), text(call.f), calls.text(call.client),
                     calls.text(call.mutex), text(model.kind));
}

}  // namespace

check::Model fitting_model(const Scenario& scenario) {
  check::Model out;
  visit_system(scenario.mutex.system, [&]<class Terms>(std::type_identity<Terms>) {
    out = std::get<Terms>(scenario.system).model(entries_of<Terms>(scenario));
  });
  each_model([&]<class Terms>(std::type_identity<Terms>) {
    if constexpr (requires(const Terms& terms) { terms.most_entries(); })
      if (Terms::kName == scenario.store.model)
        out.n = std::min(out.n, std::get<Terms>(scenario.store.terms).most_entries());
  });
  if (out.kind == check::ModelKind::kLease) out.eps = early(scenario);
  return out;
}

Legality::Legality(const Scenario& scenario)
    : model_(fitting_model(scenario)), calls_(model_.kind == check::ModelKind::kLease) {
  for (const FaultKind& kind : all_fault_kinds()) may_mislead_.push_back(scenario.may_mislead(kind));
}

void Legality::append(const Event& event, const NameTable& names) {
  ++appended_;
  if (event.kind == EventKind::kFaultBegan && may_mislead_[event.detail]) excused_ = std::min(excused_, event.hi);
  if (calls_.size() <= kMostCalls) calls_.add(event, appended_, names);
}

LegalVerdict Legality::judge() const {
  LegalVerdict out;
  out.model = model_;
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
    out.reason = reason_of(calls, lock, model_);
  }
  out.excused = excused_ <= out.since;
  return out;
}

}  // namespace leasescope
