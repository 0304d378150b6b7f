// A private Redis: no persistence, a Unix socket.
#pragma once
#include <string>

#include <tl/expected.hpp>

#include "core/store/server_recipe.h"

namespace leasescope::redis {

ServerRecipe server_recipe(const ServerPlace& place);
// It does as soon as it listens.
bool answers(const StoreUrl& url);
tl::expected<void, std::string> cut_sessions(const StoreUrl& url);

}  // namespace leasescope::redis
