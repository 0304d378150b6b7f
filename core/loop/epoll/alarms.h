// The timers of a loop behind one descriptor of the kernel's, which is precise to microseconds.
#pragma once
#include <ctime>
#include <functional>
#include <queue>
#include <unordered_map>
#include <utility>
#include <vector>

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
  using Order = std::priority_queue<Due, std::vector<Due>, std::greater<>>;

  Duration reading() const;
  void drain();
  const Due* first();
  void forget_cancelled();

  clockid_t clock_;
  int descriptor_;
  Duration zero_;
  Duration set_to_ = Duration::max();
  Order order_;  // also of what has been cancelled since
  std::unordered_map<Loop::TimerId, Loop::Task> tasks_;
  Loop::TimerId last_timer_ = 0;
};

template <class Call>
void Alarms::take_due(Call call) {
  if (reading() >= set_to_) drain();
  const Due last{reading(), last_timer_};
  for (const Due* due = first(); due != nullptr && *due <= last; due = first()) {
    const auto found = tasks_.find(due->second);
    const Loop::Task task = std::move(found->second);
    tasks_.erase(found);
    order_.pop();
    if (!call(task)) return;
  }
}

}  // namespace leasescope
