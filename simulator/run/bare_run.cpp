#include "simulator/run/bare_run.h"

namespace leasescope {

BareRun::BareRun(const Scenario& scenario)
    : world_(scenario, make_facts(scenario)), checkers_(scenario.terms(), world_.names(), fault_kind_names()) {}

bool BareRun::step(TrueTime until) {
  if (!world_.step(until)) return false;
  protocol_inputs_ += world_.protocol_input();
  hash_.add(world_.input(), world_.names());
  for (const Event& event : world_.events()) {
    hash_.add(event, world_.names());
    checkers_.append(event);
  }
  return true;
}

void BareRun::advance(TrueTime until) {
  while (step(until)) {
  }
}

void BareRun::dispatch(std::uint64_t inputs) {
  while (inputs > 0 && step(TrueTime::max())) --inputs;
}

}  // namespace leasescope
