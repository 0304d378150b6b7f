// A session at ZooKeeper for the look before a run: one question after another, all within one time limit.
#pragma once
#include <chrono>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include <tl/expected.hpp>

#include "core/store/patience.h"
#include "core/store/zookeeper/session.h"

namespace leasescope::zookeeper {

class Asker {
 public:
  template <class T>
  using Found = tl::expected<T, std::string>;

  explicit Asker(std::chrono::milliseconds patience, const std::stop_token& stop = {}) : patience_(patience, stop) {}
  ~Asker();
  Asker(const Asker&) = delete;
  Asker& operator=(const Asker&) = delete;

  // The URL's hosts and the addresses of each are tried one after another.
  Found<void> connect(const StoreUrl& url);
  // The same into another's session, which ends with this object.
  Found<void> connect(const StoreUrl& url, const Session::Identity& other);
  // Names of the children; empty where there is no such path.
  Found<std::vector<std::string>> list(const std::string& path);
  Found<NodeFacts> look(const std::string& path);  // its data, empty where there is no such path
  // The path of the node that was made; a container that was there already is as good as made.
  Found<std::string> create(const std::string& path, const std::string& data, Session::Kind kind);
  Found<void> remove(const std::string& path);

 private:
  // To one of its servers; more than one share the patience with it.
  Found<void> connect(const StoreUrl& url, const Endpoint& server, std::size_t others);
  // Drives the session until that is so.
  Found<void> until(const std::function<bool()>& so);
  // Until that has been answered. It is shared with its call: an answer may come when nobody waits any more.
  template <class T>
  Found<T> answer(const std::shared_ptr<std::optional<Found<T>>>& found) {
    if (const auto waited = until([&] { return found->has_value(); }); !waited) return tl::unexpected(waited.error());
    return **found;
  }

  Patience patience_;
  Session::Identity other_;  // none: a session of its own
  std::unique_ptr<Session> session_;
  Session::State state_ = Session::State::kLost;
  bool told_ = false;
};

}  // namespace leasescope::zookeeper
