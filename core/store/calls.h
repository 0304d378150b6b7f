// The requests an adapter has under way: each with its own time-out and exactly one ending.
#pragma once
#include <functional>
#include <map>
#include <memory>
#include <string>

#include "core/loop/one_shot.h"
#include "core/store/store.h"

namespace leasescope {

class Calls {
 public:
  // `on_timeout` is called when a request that had been sent is given up, before the listener is told: its line is no
  // longer to be trusted.
  Calls(Loop& loop, StoreListener& listener, std::function<void(const Request&)> on_timeout);

  // Its time is counted from when `send` has handed it on: nothing is done before the wire that can be done behind it.
  // Who gives a mutex back keeps everybody waiting until then.
  template <class Send>
  void open(const Request& request, Send send) {
    add(request);
    send();
    limit(request);
  }
  // From here on the store may have executed it.
  void sent(std::uint64_t id);
  void unsent(std::uint64_t id);  // it could not be, after all
  // The ending; nothing happens when it has ended before. Not from within Store::send.
  void finish(const Reply& reply, const std::string& error = {});
  void fail(std::uint64_t id, const std::string& error);
  // The same at the loop's next turn: for use within Store::send.
  void finish_soon(const Reply& reply);
  void fail_soon(std::uint64_t id, const std::string& error);
  // The line broke: what was sent ends unknown, the rest failed. Only calls of these kinds' line.
  void break_line(bool messages, const std::string& reason);

  bool open_call(std::uint64_t id) const { return calls_.count(id) != 0; }
  const Request* find(std::uint64_t id) const;
  bool any(RequestKind kind) const;

 private:
  struct Call {
    explicit Call(Loop& loop) : timer(loop) {}
    Request request;
    TrueTime sent{};
    bool was_sent = false;
    OneShot timer;
  };

  void add(const Request& request);
  void limit(const Request& request);
  void time_out(std::uint64_t id);

  Loop* loop_;
  StoreListener* listener_;
  std::function<void(const Request&)> on_timeout_;
  std::map<std::uint64_t, std::unique_ptr<Call>> calls_;
};

}  // namespace leasescope
