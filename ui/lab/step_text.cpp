#include "ui/lab/step_text.h"

#include <QRegularExpression>
#include <algorithm>
#include <cmath>

namespace leasescope {
namespace {

// In thousandths, so that 1.7 and a step are 1.8.
constexpr qint64 kWhole = 1000;

QString written(qint64 thousandths) {
  QString out = QString::number(thousandths / kWhole);
  if (thousandths < 0 && thousandths > -kWhole) out.prepend(u'-');
  const qint64 rest = std::abs(thousandths % kWhole);
  if (rest == 0) return out;
  QString places = QStringLiteral("%1").arg(rest, 3, 10, QChar(u'0'));
  while (places.endsWith(u'0')) places.chop(1);
  return out + u'.' + places;
}

}  // namespace

std::optional<QString> stepped(const QString& text, int steps) {
  static const QRegularExpression form(QStringLiteral(
      "^\\s*([-\u2212]?\\d{1,12})(?:\\.(\\d{1,3}))?(\\s*)(ns|us|ms|s|m|h|lease|ttl|transition|)(\\s*\\+.*)?\\s*$"));
  const QRegularExpressionMatch match = form.match(text);
  if (!match.hasMatch()) return std::nullopt;
  const QString number = match.captured(1).replace(QChar(0x2212), u'-'), unit = match.captured(4);
  const qint64 places = match.captured(2).leftJustified(3, u'0').toLongLong();
  const qint64 whole = number.toLongLong() * kWhole;
  const qint64 value = number.startsWith(u'-') ? whole - places : whole + places;
  const bool inLeases = unit == u"lease" || unit == u"ttl" || unit == u"transition";
  qint64 step = inLeases || !match.captured(2).isEmpty() ? kWhole / 10 : kWhole;
  while (step * 100 <= std::abs(value) && !unit.isEmpty()) step *= 10;
  qint64 next = value + steps * step;
  if (value >= 0) next = std::max<qint64>(next, 0);
  return written(next) + match.captured(3) + unit + match.captured(5);
}

}  // namespace leasescope
