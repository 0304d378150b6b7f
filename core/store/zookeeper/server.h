// A private ZooKeeper: one server of its own, on a port of the loopback.
#pragma once
#include <string>

#include <tl/expected.hpp>

#include "core/store/server_recipe.h"

namespace leasescope::zookeeper {

ServerRecipe server_recipe(const ServerPlace& place);
// It listens before it serves.
bool answers(const StoreUrl& url);
// Of whoever leads there.
tl::expected<void, std::string> end_session(const StoreUrl& url, const std::string& mutex);

}  // namespace leasescope::zookeeper
