// How far the wall clocks of contenders are off, and how far the store's was set off by what happened in the run.
#include "core/history/measures/statistics.h"

namespace leasescope {
namespace {

class ClockOffsets : public MeasureOf<Courses> {
 public:
  std::string_view name() const override { return "clocks"; }
  std::string_view about() const override { return "how far each wall clock is off; the store's: since the run began"; }
  void take(const Event& event, const Standing& /*standing*/) override {
    if (event.kind != EventKind::kClockChanged) return;
    if (static_cast<ClockOf>(event.detail) == ClockOf::kSteady) return;
    course_of(event.node).change(event.at(), Duration(event.a), event.b);
  }

 private:
  OffsetCourse& course_of(Name who) {
    for (OffsetCourse& each : shape())
      if (each.who == who) return each;
    return shape().emplace_back(OffsetCourse{who, {}});
  }
};

}  // namespace

std::unique_ptr<Measure> clocks_measure() { return std::make_unique<ClockOffsets>(); }

}  // namespace leasescope
