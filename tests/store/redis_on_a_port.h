// A private Redis that listens on a port of this machine, as one of whom a URL with a login is written.
#pragma once
#include "core/store/redis/asker.h"
#include "core/store/redis/server.h"
#include "core/store/redis/store_type.h"
#include "tests/store/free_port.h"

namespace leasescope::tests {

inline ServerRecipe redis_recipe_on_a_port(const ServerPlace& place) {
  ServerRecipe out = redis::server_recipe(place);
  const int port = free_port();
  for (const std::string& word :
       {std::string("--port"), std::to_string(port), std::string("--bind"), std::string("127.0.0.1")})
    out.serve.arguments.push_back(word);
  out.url.endpoint = {"127.0.0.1", port, ""};
  return out;
}
inline bool redis_answers_on_a_port(const StoreUrl& url) {
  redis::Asker asker(std::chrono::milliseconds(1000));
  return asker.connect(url).has_value();
}
inline const StoreType& redis_on_a_port() {
  static const StoreType type = [] {
    StoreType out = redis::store_type();
    out.recipe = redis_recipe_on_a_port;
    out.answers = redis_answers_on_a_port;
    return out;
  }();
  return type;
}

}  // namespace leasescope::tests
