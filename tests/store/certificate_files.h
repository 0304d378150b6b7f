// The certificates of a private server over TLS, as files in its folder.
#pragma once
#include "core/store/server_recipe.h"
#include "tests/support/certificates.h"

namespace leasescope::tests {

inline Authority& authority() {
  static Authority authority("authority of the tests");
  return authority;
}

// The authority (ca.crt), the server's for "localhost" and no other name, one for another host, one that has expired,
// and one for a client; each NAME.crt with its NAME.key.
inline void add_certificates(ServerRecipe& recipe, const std::string& folder) {
  const auto add = [&](const std::string& name, const Signed& made) {
    recipe.files.push_back({folder + "/" + name + ".crt", made.certificate});
    recipe.files.push_back({folder + "/" + name + ".key", made.key});
  };
  recipe.files.push_back({folder + "/ca.crt", authority().text()});
  add("server", authority().sign("server", "DNS:localhost"));
  add("other", authority().sign("other", "DNS:db.example,DNS:*.db.example"));
  add("expired", authority().sign("expired", "DNS:localhost", -30, -1));
  add("client", authority().sign("client", ""));
}

}  // namespace leasescope::tests
