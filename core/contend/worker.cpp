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
      if (pipeline_.under_way() && !terms.pipeline.checks) break;           // likewise, and for all of its steps
      if (phase_ == Phase::kWaiting) out.timer = WorkEffect::kDisarm;
      phase_ = Phase::kIdle;
      pipeline_.fail();
      out.rests = true;
      break;
    case WorkInput::kAnswered:
      end_cycle(terms, out, true);
      break;
    case WorkInput::kTimer:
      if (phase_ == Phase::kWriting) {
        end_cycle(terms, out, false);  // given up
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
      if (pipeline_.checks(terms.pipeline)) {
        out.checked = true;
        out.token = token;
        if (!owns) {
          phase_ = Phase::kIdle;
          pipeline_.fail();
          break;
        }
        token_ = token;
      }
      phase_ = Phase::kComputing;
      out.computes = true;
      out.timer = WorkEffect::kArm;
      out.delay = terms.compute;
      break;
  }
  return out;
}

// A step that was given up is tried again, by whoever may; the next one follows at once.
void Worker::end_cycle(const WorkTerms& terms, WorkStep& out, bool answered) {
  const bool more = answered ? pipeline_.done(terms.pipeline) : pipeline_.under_way();
  const bool goes_on = more && (owned_ || !terms.pipeline.checks);
  if (!goes_on) pipeline_.fail();
  phase_ = owned_ || goes_on ? Phase::kWaiting : Phase::kIdle;
  out.rests = phase_ == Phase::kIdle;
  out.timer = out.rests ? WorkEffect::kDisarm : WorkEffect::kArm;
  out.delay = goes_on ? Duration::zero() : terms.write_every;
}

}  // namespace leasescope
