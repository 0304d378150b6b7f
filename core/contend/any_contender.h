// A contender of whichever system in the register (systems.h): included by what runs contenders alone.
#pragma once
#include <tuple>
#include <variant>

#include "core/advisory/advisory_contender.h"
#include "core/cas/contender.h"
#include "core/contend/systems.h"
#include "core/fenced/fenced_contender.h"
#include "core/latch/latch_contender.h"
#include "core/quorum/contender.h"
#include "core/simba/contender.h"

namespace leasescope {

using Contenders = OfSystems<SystemTerms>::Contenders;

template <class List>
struct AnyOf;
template <class... Contender>
struct AnyOf<std::tuple<Contender...>> {
  using type = std::variant<Contender...>;
};
using AnyContender = AnyOf<Contenders>::type;

}  // namespace leasescope
