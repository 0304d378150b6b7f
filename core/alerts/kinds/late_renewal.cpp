// An owner renewed late, or not at all.
#include <fmt/format.h>

#include "core/alerts/alert_kinds.h"

namespace leasescope::alerts {
namespace {

// From outside a renewal is seen when it is looked for, and a store that tells nobody of it is not asked all the time:
// only what it has been proved to be is told, when it is known.
AlertSpan span(const AlertRule& rule, const AlertSubject& of) {
  if (of.renewed_end == TrueTime::max()) return {};
  const TrueTime due = of.renewed_end - rule.length_of(of.renewed_length);
  return of.renewed_lo >= due && of.renewed_hi > due ? AlertSpan{due, of.renewed_hi} : AlertSpan{};
}

std::string words(const AlertRule& rule, const AlertSubject& of, const NameTable& names) {
  const bool at_all = !of.owner.empty();
  return fmt::format("{} {} when {} or less of its lease was left", names.text(of.last_owner),
                     at_all ? "renewed it only" : "had not renewed it", length_text(rule, of.renewed_length));
}

}  // namespace

const AlertKind& late_renewal() {
  static const AlertKind kind{"late_renewal", "left", false, span, words, true};
  return kind;
}

}  // namespace leasescope::alerts
