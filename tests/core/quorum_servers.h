// The quorum lock's contender by hand: five servers, ttl 5 s, of which 52 ms are drift.
#pragma once
#include <algorithm>
#include <array>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "core/quorum/contender.h"
#include "tests/support/suite.h"

namespace leasescope::tests {

constexpr Duration kTtl = std::chrono::seconds(5);
constexpr Duration kDrift = std::chrono::milliseconds(52);

struct QuorumSetting {
  QuorumTerms terms;
  QuorumPlan plan;
  bool callbacks = false;
};

class QuorumServers {
 public:
  explicit QuorumServers(const std::function<void(QuorumSetting&)>& adjust = {}) : contender_(made(adjust)) {}

  NameTable names;
  Name self = names.intern("self"), other = names.intern("other"), third = names.intern("third");
  Name mutex = names.intern("m");
  std::vector<Request> sent;
  std::vector<Note> notes;
  std::vector<std::string> told;  // "owns", "lost"

  QuorumContender& contender() { return contender_; }
  Clocks now() const { return {wall_, steady_}; }

  void input(const Input& in) {
    for (const Effect& effect : contender_.step(in, now())) {
      if (const auto* send = std::get_if<Send>(&effect)) sent.push_back(send->request);
      if (const auto* note = std::get_if<Note>(&effect)) notes.push_back(*note);
      if (const auto* arm = std::get_if<Arm>(&effect))
        due_[static_cast<std::size_t>(arm->timer)] = steady_ + arm->delay;
      if (const auto* notify = std::get_if<Notify>(&effect))
        told.emplace_back(notify->state.is_acquired(self) ? "owns" : "lost");
    }
  }
  void pass(Duration by) {
    const SteadyTime until = steady_ + by;
    for (;;) {
      const auto next =
          std::min_element(due_.begin(), due_.end(), [](const auto& a, const auto& b) { return a && (!b || *a < *b); });
      if (!*next || **next > until) break;
      wall_ += **next - steady_;
      steady_ = **next;
      next->reset();
      input(TimerFired{static_cast<Timer>(next - due_.begin())});
    }
    wall_ += until - steady_;
    steady_ = until;
  }
  // Its clocks run on, and it does nothing.
  void stand_still(Duration by) {
    wall_ += by;
    steady_ += by;
  }
  std::optional<Duration> armed(Timer timer) const {
    const auto& at = due_[static_cast<std::size_t>(timer)];
    return at ? std::optional<Duration>(*at - steady_) : std::nullopt;
  }

  // The last call of that kind to that server.
  const Request& last(RequestKind kind, std::uint8_t server) const {
    for (auto at = sent.rbegin(); at != sent.rend(); ++at)
      if (at->kind == kind && at->store == server) return *at;
    qFatal("nothing of that kind was sent to that server");
  }
  std::size_t count(RequestKind kind) const {
    return static_cast<std::size_t>(
        std::count_if(sent.begin(), sent.end(), [&](const Request& call) { return call.kind == kind; }));
  }
  // So many servers were asked to leave the rest of his lease to whom it was stolen from.
  std::size_t given_to_victims() const {
    return static_cast<std::size_t>(std::count_if(sent.begin(), sent.end(), [](const Request& call) {
      return call.kind == RequestKind::kGiveBack && call.quorum.rules.keeps_victim;
    }));
  }
  std::size_t noted(EventKind kind) const {
    return static_cast<std::size_t>(
        std::count_if(notes.begin(), notes.end(), [&](const Note& note) { return note.kind == kind; }));
  }
  Reply answer_to(std::uint8_t server, QuorumAnswer answer, RequestKind kind = RequestKind::kObtain) const {
    Reply reply;
    reply.begin(last(kind, server));
    reply.answer = static_cast<std::uint8_t>(answer);
    reply.done = answer <= QuorumAnswer::kReentrant;
    return reply;
  }
  void grant(std::uint8_t server) { input(answer_to(server, QuorumAnswer::kSuccess)); }
  void grant_by_theft(std::uint8_t server, Name victim, std::uint64_t acquisition) {
    Reply reply = answer_to(server, QuorumAnswer::kFromVictim);
    reply.owner = victim;
    reply.number = acquisition;
    input(reply);
  }
  // What the servers had of it until then, asked to give it back.
  void give_back(std::uint8_t server, bool had, Ending ending = Ending::kOk) {
    Reply reply;
    reply.begin(last(RequestKind::kGiveBack, server));
    reply.done = had;
    reply.ending = ending;
    input(reply);
  }
  // How the last unlock ended; none: it has not.
  std::optional<Ending> unlocked() const {
    for (auto at = notes.rbegin(); at != notes.rend(); ++at) {
      if (static_cast<Operation>(at->detail) != Operation::kUnlock) continue;
      if (at->kind == EventKind::kReturned) return static_cast<Ending>(at->b);
      if (at->kind == EventKind::kInvoked) break;
    }
    return std::nullopt;
  }
  // What it asked last, one more handle, a majority grants.
  void re_enter() {
    for (const std::uint8_t server : {0, 1, 2}) input(answer_to(server, QuorumAnswer::kReentrant));
  }
  void deny(std::uint8_t server, Token fence = kNoToken) {
    Reply reply = answer_to(server, QuorumAnswer::kDenied);
    reply.token = fence;
    input(reply);
  }
  void deny_all() {
    for (const std::uint8_t server : {0, 1, 2, 3, 4}) deny(server);
  }
  void start() {
    input(Start{});
    pass(Duration::zero());
  }
  void start_and_hold() {
    start();
    for (const std::uint8_t server : {0, 1, 2}) grant(server);
  }
  // Steals from `other` at the first three servers.
  void start_and_steal() {
    start();
    for (const std::uint8_t server : {0, 1, 2}) grant_by_theft(server, other, 77);
  }
  void hear_theft(Name thief, std::uint64_t by, std::uint64_t from, WallTime until, std::uint8_t server = 0) {
    input(StoreEvent{StoreEventKind::kStolen, mutex, thief, server, from, by, until});
  }
  void hear_theft(std::uint64_t by = 99) { hear_theft(third, by, contender_.acquisition(), wall_ + kTtl); }
  void hear_acknowledgement() { hear_acknowledgement(other, 77); }
  void hear_acknowledgement(Name victim, std::uint64_t acquisition) {
    input(StoreEvent{StoreEventKind::kLetGo, mutex, victim, 0, contender_.acquisition(), acquisition, {}});
  }

 private:
  QuorumContender made(const std::function<void(QuorumSetting&)>& adjust) {
    QuorumSetting of;
    of.plan.hold = Duration::zero();
    if (adjust) adjust(of);
    ContenderSetting setting;
    setting.id = self;
    setting.mutex = mutex;
    setting.lease.ttl = kTtl;
    setting.reports_callbacks = of.callbacks;
    setting.draws = RandomStream(7, "self", "jitter");
    return {setting, of.terms, of.plan};
  }

  QuorumContender contender_;
  WallTime wall_{std::chrono::seconds(1'700'000'000)};
  SteadyTime steady_{std::chrono::seconds(100)};
  std::array<std::optional<SteadyTime>, kContenderTimers> due_;
};

inline void specified(QuorumSetting& of) { of.terms.form = QuorumTerms::Form::kSpecified; }

// The column `corrected`, a row a form.
inline void each_form() {
  QTest::addColumn<bool>("corrected");
  QTest::newRow("specified") << false;
  QTest::newRow("corrected") << true;
}

}  // namespace leasescope::tests
