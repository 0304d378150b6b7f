#include "ui/models/english_plurals.h"

#include <string_view>

namespace leasescope {

QString EnglishPlurals::translate(const char* /*context*/, const char* text, const char* /*note*/, int count) const {
  // It is asked for every text there is: what it has nothing to say of is not even read as one.
  if (count < 0 || std::string_view(text).find("s)") == std::string_view::npos) return {};
  QString said = QString::fromUtf8(text);
  bool any = false;
  for (const QLatin1String ending : {QLatin1String("es"), QLatin1String("s")}) {
    const QString plural = u'(' + ending + u')';
    any = any || said.contains(plural);
    said.replace(plural, count == 1 ? QLatin1String() : ending);
  }
  return any ? said : QString();
}

}  // namespace leasescope
