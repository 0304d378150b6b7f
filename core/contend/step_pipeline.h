// Steps that belong together under a lease, run in order, one at a time. Before each the lease may be asked for: once
// it is over the pipeline stops there, and that is a failure. What makes that harmless is the steps themselves: where
// they record their progress, whoever holds next goes on from it; where they do not, he begins at the first.
#pragma once
#include <cstdint>

namespace leasescope {

struct PipelineTerms {
  std::uint8_t steps = 1;
  bool checks = true;  // "do I still hold it?" before each step; else before the first alone

  bool operator==(const PipelineTerms&) const = default;
};

class StepPipeline {
 public:
  // The step that is under way, or comes next.
  std::uint8_t step() const { return step_; }
  bool under_way() const { return step_ != 0; }
  bool checks(const PipelineTerms& terms) const { return step_ == 0 || terms.checks; }

  // So far somebody has come already: once this step is done, that one is next; 0 = there is nothing more to do.
  void go_on_with(std::uint8_t step) { next_ = step; }
  // The step is done. False: it was the last.
  bool done(const PipelineTerms& terms) {
    step_ = next_ == kInOrder ? static_cast<std::uint8_t>(step_ + 1) : next_;
    next_ = kInOrder;
    if (step_ >= terms.steps) step_ = 0;
    return step_ != 0;
  }
  // Stops: the lease is over, or a step was refused.
  void fail() { step_ = 0, next_ = kInOrder; }

 private:
  static constexpr std::uint8_t kInOrder = UINT8_MAX;

  std::uint8_t step_ = 0;
  std::uint8_t next_ = kInOrder;
};

}  // namespace leasescope
