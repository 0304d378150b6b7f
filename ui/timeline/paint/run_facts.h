// What the chart must know of a run before its first event: the terms, the fleet, the resources, the store.
#pragma once
#include <string>
#include <vector>

#include "core/lease/lease_terms.h"

namespace leasescope {

struct Scenario;

struct ResourceFacts {
  std::string name;
  bool fencing = true;
};

struct RunFacts {
  std::string scenario;           // "gc-pause"
  std::string title;              // "A pause outlives the lease"
  std::string world = "virtual";  // or "live"
  std::string store = "redis (model)";
  std::uint64_t seed = 0;
  LeaseTerms terms;
  Duration length{};  // of the whole run
  std::vector<std::string> mutexes;
  std::vector<std::string> contenders;  // fleet order: it gives letters and hues
  std::vector<ResourceFacts> resources;
};

// `store`: "" = the scenario's model.
RunFacts run_facts(const Scenario& scenario, const std::string& world = "virtual", const std::string& store = {});

}  // namespace leasescope
