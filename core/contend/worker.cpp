#include "core/contend/worker.h"

namespace leasescope {

WorkStep Worker::step(const WorkTerms& terms, WorkInput input, bool owns, Token token) {
  WorkStep out;
  switch (input) {
    case WorkInput::kAcquired:
      owned_ = true;
      if (phase_ != Phase::kIdle) break;  // a cycle of the term before is still under way
      phase_ = Phase::kWaiting;
      out.timer = WorkEffect::kArm;
      break;
    case WorkInput::kReleased:
      owned_ = false;
      if (phase_ == Phase::kComputing || phase_ == Phase::kWriting) break;  // it has already checked
      if (phase_ == Phase::kWaiting) out.timer = WorkEffect::kDisarm;
      phase_ = Phase::kIdle;
      out.rests = true;
      break;
    case WorkInput::kAnswered:
      end_cycle(terms, out);
      break;
    case WorkInput::kTimer:
      if (phase_ == Phase::kWriting) {
        end_cycle(terms, out);  // given up
        break;
      }
      if (phase_ == Phase::kComputing) {
        phase_ = Phase::kWriting;
        ++writes_;
        out.writes = true;
        out.token = token_;
        out.timer = WorkEffect::kArm;
        out.delay = terms.timeout;
        break;
      }
      out.checked = true;
      out.token = token;
      if (!owns) {
        phase_ = Phase::kIdle;
        break;
      }
      token_ = token;
      phase_ = Phase::kComputing;
      out.computes = true;
      out.timer = WorkEffect::kArm;
      out.delay = terms.compute;
      break;
  }
  return out;
}

void Worker::end_cycle(const WorkTerms& terms, WorkStep& out) {
  phase_ = owned_ ? Phase::kWaiting : Phase::kIdle;
  out.rests = !owned_;
  out.timer = owned_ ? WorkEffect::kArm : WorkEffect::kDisarm;
  out.delay = terms.write_every;
}

}  // namespace leasescope
