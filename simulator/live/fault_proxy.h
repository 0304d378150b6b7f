// The fault proxy: one listener on loopback for one contender and one purpose, with everything a network does wrong.
#pragma once
#include <functional>
#include <map>
#include <memory>
#include <string>

#include <tl/expected.hpp>

#include "core/loop/loop.h"
#include "core/store/resolver.h"
#include "core/store/store_type.h"
#include "simulator/fault/port.h"

namespace leasescope {

class FaultProxy {
 public:
  // What it forwards to. With `filters`, pushed messages of that type of store can be dropped.
  // The resolver is shared by the proxies of a run; none: it gets its own.
  FaultProxy(Loop& loop, const Endpoint& upstream, const StoreType& type, bool filters,
             std::shared_ptr<Resolver> resolver = nullptr);
  ~FaultProxy();
  FaultProxy(const FaultProxy&) = delete;
  FaultProxy& operator=(const FaultProxy&) = delete;

  // Begins to listen on a free port of the loopback.
  tl::expected<Endpoint, std::string> listen();
  // Whoever connects from now on is led to that server.
  void lead_to(const Endpoint& upstream) { upstream_ = upstream; }

  // Data of a direction is held, connections stay open. Stalls of one direction add up; a client that gives its
  // connection up loses what was held of it, as packets of a cut network are lost.
  void stall(LinkDirection direction);
  void resume(LinkDirection direction);
  // The same, but what is held arrives in the end, also what its client has given up.
  void clog(LinkDirection direction);
  void unclog(LinkDirection direction);
  // Every chunk of bytes arrives later by so much, even one that its client has given up, as a kernel goes on sending
  // what its program has given up; may be negative: takes it back.
  void add_delay(LinkDirection direction, Duration by);
  // Connections end: in good order, or with a reset.
  void cut();
  void reset();
  // Pushed messages are dropped, answers pass. Mutes add up.
  void mute() { ++mutes_; }
  void unmute() { --mutes_; }
  std::function<void(std::string_view)> on_dropped;
  // The server has answered a release that its client had given up: whether it freed the lease, and when it went on to
  // the server.
  std::function<void(bool freed, TrueTime sent)> on_late_release;
  // As new: nothing is stalled, delayed or dropped.
  void heal();

 private:
  class Connection;
  friend class Connection;

  void accept();
  void forget(Connection* connection);
  void pump();
  void end_all(bool hard);

  Loop* loop_;
  Endpoint upstream_;
  const StoreType* type_;
  bool filters_;
  std::shared_ptr<Resolver> resolver_;
  int listener_ = -1;
  Loop::WatchId watch_ = 0;
  int stalls_up_ = 0;
  int stalls_down_ = 0;
  int clogs_up_ = 0;
  int clogs_down_ = 0;
  int mutes_ = 0;
  Duration delay_up_{};
  Duration delay_down_{};
  std::map<Connection*, std::unique_ptr<Connection>> connections_;
  std::shared_ptr<bool> alive_ = std::make_shared<bool>(true);
};

}  // namespace leasescope
