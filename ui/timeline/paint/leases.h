// Leases as bars: how they are divided into pixels, filled and written on. For what the store held, what was believed,
// and the minimap.
#pragma once
#include "ui/timeline/paint/marks.h"

namespace leasescope {

inline constexpr int kNoHatchBelow = 4;
inline constexpr int kNoOutlineBelow = 3;

// What is left of the first edge of a span once its bounds are taken off: the part that is certain.
struct SpanPixels {
  int from = 0, ttl = 0, to = 0;
};
SpanPixels pixels_of(const Scene& scene, const LeaseSpan& span);

// Labels of a row's leases, each once a holding: on the solid part if it can be, else on a plate. `word` empty: the
// holder's letter.
void paint_lease_labels(Canvas& canvas, const Scene& scene, const std::vector<LeaseSpan>& spans, Band at,
                        const QString& word, bool believed);

}  // namespace leasescope
