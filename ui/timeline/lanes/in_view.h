// How lanes ask for what is in view: no more of it than the pixels have room for, however long the history is.
#pragma once
#include <algorithm>
#include <cstdlib>
#include <limits>
#include <vector>

#include "ui/timeline/lanes/lane.h"

namespace leasescope {

// Nearer ends of arrows into one row are one: their dots and heads would hide each other.
inline constexpr int kOneArrow = 3;  // px
// More than these in one picture could not be told apart, and would hide what lies below them: then none is drawn.
inline constexpr std::size_t kMostArrows = 400;

// The last moment of what lies left of a pixel.
inline TrueTime last_before(const Scene& scene, int x) { return scene.first_of(x) - Duration(1); }

// Calls with each of a track that is in view, by whatever it is kept by: of those that begin in a pixel and are over in
// it the first alone. One without an end counts as if it went on: whether it is seen is for the lane to say.
template <class Do>
void each_seen(const Scene& scene, const IntervalTrack& track, Do&& action) {
  track.each(scene.viewport.from, scene.viewport.to() - Duration(1), [&](std::uint32_t of, TrueTime begin, TrueTime) {
    action(of);
    return last_before(scene, scene.clipped_x(begin) + 1);
  });
}

// Calls with each that lies at a moment, in order of their begin.
template <class Do>
void each_at(const IntervalTrack& track, TrueTime at, Do&& action) {
  track.each(at, at, [&](std::uint32_t of) {
    action(of);
    return TrueTime::min();  // whatever lies there is asked for
  });
}

// The same as each_seen of arrows into one row, from when they were sent to when they came: one of which both ends lie
// within kOneArrow of those of the one before it is that one. `action` answers whether it wants more of them.
template <class Do>
void each_arrow(const Scene& scene, const IntervalTrack& track, Do&& action) {
  constexpr int kNone = std::numeric_limits<int>::min() / 2;
  int from = kNone, to = kNone;  // of the last one
  track.each(scene.viewport.from, scene.viewport.to() - Duration(1), [&](std::uint32_t of, TrueTime sent, TrueTime at) {
    const int x0 = scene.x(sent), x1 = scene.x(at);
    if (std::abs(x0 - from) >= kOneArrow || std::abs(x1 - to) >= kOneArrow) {
      if (!action(of)) return TrueTime::max();
      from = x0;
      to = x1;
    }
    return to - from < kOneArrow ? last_before(scene, from + kOneArrow) : sent;
  });
}

// The places of the arrows in view, in order; `track_of` gives those into a contender's row, or null. Nothing when they
// are more than kMostArrows.
template <class TrackOf>
std::vector<std::uint32_t> arrows_in_view(const Scene& scene, TrackOf&& track_of) {
  std::vector<std::uint32_t> seen;
  for (int who = 0; who < static_cast<int>(scene.data.contenders().size()) && seen.size() <= kMostArrows; ++who)
    if (const IntervalTrack* const track = track_of(who))
      each_arrow(scene, *track, [&](std::uint32_t of) {
        seen.push_back(of);
        return seen.size() <= kMostArrows;
      });
  if (seen.size() > kMostArrows) seen.clear();
  std::sort(seen.begin(), seen.end());
  return seen;
}

// What follows each other without a gap, each from its `at` to the next one's, the last until now. The one in force at
// a moment; the first where none is yet.
template <class Steps>
std::size_t step_at(const Steps& steps, TrueTime at) {
  const auto next =
      std::upper_bound(steps.begin(), steps.end(), at, [](TrueTime t, const auto& step) { return t < step.at; });
  return next == steps.begin() ? 0 : static_cast<std::size_t>(next - steps.begin()) - 1;
}
template <class Steps>
TrueTime step_end(const Scene& scene, const Steps& steps, std::size_t i) {
  return i + 1 < steps.size() ? steps[i + 1].at : scene.data.now();
}

// Calls with each step in view that goes on into another pixel than it begins in, and its end; with none of the others,
// but `passed` gets the places of those that were passed over: from the first to behind the last.
template <class Steps, class Do, class Passed>
void each_step(const Scene& scene, const Steps& steps, Do&& action, Passed&& passed) {
  for (std::size_t i = step_at(steps, scene.viewport.from); i < steps.size();) {
    if (steps[i].at >= scene.viewport.to()) return;
    const TrueTime end = step_end(scene, steps, i);
    if (scene.shows(steps[i].at, end)) action(i, end);
    // The one that is in force when the next pixel begins.
    const std::size_t next = first_at(steps, scene.first_of(scene.clipped_x(end) + 1), i + 1);
    const std::size_t seen = std::max(next, i + 2) - 1;
    if (seen > i + 1) passed(i + 1, seen);
    i = seen;
  }
}
template <class Steps, class Do>
void each_step(const Scene& scene, const Steps& steps, Do&& action) {
  each_step(scene, steps, action, [](std::size_t, std::size_t) {});
}

// What follows each other, from `from` to `to`, the last perhaps without an end: the first that is not over before a
// moment; none before `from` is looked at. What is asked for is rarely far behind: from there in growing steps.
template <class Stretches>
std::size_t first_lasting(const Stretches& stretches, TrueTime at, std::size_t from = 0) {
  const auto over = [at](const auto& stretch) { return stretch.to < at; };
  std::size_t high = from;
  for (std::size_t step = 1; high < stretches.size() && over(stretches[high]); step *= 2) {
    from = high + 1;
    high += step;
  }
  const auto place = [&](std::size_t i) {
    return stretches.begin() + static_cast<std::ptrdiff_t>(std::min(i, stretches.size()));
  };
  return static_cast<std::size_t>(std::partition_point(place(from), place(high), over) - stretches.begin());
}

}  // namespace leasescope
