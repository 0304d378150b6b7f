#include "ui/timeline/paint/clock_map.h"

#include <algorithm>

#include "core/time/wide.h"

namespace leasescope {
namespace {

constexpr std::int64_t kMillion = 1'000'000;
// Half a century before and after a run's begin: sums of what lies within cannot overflow.
constexpr Duration kFar{std::int64_t{50} * 365 * 24 * 3600 * 1'000'000'000};

// What a clock that runs otherwise by `ppm` counts in such a time, as OffsetCourse reckons it. It never goes back.
std::int64_t counted_in(std::int64_t passed, std::int64_t ppm) {
  return passed + passed / kMillion * ppm + passed % kMillion * ppm / kMillion;
}

TrueTime held_near(TrueTime at) { return std::clamp(at, TrueTime(-kFar), TrueTime(kFar)); }

}  // namespace

ClockMap::ClockMap(const OffsetCourse& course, Duration room)
    : points_(course.points), room_(std::clamp(room, Duration(4), kFar)) {
  // Before the first point it is right; one at the run's begin tells of all the time before, too.
  const bool given = !points_.empty() && points_.front().at <= TrueTime{};
  pieces_.push_back({given ? points_.front() : OffsetCourse::Point{}, TrueTime(-kFar), {}});
  for (const OffsetCourse::Point& point : points_) take(point);
  fastest_ = pieces_.front().point.ppm;
  for (const Piece& piece : pieces_) fastest_ = std::max(fastest_, piece.point.ppm);
  plain_ = seams_.empty() &&
           std::all_of(pieces_.begin(), pieces_.end(), [](const Piece& piece) { return piece.point.ppm == 0; });
  fit_gaps();
  lay();
}

void ClockMap::take(const OffsetCourse::Point& point) {
  const TrueTime at = held_near(point.at);
  const OffsetCourse::Point& before = pieces_.back().point;
  const Duration showed = before.off + Duration(counted_in((at - before.at).count(), before.ppm)) - (at - before.at);
  // How it was set when the run began is no step.
  if (at > TrueTime{} && point.off != showed) {
    // Of two steps at one moment the chart has one.
    if (seams_.empty() || seams_.back().at != at) seams_.push_back({at, {}, {}, {}});
    seams_.back().by += point.off - showed;
    if (seams_.back().by == Duration::zero()) seams_.pop_back();
  }
  if (pieces_.back().from == at) pieces_.pop_back();
  pieces_.push_back({{at, point.off, point.ppm}, at, {}});
}

// To scale, unless they would leave the run too little of the picture.
void ClockMap::fit_gaps() {
  Int128 all = 0;
  for (ClockSeam& seam : seams_) {
    seam.gap = std::clamp(seam.by, Duration::zero(), room_ / 4);
    all += seam.gap.count();
  }
  if (all <= room_.count()) return;
  for (ClockSeam& seam : seams_)
    seam.gap = Duration(static_cast<std::int64_t>(static_cast<Int128>(seam.gap.count()) * room_.count() / all));
}

// One after the other; the run's begin is at 0.
void ClockMap::lay() {
  auto seam = seams_.begin();
  for (std::size_t i = 1; i < pieces_.size(); ++i) {
    Piece& piece = pieces_[i];
    piece.place = pieces_[i - 1].place + passed(pieces_[i - 1], piece.from);
    if (seam == seams_.end() || seam->at != piece.from) continue;
    piece.place += seam->gap;
    ++seam;
  }
  const Duration begin = to_clock(TrueTime{}) - TrueTime{};
  for (Piece& piece : pieces_) piece.place -= begin;
  for (ClockSeam& each : seams_) each.place = to_clock(each.at);
}

Duration ClockMap::passed(const Piece& piece, TrueTime to) {
  const auto since = [&](TrueTime at) { return counted_in((at - piece.point.at).count(), piece.point.ppm); };
  return Duration(since(to) - since(piece.from));
}

TrueTime ClockMap::to_clock(TrueTime at) const {
  const TrueTime near = held_near(at);
  const auto next = std::upper_bound(pieces_.begin() + 1, pieces_.end(), near,
                                     [](TrueTime t, const Piece& piece) { return t < piece.from; });
  const Piece& piece = *(next - 1);
  return piece.place + passed(piece, near);
}

// The first moment at which the clock, going on as in that piece, has come so far; far away where it never does.
TrueTime ClockMap::when(const Piece& piece, TrueTime place) {
  const std::int64_t ppm = piece.point.ppm, rate = kMillion + ppm;
  if (rate <= 0) return TrueTime(kFar);
  const std::int64_t begin = (piece.from - piece.point.at).count();
  const std::int64_t wanted = (place - piece.place).count() + counted_in(begin, ppm);
  const Int128 about = static_cast<Int128>(wanted) * kMillion / rate;
  if (about > kFar.count()) return TrueTime(kFar);
  // Rounding is off by no more than two readings, each of which lasts so long.
  const std::int64_t grain = 2 * (kMillion / rate + 1);
  std::int64_t low = std::max(begin, static_cast<std::int64_t>(about) - grain), high = static_cast<std::int64_t>(about);
  high += grain;
  while (low < high) {
    const std::int64_t middle = low + (high - low) / 2;
    if (counted_in(middle, ppm) < wanted)
      low = middle + 1;
    else
      high = middle;
  }
  return piece.point.at + Duration(low);
}

TrueTime ClockMap::to_observer(TrueTime place) const {
  const auto next = std::lower_bound(pieces_.begin(), pieces_.end(), place,
                                     [](const Piece& piece, TrueTime at) { return piece.place < at; });
  if (next == pieces_.begin()) return next->from;
  const TrueTime found = when(*(next - 1), place);
  return next == pieces_.end() ? found : std::min(found, next->from);
}

std::span<const ClockSeam> ClockMap::seams(TrueTime from, TrueTime to) const {
  const auto before = [](const ClockSeam& seam, TrueTime at) { return seam.at < at; };
  const auto first = std::lower_bound(seams_.begin(), seams_.end(), from, before);
  return {first, std::lower_bound(first, seams_.end(), std::max(from, to), before)};
}

Duration ClockMap::least_of(Duration on_chart) const {
  const std::int64_t rate = std::max<std::int64_t>(1, kMillion + fastest_);
  const Int128 least = static_cast<Int128>(on_chart.count()) * kMillion / rate;
  return Duration(static_cast<std::int64_t>(std::min<Int128>(least, kFar.count())));
}

}  // namespace leasescope
