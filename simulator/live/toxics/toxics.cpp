#include "simulator/live/toxics/toxics.h"

#include <algorithm>

namespace leasescope {

const std::vector<ToxicKind>& all_toxic_kinds() {
  static const std::vector<ToxicKind> kinds{
#define LEASESCOPE_TOXIC(name) toxics::name(),
      LEASESCOPE_TOXICS(LEASESCOPE_TOXIC)
#undef LEASESCOPE_TOXIC
  };
  return kinds;
}

const ToxicKind* find_toxic_kind(std::string_view name) {
  const std::vector<ToxicKind>& all = all_toxic_kinds();
  const auto found = std::find_if(all.begin(), all.end(), [&](const ToxicKind& kind) { return kind.name == name; });
  return found == all.end() ? nullptr : &*found;
}

}  // namespace leasescope
