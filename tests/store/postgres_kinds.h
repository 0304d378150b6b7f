// Private PostgreSQL servers of several kinds, each as a store type of its own: on a TCP port, and with TLS there.
#pragma once
#include "tests/store/free_port.h"
#include "tests/store/rig.h"
#include "tests/support/certificates.h"
#include "tests/support/pgbouncer.h"

namespace leasescope::tests {

inline void add_words(ServerCommand& command, const std::vector<std::string>& words) {
  command.arguments.insert(command.arguments.end(), words.begin(), words.end());
}

// On a TCP port of the loopback too.
inline ServerRecipe postgres_on_tcp(const ServerPlace& place) {
  ServerRecipe out = postgres::server_recipe(place);
  const int port = free_port();
  add_words(out.serve, {"-c", "listen_addresses=127.0.0.1", "-p", std::to_string(port)});
  out.url.endpoint = {"127.0.0.1", port, ""};
  return out;
}

inline Authority& postgres_authority() {
  static Authority authority("authority of the tests");
  return authority;
}

// In its folder: the authority ca.crt, the server's certificate for "localhost" and no other name.
inline ServerRecipe postgres_with_tls(const ServerPlace& place) {
  ServerRecipe out = postgres_on_tcp(place);
  const auto file = [&](const std::string& name) { return place.folder + "/" + name; };
  const Signed own = postgres_authority().sign("server", "DNS:localhost");
  out.files.push_back({file("ca.crt"), postgres_authority().text()});
  out.files.push_back({file("server.crt"), own.certificate});
  out.files.push_back({file("server.key"), own.key});
  add_words(out.serve,
            {"-c", "ssl=on", "-c", "ssl_cert_file=" + file("server.crt"), "-c", "ssl_key_file=" + file("server.key")});
  return out;
}

inline const StoreType& tcp_postgres() {
  static const StoreType type = kind_of_postgres(postgres_on_tcp);
  return type;
}
inline const StoreType& tls_postgres() {
  static const StoreType type = kind_of_postgres(postgres_with_tls);
  return type;
}

}  // namespace leasescope::tests
