// The ground between the edges of what is wrong, from the mutex's header to its resource.
#include "ui/timeline/lanes/lane.h"
#include "ui/timeline/paint/marks.h"

namespace leasescope {
namespace {

class IncidentTints : public Lane {
 public:
  void paint(Canvas& canvas, const Scene& scene) const override {
    const Colours& c = canvas.colours();
    for (const IncidentKind kind : {IncidentKind::kBeliefOverlap, IncidentKind::kDoubleGrant}) {
      for (const IncidentMark& incident : scene.data.incidents()) {
        if (incident.kind != kind || !scene.shows(incident.start, incident.end)) continue;
        const Band block = scene.layout.mutex_block(incident.mutex);
        const PixelRange range = incident_range(scene, incident);
        canvas.fill(range.from, scene.layout.top() + block.y - scene.scroll, range.to - range.from, block.height,
                    kind == IncidentKind::kDoubleGrant ? c.critical_tint : c.overlap_tint);
      }
    }
  }
};

}  // namespace

std::unique_ptr<Lane> incident_tints_lane() { return std::make_unique<IncidentTints>(); }

}  // namespace leasescope
