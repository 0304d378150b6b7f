#include "ui/models/markdown.h"

namespace leasescope {

QString markdownText(QString plain) {
  for (const QChar line : {u'\n', u'\r'}) plain.replace(line, u' ');
  // The backslash first: those that follow are put before signs.
  for (const char* sign : {"\\", "*", "_", "`", "|", "<", "#", "[", "]", "~", "&"})
    plain.replace(QLatin1String(sign), QLatin1String("\\") + QLatin1String(sign));
  return plain;
}

QString markdownOfBold(QString html) {
  const QString bold = QStringLiteral("\x01");
  html.remove(bold);
  html.replace(QStringLiteral("<b>"), bold).replace(QStringLiteral("</b>"), bold);
  html.replace(QStringLiteral("&lt;"), QStringLiteral("<")).replace(QStringLiteral("&gt;"), QStringLiteral(">"));
  html.replace(QStringLiteral("&quot;"), QStringLiteral("\"")).replace(QStringLiteral("&amp;"), QStringLiteral("&"));
  return markdownText(html).replace(bold, QStringLiteral("**"));
}

}  // namespace leasescope
