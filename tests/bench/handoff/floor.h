// What a hand-off costs at least on a store: one client says a word (publish, notify, delete under a watch), another
// one receives it and has the call answered by which a waiter acquires. By the store's own client library, with
// blocking calls and nothing else.
#pragma once
#include <chrono>
#include <cstdint>
#include <memory>
#include <optional>
#include <string_view>

#include "core/store/url.h"

namespace leasescope::bench {

using Watch = std::chrono::steady_clock;

// Its calls throw std::runtime_error with the server's words when something fails.
class Floor {
 public:
  virtual ~Floor() = default;
  // What has to stand before a word can be said.
  virtual void prepare() {}
  // From before the word is said until the call is answered. After prepare(), and as long a rest as between hand-offs:
  // what is cold there is to be cold here.
  virtual Watch::duration sample() = 0;
  // How many requests of clients the server has carried out so far, where it counts them.
  virtual std::optional<std::int64_t> requests() { return {}; }
};

struct FloorKind {
  std::string_view store;  // the first word of its type
  std::unique_ptr<Floor> (*make)(const StoreUrl& url);
};

// One line each, in floors.cpp.
std::unique_ptr<Floor> redis_floor(const StoreUrl& url);
std::unique_ptr<Floor> postgres_floor(const StoreUrl& url);
std::unique_ptr<Floor> zookeeper_floor(const StoreUrl& url);
// Null: the store says nothing to those who wait.
const FloorKind* find_floor(std::string_view store);

}  // namespace leasescope::bench
