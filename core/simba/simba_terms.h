// What a scenario says of Simba's leases beside its mutex and its contenders: nothing.
#pragma once
#include <string_view>

#include "core/check/model_kind.h"
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

  // It has no calls: what its store grants is a lease.
  static check::Model model(std::uint32_t /*entries*/) { return {check::ModelKind::kLease}; }

  template <class Keys>
  static void describe(Keys&) {}
  bool operator==(const SimbaTerms&) const = default;
};

}  // namespace leasescope
