#include "core/history/mutex_title.h"

#include <fmt/format.h>

#include "core/base/glob.h"

namespace leasescope {
namespace {

constexpr std::string_view kAt = " @ ";

}  // namespace

std::string mutex_title(std::string_view name, std::string_view store) {
  return std::string(name) + std::string(kAt) + std::string(store);
}

std::string mutex_title_of_maker(std::string_view name, std::string_view maker, bool likely) {
  return fmt::format("{} ({}{})", name, maker, likely ? ", likely" : "");
}

std::string_view name_in(std::string_view title) { return title.substr(0, title.rfind(kAt)); }

bool is_called(std::string_view pattern, std::string_view title) {
  return is_like(pattern, title) || is_like(pattern, name_in(title));
}

}  // namespace leasescope
