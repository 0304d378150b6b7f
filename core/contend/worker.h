// The work under the mutex: check, compute, write; one cycle in flight, `write_every` apart with fixed delay.
#pragma once
#include <array>
#include <cstdint>

#include "core/contend/mutex_owner.h"
#include "core/contend/step_pipeline.h"

namespace leasescope {

struct WorkTerms {
  Duration write_every = std::chrono::milliseconds(100);  // from the end of a cycle to the next check
  Duration compute = std::chrono::milliseconds(20);
  Duration timeout = std::chrono::seconds(1);  // a write that is not answered by then is given up; it may still arrive
  PipelineTerms pipeline;                      // of more than one step: what `write_every` keeps apart

  bool operator==(const WorkTerms&) const = default;
};

// What the worker is handed, and what it answers. It asks the contender once a cycle, never the store.
enum class WorkInput : std::uint8_t { kAcquired, kReleased, kTimer, kAnswered };
enum class WorkEffect : std::uint8_t { kNone, kArm, kDisarm };

struct WorkStep {
  WorkEffect timer = WorkEffect::kNone;
  Duration delay{};       // kArm: on the steady clock
  bool checked = false;   // it asked "do I still own it?"
  bool computes = false;  // ... and began to compute
  bool writes = false;    // value and token are on their way to the resource; the timer is its time-out
  bool rests = false;     // nothing is under way, and nothing will begin before it owns again
  Token token = kNoToken;
};

class Worker {
 public:
  // `owns` and `token` are the contender's, read at this moment; only a check looks at them.
  WorkStep step(const WorkTerms& terms, WorkInput input, bool owns, Token token);

  // After its process was lost. The answers to what that wrote are not taken for those to come.
  Worker reborn() const {
    Worker next;
    next.writes_ = writes_;
    return next;
  }

  // A compute is under way: nothing between check and write looks at the lock again, and no program can.
  bool computing() const { return phase_ == Phase::kComputing; }
  bool resting() const { return !owned_ && phase_ == Phase::kIdle; }
  // A check failed though nobody has told it that it no longer owns: it goes on once a check would not.
  bool stalled() const { return owned_ && phase_ == Phase::kIdle; }
  // The number of its latest write, and whether it still waits for the answer to that one.
  std::uint32_t writes() const { return writes_; }
  bool awaits(std::uint32_t write) const { return phase_ == Phase::kWriting && writes_ == write; }

  // Of several steps: which one it writes; and what the answer says of it, before that is handed in.
  std::uint8_t pipeline_step() const { return pipeline_.step(); }
  void go_on_with(std::uint8_t step) { pipeline_.go_on_with(step); }

 private:
  enum class Phase : std::uint8_t { kIdle, kWaiting, kComputing, kWriting };

  void end_cycle(const WorkTerms& terms, WorkStep& out, bool answered);

  Token token_ = kNoToken;
  std::uint32_t writes_ = 0;
  Phase phase_ = Phase::kIdle;
  bool owned_ = false;
  StepPipeline pipeline_;
};

}  // namespace leasescope
