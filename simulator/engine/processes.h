// The contenders' processes of a scenario, as both worlds begin with them.
#pragma once
#include <functional>
#include <vector>

#include "core/contend/any_contender.h"
#include "core/contend/host.h"
#include "simulator/fault/port.h"
#include "simulator/scenario/scenario.h"

namespace leasescope {

struct Process {
  NodeIndex index = 0;
  std::uint32_t mutex = 0;  // its place
  Name name;
  const ContenderTable* table = nullptr;
  AnyContender contender = SimbaContender({}, {});
  ContenderClock clock;
  std::vector<Work> works;  // by resource table
};

// In fleet order. `ids` are those of the contenders and `mutexes` those of the mutexes, in the order of the scenario's.
void each_process(const Scenario& scenario, const std::vector<Name>& ids, const std::vector<Name>& mutexes,
                  const std::function<void(const Process&)>& take);

}  // namespace leasescope
