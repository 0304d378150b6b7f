// A private Redis whose contenders share their lines: another row of the live stores.
#pragma once
#include "core/store/redis/server.h"
#include "core/store/redis/store_type.h"
#include "core/store/store_type.h"

namespace leasescope::tests {

inline const StoreType& redis_on_shared_lines() {
  static const StoreType type = [] {
    StoreType out = redis::store_type();
    out.recipe = [](const ServerPlace& place) {
      ServerRecipe recipe = redis::server_recipe(place);
      recipe.url.type = &redis_on_shared_lines();
      recipe.url.options["lines"] = "shared";
      return recipe;
    };
    return out;
  }();
  return type;
}

}  // namespace leasescope::tests
