// Its store does not tell of it.
#include <fmt/format.h>

#include "core/alerts/alert_kinds.h"
#include "core/time/duration_text.h"

namespace leasescope::alerts {
namespace {

AlertSpan span(const AlertRule& rule, const AlertSubject& of) {
  return of.observed ? AlertSpan{} : AlertSpan{of.unobserved_since + rule.length, TrueTime::max()};
}

std::string words(const AlertRule& rule, const AlertSubject& of, const NameTable& names) {
  const std::string owner = of.owner.empty() ? "" : fmt::format("; {} was seen to own it", names.text(of.owner));
  return fmt::format("its store has not told of it for more than {}{}", format_duration(rule.length), owner);
}

}  // namespace

const AlertKind& not_observed() {
  static const AlertKind kind{"not_observed", "for", false, span, words};
  return kind;
}

}  // namespace leasescope::alerts
