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
      for (int mutex = 0; mutex < static_cast<int>(scene.data.mutexes().size()); ++mutex) {
        Band block = scene.layout.mutex_block(mutex);
        block.y += scene.layout.top() - scene.scroll;
        if (!scene.meets_rows(block)) continue;
        PixelRuns runs([&](PixelRange run) {
          canvas.fill(run.from, block.y, run.to - run.from, block.height,
                      kind == IncidentKind::kDoubleGrant ? c.critical_tint : c.overlap_tint);
        });
        each_incident(scene, scene.data.incidents_in_time().of_mutex(kind, mutex),
                      [&](std::size_t, const IncidentMark&, PixelRange range) { runs.add(range); });
      }
    }
  }
};

}  // namespace

std::unique_ptr<Lane> incident_tints_lane() { return std::make_unique<IncidentTints>(); }

}  // namespace leasescope
