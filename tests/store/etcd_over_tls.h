// A private etcd over TLS, with certificates that the tests made. It answers without TLS at another port, for whoever
// works there by hand.
#pragma once
#include "tests/store/certificate_files.h"
#include "tests/support/etcd_server.h"

namespace leasescope::tests {

inline constexpr const char* kPlainPort = "plain";  // an option of its URL here, which no client sees

const StoreType& etcd_over_tls();

inline ServerRecipe etcd_recipe_over_tls(const ServerPlace& place) {
  ServerRecipe out = etcd_recipe(place);
  const auto file = [&](const std::string& name) { return place.folder + "/" + name; };
  add_certificates(out, place.folder);
  const int plain = out.url.endpoint.port, sealed = free_port();
  std::vector<std::string>& words = out.serve.arguments;
  const auto clients = std::find(words.begin(), words.end(), "--listen-client-urls") + 1;
  *clients += fmt::format(",https://127.0.0.1:{}", sealed);
  for (const std::string& word :
       {std::string("--cert-file"), file("server.crt"), std::string("--key-file"), file("server.key")})
    words.push_back(word);
  out.url.type = &etcd_over_tls();
  out.url.sealed = true;
  out.url.endpoint.host = "localhost";
  out.url.endpoint.port = sealed;
  out.url.options["cacert"] = file("ca.crt");
  out.url.options[kPlainPort] = std::to_string(plain);
  return out;
}

inline int plain_port(const StoreUrl& url) { return std::stoi(url.options.at(kPlainPort)); }

inline const StoreType& etcd_over_tls() {
  static const StoreType type = [] {
    StoreType out = etcd::store_type();
    out.recipe = etcd_recipe_over_tls;
    out.answers = [](const StoreUrl& url) {
      StoreUrl plain = url;
      plain.endpoint.port = plain_port(url);
      return etcd_answers(plain);
    };
    return out;
  }();
  return type;
}

}  // namespace leasescope::tests
