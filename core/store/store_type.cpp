#include "core/store/store_type.h"

#include <fmt/format.h>

namespace leasescope {

std::string why_not_contended(const StoreType& type) {
  return fmt::format("{} is only watched: other makers' locks are seen there, and no contender of ours can meet others",
                     type.title);
}

}  // namespace leasescope
