// What a scenario says about a store of registers: nothing.
#pragma once
#include <string_view>

#include "core/store/port.h"

namespace leasescope {

struct RegisterTerms {
  static constexpr std::string_view kName = "register";
  static constexpr bool carries(Family family) { return family == Family::kRegister; }
  using Model = class RegisterModel;

  template <class Keys>
  static void describe(Keys&) {}
  bool operator==(const RegisterTerms&) const = default;
};

}  // namespace leasescope
