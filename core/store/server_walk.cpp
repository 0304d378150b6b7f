#include "core/store/server_walk.h"

#include <utility>

namespace leasescope {

std::vector<Endpoint> servers_of(const StoreUrl& url) {
  std::vector<Endpoint> out{url.endpoint};
  out.insert(out.end(), url.others.begin(), url.others.end());
  return out;
}

ServerWalk::ServerWalk(Resolver& resolver, const StoreUrl& url, Way way)
    : way_(std::move(way)), servers_(servers_of(url)) {
  for (const Endpoint& server : servers_) walks_.emplace_back(resolver, way_(server));
}

void ServerWalk::next(Done done) {
  if (std::exchange(in_vain_, true)) at_ = (at_ + 1) % servers_.size();
  const Endpoint& server = servers_[at_];
  way_(server);  // a proxy is told whenever a line is about to come
  walks_[at_].next([server, done = std::move(done)](const tl::expected<Endpoint, std::string>& address) {
    if (!address) return done(tl::unexpected(address.error()));
    done(Next{server, *address});
  });
}

void ServerWalk::arrived() {
  in_vain_ = false;
  walks_[at_].arrived();
}

void ServerWalk::cancel() {
  for (AddressWalk& walk : walks_) walk.cancel();
}

}  // namespace leasescope
