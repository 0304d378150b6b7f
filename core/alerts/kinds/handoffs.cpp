// It goes from owner to owner too often.
#include <fmt/format.h>

#include "core/alerts/alert_kinds.h"
#include "core/time/duration_text.h"

namespace leasescope::alerts {
namespace {

// From the last of them on, until the first of as many as are too many is too long ago.
AlertSpan span(const AlertRule& rule, const AlertSubject& of) {
  const auto too_many = static_cast<std::size_t>(rule.count) + 1;
  if (of.handoffs.size() < too_many) return {};
  const TrueTime first = of.handoffs[of.handoffs.size() - too_many], last = of.handoffs.back();
  if (last >= first + rule.length) return {};
  return {last, first + rule.length};
}

std::string words(const AlertRule& rule, const AlertSubject& /*of*/, const NameTable& /*names*/) {
  return fmt::format("more than {} hand-off{} within {}", rule.count, rule.count == 1 ? "" : "s",
                     format_duration(rule.length));
}

}  // namespace

const AlertKind& handoffs() {
  static const AlertKind kind{"handoffs", "within", true, span, words};
  return kind;
}

}  // namespace leasescope::alerts
