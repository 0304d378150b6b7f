// A token that does not rise: a resource that trusts it is not safe.
#include <fmt/format.h>

#include "core/alerts/alert_kinds.h"

namespace leasescope::alerts {
namespace {

AlertSpan span(const AlertRule& /*rule*/, const AlertSubject& of) {
  return of.regressed == TrueTime::max() ? AlertSpan{} : AlertSpan{of.regressed, TrueTime::max()};
}

std::string words(const AlertRule& /*rule*/, const AlertSubject& of, const NameTable& names) {
  return fmt::format("{} was granted it with a token that is not above #{}", names.text(of.last_owner), of.highest);
}

}  // namespace

const AlertKind& fence_regression() {
  static const AlertKind kind{"fence_regression", "", false, span, words};
  return kind;
}

}  // namespace leasescope::alerts
