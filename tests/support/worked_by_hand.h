// A contender of whichever lock system, its clock and its timers, worked by hand: requests wait for an answer. What an
// answer is the system's own test says.
#pragma once
#include <algorithm>
#include <array>
#include <optional>
#include <vector>

#include "core/contend/effect.h"
#include "core/contend/setting.h"
#include "core/history/operation.h"
#include "tests/support/suite.h"

namespace leasescope::tests {

template <class Contender>
class WorkedByHand {
 public:
  std::vector<Request> sent;
  std::vector<Note> notes;

  bool believes() const { return contender_.believes(); }
  Token token() const { return contender_.token(); }
  Status status() const { return contender_.status(); }
  bool armed(Timer timer) const { return due_[static_cast<std::size_t>(timer)].has_value(); }

  void input(const Input& in) {
    for (const Effect& effect : contender_.step(in, {WallTime{} + steady_.time_since_epoch(), steady_})) {
      if (const auto* send = std::get_if<Send>(&effect)) sent.push_back(send->request);
      if (const auto* arm = std::get_if<Arm>(&effect))
        due_[static_cast<std::size_t>(arm->timer)] = steady_ + arm->delay;
      if (const auto* disarm = std::get_if<Disarm>(&effect)) due_[static_cast<std::size_t>(disarm->timer)].reset();
      if (const auto* note = std::get_if<Note>(&effect)) notes.push_back(*note);
    }
  }
  void pass(Duration by) {
    const SteadyTime until = steady_ + by;
    for (;;) {
      const auto next =
          std::min_element(due_.begin(), due_.end(), [](const auto& a, const auto& b) { return a && (!b || *a < *b); });
      if (!*next || **next > until) break;
      steady_ = std::max(steady_, **next);
      next->reset();
      input(TimerFired{static_cast<Timer>(next - due_.begin())});
    }
    steady_ = until;
  }
  // The process stands still: what falls due meanwhile is handed in by the next pass.
  void pause(Duration by) { steady_ += by; }

  std::size_t asked(RequestKind kind) const {
    return static_cast<std::size_t>(
        std::count_if(sent.begin(), sent.end(), [&](const Request& each) { return each.kind == kind; }));
  }
  std::size_t count(EventKind kind) const {
    return static_cast<std::size_t>(
        std::count_if(notes.begin(), notes.end(), [&](const Note& each) { return each.kind == kind; }));
  }
  std::size_t count(EventKind kind, Operation operation) const {
    return static_cast<std::size_t>(std::count_if(notes.begin(), notes.end(), [&](const Note& each) {
      return each.kind == kind && each.detail == static_cast<std::uint8_t>(operation);
    }));
  }
  const Request& last(RequestKind kind) const {
    const auto at = std::find_if(sent.rbegin(), sent.rend(), [&](const Request& each) { return each.kind == kind; });
    if (at == sent.rend()) qFatal("nothing of the kind was asked");
    return *at;
  }
  void fail(RequestKind kind, Ending ending = Ending::kUnknown) {
    Reply reply;
    reply.begin(last(kind));
    reply.ending = ending;
    input(reply);
  }

 protected:
  WorkedByHand(Duration ttl, const typename Contender::Terms& terms, const typename Contender::Plan& plan)
      : contender_(setting(ttl), terms, plan) {}

  const Contender& contender() const { return contender_; }

 private:
  static ContenderSetting setting(Duration ttl) {
    ContenderSetting out;
    out.id = Name{1};
    out.mutex = Name{2};
    out.lease.ttl = ttl;
    out.draws = RandomStream(7, "self", "jitter");
    return out;
  }

  Contender contender_;
  SteadyTime steady_{};
  std::array<std::optional<SteadyTime>, kContenderTimers> due_;
};

}  // namespace leasescope::tests
