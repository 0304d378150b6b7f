// What a scenario says of leader latches: [latch], and of each contender by one.
#pragma once
#include <cstdint>
#include <string_view>

#include "core/base/describe.h"
#include "core/check/model_kind.h"
#include "core/store/port.h"
#include "core/time/clock.h"

namespace leasescope {

// What one contender's application does.
struct LatchPlan {
  Duration hold{};
  Duration rest{};

  template <class Keys>
  static void describe(Keys& keys) {
    keys.span("hold", &LatchPlan::hold, Duration::zero(), "how long it leads; 0s: until it is stopped");
    keys.span("rest", &LatchPlan::rest, Duration::zero(), "from giving the lead up to contending again");
  }
  bool operator==(const LatchPlan&) const = default;
};

struct LatchTerms {
  static constexpr std::string_view kSystem = "latch";
  static constexpr Family kFamily = Family::kNodes;
  using Contender = class LatchContender;
  using Plan = LatchPlan;

  enum class OnDisconnect : std::uint8_t { kStepDown, kIgnore };

  OnDisconnect on_disconnect = OnDisconnect::kStepDown;
  bool protection = true;
  bool checks_session = true;
  Duration reconnect = std::chrono::seconds(1);

  static check::Model model(std::uint32_t /*entries*/) { return {check::ModelKind::kFenced}; }

  template <class Keys>
  static void describe(Keys& keys) {
    keys.word("on_disconnect", &LatchTerms::on_disconnect,
              {{"step-down", OnDisconnect::kStepDown}, {"ignore", OnDisconnect::kIgnore, kWeak}},
              "whether a leader whose connection is lost steps down, or leads on until its session is over");
    keys.truth("protection", &LatchTerms::protection,
               "the name of a node begins with a word of its own: after a lost answer it is looked for");
    keys.truth("checks_session", &LatchTerms::checks_session,
               "the lowest node makes a leader only if it belongs to the session there is now");
    keys.span("reconnect", &LatchTerms::reconnect, Duration::zero(),
              "up to so long, evenly drawn, a client whose connection is lost waits before it connects again");
  }
  bool operator==(const LatchTerms&) const = default;
};

}  // namespace leasescope
