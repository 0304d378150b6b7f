#include "ui/theme/scale.h"

#include <algorithm>

#include <QSettings>

namespace leasescope {
namespace {

constexpr const char* kKey = "window/scale";

}  // namespace

int rememberedScale() {
  const int kept = QSettings().value(QLatin1String(kKey), kScales.front()).toInt();
  return std::find(kScales.begin(), kScales.end(), kept) == kScales.end() ? kScales.front() : kept;
}

void rememberScale(int percent) { QSettings().setValue(QLatin1String(kKey), percent); }

int scaleBeside(int percent, int steps) {
  const auto at = std::lower_bound(kScales.begin(), kScales.end(), percent) - kScales.begin();
  return kScales[static_cast<std::size_t>(
      std::clamp<std::ptrdiff_t>(at + steps, 0, static_cast<std::ptrdiff_t>(kScales.size()) - 1))];
}

int scaleOf(const QString& text) {
  QString number = text;
  if (number.endsWith(u'%')) number.chop(1);
  const int percent = number.trimmed().toInt();
  return percent >= kScales.front() && percent <= kScales.back() ? percent : 0;
}

int scaleAmong(const QStringList& words) {
  const QString option = QStringLiteral("--scale"), joined = option + u'=';
  for (qsizetype i = 1; i < words.size(); ++i) {
    if (words[i] == option) return scaleOf(words.value(i + 1));
    if (words[i].startsWith(joined)) return scaleOf(words[i].mid(joined.size()));
  }
  return 0;
}

void startScaled(const QStringList& words) {
  const bool photographs = std::any_of(
      words.begin(), words.end(), [](const QString& word) { return word.startsWith(QLatin1String("--screenshot")); });
  int percent = scaleAmong(words);
  if (percent == 0 && (photographs || qEnvironmentVariableIsSet("QT_SCALE_FACTOR"))) return;
  if (percent == 0) percent = rememberedScale();
  qputenv("QT_SCALE_FACTOR", QByteArray::number(percent / 100.0));
}

}  // namespace leasescope
