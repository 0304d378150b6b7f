// What the chart must know of a run before its first event: the terms, the fleet, the resources, the store.
#pragma once
#include <string>

#include "core/history/legend.h"
#include "core/simba/lease_terms.h"

namespace leasescope {

struct Scenario;

struct RunFacts {
  std::string scenario;           // "gc-pause"
  std::string title;              // "A pause outlives the lease"
  std::string world = "virtual";  // or "live"
  std::string store = "redis (model)";
  std::uint64_t seed = 0;
  LeaseTerms terms;
  Duration length{};  // of the whole run
  Legend legend;
};

// `store`: "" = the scenario's model.
RunFacts run_facts(const Scenario& scenario, const std::string& world = "virtual", const std::string& store = {});

}  // namespace leasescope
