// The timers of a loop behind one descriptor of the kernel's, which is precise to microseconds.
#pragma once
#include <ctime>
#include <map>
#include <unordered_map>
#include <utility>

#include "core/loop/loop.h"

namespace leasescope {

class Alarms {
 public:
  explicit Alarms(clockid_t clock);
  ~Alarms();
  Alarms(const Alarms&) = delete;
  Alarms& operator=(const Alarms&) = delete;

  TrueTime now() const { return TrueTime(reading() - zero_); }
  void set_zero() { zero_ = reading(); }  // what is armed falls due when it would have

  // As Loop has them.
  Loop::TimerId add(Duration after, Loop::Task task);
  void cancel(Loop::TimerId timer);

  // Readable when the first is due that there was at the last set(), until what is due has been taken.
  int descriptor() const { return descriptor_; }
  // Before the descriptor is waited for: at once after each change, or once a turn, as it is a call of the kernel's.
  void set();
  // Takes the tasks that are due out one by one, and hands each to `call`, which says whether to go on. What is armed
  // meanwhile waits for the next time. `call` may destroy this where it then says no.
  template <class Call>
  void take_due(Call call);

 private:
  using Due = std::pair<Duration, Loop::TimerId>;  // by the clock's own reading

  Duration reading() const;
  void drain();

  clockid_t clock_;
  int descriptor_;
  Duration zero_;
  Duration set_to_ = Duration::max();
  std::map<Due, Loop::Task> timers_;
  std::unordered_map<Loop::TimerId, Duration> due_;
  Loop::TimerId last_timer_ = 0;
};

template <class Call>
void Alarms::take_due(Call call) {
  if (reading() >= set_to_) drain();
  const Due last{reading(), last_timer_};
  while (!timers_.empty() && timers_.begin()->first <= last) {
    const auto first = timers_.begin();
    const Loop::Task task = std::move(first->second);
    due_.erase(first->first.second);
    timers_.erase(first);
    if (!call(task)) return;
  }
}

}  // namespace leasescope
