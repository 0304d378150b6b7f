// The addresses of one endpoint in turn, one for each attempt to connect: for client libraries that would look a name
// up here and now, while the loop waits.
#pragma once
#include <functional>
#include <string>

#include <tl/expected.hpp>

#include "core/store/resolver.h"

namespace leasescope {

class AddressWalk {
 public:
  // Errors are the system's words.
  using Done = std::function<void(const tl::expected<Endpoint, std::string>&)>;

  AddressWalk(Resolver& resolver, const Endpoint& endpoint) : resolver_(&resolver), endpoint_(endpoint) {}

  // The next one: at once where there is nothing to look up. After the last it begins anew, with a new look-up.
  void next(Done done);
  // The one given last led there: after a break the first is tried first again.
  void arrived() { attempts_ = 0; }
  void cancel() { looks_up_.reset(); }

 private:
  void take(const Addresses& found, const Done& done);

  Resolver* resolver_;
  Endpoint endpoint_;
  Resolver::Ticket looks_up_;
  std::size_t attempts_ = 0;
};

}  // namespace leasescope
