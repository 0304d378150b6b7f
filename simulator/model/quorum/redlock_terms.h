// What a scenario says about each of a quorum lock's servers, [store.redlock].
#pragma once
#include <string_view>

#include "core/base/describe.h"
#include "core/store/port.h"

namespace leasescope {

struct RedlockTerms {
  static constexpr std::string_view kName = "redlock";
  static constexpr bool carries(Family family) { return family == Family::kQuorum; }
  using Model = class RedlockModel;

  bool persistence = true;

  template <class Keys>
  static void describe(Keys& keys) {
    keys.truth("persistence", &RedlockTerms::persistence, "a restart keeps the keys");
  }
  bool operator==(const RedlockTerms&) const = default;
};

}  // namespace leasescope
