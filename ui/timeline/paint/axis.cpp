#include "ui/timeline/paint/axis.h"

#include <QDateTime>
#include <QLocale>
#include <algorithm>

#include "ui/models/words.h"

namespace leasescope {
namespace {

using namespace std::chrono_literals;

constexpr std::int64_t kMs = 1'000'000, kSecond = 1'000'000'000;

// Of a clock, from the second on: longer ones are whole days, as 1, 2, 5, 10 …
struct Step {
  Duration major, minor;
};
constexpr Step kSteps[] = {{1s, 200ms}, {2s, 500ms}, {5s, 1s},     {10s, 2s},     {20s, 5s},     {30s, 5s},
                           {1min, 10s}, {2min, 30s}, {5min, 1min}, {10min, 2min}, {20min, 5min}, {30min, 5min},
                           {1h, 10min}, {2h, 30min}, {3h, 30min},  {6h, 1h},      {12h, 2h},     {24h, 6h}};
constexpr Duration kDay = 24h;

std::int64_t floor_div(std::int64_t a, std::int64_t b) { return a / b - (a % b < 0 ? 1 : 0); }

QDateTime clock_at(const Axis& axis, TrueTime at) {
  const std::int64_t ms = floor_div(axis.epoch_ns + at.time_since_epoch().count(), kMs);
  const QDateTime here = QDateTime::fromMSecsSinceEpoch(ms);
  return axis.counts == Counts::kUtc ? here.toUTC() : here;
}

// QDateTime knows no more than milliseconds.
QString fraction(const Axis& axis, TrueTime at, int decimals) {
  if (decimals == 0) return {};
  const std::int64_t all = axis.epoch_ns + at.time_since_epoch().count();
  const std::int64_t ns = all - floor_div(all, kSecond) * kSecond;
  return QLatin1Char('.') + QString::number(ns).rightJustified(9, QLatin1Char('0')).left(decimals);
}

QString zone(const Axis& axis, const QDateTime& at) {
  return axis.counts == Counts::kUtc ? QStringLiteral("UTC") : at.timeZoneAbbreviation();
}

}  // namespace

Ticks Axis::ticks(const Viewport& viewport, int label_px) const {
  // A fast clock's seconds are short ones.
  const std::int64_t fastest = shown == nullptr ? 0 : shown->course.fastest();
  const Ticks plain = Ticks::for_viewport(viewport, label_px + static_cast<int>(label_px * fastest / 1'000'000));
  if (!is_wall_clock() || plain.major < 1s) return plain;
  for (const Step& step : kSteps)
    if (viewport.pixels(step.major) >= label_px) return {step.major, step.minor, 0};
  for (Duration unit = kDay;; unit *= 10)
    for (const int factor : {1, 2, 5})
      if (viewport.pixels(unit * factor) >= label_px || unit > Duration::max() / 1000)
        return {unit * factor, factor == 1 ? unit / 5 : unit, 0};
}

// By how much a clock's zero lies before the run's, within a step.
std::int64_t Axis::phase(Duration step, TrueTime from) const {
  if (!is_wall_clock()) return 0;
  const std::int64_t offset = counts == Counts::kUtc ? 0 : clock_at(*this, from).offsetFromUtc() * kSecond;
  const std::int64_t ns = (epoch_ns % step.count() + offset % step.count()) % step.count();
  return ns < 0 ? ns + step.count() : ns;
}

TrueTime Axis::first(TrueTime t, Duration step, TrueTime from) const {
  if (shown != nullptr) return shown->course.next_whole(t - Duration(1), step);
  const Duration shift(phase(step, from));
  return Ticks::first(t + shift, step) - shift;
}

TrueTime Axis::next(TrueTime t, Duration step) const {
  return shown != nullptr ? shown->course.next_whole(t, step) : t + step;
}

bool Axis::is_at(TrueTime t, Duration step, TrueTime from) const {
  if (shown != nullptr) return shown->course.is_whole(t, step);
  return (t.time_since_epoch().count() + phase(step, from)) % step.count() == 0;
}

TrueTime Axis::counted(TrueTime at) const { return shown == nullptr ? at : shown->course.reading(at); }

Duration Axis::between(TrueTime from, TrueTime to) const { return counted(to) - counted(from); }

std::vector<TrueTime> Axis::set_within(TrueTime from, TrueTime to) const {
  std::vector<TrueTime> out;
  if (shown == nullptr) return out;
  const std::vector<OffsetCourse::Point>& points = shown->course.points;
  const auto first = std::partition_point(points.begin(), points.end(),
                                          [&](const OffsetCourse::Point& point) { return point.at < from; });
  for (auto i = static_cast<std::size_t>(first - points.begin()); i < points.size() && points[i].at < to; ++i)
    if (points[i].at > TrueTime{} && shown->course.is_set_at(i)) out.push_back(points[i].at);
  return out;
}

bool operator==(const Axis& a, const Axis& b) {
  if (a.counts != b.counts || a.epoch_ns != b.epoch_ns) return false;
  if (a.shown == b.shown) return true;
  return a.shown != nullptr && b.shown != nullptr && a.shown->letter == b.shown->letter &&
         a.shown->course.points == b.shown->course.points;
}

QString Axis::tick_text(TrueTime at, int decimals) const {
  if (!is_wall_clock()) return secondsText(counted(at), decimals);
  const QDateTime clock = clock_at(*this, at);
  if (clock.time() == QTime(0, 0) && decimals == 0) return QLocale::c().toString(clock.date(), QStringLiteral("d MMM"));
  return clock.toString(QStringLiteral("HH:mm:ss")) + fraction(*this, at, decimals);
}

QString Axis::text(TrueTime at) const {
  if (shown != nullptr) return QStringLiteral("%1 %2 s").arg(shown->letter, secondsText(counted(at)));
  if (!is_wall_clock()) return secondsText(at) + QStringLiteral(" s");
  return clock_at(*this, at).toString(QStringLiteral("HH:mm:ss")) + fraction(*this, at, 3);
}

QString Axis::range_text(TrueTime from, TrueTime to) const {
  if (!is_wall_clock()) return QStringLiteral("%1 – %2 s").arg(text(from).chopped(2), secondsText(counted(to)));
  return QStringLiteral("%1 – %2 %3").arg(text(from), text(to), zone(*this, clock_at(*this, to)));
}

QString Axis::stretch_text(TrueTime from, TrueTime to) const {
  const QString whose = shown == nullptr ? QString() : shown->letter + QLatin1Char(' ');
  return QStringLiteral("%1%2 – %3 · %4").arg(whose, tick_text(from, 3), tick_text(to, 3), spanText(between(from, to)));
}

QString Axis::day_text(TrueTime at) const {
  const QDateTime clock = clock_at(*this, at);
  return QStringLiteral("%1, %2").arg(QLocale::c().toString(clock.date(), QStringLiteral("d MMM yyyy")),
                                      zone(*this, clock));
}

}  // namespace leasescope
