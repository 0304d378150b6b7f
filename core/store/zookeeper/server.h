// A private ZooKeeper: a server of its own on a port of the loopback, or several that elect one of them as theirs.
#pragma once
#include <string>

#include <tl/expected.hpp>

#include "core/store/server_recipe.h"

namespace leasescope::zookeeper {

ServerRecipe server_recipe(const ServerPlace& place);
// It listens before it serves; several serve when they have found together.
bool answers(const StoreUrl& url);
// Of whoever leads there.
tl::expected<void, std::string> end_session(const StoreUrl& url, const std::string& mutex);

}  // namespace leasescope::zookeeper
