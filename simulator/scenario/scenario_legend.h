// What the history of a scenario's run is read by.
#pragma once
#include "core/history/legend.h"

namespace leasescope {

struct Scenario;

Legend legend_of(const Scenario& scenario);

}  // namespace leasescope
