// Nobody can look at a store: one outage is one alert, however many mutexes are there, and if there is none.
#include <fmt/format.h>

#include "core/alerts/alert_kinds.h"
#include "core/time/duration_text.h"

namespace leasescope::alerts {
namespace {

AlertSpan span(const AlertRule& rule, const AlertSubject& of) {
  return of.away_since == TrueTime::max() ? AlertSpan{} : AlertSpan{of.away_since + rule.length, TrueTime::max()};
}

std::string words(const AlertRule& rule, const AlertSubject& /*of*/, const NameTable& /*names*/) {
  return fmt::format("it has not been seen for more than {}", format_duration(rule.length));
}

}  // namespace

const AlertKind& store_away() {
  static const AlertKind kind{"store_away", "for", false, span, words, false, true};
  return kind;
}

}  // namespace leasescope::alerts
