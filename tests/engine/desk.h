// A model of a server at a desk: it is asked at moments that the test names, and what it said is kept.
#pragma once
#include <algorithm>
#include <array>
#include <chrono>
#include <map>
#include <string_view>
#include <utility>
#include <vector>

#include "simulator/model/server_model.h"
#include "tests/support/suite.h"

namespace leasescope {

inline std::string_view text(ServerStep::Fact fact) {
  static constexpr std::array kWords{"nothing", "granted",   "renewed",  "released", "release refused",
                                     "expired", "forgotten", "restored", "other"};
  return kWords[static_cast<std::size_t>(fact)];
}

}  // namespace leasescope

namespace leasescope::tests {

inline const Name kMutex{1}, kA{2}, kB{3};
using Fact = ServerStep::Fact;

class Desk {
 public:
  explicit Desk(ServerModel model) : model_(std::move(model)) {}

  struct Said {
    bool at_once = true;
    std::vector<ServerStep> steps;

    const Reply& reply() const {
      for (const ServerStep& step : steps)
        if (step.replies) return step.reply;
      qFatal("no answer");
    }
    const ServerStep* fact(ServerStep::Fact fact) const {
      for (const ServerStep& step : steps)
        if (step.fact == fact) return &step;
      return nullptr;
    }
    const ServerStep* message(StoreEventKind kind) const {
      for (const ServerStep& step : steps)
        if (step.publishes && step.message.kind == kind) return &step;
      return nullptr;
    }
    std::size_t answers() const {
      return static_cast<std::size_t>(
          std::count_if(steps.begin(), steps.end(), [](const ServerStep& step) { return step.replies; }));
    }
  };

  Desk& at(Duration since_start) {
    now_ = TrueTime{} + since_start;
    return *this;
  }
  // The server's clock is set; its leases do not know.
  void set_clock(Duration by) {
    clock_.step(now_, by);
    disturb(Disturbance::kClockChanged);
  }

  Said ask(RequestKind kind, Name who, Duration lease = std::chrono::seconds(5), Wire wire = Wire::kTerm) {
    ServerCall call;
    call.request.id = ++requests_;
    call.request.kind = kind;
    call.request.lease.wire = wire;
    call.request.lease.wake_up = wire == Wire::kTerm ? wakes_ : WakeUp::kBroadcast;
    call.request.mutex = kMutex;
    call.request.contender = who;
    call.request.lease.ttl = lease - std::chrono::seconds(1);
    call.request.lease.length = lease;
    call.request.timeout = std::chrono::seconds(4);
    call.request.lease.term = terms_[who.handle];
    Said said;
    said.at_once = std::visit([&](auto& model) { return model.take(call, moment(), steps_); }, model_);
    return take_down(std::move(said));
  }
  // By which those who speak Wire::kTerm wait from now on.
  Desk& waking(WakeUp by) {
    wakes_ = by;
    return *this;
  }
  void means(Name who, Token term) { terms_[who.handle] = term; }
  Said acquire(Name who, Duration lease = std::chrono::seconds(5)) { return ask(RequestKind::kAcquire, who, lease); }
  Said guard(Name who, Duration lease = std::chrono::seconds(5)) { return ask(RequestKind::kGuard, who, lease); }
  Said release(Name who) { return ask(RequestKind::kRelease, who); }

  Said disturb(Disturbance what) {
    std::visit([&](auto& model) { model.disturb(what, moment(), steps_); }, model_);
    return take_down({});
  }
  TrueTime deadline() const {
    return std::visit([&](const auto& model) { return model.deadline(0, clock_); }, model_);
  }
  Said wake() {
    std::visit([&](auto& model) { model.wake(0, moment(), steps_); }, model_);
    return take_down({});
  }
  Name owner() const {
    return std::visit([](const auto& model) { return model.owner(0); }, model_);
  }

 private:
  ServerNow moment() const { return {clock_.at(now_), now_}; }
  Said take_down(Said said) {
    said.steps.assign(steps_.begin(), steps_.end());
    steps_.clear();
    for (const ServerStep& step : said.steps)
      if (step.replies && step.reply.done) terms_[step.reply.owner.handle] = step.reply.token;
    return said;
  }

  ServerModel model_;
  ServerSteps steps_;
  SkewedClock<ServerTime> clock_{std::chrono::hours(1), 0};
  TrueTime now_{};
  std::uint64_t requests_ = 0;
  WakeUp wakes_ = WakeUp::kBroadcast;
  std::map<std::uint32_t, Token> terms_;  // by name handle: what each was told last
};

inline ServerModel redis_with_queue() { return RedisModel({kMutex}, {}, {0, 0, 1, 2, 3}); }
inline ServerModel redis(const RedisTerms& terms = {}) { return RedisModel({kMutex}, terms); }
inline ServerModel sql(SqlTerms::Statement statement, SqlTerms::Now now = SqlTerms::Now::kClock) {
  return SqlModel({kMutex}, SqlTerms{statement, now, 10});
}
constexpr auto kForUpdate = SqlTerms::Statement::kForUpdate;
constexpr auto kUpdate = SqlTerms::Statement::kUpdate;

}  // namespace leasescope::tests
