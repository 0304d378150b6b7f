// The register of lock systems, one line each: the type of its contenders, whose folder in core says the rest.
#pragma once
#include <tuple>
#include <variant>

#include "core/simba/contender.h"

namespace leasescope {

using Contenders = std::tuple<  //
    SimbaContender              // core/simba: leases with ttl, transition and jitter
    >;

// A contender of whichever system.
template <class List>
struct AnyOf;
template <class... Contender>
struct AnyOf<std::tuple<Contender...>> {
  using type = std::variant<Contender...>;
};
using AnyContender = AnyOf<Contenders>::type;

}  // namespace leasescope
