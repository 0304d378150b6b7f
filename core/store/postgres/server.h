// A private PostgreSQL: a database of its own, a Unix socket.
#pragma once
#include <memory>
#include <string>

#include <tl/expected.hpp>

#include "core/store/server_recipe.h"

namespace leasescope::postgres {

ServerRecipe server_recipe(const ServerPlace& place);
// It listens before it lets anybody in.
bool answers(const StoreUrl& url);
tl::expected<void, std::string> cut_sessions(const StoreUrl& url);
// Of who holds a fenced lock, as it ends one that is over: who waits has the lock at once.
tl::expected<void, std::string> end_session(const StoreUrl& url, const std::string& mutex);
tl::expected<std::shared_ptr<void>, std::string> stall(const StoreUrl& url, const std::string& mutex);

}  // namespace leasescope::postgres
