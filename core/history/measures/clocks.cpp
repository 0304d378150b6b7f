// How far clocks were set off by what happened in the run. How far off they were at its begin no event tells.
#include "core/history/measures/statistics.h"

namespace leasescope {
namespace {

class ClockOffsets : public MeasureOf<Courses> {
 public:
  std::string_view name() const override { return "clocks"; }
  std::string_view about() const override { return "how far each was set off since the run began"; }
  void take(const Event& event, const Standing& /*standing*/) override {
    if (event.kind != EventKind::kClockChanged) return;
    OffsetCourse& of = course_of(event.node);
    const std::int64_t ppm = of.points.empty() ? 0 : of.points.back().ppm;
    of.points.push_back({event.at(), of.off(event.at()) + Duration(event.a), ppm + event.b});
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
