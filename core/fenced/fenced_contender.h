// A contender by a lock with sessions: an application that locks, holds, unlocks and rests, again and again.
#pragma once
#include "core/base/prefetch.h"
#include "core/contend/setting.h"
#include "core/fenced/fenced_client.h"
#include "core/fenced/fenced_terms.h"

namespace leasescope {

class FencedContender {
 public:
  using Terms = FencedTerms;
  using Plan = FencedPlan;
  static FencedContender make(const ContenderSetting& setting, const Terms& terms, const Plan& plan) {
    return {setting, terms, plan};
  }

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
