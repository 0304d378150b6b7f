#include "core/history/measures/gap.h"
#include "core/history/measures/statistics.h"

namespace leasescope {
namespace {

class Gaps : public MeasureOf<Lengths> {
 public:
  std::string_view name() const override { return "gap"; }
  std::string_view about() const override { return "nobody held, until the next grant"; }
  void take(const Event& event, const Standing& standing) override {
    if (event.kind != EventKind::kGranted) return;
    if (const std::optional<Gap> gap = gap_before(event, standing)) shape().add(gap->length, event.at());
  }
};

}  // namespace

std::unique_ptr<Measure> gaps_measure() { return std::make_unique<Gaps>(); }

}  // namespace leasescope
