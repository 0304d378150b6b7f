// Where a line to one of a URL's servers begins.
#pragma once
#include "core/store/server_walk.h"
#include "core/store/store.h"

namespace leasescope::zookeeper {

inline ServerWalk::Way way_to(const StoreUrl& url, const StoreRoute& route) {
  return [towards = route.towards, own = url.endpoint, begins = route.requests](const Endpoint& server) {
    if (towards) return towards(false, server);
    return server == own ? begins : server;
  };
}

}  // namespace leasescope::zookeeper
