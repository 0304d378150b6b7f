// It is owned, and its lease will run out unless somebody renews it.
#include <algorithm>

#include <fmt/format.h>

#include "core/alerts/alert_kinds.h"

namespace leasescope::alerts {
namespace {

// A renewal is known so long after it was as the one before took to be: twice, as the end of the lease is not known any
// better. Where it is looked for no sooner than when the lease ends, nothing can be said before: see late_renewal.
AlertSpan span(const AlertRule& rule, const AlertSubject& of) {
  if (!of.observed || of.owner.empty() || of.lease_end == TrueTime::max() || !of.renewal_known_within) return {};
  const TrueTime due = of.lease_end - rule.length_of(of.lease_length) + 2 * *of.renewal_known_within;
  // What comes with the look after a gap may be a renewal.
  const TrueTime from = std::max({due, of.lease_since, of.observed_since + Duration(1)});
  return from < of.lease_end ? AlertSpan{from, TrueTime::max()} : AlertSpan{};
}

std::string words(const AlertRule& rule, const AlertSubject& of, const NameTable& names) {
  return fmt::format(
      "{} has not renewed it, and no more than {} of its lease is left: it runs out unless it is renewed",
      names.text(of.owner), length_text(rule, of.lease_length));
}

}  // namespace

const AlertKind& not_renewed() {
  static const AlertKind kind{"not_renewed", "left", false, span, words, true};
  return kind;
}

}  // namespace leasescope::alerts
