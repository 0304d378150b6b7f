// A private MariaDB over TLS: another row of the live stores, with certificates that the tests made.
#pragma once
#include <algorithm>

#include "core/store/mysql/asker.h"
#include "core/store/mysql/server.h"
#include "core/store/mysql/store_type.h"
#include "tests/store/certificate_files.h"
#include "tests/store/free_port.h"

namespace leasescope::tests {

const StoreType& mysql_over_tls();

// On a port of the loopback, and still on its Unix socket for whoever rules it. Its user comes from anywhere.
inline ServerRecipe mysql_recipe_on_a_port(const ServerPlace& place) {
  ServerRecipe out = mysql::server_recipe(place);
  std::vector<std::string>& words = out.serve.arguments;
  words.erase(std::remove(words.begin(), words.end(), "--skip-networking"), words.end());
  const int port = free_port();
  for (const std::string& word : {"--port=" + std::to_string(port), std::string("--bind-address=127.0.0.1")})
    words.push_back(word);
  out.url.endpoint.unix_path.clear();
  out.url.endpoint.port = port;
  return out;
}

// In its folder also what the server shows, shown.crt and shown.key, to be written anew by the tests.
inline ServerRecipe mysql_recipe_over_tls(const ServerPlace& place) {
  ServerRecipe out = mysql_recipe_on_a_port(place);
  const auto file = [&](const std::string& name) { return place.folder + "/" + name; };
  add_certificates(out, place.folder);
  const Signed shown = authority().sign("server", "DNS:localhost");
  out.files.push_back({file("shown.crt"), shown.certificate});
  out.files.push_back({file("shown.key"), shown.key});
  for (const std::string& word :
       {"--ssl-ca=" + file("ca.crt"), "--ssl-cert=" + file("shown.crt"), "--ssl-key=" + file("shown.key")})
    out.serve.arguments.push_back(word);
  out.url.type = &mysql_over_tls();
  out.url.sealed = true;
  out.url.options["ssl-ca"] = file("ca.crt");
  return out;
}

inline ServerRecipe mysql_recipe_without_tls(const ServerPlace& place) {
  ServerRecipe out = mysql_recipe_on_a_port(place);
  out.serve.arguments.emplace_back("--skip-ssl");
  return out;
}

inline const StoreType& mysql_over_tls() {
  static const StoreType type = [] {
    StoreType out = mysql::store_type();
    out.recipe = mysql_recipe_over_tls;
    return out;
  }();
  return type;
}

inline const StoreType& mysql_without_tls() {
  static const StoreType type = [] {
    StoreType out = mysql::store_type();
    out.recipe = mysql_recipe_without_tls;
    return out;
  }();
  return type;
}

}  // namespace leasescope::tests
