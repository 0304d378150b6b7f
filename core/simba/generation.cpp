#include "core/simba/generation.h"

#include <fmt/format.h>

namespace leasescope {

tl::expected<Behaviour, std::string> parse_behaviour(std::string_view wanted) {
  for (std::size_t place = 0; place < kGenerations.size(); ++place)
    if (kGenerations[place].name == wanted) return static_cast<Behaviour>(place);
  return tl::make_unexpected(fmt::format("\"{}\" is not a behaviour: expected leasescope, 4.x, 3.1 or 3.0", wanted));
}

}  // namespace leasescope
