// A private Redis on a Unix socket, without persistence, unless it is to remember; and its replica, on another.
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
// Of the replica, whose leader is found on a port.
tl::expected<void, std::string> follow(const StoreUrl& replica, const Endpoint& leader);
tl::expected<bool, std::string> follows(const StoreUrl& replica);
tl::expected<void, std::string> lead(const StoreUrl& replica);

}  // namespace leasescope::redis
