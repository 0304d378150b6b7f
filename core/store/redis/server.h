// A private Redis on a Unix socket; without persistence, unless it is to remember.
#pragma once
#include <string>

#include <tl/expected.hpp>

#include "core/store/server_recipe.h"

namespace leasescope::redis {

ServerRecipe server_recipe(const ServerPlace& place);
// It does as soon as it listens.
bool answers(const StoreUrl& url);
tl::expected<void, std::string> cut_sessions(const StoreUrl& url);
tl::expected<void, std::string> erase(const StoreUrl& url, const std::string& mutex);

}  // namespace leasescope::redis
