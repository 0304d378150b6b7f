// Words as Markdown has them (tables and bold as GitHub has them): whatever they are, they are read as they stand.
#pragma once
#include <QString>

namespace leasescope {

// On one line. Names on a shared store may be anybody's: none becomes a link, a picture, a tag or a column of its own.
QString markdownText(QString plain);
// Of text in which <b> is bold and all else is escaped (accountOf).
QString markdownOfBold(QString html);

}  // namespace leasescope
