// Host names to numeric addresses, off the loop: a look-up may take many seconds, and timers must not wait for it.
#pragma once
#include <chrono>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include <tl/expected.hpp>

#include "core/loop/loop.h"
#include "core/store/patience.h"
#include "core/store/url.h"

namespace leasescope {

// At least one, each with a numeric host; errors are the system's words.
using Addresses = tl::expected<std::vector<Endpoint>, std::string>;

// Blocks as long as it takes.
Addresses look_up(const Endpoint& endpoint);
// The same, given up when the patience is over.
Addresses look_up_within(const Endpoint& endpoint, const Patience& patience);
// A numeric host, or a socket's path: there is nothing to look up.
bool is_address(const Endpoint& endpoint);

class Resolver {
 public:
  using LookUp = std::function<Addresses(const Endpoint&)>;  // called in a thread of its own
  using Done = std::function<void(const Addresses&)>;
  // `done` is called while it lives.
  using Ticket = std::shared_ptr<const Done>;

  explicit Resolver(Loop& loop, LookUp how = leasescope::look_up);
  ~Resolver();
  Resolver(const Resolver&) = delete;
  Resolver& operator=(const Resolver&) = delete;

  // Calls `done` once from the loop, never from within. What was found is kept, and looked up once for all who ask.
  Ticket look_up(const Endpoint& endpoint, Done done);
  // It leads nowhere any more: the next who asks has it looked up again.
  void forget(const Endpoint& endpoint);

  struct Task;  // one look-up in its thread

 private:
  struct Host {
    std::shared_ptr<Task> task;  // under way
    Loop::WatchId watch = 0;
    Addresses known = tl::unexpected<std::string>("");
    std::vector<std::weak_ptr<const Done>> waiting;
  };
  using Key = std::pair<std::string, int>;

  void begin(Host& host, const Key& key);
  void finish(const Key& key);

  Loop* loop_;
  LookUp how_;
  std::map<Key, Host> hosts_;
};

}  // namespace leasescope
