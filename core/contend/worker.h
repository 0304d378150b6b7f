// The work under the mutex: check, compute, write, one cycle in flight, `write_every` apart with fixed delay.
#pragma once
#include <array>
#include <cstdint>

#include "core/lease/mutex_owner.h"

namespace leasescope {

struct WorkTerms {
  Duration write_every = std::chrono::milliseconds(100);
  Duration compute = std::chrono::milliseconds(20);

  bool operator==(const WorkTerms&) const = default;
};

// What the worker is handed, and what it answers. It asks the contender's belief once a cycle, never the store.
enum class WorkInput : std::uint8_t { kAcquired, kReleased, kTimer };
enum class WorkEffect : std::uint8_t { kNone, kArm, kDisarm };

struct WorkStep {
  WorkEffect timer = WorkEffect::kNone;
  Duration delay{};       // kArm: on the steady clock
  bool checked = false;   // it asked "do I still own it?"
  bool computes = false;  // ... and began to compute
  bool writes = false;    // value and token are on their way to the resource
  Token token = kNoToken;
};

class Worker {
 public:
  explicit Worker(const WorkTerms& terms) : terms_(terms) {}

  // `believes` and `token` are the contender's, read at this moment; only a check looks at them.
  WorkStep step(WorkInput input, bool believes, Token token);

  Worker reborn() const { return Worker(terms_); }

  // A compute is under way: nothing between check and write looks at the lock again, and no program can.
  bool computing() const { return phase_ == Phase::kComputing; }

 private:
  enum class Phase : std::uint8_t { kIdle, kWaiting, kComputing };

  WorkTerms terms_;
  Token token_ = kNoToken;
  Phase phase_ = Phase::kIdle;
  bool owned_ = false;
};

}  // namespace leasescope
