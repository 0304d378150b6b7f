// What a scenario says of fenced locks: [fenced], and of each contender by one.
#pragma once
#include <string_view>

#include "core/base/describe.h"
#include "core/check/model_kind.h"
#include "core/store/port.h"
#include "core/time/clock.h"

namespace leasescope {

// What one contender's application does.
struct FencedPlan {
  Duration hold{};  // zero: until it is stopped
  Duration rest{};
  Duration wait{};  // it tries for so long; zero: it locks and waits without end
  Duration asks{};  // while it holds it asks "is it locked by me?" so often; zero: never
  int times = 1;    // it enters
  bool forgets = false;

  template <class Keys>
  static void describe(Keys& keys) {
    constexpr int kMost = 1000;
    keys.span("hold", &FencedPlan::hold, Duration::zero(), "how long it holds the lock; 0s: until it is stopped");
    keys.span("rest", &FencedPlan::rest, Duration::zero(), "from an unlock to the next lock");
    keys.span("wait", &FencedPlan::wait, Duration::zero(), "how long it tries; 0s: it waits without end");
    keys.span("asks", &FencedPlan::asks, Duration::zero(), "how often a holder asks whether it holds; 0s: never");
    keys.truth("forgets", &FencedPlan::forgets, "its thread ends without an unlock, and its process lives on");
    keys.number("times", &FencedPlan::times, 1, kMost, "how often it enters before it leaves as often");
  }
  bool operator==(const FencedPlan&) const = default;
};

struct FencedTerms {
  static constexpr std::string_view kSystem = "fenced";
  static constexpr Family kFamily = Family::kSession;
  using Contender = class FencedContender;
  using Plan = FencedPlan;

  enum class Unknown : std::uint8_t { kRetry, kReport };
  enum class Told : std::uint8_t { kCall, kHeartbeat };
  enum class Fence : std::uint8_t { kOwn, kHolders };

  Unknown indeterminate = Unknown::kRetry;
  Told told = Told::kCall;
  Fence fence = Fence::kOwn;
  bool memo = true;
  Duration retry = std::chrono::milliseconds(100);

  // Who is told that an outcome is unknown calls anew, and may so enter more often than it means to.
  static check::Model model(std::uint32_t /*entries*/) {
    return {check::ModelKind::kReentrantFenced, check::kAnyNumber};
  }

  template <class Keys>
  static void describe(Keys& keys) {
    keys.word("indeterminate", &FencedTerms::indeterminate, {{"retry", Unknown::kRetry}, {"report", Unknown::kReport}},
              "a call of unknown outcome is asked again, or the application is told so and calls anew");
    keys.word("told", &FencedTerms::told, {{"call", Told::kCall}, {"heartbeat", Told::kHeartbeat}},
              "a lost session is told by the next call alone, or as soon as a heartbeat finds it");
    keys.word("fence", &FencedTerms::fence, {{"own", Fence::kOwn}, {"holders", Fence::kHolders, kWeak}},
              "a question for the fence is answered with one's own, or naively with that of whoever holds");
    keys.truth("memo", &FencedTerms::memo, "what is asked again bears its uid; else it is another call to the store");
    keys.span("retry", &FencedTerms::retry, std::chrono::milliseconds(1),
              "so long after it had no answer it asks again");
  }
  bool operator==(const FencedTerms&) const = default;
};

}  // namespace leasescope
