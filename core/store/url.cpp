#include "core/store/url.h"

#include "core/store/store_type.h"

namespace leasescope {

std::string printable(const StoreUrl& url) {
  if (url.type == nullptr) return {};
  return url.given ? url.type->printable(url) : std::string(url.type->words.front());
}

}  // namespace leasescope
