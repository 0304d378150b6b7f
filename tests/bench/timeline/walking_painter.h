// The painter that the tracks took the place of, as far as it drew leases and gaps: what the chart's frames are
// measured beside in the same run.
#pragma once
#include <vector>

#include <QPainter>

#include "ui/timeline/paint/scene.h"

namespace leasescope::bench {

// Made after the painter that stood in ui/timeline until commit 5132fd7: leases lie in one list a lane, whole, and a
// picture goes over each that is in view, be it narrower than a pixel; over each gap of a mutex; and for each gap in
// view over all incidents. It draws what that one drew of them: bands with hatches, folds with their counts, labels,
// marks of renewals, brackets. Left out are bounds (the bench's night is known exactly), plates under labels that have
// no solid ground, and all else: headers, rail, ruler, faults, attempts, writes, requests, incidents. That one took
// more time than this does.
class WalkingPainter {
 public:
  explicit WalkingPainter(const ChartData& data);
  void paint(QPainter& painter, const Scene& scene, TileCache& tiles) const;

  using Spans = std::vector<LeaseSpan>;

 private:
  void paint_bands(Canvas& canvas, const Scene& scene) const;
  void write_labels(Canvas& canvas, const Scene& scene) const;

  std::vector<Spans> mutexes_, held_, believed_;  // by row
};

}  // namespace leasescope::bench
