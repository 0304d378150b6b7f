// Private MariaDB servers of several kinds, each as a store type of its own.
#pragma once
#include "core/store/mysql/server.h"
#include "core/store/mysql/store_type.h"

namespace leasescope::tests {

// With its performance schema, which looks at metadata locks: as MySQL 8 has it from the start.
inline ServerRecipe mysql_recipe_with_schema(const ServerPlace& place) {
  ServerRecipe out = mysql::server_recipe(place);
  for (const char* word : {"--performance-schema=on", "--performance-schema-instrument=wait/lock/metadata/sql/mdl=on"})
    out.serve.arguments.emplace_back(word);
  return out;
}
inline const StoreType& mysql_with_schema() {
  static const StoreType type = [] {
    StoreType out = mysql::store_type();
    out.recipe = mysql_recipe_with_schema;
    return out;
  }();
  return type;
}

}  // namespace leasescope::tests
