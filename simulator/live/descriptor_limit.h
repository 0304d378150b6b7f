// How many descriptors a live run may open.
#pragma once
#include <cstddef>

#include <tl/expected.hpp>

#include <string>

#include "core/store/url.h"

namespace leasescope {

// About how many so many contenders of that store take. `proxied`: they reach it through fault proxies.
std::size_t descriptors_for(std::size_t contenders, bool proxied, const StoreUrl& store = {});
// Raises the soft limit of this process to the hard one, if so many contenders need it; an error when that is not
// enough.
tl::expected<void, std::string> allow_descriptors_for(std::size_t contenders, bool proxied, const StoreUrl& store = {});

}  // namespace leasescope
