// Nobody has owned it for so long.
#include <fmt/format.h>

#include "core/alerts/alert_kinds.h"
#include "core/time/duration_text.h"

namespace leasescope::alerts {
namespace {

AlertSpan span(const AlertRule& rule, const AlertSubject& of) {
  if (!of.seen || !of.observed || !of.owner.empty()) return {};
  return {of.free_since + rule.length, TrueTime::max()};
}

std::string words(const AlertRule& rule, const AlertSubject& of, const NameTable& names) {
  const std::string after = of.last_owner.empty() ? "" : fmt::format("; {} was the last", names.text(of.last_owner));
  return fmt::format("nobody has owned it for more than {}{}", format_duration(rule.length), after);
}

}  // namespace

const AlertKind& no_owner() {
  static const AlertKind kind{"no_owner", "for", false, span, words};
  return kind;
}

}  // namespace leasescope::alerts
