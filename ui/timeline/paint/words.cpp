#include "ui/timeline/paint/words.h"

#include <cstdlib>

#include "core/time/duration_text.h"

namespace leasescope {
namespace {

QString with_minus(std::string text) {
  QString result = QString::fromStdString(text);
  if (result.startsWith('-')) result[0] = QChar(0x2212);
  return result;
}

}  // namespace

QString seconds_text(TrueTime at, int decimals) { return with_minus(format_seconds(at.time_since_epoch(), decimals)); }

QString length_text(Duration length) {
  using std::chrono::microseconds;
  using std::chrono::milliseconds;
  const std::int64_t us = length / microseconds(1);
  const std::int64_t size = std::abs(us);
  if (size >= 1'000'000) return with_minus(format_seconds(length, 3)) + " s";
  if (size >= 2'000) return QStringLiteral("%1 ms").arg((us + (us < 0 ? -500 : 500)) / 1000);
  if (size >= 50) return with_minus(format_seconds(length * 1000, 1)) + " ms";
  return QStringLiteral("%1 µs").arg(us);
}

QString signed_ms_text(Duration length) {
  const std::int64_t ms = length / std::chrono::milliseconds(1);
  return (ms < 0 ? QString(QChar(0x2212)) : QStringLiteral("+")) + QString::number(std::abs(ms)) + " ms";
}

QString token_text(Token token) { return token == kNoToken ? QString() : QStringLiteral("#%1").arg(token); }

}  // namespace leasescope
