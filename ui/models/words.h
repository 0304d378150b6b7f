// How times, counts and events are written on the screen: units, thin spaces, a true minus. QtCore only.
#pragma once
#include <QString>

#include "core/contend/mutex_owner.h"
#include "core/history/history.h"

namespace leasescope {

class Cast;

QString fromText(std::string_view text);
// As a reader types a value that TOML wrote: a text without its quotes, the rest as it is.
QString typedForm(const std::string& toml);
// The name of a key or a field, in words: "write every".
QString spaced(std::string_view name);
// "17.189": seconds with ms resolution and U+2212 for minus.
QString secondsText(Duration d, int decimals = 3);
QString secondsText(TrueTime at, int decimals = 3);
// With its unit, in the unit that reads best: "3.811 s", "188 ms", "0.5 ms".
QString spanText(Duration d);
// "+321 ms", "−5 ms", "+2 s": by how much something was drawn, or moved. Whole milliseconds.
QString signedText(Duration d);
// How far a clock runs from its own rate, in millionths: "50 000 ppm slower".
QString rateText(std::int64_t ppm);
// "1 209", grouped by thin spaces.
QString countText(std::uint64_t count);
// For tr, which takes an int: what is beyond one is many all the same.
int howMany(std::uint64_t count);
// "#33", "no token". Where nothing was granted at all there is no token to name: that is an en dash, and not said here.
QString tokenText(Token token);
// On a bar, where room is dear: nothing for no token.
QString tokenMark(Token token);
// Of an incident, in its order: "#33 #34"; of a stale write what it bore and what had been seen: "33 < 34".
QString tokensText(IncidentKind kind, const std::vector<Token>& tokens);

// What became of a write. One that bears no token is not stale: nobody can say how old it is.
enum class WriteFate : std::uint8_t { kNone, kAccepted, kStale, kTokenless, kStaleAccepted };
inline constexpr std::size_t kWriteFates = 5;
WriteFate writeFate(EventKind kind, Token token);
inline WriteFate writeFate(const Event& event) { return writeFate(event.kind, event.token); }
// "#33 rejected · 33 < 34", "5 × #97 rejected · 97 < 103", "434 refused: no token": the plate of so many writes of one
// term; `highest` is what the resource had seen, 0 when it was not the same before each.
QString writePlate(WriteFate fate, Token token, Token highest, std::uint64_t count);
// "#1", "#1 accepted" where nobody's was before; "#1 accepted, #2 not seen" when the store had granted `later` by then.
QString acceptedText(Token token, Token later, bool first);
// "write rejected": of one.
QString writeTitle(WriteFate fate);
// Text as it is shown: a leading hyphen becomes a minus.
QString shownText(std::string_view written);

// Of a contender whose start or stop was refused: "it is starting".
QString statusText(std::int64_t status);
// One sentence for an event: "Store: grants #34 to B".
QString sentence(const History& history, const Cast& cast, const Event& event);
// What kind of event it is, in plain words: "granted", "attempt lost".
QString kindText(const History& history, const Event& event);
// "pause", "partition" …: the fault an event of kFaultBegan or kFaultEnded is about.
QString faultText(const History& history, const Event& event);

}  // namespace leasescope
