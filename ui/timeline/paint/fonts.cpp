#include "ui/timeline/paint/fonts.h"

#include <array>

#include <QFontDatabase>

namespace leasescope {
namespace {

QFont preferred(const QString& family, QFontDatabase::SystemFont fallback) {
  if (QFontDatabase::hasFamily(family)) return QFont(family);
  return QFontDatabase::systemFont(fallback);
}

}  // namespace

QFont font(Face face, int px, int weight) {
  static const std::array<QFont, 2> faces{preferred(QStringLiteral("Inter"), QFontDatabase::GeneralFont),
                                          preferred(QStringLiteral("JetBrains Mono"), QFontDatabase::FixedFont)};
  QFont result = faces[static_cast<std::size_t>(face)];
  result.setPixelSize(px);
  result.setWeight(static_cast<QFont::Weight>(weight));
  result.setHintingPreference(QFont::PreferVerticalHinting);
  return result;
}

}  // namespace leasescope
