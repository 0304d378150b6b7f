// A run that keeps only its hash, its incidents and its summary: what the bench, a sweep and a swarm need, and what a
// snapshot is. A value: a copy continues identically.
#pragma once
#include <memory>

#include "core/history/checkers.h"
#include "simulator/engine/world.h"

namespace leasescope {

class BareRun {
 public:
  explicit BareRun(const Scenario& scenario);

  // Dispatches one input, unless none is due by `until`; world().events() are what came of it.
  bool step(TrueTime until) { return step(until, NobodyLooks{}); }
  // The same under the eyes of an observer: input(DispatchedInput) and then event(Event) for each that came of it, when
  // hash and checkers have taken it in.
  template <class Observer>
  bool step(TrueTime until, Observer&& observer);
  // Dispatches up to `until`, without looking at the scenario's own length, but at most `most` inputs. How many it
  // were.
  std::uint64_t advance(TrueTime until, std::uint64_t most = UINT64_MAX);
  // Dispatches `inputs` more, or fewer when nothing is due any more.
  void dispatch(std::uint64_t inputs) { advance(TrueTime::max(), inputs); }

  // What it comes to if it ends at `now`, and the end itself.
  void review(TrueTime now) { checkers_.advance(now); }
  void finish(TrueTime end) { checkers_.finish(end); }

  // From here on as `changed` says: see World::change_course.
  tl::expected<void, std::string> change_course(const Scenario& changed, TrueTime at);

  std::uint64_t inputs() const { return world_.inputs(); }
  std::uint64_t protocol_inputs() const { return protocol_inputs_; }
  std::uint64_t events() const { return events_; }  // of the history, so far
  TrueTime now() const { return now_; }             // of the last input
  std::uint64_t trace_hash() const { return hash_.digest(); }
  const Checkers& checkers() const { return checkers_; }
  const World& world() const { return world_; }

  // Memory that a copy takes, beside the incidents it shares with `other`.
  std::size_t bytes_beside(const BareRun& other) const;

 private:
  struct NobodyLooks {
    void input(const DispatchedInput&) {}
    void event(const Event&) {}
  };

  World world_;
  TraceHash hash_;
  Checkers checkers_;
  std::uint64_t protocol_inputs_ = 0;
  std::uint64_t events_ = 0;
  TrueTime now_{};
};

template <class Observer>
bool BareRun::step(TrueTime until, Observer&& observer) {
  if (!world_.step(until)) return false;
  now_ = world_.now();
  protocol_inputs_ += world_.protocol_input();
  events_ += world_.events().size();
  hash_.add(world_.input(), world_.names());
  observer.input(world_.input());
  for (const Event& event : world_.events()) {
    hash_.add(event, world_.input(), world_.names());
    checkers_.append(event);
    observer.event(event);
  }
  return true;
}

}  // namespace leasescope
