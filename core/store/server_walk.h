// The servers that a URL names, and where a line leads next: to the one it stood at last, after an attempt in vain to
// the next of them, of each to one address after another.
#pragma once
#include <functional>
#include <string>
#include <vector>

#include <tl/expected.hpp>

#include "core/store/address_walk.h"
#include "core/store/url.h"

namespace leasescope {

// At least one, the URL's own first.
std::vector<Endpoint> servers_of(const StoreUrl& url);

class ServerWalk {
 public:
  struct Next {
    Endpoint server;   // as the URL names it
    Endpoint address;  // where to connect: an address of it, or of a proxy that leads there
  };
  // Errors are the system's words.
  using Done = std::function<void(const tl::expected<Next, std::string>&)>;
  // Where a line to that server begins: a proxy, or the server itself.
  using Way = std::function<Endpoint(const Endpoint& server)>;

  ServerWalk(Resolver& resolver, const StoreUrl& url, Way way);

  // At once where there is nothing to look up.
  void next(Done done);
  // The last one serves: after a break it is tried first.
  void arrived();
  void cancel();

 private:
  Way way_;
  std::vector<Endpoint> servers_;
  std::vector<AddressWalk> walks_;  // one a server
  std::size_t at_ = 0;
  bool in_vain_ = false;
};

}  // namespace leasescope
