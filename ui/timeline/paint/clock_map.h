// Where a chart that is drawn by somebody's clock has the moments of a run, and back.
#pragma once
#include <span>
#include <vector>

#include "core/history/offset_course.h"

namespace leasescope {

// Where that clock was set. Forward: the chart has a gap there, which no moment of the run lies in. Back: it goes on
// without one, and what the clock shows from there on it has shown before.
struct ClockSeam {
  TrueTime at{};     // of the run: the first moment of the new reading
  Duration by{};     // how far the clock was set
  TrueTime place{};  // of that moment on the chart
  Duration gap{};    // before it; shorter than `by` where that would leave the run itself no room

  bool is_back() const { return by < Duration::zero(); }
  bool is_cut() const { return gap < by; }
};

// A place on the chart is how much of its own time the clock has counted since the run began, gaps included: it never
// goes back, so that every moment has one place. Between two seams places are as far apart as the clock's readings, to
// the nanosecond. Integers only; both ways cost the logarithm of how often the clock was changed.
class ClockMap {
 public:
  // `room`: all gaps together take no more than that, and none more than a quarter of it.
  ClockMap(const OffsetCourse& course, Duration room);

  // Whether the chart is the same without: a clock that is off by the same all the time shifts all moments alike.
  bool is_plain() const { return plain_; }
  TrueTime to_clock(TrueTime at) const;
  // The first moment of the run that lies at a place or after it: of one in a gap, that at the gap's end.
  TrueTime to_observer(TrueTime place) const;
  // Those of which the moment is in [from, to), in order.
  std::span<const ClockSeam> seams(TrueTime from, TrueTime to) const;
  const std::vector<ClockSeam>& seams() const { return seams_; }
  // The least time of the run that can fill so much of the chart beside gaps.
  Duration least_of(Duration on_chart) const;

  friend bool operator==(const ClockMap& a, const ClockMap& b) { return a.room_ == b.room_ && a.points_ == b.points_; }

 private:
  // From `from` on the clock goes as from that point on.
  struct Piece {
    OffsetCourse::Point point;
    TrueTime from{}, place{};
  };
  static Duration passed(const Piece& piece, TrueTime to);
  static TrueTime when(const Piece& piece, TrueTime place);
  void take(const OffsetCourse::Point& point);
  void fit_gaps();
  void lay();

  std::vector<OffsetCourse::Point> points_;
  Duration room_;
  std::vector<Piece> pieces_;
  std::vector<ClockSeam> seams_;
  std::int64_t fastest_ = 0;  // by which it goes at most, in millionths of the run's time
  bool plain_ = true;
};

}  // namespace leasescope
