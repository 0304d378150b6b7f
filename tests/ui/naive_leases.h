// Leases as pixels by a walk over every one of them: what the painter finds without looking at most.
#pragma once
#include <vector>

#include "ui/timeline/paint/leases.h"

namespace leasescope::tests {

// Leases that begin and end in one pixel are one block, with those after it that are no wider than a pixel, until one
// begins more than a pixel behind the block: a gap of one pixel between them is not seen.
inline Fold walked_fold(const Scene& scene, const std::vector<LeaseSpan>& spans, std::size_t first) {
  Fold fold{{scene.clipped_x(spans[first].start.hi), 0}, first, first};
  fold.block.to = fold.block.from + 1;
  for (; fold.end < spans.size(); ++fold.end) {
    const LeaseSpan& span = spans[fold.end];
    const int a = scene.clipped_x(span.start.lo), b = scene.clipped_x(scene.until(span.end.hi));
    const bool apart = b - a >= 2 || a > fold.block.to + 1 || span.start.hi >= scene.viewport.to();
    if (fold.end > first && apart) break;
    fold.block.to = std::max({fold.block.to, b, a + 1});
  }
  return fold;
}

// What a column of a row's band shows: nothing, a lease, or the free pixel with which one begins that follows another.
enum class LeaseColumn : char { kNone, kLease, kBoundary };

// By column of the picture, of leases that are known exactly. A lease has each column from that of its begin up to that
// of its end, without it, and its first one at least: a column that it covers in part is its own at its begin and not
// at its end. `boundaries`: what the store held leaves the first column of a renewal free, and of a lease that begins
// where the one before it ended, if it has another; what was believed has an outline there.
inline std::vector<LeaseColumn> walked_columns(const Scene& whole, const SpanTrack& track, bool boundaries) {
  std::vector<LeaseColumn> columns(static_cast<std::size_t>(whole.right()));
  const auto set = [&](int from, int to, LeaseColumn what) {
    for (int x = std::max(from, whole.left()); x < std::min(to, whole.right()); ++x)
      columns[static_cast<std::size_t>(x)] = what;
  };
  const std::vector<LeaseSpan> spans(track.begin(), track.end());
  for (const ClockView& view : parts_of(whole)) {
    Scene scene = whole;
    scene.viewport = view;
    int painted = -1;  // up to here, by those that are no part of a block
    for (std::size_t i = 0; i < spans.size() && spans[i].start.hi < view.to();) {
      const LeaseSpan& span = spans[i];
      if (span.end.hi <= view.from) {
        ++i;
        continue;
      }
      const int from = scene.clipped_x(span.start.hi), to = scene.clipped_x(scene.until(span.end.hi));
      const bool alone = i + 1 == spans.size() || scene.clipped_x(spans[i + 1].start.hi) > from + 1;
      if (to <= from && (boundaries || !alone)) {
        const Fold fold = walked_fold(scene, spans, i);
        set(fold.block.from, fold.block.to, LeaseColumn::kLease);
        i = fold.end;
        continue;
      }
      set(from, std::max(to, from + 1), LeaseColumn::kLease);
      const bool follows = span.renewal || painted >= from;
      if (boundaries && follows && from > scene.left() && to - from > 1) set(from, from + 1, LeaseColumn::kBoundary);
      painted = to;
      ++i;
    }
  }
  return columns;
}

}  // namespace leasescope::tests
