// What a scenario says of Simba's leases beside its mutex and its contenders: nothing.
#pragma once
#include <string_view>

#include "core/store/port.h"

namespace leasescope {

struct SimbaPlan {
  template <class Keys>
  static void describe(Keys&) {}
  bool operator==(const SimbaPlan&) const = default;
};

struct SimbaTerms {
  static constexpr std::string_view kSystem = "simba";
  static constexpr Family kFamily = Family::kLease;
  using Contender = class SimbaContender;
  using Plan = SimbaPlan;

  template <class Keys>
  static void describe(Keys&) {}
  bool operator==(const SimbaTerms&) const = default;
};

}  // namespace leasescope
