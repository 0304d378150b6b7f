#include "core/store/url.h"

#include <fmt/format.h>

#include "core/store/store_type.h"

namespace leasescope {

std::string printable(const StoreUrl& url) {
  if (url.type == nullptr) return {};
  if (url.given) return url.type->printable(url);
  const std::string_view word = url.type->name();
  return url.servers == 1 ? std::string(word) : fmt::format("{}?servers={}", word, url.servers);
}

}  // namespace leasescope
