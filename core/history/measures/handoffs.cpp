#include "core/history/measures/gap.h"
#include "core/history/measures/statistics.h"

namespace leasescope {
namespace {

class Handoffs : public MeasureOf<Lengths> {
 public:
  std::string_view name() const override { return "hand-off"; }
  std::string_view about() const override { return "from a release until another was granted it"; }
  void take(const Event& event, const Standing& standing) override {
    if (event.kind != EventKind::kGranted) return;
    const std::optional<Gap> gap = gap_before(event, standing);
    if (gap && gap->handed_off) shape().add(gap->length, event.at());
  }
};

}  // namespace

std::unique_ptr<Measure> handoffs_measure() { return std::make_unique<Handoffs>(); }

}  // namespace leasescope
