// What a scenario says of a server that has a backend for each connection, [store.backends].
#pragma once
#include <string_view>

#include "core/base/describe.h"
#include "core/store/port.h"
#include "core/time/clock.h"
#include "simulator/fault/port.h"

namespace leasescope {

struct BackendTerms {
  static constexpr std::string_view kName = "backends";
  static constexpr bool carries(Family family) { return family == Family::kConnection; }
  static constexpr bool suffers(Disturbance what) { return what == Disturbance::kCloseSession; }
  static constexpr bool kEndsWithServer = true;
  using Model = class BackendModel;

  Duration keep_alive = std::chrono::seconds(30);

  template <class Keys>
  static void describe(Keys& keys) {
    keys.span("keep_alive", &BackendTerms::keep_alive, std::chrono::milliseconds(1),
              "a connection ends when nothing was heard for so long of the machine at its other end");
  }
  bool operator==(const BackendTerms&) const = default;
};

}  // namespace leasescope
