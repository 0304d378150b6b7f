// Clients of fenced locks and the CP group they ask, in one hall: no network between them, every answer comes at once
// or when the group comes to it. Time passes only as the test says.
#pragma once
#include <chrono>
#include <deque>
#include <map>
#include <optional>
#include <vector>

#include "core/fenced/fenced_client.h"
#include "simulator/model/cp/cp_model.h"
#include "tests/support/suite.h"

namespace leasescope::tests {

class Hall {
 public:
  explicit Hall(std::size_t clients, const CpTerms& terms = {}, bool reports_unknown = false,
                Duration ttl = std::chrono::seconds(10))
      : model_(setting(ttl), terms) {
    for (std::size_t i = 0; i < clients; ++i) {
      FencedClientConfig config;
      config.id = Name{static_cast<std::uint32_t>(10 + i)};
      config.mutex = Name{1};
      config.ttl = ttl;
      config.reports_unknown = reports_unknown;
      people_.emplace_back(config);
    }
  }

  // Begins a call, and lets what it leads to happen within 10 ms.
  std::optional<FencedAnswer> ask(std::size_t who, FencedCall call, std::uint32_t thread = 0, Duration wait = {}) {
    Person& of = people_[who];
    const std::size_t before = of.answers.size();
    Effects out;
    if (const auto at_once = of.client.call(call, thread, wait, out, clocks())) of.answers.push_back(*at_once);
    carry_out(who, out);
    pass(std::chrono::milliseconds(10));
    if (of.answers.size() == before) return std::nullopt;
    return of.answers.back();
  }
  std::optional<FencedAnswer> lock(std::size_t who, std::uint32_t thread = 0) {
    return ask(who, FencedCall::kLock, thread);
  }
  std::optional<FencedAnswer> try_lock(std::size_t who, Duration wait = {}, std::uint32_t thread = 0) {
    return ask(who, FencedCall::kTryLock, thread, wait);
  }
  std::optional<FencedAnswer> unlock(std::size_t who, std::uint32_t thread = 0) {
    return ask(who, FencedCall::kUnlock, thread);
  }
  void close(std::size_t who) {
    Effects out;
    people_[who].client.close(out);
    carry_out(who, out);
    pass(std::chrono::milliseconds(10));
  }

  // One call to the group, as it comes over the wire; the answer to it when there is one. There are two locks.
  std::optional<Reply> raw(std::uint64_t session, RequestKind kind, std::uint64_t uid, Duration wait = {},
                           std::uint32_t thread = 1, std::uint32_t lock = 0) {
    ServerCall call;
    call.request.id = 1'000'000 + ++raws_;
    call.request.kind = kind;
    call.request.mutex = Name{1 + lock};
    call.request.contender = Name{9};
    call.request.session = {session, uid, wait, thread};
    call.node = kStranger;
    call.mutex = lock;
    heard_.reset();
    if (kind == RequestKind::kLock) locked_.reset();
    model_.take(call, moment(), steps_);
    settle();
    pass(std::chrono::milliseconds(10));
    return heard_;
  }
  std::uint64_t open() { return raw(0, RequestKind::kOpenSession, 0)->number; }
  const std::optional<Reply>& heard() const { return heard_; }
  const std::optional<Reply>& locked() const { return locked_; }  // heard of the latest lock that was asked for

  void pass(Duration time) {
    const TrueTime end = now_ + time;
    while (true) {
      TrueTime next = model_.deadline(0, clock_);
      std::size_t whose = people_.size();
      Timer which{};
      for (std::size_t who = 0; who < people_.size(); ++who)
        for (const auto& [timer, at] : people_[who].timers)
          if (!people_[who].stopped && at < next) next = at, whose = who, which = timer;
      if (next > end) break;
      now_ = std::max(now_, next);
      if (whose == people_.size()) {
        model_.wake(0, moment(), steps_);
        settle();
        continue;
      }
      people_[whose].timers.erase(which);
      Effects out;
      people_[whose].client.on_timer(which, out, clocks());
      carry_out(whose, out);
    }
    now_ = end;
  }
  // Its process stands still: neither timers nor answers reach it.
  void stop(std::size_t who) { people_[who].stopped = true; }
  void go_on(std::size_t who) {
    people_[who].stopped = false;
    for (const Reply& reply : std::exchange(people_[who].kept, {})) hand(who, reply);
  }
  void crash(std::size_t who) { stop(who); }
  void lose_answers(bool lose) { loses_ = lose; }
  void give_up(std::size_t who) {  // the call it waits for: the time-out has passed
    Reply reply;
    reply.request = last_request_[who].id;
    reply.kind = last_request_[who].kind;
    reply.ending = Ending::kUnknown;
    hand(who, reply);
    pass(std::chrono::milliseconds(150));
  }
  void disturb(Disturbance what) {
    model_.disturb(what, moment(), steps_);
    settle();
  }
  void set_clock(Duration by) { clock_.step(now_, by); }

  const std::vector<FencedAnswer>& answers(std::size_t who) const { return people_[who].answers; }
  const FencedClient& client(std::size_t who) const { return people_[who].client; }
  Name owner() const { return model_.owner(0); }
  static Name name(std::size_t who) { return Name{static_cast<std::uint32_t>(10 + who)}; }
  Token index() const { return model_.index(); }
  Duration now() const { return now_.time_since_epoch(); }
  // When each was granted the lock, in order.
  struct Granted {
    Name who;
    Token fence;
    Duration at;
  };
  const std::vector<Granted>& granted() const { return granted_; }
  int told(EventKind kind) const {
    const auto of = told_.find(kind);
    return of == told_.end() ? 0 : of->second;
  }

 private:
  static constexpr NodeIndex kStranger = 1000;

  struct Person {
    explicit Person(const FencedClientConfig& config) : client(config) {}
    FencedClient client;
    std::map<Timer, TrueTime> timers;
    std::vector<FencedAnswer> answers;
    std::vector<Reply> kept;
    bool stopped = false;
  };

  static ModelSetting setting(Duration ttl) {
    ModelSetting out;
    out.mutexes = {Name{1}, Name{2}};
    out.ttl = ttl;
    return out;
  }
  ServerNow moment() const { return {clock_.at(now_), now_}; }
  Clocks clocks() const { return {WallTime{} + now(), SteadyTime{} + now()}; }

  void carry_out(std::size_t who, const Effects& out) {
    for (const Effect& effect : out) {
      if (const auto* sent = std::get_if<Send>(&effect)) {
        ServerCall call;
        call.request = sent->request;
        call.node = static_cast<NodeIndex>(who);
        if (sent->request.kind != RequestKind::kHeartbeat) last_request_[who] = sent->request;
        model_.take(call, moment(), steps_);
        settle();
      } else if (const auto* armed = std::get_if<Arm>(&effect)) {
        people_[who].timers[armed->timer] = now_ + armed->delay;
      } else if (const auto* disarmed = std::get_if<Disarm>(&effect)) {
        people_[who].timers.erase(disarmed->timer);
      }
    }
  }
  void settle() {
    const std::vector<ServerStep> steps(steps_.begin(), steps_.end());
    steps_.clear();
    for (const ServerStep& step : steps) {
      if (step.fact == ServerStep::Fact::kGranted) granted_.push_back({step.owner, step.token, now()});
      if (step.fact == ServerStep::Fact::kOther) ++told_[step.kind];
      if (!step.replies) continue;
      if (step.node == kStranger) heard_ = step.reply;
      if (step.node == kStranger && step.reply.kind == RequestKind::kLock) locked_ = step.reply;
      if (step.node == kStranger || loses_) continue;
      hand(step.node, step.reply);
    }
  }
  void hand(std::size_t who, const Reply& reply) {
    Person& of = people_[who];
    if (of.stopped) return of.kept.push_back(reply);
    Effects out;
    if (const auto answer = of.client.on_reply(reply, out, clocks())) of.answers.push_back(*answer);
    carry_out(who, out);
  }

  CpModel model_;
  ServerSteps steps_;
  SkewedClock<ServerTime> clock_{std::chrono::hours(1), 0};
  TrueTime now_{};
  std::deque<Person> people_;
  std::map<std::size_t, Request> last_request_;
  std::vector<Granted> granted_;
  std::map<EventKind, int> told_;
  std::optional<Reply> heard_, locked_;
  std::uint64_t raws_ = 0;
  bool loses_ = false;
};

}  // namespace leasescope::tests
