#include "core/alerts/alert_kinds.h"

namespace leasescope {

const std::vector<const AlertKind*>& alert_kinds() {
  static const std::vector<const AlertKind*> kinds{
#define LEASESCOPE_LIST(KIND) &alerts::KIND(),
      LEASESCOPE_ALERT_KINDS(LEASESCOPE_LIST)
#undef LEASESCOPE_LIST
  };
  return kinds;
}

const AlertKind* find_alert_kind(std::string_view word) {
  for (const AlertKind* each : alert_kinds())
    if (each->word == word) return each;
  return nullptr;
}

bool is_about_stores(std::string_view kind) {
  const AlertKind* const known = find_alert_kind(kind);
  return known != nullptr && known->of_stores;
}

}  // namespace leasescope
