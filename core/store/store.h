// The live side of the store port: one instance a contender, with connections of its own, on the loop port.
#pragma once
#include <algorithm>
#include <functional>
#include <memory>
#include <string>
#include <string_view>

#include "core/loop/loop.h"
#include "core/store/port.h"
#include "core/store/url.h"

namespace leasescope {

// Translates handles at the wire. A contender's id on the wire may be longer than its name in the history.
class WireNames {
 public:
  virtual ~WireNames() = default;
  virtual std::string text(Name name) const = 0;
  virtual Name intern(std::string_view text) = 0;
};

// What a store tells its contender's host; never from within `send` or `connect`.
class StoreListener {
 public:
  virtual ~StoreListener() = default;
  // The store acted on the request, if it did, between `sent` and `received`. `error` says why an ending is not ok.
  virtual void on_reply(const Reply& reply, TrueTime sent, TrueTime received, const std::string& error) = 0;
  virtual void on_store_event(const StoreEvent& event, TrueTime received) = 0;
  // All connections stand, or one of them broke or could not be made (then with the reason; repeated attempts repeat
  // it).
  virtual void on_connected() = 0;
  virtual void on_disconnected(const std::string& reason) = 0;
};

// Where one contender connects: requests and messages have lines of their own, which may lead through a fault proxy.
struct StoreRoute {
  Endpoint requests;
  Endpoint messages;
  // Where a line begins that is to reach another server of the store than the URL's first; null: at that server.
  std::function<Endpoint(bool messages, const Endpoint& server)> towards{};
};

// A program that makes stores ignores SIGPIPE (std::signal(SIGPIPE, SIG_IGN)): our own lines never raise it, but a
// client library may, when its server goes.
class Store {
 public:
  virtual ~Store() = default;

  // Begins to connect, and from then on reconnects with a growing delay until it is destroyed.
  virtual void connect() = 0;
  virtual bool connected() const = 0;
  // Every request has exactly one ending: ok; failed when the server refused or nothing could be sent; unknown when its
  // time-out passed or the line broke after it was sent. Later answers are dropped, with the line they would come on.
  virtual void send(const Request& request) = 0;
  // Its contender's process stands still, or goes on: an adapter that does something by itself, such as to keep a
  // session alive, stops meanwhile.
  virtual void stand_still(bool /*still*/) {}
};

// Delays between attempts to connect: 50 ms, doubled up to 1 s.
class BackOff {
 public:
  Duration next() {
    const Duration now = delay_;
    delay_ = std::min<Duration>(delay_ * 2, std::chrono::seconds(1));
    return now;
  }
  void reset() { delay_ = kFirst; }

 private:
  static constexpr Duration kFirst = std::chrono::milliseconds(50);
  Duration delay_ = kFirst;
};

// How long a connection may take to stand, greeting and login included.
inline constexpr Duration kConnectTimeout = std::chrono::seconds(2);

}  // namespace leasescope
