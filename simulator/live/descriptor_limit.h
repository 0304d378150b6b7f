// How many descriptors a live run may open.
#pragma once
#include <cstddef>

#include <tl/expected.hpp>

#include <string>

namespace leasescope {

// Raises the soft limit of this process to the hard one, if so many contenders need it; an error when that is not
// enough. `proxied`: they reach the store through fault proxies.
tl::expected<void, std::string> allow_descriptors_for(std::size_t contenders, bool proxied);

}  // namespace leasescope
