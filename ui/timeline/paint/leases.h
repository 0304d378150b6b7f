// Leases as bars: how they are divided into pixels, filled and written on. For what the store held, what was believed,
// and the minimap.
#pragma once
#include "ui/timeline/paint/marks.h"
#include "ui/timeline/paint/strip.h"

namespace leasescope {

inline constexpr int kNoHatchBelow = 4;
inline constexpr int kNoOutlineBelow = 3;

// What is left of the first edge of a span once its bounds are taken off: the part that is certain.
struct SpanPixels {
  int from = 0, ttl = 0, to = 0;
};
SpanPixels pixels_of(const Scene& scene, const LeaseSpan& span);

// What a row's leases are drawn in: those that are shared may have a part of it.
struct LeaseBands {
  Band whole;
  Band shared = whole;
  Band of(const LeaseSpan& span) const { return span.shared ? shared : whole; }
};

// Many leases in one pixel, as one block: until one is seen apart from those before it, or `limit`.
struct Fold {
  PixelRange block;
  std::size_t first = 0, end = 0;
};
Fold fold_of(const Scene& scene, const SpanTrack& spans, std::size_t first, std::size_t limit);
// Flat; incidents are painted over it later, and its count waits until labels are written.
void paint_fold(Canvas& canvas, const Scene& scene, Strip& strip, SpanTrack::Cursor& spans, const Fold& fold, Band at);

// One lease band, for the minimap too: solid ttl, hatched transition, boundaries at renewals, bounds as steps.
void paint_held_band(Canvas& canvas, const Scene& scene, const SpanTrack& spans, LeaseBands bands);
// A lease that runs out, in what the store held.
void paint_transition(Canvas& canvas, int from, int to, int y, int height, const IdentityColours& id);

// Labels of a row's leases, each once a holding: on the solid part if it can be, else on a plate. `word` empty: the
// holder's letter. Shared ones are left out: their label has no room in half a band.
void paint_lease_labels(Canvas& canvas, const Scene& scene, const SpanTrack& spans, Band at, const QString& word,
                        bool believed);
// Of those that are shared: beside their band, at `baseline`, where they begin.
void paint_shared_labels(Canvas& canvas, const Scene& scene, const SpanTrack& spans, int baseline, const QString& word);

}  // namespace leasescope
