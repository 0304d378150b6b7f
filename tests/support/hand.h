// A host of one contender, worked by hand: time passes when told, requests wait for an answer, effects are written
// down.
#pragma once
#include <algorithm>
#include <array>
#include <deque>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "core/simba/contender.h"
#include "core/time/duration_text.h"
#include "tests/support/show.h"

namespace leasescope::tests {

class Hand {
 public:
  static LeaseTerms usual_terms() {
    LeaseTerms terms;
    terms.ttl = std::chrono::seconds(5);
    terms.transition = std::chrono::seconds(2);
    return terms;
  }

  explicit Hand(Behaviour behaviour, const std::function<void(SimbaConfig&)>& adjust = {})
      : self(names.intern("self")),
        other(names.intern("other")),
        mutex(names.intern("m")),
        contender_(configured(behaviour, adjust), RandomStream(7, "self", "jitter")) {}

  NameTable names;
  Name self, other, mutex;
  std::function<void(const MutexState&)> on_told;  // called while the effects of the step are being carried out

  std::vector<std::string> log;  // "send acquire", "told >self", "arm contend 5s", "disarm watchdog", "refuse …"
  std::vector<std::string> callbacks;  // "onAcquired >self", "onReleased self>"
  std::vector<std::string> refusals;   // the messages
  std::vector<Note> notes;
  std::vector<Request> sent;

  const SimbaContender& contender() const { return contender_; }
  Clocks now() const { return {wall_, steady_}; }
  bool armed(Timer timer) const { return due_[index(timer)].has_value(); }
  Duration delay(Timer timer) const { return *due_[index(timer)] - steady_; }

  void input(const Input& in) {
    const Effects effects = contender_.step(in, now());
    for (const Effect& effect : effects) std::visit([this](const auto& e) { carry_out(e); }, effect);
  }

  // Start, and the answer to the subscription that goes with it.
  void start(Ending ending = Ending::kOk) {
    input(Start{});
    answer_kind(RequestKind::kSubscribe, ending);
  }
  // Stop, and the answer to the release that goes with it.
  void stop(Ending ending = Ending::kOk) {
    input(Stop{});
    answer_kind(RequestKind::kRelease, ending);
  }

  void pass(Duration d) {
    const SteadyTime until = steady_ + d;
    for (;;) {
      const auto next =
          std::min_element(due_.begin(), due_.end(), [](const auto& a, const auto& b) { return a && (!b || *a < *b); });
      if (!*next || **next > until) break;
      move_to(std::max(steady_, **next));  // after a pause it is overdue
      next->reset();
      input(TimerFired{static_cast<Timer>(next - due_.begin())});
    }
    move_to(until);
  }
  // A pause of the process: time passes and nothing is handed in; what fell due comes with the next pass().
  void pause(Duration d) { move_to(steady_ + d); }
  void step_wall(Duration by) { wall_ += by; }  // the steady clock never steps
  // Waits for this timer and fires it, whatever else falls due before.
  void fire(Timer timer) { pass(delay(timer)); }

  // The lease call on its way: the last one sent and not answered.
  const Request& flight() const { return waiting_.back(); }
  bool in_flight() const { return !waiting_.empty(); }

  void answer(Name owner, Duration remaining, Token token = kNoToken) {
    reply({0, RequestKind::kAcquire, Ending::kOk, owner == self, false, mutex, owner, Name{}, remaining, token});
  }
  // The store holds for this contender's id, in a term that the call did not mean.
  void answer_another_term(Duration remaining, Token token) {
    reply({0, RequestKind::kAcquire, Ending::kOk, false, false, mutex, self, Name{}, remaining, token});
  }
  // Another holds, and the caller has a place in the line; `counter`: the last token there was.
  void answer_wait(Duration remaining, Token counter, bool first = false) {
    Reply told{0, RequestKind::kAcquire, Ending::kOk, false, false, mutex, other, Name{}, remaining, counter};
    told.number = counter;
    told.answer = first ? kComesFirst : 0;
    reply(told);
  }
  void hand_over(Token token) {
    StoreEvent granted{StoreEventKind::kHandedOver, mutex, self};
    granted.token = token;
    input(granted);
  }
  void fail(Ending ending) {
    reply({0, RequestKind::kAcquire, ending, false, false, mutex, Name{}, Name{}, Duration{}, kNoToken});
  }
  void message(StoreEventKind kind, Name owner) { input(StoreEvent{kind, mutex, owner}); }

  // Answers the last request of this kind; false when there was none.
  bool answer_kind(RequestKind kind, Ending ending) {
    for (auto at = sent.rbegin(); at != sent.rend(); ++at) {
      if (at->kind != kind) continue;
      input(Reply{at->id, kind, ending, ending == Ending::kOk, false, mutex, Name{}, Name{}, Duration{}, kNoToken});
      return true;
    }
    return false;
  }

  // Starts, takes the mutex at once, and lets `round_trip` pass between request and reply.
  void start_and_own(Token token = 33, Duration round_trip = std::chrono::milliseconds(10)) {
    start();
    pass(Duration::zero());
    pass(round_trip);
    answer(self, contender_.config().terms.lease(), token);
  }

  void forget() {
    log.clear();
    callbacks.clear();
    refusals.clear();
    notes.clear();
    sent.clear();
  }
  // The lines of the log that begin with one of the words.
  std::vector<std::string> only(std::initializer_list<const char*> words) const {
    std::vector<std::string> out;
    for (const std::string& line : log)
      for (const char* word : words)
        if (line.rfind(word, 0) == 0) out.push_back(line);
    return out;
  }

 private:
  static std::size_t index(Timer timer) { return static_cast<std::size_t>(timer); }

  SimbaConfig configured(Behaviour behaviour, const std::function<void(SimbaConfig&)>& adjust) const {
    SimbaConfig config;
    config.id = self;
    config.mutex = mutex;
    config.behaviour = behaviour;
    config.terms = usual_terms();
    if (adjust) adjust(config);
    return config;
  }

  void move_to(SteadyTime t) {
    wall_ += t - steady_;
    steady_ = t;
  }

  void reply(Reply answered) {
    answered.request = waiting_.back().id;
    answered.kind = waiting_.back().kind;
    waiting_.pop_back();
    input(answered);
  }

  void carry_out(const Send& send) {
    log.push_back(fmt::format("send {}", shown(send.request.kind)));
    sent.push_back(send.request);
    if (send.request.kind == RequestKind::kAcquire || send.request.kind == RequestKind::kGuard)
      waiting_.push_back(send.request);
  }
  void carry_out(const Arm& arm) {
    log.push_back(fmt::format("arm {} {}", shown(arm.timer), format_duration(arm.delay)));
    due_[index(arm.timer)] = steady_ + arm.delay;
  }
  void carry_out(const Disarm& disarm) {
    log.push_back(fmt::format("disarm {}", shown(disarm.timer)));
    due_[index(disarm.timer)].reset();
  }
  void carry_out(const Notify& notify) {
    const MutexState& state = notify.state;
    const std::string change = fmt::format("{}>{}", names.text(state.before.owner), names.text(state.after.owner));
    log.push_back("told " + change);
    if (state.is_acquired(self)) callbacks.push_back("onAcquired " + change);
    if (state.is_released(self)) callbacks.push_back("onReleased " + change);
    if (on_told) on_told(state);
  }
  void carry_out(const Note& note) {
    log.push_back(fmt::format("note {}", text(note.kind)));
    notes.push_back(note);
  }
  void carry_out(const Refuse& refuse) {
    refusals.push_back(lifecycle_message(refuse.error, names.text(mutex), refuse.status));
    log.push_back("refuse " + refusals.back());
  }

  SimbaContender contender_;
  WallTime wall_{std::chrono::seconds(1'700'000'000)};
  SteadyTime steady_{std::chrono::seconds(100)};
  std::array<std::optional<SteadyTime>, kContenderTimers> due_;
  std::deque<Request> waiting_;
};

}  // namespace leasescope::tests
