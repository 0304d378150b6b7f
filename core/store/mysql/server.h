// A private MariaDB: a database of its own, a Unix socket.
#pragma once
#include <memory>
#include <string>

#include <tl/expected.hpp>

#include "core/store/server_recipe.h"

namespace leasescope::mysql {

ServerRecipe server_recipe(const ServerPlace& place);
// It listens before it lets anybody in.
bool answers(const StoreUrl& url);
tl::expected<void, std::string> cut_sessions(const StoreUrl& url);
tl::expected<std::shared_ptr<void>, std::string> stall(const StoreUrl& url, const std::string& mutex);

}  // namespace leasescope::mysql
