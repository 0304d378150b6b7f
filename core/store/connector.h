// One attempt to connect to an endpoint by name: its addresses are tried one after another, without ever waiting.
#pragma once
#include <functional>
#include <string>
#include <vector>

#include <tl/expected.hpp>

#include "core/loop/one_shot.h"
#include "core/store/resolver.h"

namespace leasescope {

class Connector {
 public:
  // A connected descriptor, which is the caller's now; errors are the system's words.
  using Done = std::function<void(const tl::expected<int, std::string>&)>;

  Connector(Loop& loop, Resolver& resolver) : loop_(&loop), resolver_(&resolver), failed_(loop) {}
  ~Connector() { cancel(); }
  Connector(const Connector&) = delete;
  Connector& operator=(const Connector&) = delete;

  // Calls `done` once from the loop, never from within. It has no time limit of its own: cancel() ends it, and the next
  // attempt begins with the address after the one that had not answered.
  void connect(const Endpoint& endpoint, Done done);
  void cancel();

 private:
  void begin_with(const std::vector<Endpoint>& found);
  void try_next();
  void on_writable();

  Loop* loop_;
  Resolver* resolver_;
  Endpoint endpoint_;
  Done done_;
  Resolver::Ticket ticket_;
  std::vector<Endpoint> left_;  // still to try, the next last
  std::size_t in_vain_ = 0;     // addresses that were given up on without an answer
  std::string error_;
  int descriptor_ = -1;
  Loop::WatchId watch_ = 0;
  OneShot failed_;
};

}  // namespace leasescope
