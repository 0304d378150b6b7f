// The ground between the edges of what is wrong, from the mutex's header to its resource.
#include "ui/timeline/lanes/lane.h"
#include "ui/timeline/paint/marks.h"
#include "ui/timeline/paint/strip.h"

namespace leasescope {
namespace {

class IncidentTints : public Lane {
 public:
  void paint(Canvas& canvas, const Scene& scene) const override {
    const Colours& c = canvas.colours();
    Strip tints(scene);
    for (int mutex = 0; mutex < static_cast<int>(scene.data.mutexes().size()); ++mutex) {
      Band block = scene.layout.mutex_block(mutex);
      block.y += scene.layout.top() - scene.scroll;
      if (!scene.meets_rows(block)) continue;
      for (const IncidentKind kind : {IncidentKind::kBeliefOverlap, IncidentKind::kDoubleGrant}) {
        const QColor& tint = kind == IncidentKind::kDoubleGrant ? c.critical_tint : c.overlap_tint;
        each_incident_run(
            scene, scene.data.incidents_in_time().of_mutex(kind, mutex),
            [&](PixelRange range) { tints.fill(range.from, range.to, tint); },
            [&](std::size_t, const IncidentMark&, PixelRange range) { tints.fill(range.from, range.to, tint); });
      }
      tints.put(canvas, block.y, block.height);
    }
  }
};

}  // namespace

std::unique_ptr<Lane> incident_tints_lane() { return std::make_unique<IncidentTints>(); }

}  // namespace leasescope
