// Somebody waits, and nothing moves: it goes to nobody.
#include <algorithm>

#include <fmt/format.h>

#include "core/alerts/alert_kinds.h"
#include "core/time/duration_text.h"

namespace leasescope::alerts {
namespace {

AlertSpan span(const AlertRule& rule, const AlertSubject& of) {
  if (!of.observed || of.waiting.empty()) return {};
  return {std::max(of.waited_since, of.changed) + rule.length, TrueTime::max()};
}

std::string words(const AlertRule& rule, const AlertSubject& of, const NameTable& names) {
  const std::string first = of.waiting.empty() ? "somebody" : std::string(names.text(of.waiting.front()));
  const std::string more = of.waiting.size() > 1 ? fmt::format(" and {} more", of.waiting.size() - 1) : "";
  const std::string owner = of.owner.empty() ? "nobody owns it" : fmt::format("{} owns it", names.text(of.owner));
  return fmt::format("{}{} {}, and for more than {} it has gone to nobody; {}", first, more,
                     of.waiting.size() > 1 ? "wait" : "waits", format_duration(rule.length), owner);
}

}  // namespace

const AlertKind& waiters_stuck() {
  static const AlertKind kind{"waiters_stuck", "for", false, span, words};
  return kind;
}

}  // namespace leasescope::alerts
