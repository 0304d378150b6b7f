#include "simulator/run/bare_run.h"

#include "simulator/scenario/scenario_legend.h"

namespace leasescope {

BareRun::BareRun(const Scenario& scenario)
    : world_(scenario, make_facts(scenario)), checkers_(scenario.terms(), world_.names(), legend_of(scenario)) {}

std::uint64_t BareRun::advance(TrueTime until, std::uint64_t most) {
  std::uint64_t dispatched = 0;
  while (dispatched < most && step(until)) ++dispatched;
  return dispatched;
}

tl::expected<void, std::string> BareRun::change_course(const Scenario& changed, TrueTime at) {
  if (auto done = world_.change_course(changed, at); !done) return done;
  checkers_.move_names(world_.names());
  checkers_.change_store(legend_of(changed).store);
  return {};
}

std::size_t BareRun::bytes_beside(const BareRun& other) const {
  return world_.bytes() + sizeof hash_ + checkers_.bytes() +
         checkers_.incidents().bytes_beside(other.checkers_.incidents());
}

}  // namespace leasescope
