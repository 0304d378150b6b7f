#include "ui/models/english_plurals.h"

namespace leasescope {

QString EnglishPlurals::translate(const char* /*context*/, const char* text, const char* /*note*/, int count) const {
  QString said = QString::fromUtf8(text);
  const QLatin1String plural("(s)");
  if (count < 0 || !said.contains(plural)) return {};
  return said.replace(plural, count == 1 ? QLatin1String() : QLatin1String("s"));
}

}  // namespace leasescope
