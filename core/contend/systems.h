// The register of lock systems, one line each: what folder in core it is, and the type of its contenders.
#pragma once
#include <tuple>

#include "core/simba/contender.h"

namespace leasescope {

using Contenders = std::tuple<  //
    SimbaContender              // core/simba: leases with ttl, transition and jitter
    >;

}  // namespace leasescope
