#include "core/history/offset_course.h"

#include <algorithm>

#include "core/time/wide.h"

namespace leasescope {
namespace {

using Point = OffsetCourse::Point;

constexpr std::int64_t kMillion = 1'000'000;
constexpr std::int64_t kCentury = std::int64_t{100} * 365 * 24 * 3600 * 1'000'000'000;

Duration off_of(const Point& point, TrueTime at) {
  const std::int64_t passed = (at - point.at).count();
  return point.off + Duration(passed / kMillion * point.ppm + passed % kMillion * point.ppm / kMillion);
}

std::int64_t shown(const Point& point, TrueTime at) { return (at + off_of(point, at)).time_since_epoch().count(); }

std::int64_t floor_div(std::int64_t a, std::int64_t b) { return a / b - (a % b < 0 ? 1 : 0); }

// The first moment from `point` on at which a clock that goes on as from there shows `reading` or more; max(): none.
TrueTime when(const Point& point, std::int64_t reading) {
  if (reading <= shown(point, point.at)) return point.at;
  const std::int64_t rate = kMillion + point.ppm;
  if (rate <= 0) return TrueTime::max();
  const Int128 wanted = Int128{reading - (point.at + point.off).time_since_epoch().count()} * kMillion;
  const Int128 passes = (wanted + (wanted > 0 ? rate - 1 : 0)) / rate;
  if (passes > kCentury) return TrueTime::max();  // of a file: a clock that all but stands
  TrueTime at = point.at + Duration(static_cast<std::int64_t>(passes));
  for (int i = 0; i < 2 && shown(point, at) < reading; ++i) at += Duration(std::max<std::int64_t>(1, kMillion / rate));
  for (int i = 0; i < 2 && shown(point, at - Duration(1)) >= reading; ++i) at -= Duration(1);
  return at;
}

auto after_point(const std::vector<Point>& points, TrueTime at) {
  return std::upper_bound(points.begin(), points.end(), at,
                          [](TrueTime t, const Point& point) { return t < point.at; });
}

}  // namespace

void OffsetCourse::change(TrueTime at, Duration by, std::int64_t ppm) {
  const auto sum = [](std::int64_t a, std::int64_t b, std::int64_t most) {
    return std::clamp<std::int64_t>(a + std::clamp<std::int64_t>(b, -2 * most, 2 * most), -most, most);
  };
  const std::int64_t rate = points.empty() ? 0 : points.back().ppm;
  points.push_back({at, Duration(sum(off(at).count(), by.count(), kCentury / 2)), sum(rate, ppm, kMillion)});
}

Duration OffsetCourse::off(TrueTime at) const {
  const auto later = after_point(points, at);
  if (later != points.begin()) return off_of(*(later - 1), at);
  return points.empty() || points.front().at > TrueTime{} ? Duration{} : off_of(points.front(), at);
}

TrueTime OffsetCourse::next_whole(TrueTime after, Duration step) const {
  auto next = after_point(points, after);
  const bool given = next != points.end() && next->at <= TrueTime{};
  const Point before_all{after, off(after), given ? next->ppm : 0};
  const Point* now = next == points.begin() ? &before_all : &*(next - 1);
  std::int64_t wanted = floor_div(shown(*now, after), step.count()) + 1;
  for (;; ++next) {
    const TrueTime at = when(*now, wanted * step.count());
    if (next == points.end() || at < next->at) return at;
    const std::int64_t before = shown(*now, next->at), from = shown(*next, next->at);
    now = &*next;
    if (from != before) wanted = -floor_div(-from, step.count());
  }
}

bool OffsetCourse::is_whole(TrueTime at, Duration step) const {
  const auto later = after_point(points, at);
  const std::int64_t now = reading(at).time_since_epoch().count();
  const std::int64_t over = now - floor_div(now, step.count()) * step.count();
  // A fast one leaves out every so many nanoseconds.
  return over == 0 || (over == 1 && later != points.begin() && (later - 1)->ppm > 0);
}

bool OffsetCourse::is_set_at(std::size_t point) const {
  const Duration before = point == 0 ? Duration{} : off_of(points[point - 1], points[point].at);
  return points[point].off != before;
}

std::int64_t OffsetCourse::fastest() const {
  std::int64_t most = 0;
  for (const Point& point : points) most = std::max(most, point.ppm);
  return most;
}

}  // namespace leasescope
