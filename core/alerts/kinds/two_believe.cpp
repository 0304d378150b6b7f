// More processes than may own it say that they do, of those that tell what they believe (core/observe/belief.h).
#include <fmt/format.h>

#include "core/alerts/alert_kinds.h"
#include "core/time/duration_text.h"

namespace leasescope::alerts {
namespace {

AlertSpan span(const AlertRule& rule, const AlertSubject& of) {
  if (of.too_many_believe == TrueTime::max()) return {};
  return {of.too_many_believe + rule.length, TrueTime::max()};
}

std::string words(const AlertRule& rule, const AlertSubject& of, const NameTable& names) {
  std::string who;
  for (const Name each : of.believers) who += (who.empty() ? "" : ", ") + std::string(names.text(each));
  return fmt::format("{} believe that they own it, for more than {}: {}", of.believers.size(),
                     format_duration(rule.length), who);
}

}  // namespace

const AlertKind& two_believe() {
  static const AlertKind kind{"two_believe", "for", false, span, words};
  return kind;
}

}  // namespace leasescope::alerts
