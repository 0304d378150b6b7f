// How often the store was asked, and how often in vain for want of an answer.
#include "core/history/measures/statistics.h"

namespace leasescope {
namespace {

class Requests : public MeasureOf<Rate> {
 public:
  std::string_view name() const override { return "requests"; }
  std::string_view about() const override { return "calls that were answered, or given up"; }
  void take(const Event& event, const Standing& /*standing*/) override {
    if (event.kind != EventKind::kAttempt) return;
    shape().add(event.at(), static_cast<AttemptResult>(event.detail) >= AttemptResult::kFailed);
  }
};

}  // namespace

std::unique_ptr<Measure> requests_measure() { return std::make_unique<Requests>(); }

}  // namespace leasescope
