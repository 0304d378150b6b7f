#include "ui/look/fonts.h"

#include <array>
#include <unordered_map>

#include <QFontDatabase>
#include <QFontInfo>

namespace leasescope {
namespace {

thread_local int as_written = 0;  // how many of LettersAsWritten live

QFont preferred(const QString& family, QFontDatabase::SystemFont fallback, const QString& plain) {
  if (QFontDatabase::hasFamily(family)) return QFont(family);
  const QFont system = QFontDatabase::systemFont(fallback);
  // Without a desktop the system's answer may be any face there is, one with serifs or with uneven figures.
  const bool real = QFontDatabase::hasFamily(system.family()) && !system.family().endsWith(QStringLiteral("Serif"));
  const bool fits = real && (fallback != QFontDatabase::FixedFont || QFontInfo(system).fixedPitch());
  return fits || !QFontDatabase::hasFamily(plain) ? system : QFont(plain);
}

QFont made(Face face, int px, int weight) {
  static const std::array<QFont, 2> faces{
      preferred(QStringLiteral("Inter"), QFontDatabase::GeneralFont, QStringLiteral("DejaVu Sans")),
      preferred(QStringLiteral("JetBrains Mono"), QFontDatabase::FixedFont, QStringLiteral("DejaVu Sans Mono"))};
  QFont result = faces[static_cast<std::size_t>(face)];
  result.setPixelSize(px);
  result.setWeight(static_cast<QFont::Weight>(weight));
  result.setHintingPreference(QFont::PreferVerticalHinting);
  if (LettersAsWritten::wanted()) result.setStyleStrategy(QFont::PreferNoShaping);
  return result;
}

}  // namespace

// A font that is used again knows its engine; one that is made again looks for it.
QFont font(Face face, int px, int weight) {
  thread_local std::unordered_map<int, QFont> known;
  const int key = ((px * 1024 + weight) * 2 + static_cast<int>(face)) * 2 + (LettersAsWritten::wanted() ? 1 : 0);
  const auto found = known.find(key);
  return found != known.end() ? found->second : known.emplace(key, made(face, px, weight)).first->second;
}

LettersAsWritten::LettersAsWritten() { ++as_written; }
LettersAsWritten::~LettersAsWritten() { --as_written; }
bool LettersAsWritten::wanted() { return as_written > 0; }

}  // namespace leasescope
