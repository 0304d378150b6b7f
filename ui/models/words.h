// How times, counts and events are written on the screen: units, thin spaces, a true minus. QtCore only.
#pragma once
#include <QString>

#include "core/history/history.h"
#include "core/lease/mutex_owner.h"

namespace leasescope {

class Cast;

QString fromText(std::string_view text);
// "17.189": seconds with ms resolution and U+2212 for minus.
QString secondsText(Duration d);
QString secondsText(TrueTime at);
// With its unit, in the unit that reads best: "3.811 s", "188 ms", "0.5 ms".
QString spanText(Duration d);
// "1 209", grouped by thin spaces.
QString countText(std::uint64_t count);
// "#33", or an en dash for no token.
QString tokenText(Token token);
// Text as it is shown: a leading hyphen becomes a minus.
QString shownText(std::string_view written);

// One sentence for an event: "Store: grants #34 to B".
QString sentence(const History& history, const Cast& cast, const Event& event);
// What kind of event it is, in plain words: "granted", "attempt lost".
QString kindText(const Event& event);
// "pause", "partition" …: the fault an event of kFaultBegan or kFaultEnded is about.
QString faultText(const Event& event);

}  // namespace leasescope
