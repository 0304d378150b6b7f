// A private ZooKeeper: one server of its own, on a port of the loopback.
#pragma once
#include <string>

#include <tl/expected.hpp>

#include "core/store/server_recipe.h"

namespace leasescope::zookeeper {

ServerRecipe server_recipe(const ServerPlace& place);
// It listens before it serves.
bool answers(const StoreUrl& url);

}  // namespace leasescope::zookeeper
