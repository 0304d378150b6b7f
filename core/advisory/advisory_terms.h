// What a scenario says of advisory locks: [advisory], and of each contender by one.
#pragma once
#include <cstdint>
#include <string_view>

#include "core/base/describe.h"
#include "core/check/model_kind.h"
#include "core/store/port.h"
#include "core/time/clock.h"

namespace leasescope {

// What one contender's application does.
struct AdvisoryPlan {
  Duration hold{};  // zero: until it is stopped
  Duration rest{};
  Duration tries{};  // zero: it waits in the server's queue
  int times = 1;     // it enters

  std::uint32_t entries() const { return static_cast<std::uint32_t>(times); }

  template <class Keys>
  static void describe(Keys& keys) {
    constexpr int kMost = 1000;
    keys.span("hold", &AdvisoryPlan::hold, Duration::zero(), "how long it holds the lock; 0s: until it is stopped");
    keys.span("rest", &AdvisoryPlan::rest, Duration::zero(), "from an unlock to the next lock");
    keys.span("tries", &AdvisoryPlan::tries, Duration::zero(),
              "it asks without waiting, and again after so long; 0s: it waits in the server's queue");
    keys.number("times", &AdvisoryPlan::times, 1, kMost, "how often it enters before it leaves as often");
  }
  bool operator==(const AdvisoryPlan&) const = default;
};

struct AdvisoryTerms {
  static constexpr std::string_view kSystem = "advisory";
  static constexpr Family kFamily = Family::kConnection;
  using Contender = class AdvisoryContender;
  using Plan = AdvisoryPlan;

  Duration check{};
  Duration keep_alive = std::chrono::seconds(10);
  Duration reconnect = std::chrono::seconds(1);

  // An entry of which nobody knows whether it was made may be one more.
  static check::Model model(std::uint32_t /*entries*/) { return {check::ModelKind::kReentrant, check::kAnyNumber}; }

  template <class Keys>
  static void describe(Keys& keys) {
    const Duration least = std::chrono::milliseconds(1);
    keys.span("check", &AdvisoryTerms::check, Duration::zero(),
              "a holder asks so often whether its connection stands; 0s: it learns so by its unlock");
    keys.span("keep_alive", &AdvisoryTerms::keep_alive, least,
              "who waits for so long without an answer asks whether its connection stands, and goes on asking");
    keys.span("reconnect", &AdvisoryTerms::reconnect, least,
              "up to so long, evenly drawn, a client whose connection is lost waits before it opens another");
  }
  bool operator==(const AdvisoryTerms&) const = default;
};

}  // namespace leasescope
