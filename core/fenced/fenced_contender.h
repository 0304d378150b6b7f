// A contender by a lock with sessions: an application that locks, holds, unlocks and rests, again and again.
#pragma once
#include "core/base/describe.h"
#include "core/contend/setting.h"
#include "core/fenced/fenced_client.h"

namespace leasescope {

// What a scenario says of the system, [fenced].
struct FencedTerms {
  enum class Unknown : std::uint8_t { kRetry, kReport };
  enum class Told : std::uint8_t { kCall, kHeartbeat };
  enum class Fence : std::uint8_t { kOwn, kHolders };

  Unknown indeterminate = Unknown::kRetry;
  Told told = Told::kCall;
  Fence fence = Fence::kOwn;
  bool memo = true;

  template <class Keys>
  static void describe(Keys& keys) {
    keys.word("indeterminate", &FencedTerms::indeterminate, {{"retry", Unknown::kRetry}, {"report", Unknown::kReport}},
              "a call of unknown outcome is asked again, or the application is told so and calls anew");
    keys.word("told", &FencedTerms::told, {{"call", Told::kCall}, {"heartbeat", Told::kHeartbeat}},
              "a lost session is told by the next call alone, or as soon as a heartbeat finds it");
    keys.word("fence", &FencedTerms::fence, {{"own", Fence::kOwn}, {"holders", Fence::kHolders}},
              "a question for the fence is answered with one's own, or naively with that of whoever holds");
    keys.truth("memo", &FencedTerms::memo, "what is asked again bears its uid; else it is another call to the store");
  }
  bool operator==(const FencedTerms&) const = default;
};

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

class FencedContender {
 public:
  static constexpr std::string_view kSystem = "fenced";
  static constexpr Family kFamily = Family::kSession;
  using Terms = FencedTerms;
  using Plan = FencedPlan;
  static FencedContender make(const ContenderSetting& setting, const Terms& terms, const Plan& plan) {
    return {setting, terms, plan};
  }
  static std::uint32_t capacity(const Terms&) { return 1; }
  static std::uint8_t servers(const Terms&) { return 1; }

  FencedContender(const ContenderSetting& setting, const FencedTerms& terms, const FencedPlan& plan);

  Effects step(const Input& input, Clocks now);
  FencedContender reborn(Name id) const;

  Name id() const { return setting_.id; }
  Status status() const { return status_; }
  bool running() const { return status_ == Status::kRunning; }
  bool believes() const { return believes_; }
  // Between its calls the application is told nothing, and no clock is compared.
  bool owns(SteadyTime) const { return believes_; }
  Token token() const { return believes_ ? fence_ : kNoToken; }
  const RandomStream& draws() const { return setting_.draws; }

  void fetch_for_timer() const { prefetch(this, &client_); }
  void fetch_for_reply() const { prefetch(this, this + 1); }

 private:
  // What the application is at.
  enum class Phase : std::uint8_t { kIdle, kAcquires, kHolds, kAsks, kLetsGo, kUnlocks, kRests, kCloses };

  void on_start(Effects& out, Clocks now);
  void on_stop(Effects& out, Clocks now);
  void on_timer(Timer timer, Effects& out, Clocks now);
  void on_work_done(Effects& out, Clocks now);
  void on_reply(const Reply& reply, Effects& out, Clocks now);
  void on_answer(const FencedAnswer& answer, Effects& out, Clocks now);
  void on_acquire_ended(const FencedAnswer& answer, Effects& out, Clocks now);
  void on_question_answered(const FencedAnswer& answer, Effects& out, Clocks now);

  void call(FencedCall what, Effects& out, Clocks now);
  void acquire(Effects& out, Clocks now);
  void hold(Effects& out, Clocks now);
  void let_go(DisbeliefReason reason, Effects& out, Clocks now);
  void rest(Duration least, Effects& out, Clocks now);
  void close(Effects& out);
  void settle_stop(Effects& out);
  void tell(bool owns, Effects& out, Clocks now);

  ContenderSetting setting_;
  FencedTerms terms_;
  FencedPlan plan_;
  Token fence_ = kNoToken;
  SteadyTime holds_until_{};  // as it means to
  int entered_ = 0;
  Status status_ = Status::kInitial;
  Phase phase_ = Phase::kIdle;
  bool believes_ = false;
  FencedClient client_;
};

}  // namespace leasescope
