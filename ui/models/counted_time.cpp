#include "ui/models/counted_time.h"

#include <QDateTime>
#include <QLocale>

#include "ui/models/words.h"

namespace leasescope {
namespace {

constexpr std::int64_t kMs = 1'000'000, kSecond = 1'000'000'000;

std::int64_t floorDiv(std::int64_t a, std::int64_t b) { return a / b - (a % b < 0 ? 1 : 0); }

QDateTime clockAt(const CountedTime& time, TrueTime at) {
  const std::int64_t ms = floorDiv(time.epoch_ns + at.time_since_epoch().count(), kMs);
  const QDateTime here = QDateTime::fromMSecsSinceEpoch(ms);
  return time.counts == Counts::kUtc ? here.toUTC() : here;
}

// QDateTime knows no more than milliseconds.
QString fraction(const CountedTime& time, TrueTime at, int decimals) {
  if (decimals == 0) return {};
  const std::int64_t all = time.epoch_ns + at.time_since_epoch().count();
  const std::int64_t ns = all - floorDiv(all, kSecond) * kSecond;
  return QLatin1Char('.') + QString::number(ns).rightJustified(9, QLatin1Char('0')).left(decimals);
}

QString zoneOf(const CountedTime& time, const QDateTime& at) {
  return time.counts == Counts::kUtc ? QStringLiteral("UTC") : at.timeZoneAbbreviation();
}

}  // namespace

TrueTime CountedTime::counted(TrueTime at) const { return shown == nullptr ? at : shown->course.reading(at); }

Duration CountedTime::between(TrueTime from, TrueTime to) const { return counted(to) - counted(from); }

Duration CountedTime::zoneOffset(TrueTime at) const {
  return counts == Counts::kLocal ? Duration(clockAt(*this, at).offsetFromUtc() * kSecond) : Duration{};
}

QString CountedTime::tickText(TrueTime at, int decimals) const {
  if (!isWallClock()) return secondsText(counted(at), decimals);
  const QDateTime clock = clockAt(*this, at);
  if (clock.time() == QTime(0, 0) && decimals == 0) return QLocale::c().toString(clock.date(), QStringLiteral("d MMM"));
  return clock.toString(QStringLiteral("HH:mm:ss")) + fraction(*this, at, decimals);
}

QString CountedTime::text(TrueTime at) const {
  if (shown != nullptr) return QStringLiteral("%1 %2 s").arg(shown->letter, secondsText(counted(at)));
  if (!isWallClock()) return secondsText(at) + QStringLiteral(" s");
  return clockAt(*this, at).toString(QStringLiteral("HH:mm:ss")) + fraction(*this, at, 3);
}

QString CountedTime::rangeText(TrueTime from, TrueTime to) const {
  if (!isWallClock()) return QStringLiteral("%1 – %2 s").arg(text(from).chopped(2), secondsText(counted(to)));
  const QString first = zoneOf(*this, clockAt(*this, from)), last = zoneOf(*this, clockAt(*this, to));
  const QString begin = first == last ? text(from) : text(from) + QLatin1Char(' ') + first;
  return QStringLiteral("%1 – %2 %3").arg(begin, text(to), last);
}

QString CountedTime::stretchText(TrueTime from, TrueTime to) const {
  const QString whose = shown == nullptr ? QString() : shown->letter + QLatin1Char(' ');
  return QStringLiteral("%1%2 – %3 · %4").arg(whose, tickText(from, 3), tickText(to, 3), spanText(between(from, to)));
}

QString CountedTime::dayText(TrueTime at) const {
  const QDateTime clock = clockAt(*this, at);
  return QStringLiteral("%1, %2").arg(QLocale::c().toString(clock.date(), QStringLiteral("d MMM yyyy")),
                                      zoneOf(*this, clock));
}

QString CountedTime::figure(TrueTime at) const {
  if (!isWallClock()) return tickText(at, 3);
  const QDate day = clockAt(*this, at).date();
  const bool first = day == clockAt(*this, TrueTime{}).date();
  const QString clock = (first ? QString() : QLocale::c().toString(day, QStringLiteral("d MMM "))) + tickText(at, 3);
  // The title names the zone of the run's begin.
  const bool same = zoneOffset(at) == zoneOffset(TrueTime{});
  return same ? clock : clock + QLatin1Char(' ') + zoneOf(*this, clockAt(*this, at));
}

QString CountedTime::unit() const {
  if (isWallClock()) return zoneOf(*this, clockAt(*this, TrueTime{}));
  return shown == nullptr ? QStringLiteral("s") : shown->letter + QStringLiteral(" s");
}

bool operator==(const CountedTime& a, const CountedTime& b) {
  if (a.counts != b.counts || a.epoch_ns != b.epoch_ns) return false;
  if (a.shown == b.shown) return true;
  return a.shown != nullptr && b.shown != nullptr && a.shown->letter == b.shown->letter &&
         a.shown->course.points == b.shown->course.points;
}

}  // namespace leasescope
