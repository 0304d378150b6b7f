#include "core/contend/worker.h"

namespace leasescope {

WorkStep Worker::step(WorkInput input, bool believes, Token token) {
  WorkStep out;
  switch (input) {
    case WorkInput::kAcquired:
      owned_ = true;
      if (phase_ != Phase::kIdle) break;  // a write of the term before is still under way
      phase_ = Phase::kWaiting;
      out.timer = WorkEffect::kArm;
      break;
    case WorkInput::kReleased:
      owned_ = false;
      if (phase_ != Phase::kWaiting) break;  // what computes will write: it has already checked
      phase_ = Phase::kIdle;
      out.timer = WorkEffect::kDisarm;
      break;
    case WorkInput::kTimer:
      if (phase_ == Phase::kComputing) {
        out.writes = true;
        out.token = token_;
        phase_ = owned_ ? Phase::kWaiting : Phase::kIdle;
        if (owned_) {
          out.timer = WorkEffect::kArm;
          out.delay = terms_.write_every;
        }
        break;
      }
      out.checked = true;
      out.token = token;
      if (!believes) {
        phase_ = Phase::kIdle;
        break;
      }
      token_ = token;
      phase_ = Phase::kComputing;
      out.computes = true;
      out.timer = WorkEffect::kArm;
      out.delay = terms_.compute;
      break;
  }
  return out;
}

}  // namespace leasescope
