// A private Redis over TLS: another row of the live stores, with certificates that the tests made.
#pragma once
#include "core/store/redis/asker.h"
#include "core/store/redis/redis_line.h"
#include "core/store/redis/server.h"
#include "core/store/redis/store_type.h"
#include "tests/store/certificate_files.h"
#include "tests/store/free_port.h"

namespace leasescope::tests {

const StoreType& redis_over_tls();

// It answers without TLS on its Unix socket, for whoever rules it.
inline ServerRecipe recipe_over_tls(const ServerPlace& place) {
  ServerRecipe out = redis::server_recipe(place);
  const auto file = [&](const std::string& name) { return place.folder + "/" + name; };
  add_certificates(out, place.folder);
  const int port = free_port();
  for (const std::string& word :
       {std::string("--tls-port"), std::to_string(port), std::string("--bind"), std::string("127.0.0.1"),
        std::string("--tls-ca-cert-file"), file("ca.crt"), std::string("--tls-cert-file"), file("server.crt"),
        std::string("--tls-key-file"), file("server.key"), std::string("--tls-auth-clients"), std::string("no")})
    out.serve.arguments.push_back(word);
  out.url.type = &redis_over_tls();
  out.url.sealed = true;
  out.url.endpoint.unix_path.clear();
  out.url.endpoint.host = "localhost";
  out.url.endpoint.port = port;
  out.url.options["cacert"] = file("ca.crt");
  return out;
}

inline bool answers_over_tls(const StoreUrl& url) {
  redis::Asker asker(std::chrono::milliseconds(1000));
  return asker.connect(url).has_value();
}

inline const StoreType& redis_over_tls() {
  static const StoreType type = [] {
    StoreType out = redis::store_type();
    out.recipe = recipe_over_tls;
    out.answers = answers_over_tls;
    return out;
  }();
  return type;
}

}  // namespace leasescope::tests
