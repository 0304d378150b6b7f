// The register of kinds of rules: one line each, by its file in `kinds`.
#pragma once
#include <string_view>
#include <vector>

#include "core/alerts/alert_kind.h"

#define LEASESCOPE_ALERT_KINDS(KIND) \
  KIND(no_owner)                     \
  KIND(handoffs)                     \
  KIND(late_renewal)                 \
  KIND(fence_regression)             \
  KIND(not_observed)                 \
  KIND(two_believe)                  \
  KIND(waiters_stuck)                \
  KIND(not_renewed)                  \
  KIND(store_away)

namespace leasescope {

const std::vector<const AlertKind*>& alert_kinds();
const AlertKind* find_alert_kind(std::string_view word);  // null: there is none
// Whether rules of that kind are about stores; of one that is not known here they are taken to be about mutexes.
bool is_about_stores(std::string_view kind);

namespace alerts {
#define LEASESCOPE_DECLARE(KIND) const AlertKind& KIND();
LEASESCOPE_ALERT_KINDS(LEASESCOPE_DECLARE)
#undef LEASESCOPE_DECLARE
}  // namespace alerts

}  // namespace leasescope
