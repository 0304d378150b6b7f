// Where a line to Redis leads next: to a server that its URL names, to the master that sentinels know of, or to the
// node of a cluster that another one has pointed to.
#pragma once
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include <tl/expected.hpp>

#include "core/loop/one_shot.h"
#include "core/store/url.h"

namespace leasescope::redis {

class RedisLine;

class Guide {
 public:
  // Errors are for people.
  using Done = std::function<void(const tl::expected<Endpoint, std::string>&)>;

  Guide(Loop& loop, const StoreUrl& url);
  ~Guide();
  Guide(const Guide&) = delete;
  Guide& operator=(const Guide&) = delete;

  // Calls `done` once: here and now where nobody has to be asked, else from the loop. It has no time limit of its own:
  // cancel() ends it, and then the next one is asked first.
  void find(Done done);
  void cancel();
  // It led there: whoever was asked last is asked first again; or it did, and is not served there.
  void arrived() { in_vain_ = false; }
  void was_wrong() { in_vain_ = true; }
  // Another answer is possible than the last one.
  bool may_lead_elsewhere() const;
  // The next way leads there; after a break there, to whoever is known.
  void point_to(const Endpoint& server);
  // That server may be asked too, beside those of the URL.
  void know(const Endpoint& server);

 private:
  void ask_next();
  void answered(const tl::expected<Endpoint, std::string>& master);

  Loop* loop_;
  StoreUrl url_;
  std::string master_;           // of which sentinels are asked; empty: the named ones are the servers
  std::vector<Endpoint> named_;  // at least one; behind the URL's own those that were pointed to
  std::size_t own_;              // how many are the URL's
  std::size_t next_ = 0;         // of them
  std::size_t left_ = 0;         // to ask, this time
  bool in_vain_ = false;         // the last way led nowhere yet
  std::optional<Endpoint> pointed_to_;
  Done done_;
  std::string errors_;
  std::unique_ptr<RedisLine> line_;  // to the sentinel that is asked
  OneShot turn_;
};

}  // namespace leasescope::redis
