// A private server's address as a user would write it.
#pragma once
#include <string>

#include "simulator/live/private_server.h"

namespace leasescope::tests {

inline std::string url_of(const PrivateServer& server) {
  const StoreUrl url = server.url();
  if (url.kind == StoreKind::kRedis) return "unix:" + url.endpoint.unix_path;
  return "postgresql://leasescope@/postgres?host=" + url.endpoint.host + "&port=" + std::to_string(url.endpoint.port);
}

}  // namespace leasescope::tests
