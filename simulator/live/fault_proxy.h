// The fault proxy: one listener, in the live world for one contender and one purpose, with everything a network does
// wrong.
#pragma once
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include <tl/expected.hpp>

#include "core/loop/one_shot.h"
#include "core/store/resolver.h"
#include "core/store/store_type.h"
#include "simulator/fault/port.h"
#include "simulator/live/toxics/toxic.h"

namespace leasescope {

class FaultProxy final : private ToxicDesk {
 public:
  // What it forwards to. With `filters`, single messages of that type of store can be told apart.
  // The resolver is shared by the proxies of a run; none: it gets its own.
  FaultProxy(Loop& loop, const Endpoint& upstream, const StoreType& type, bool filters,
             std::shared_ptr<Resolver> resolver = nullptr);
  // Of a store of that type, or of whatever it is (null).
  FaultProxy(Loop& loop, const Endpoint& upstream, const StoreType* type, bool filters);
  ~FaultProxy() override;
  FaultProxy(const FaultProxy&) = delete;
  FaultProxy& operator=(const FaultProxy&) = delete;

  // Begins to listen there: by default on a free port of the loopback. A host by its number.
  tl::expected<Endpoint, std::string> listen(const Endpoint& at = {});
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
  // The connections there are now are dead, and neither side is told; at the end they are reset. Those that are made
  // meanwhile work.
  void half_open();
  void close_half_open();
  // Pushed messages arrive later by so much, in their order, and answers go past them; may be negative: takes it back.
  void add_message_delay(Duration by) { delay_messages_ += by; }
  // Pushed messages are dropped, answers pass. Mutes add up. `on_dropped` is told of those, and of such as a dead
  // connection loses.
  void mute() { ++mutes_; }
  void unmute() { --mutes_; }
  std::function<void(std::string_view)> on_dropped;
  // The server has answered a release that its client had given up: whether it freed the lease, and when it went on to
  // the server.
  std::function<void(bool freed, TrueTime sent)> on_late_release;
  // As new: nothing is stalled, delayed or dropped.
  void heal();

  // ---- toxics: all of a list at once, between two bytes
  void arm(const std::vector<std::shared_ptr<Toxic>>& toxics);
  void disarm(const std::vector<std::shared_ptr<Toxic>>& toxics);
  // A client that closes its side hears what the server still says, and a reset is passed on; else its connection ends
  // as soon as nothing is under way.
  void pass_half_closes() { passes_half_closes_ = true; }
  std::function<void(std::uint64_t connection, const std::string& why)> on_unreachable;
  std::size_t connections() const { return connections_.size(); }

 private:
  class Connection;
  class Pipe;
  friend class Connection;
  friend class Pipe;

  void accept();
  void forget(Connection* connection);
  void pump();
  void end_all(bool hard, bool both = false);
  std::string open_listener();
  void close_listener();
  void listen_again();
  TrueTime armed_at(const Toxic& toxic) const;
  void look_at_lifetimes();

  // ToxicDesk
  void refuse(bool refuses) override;
  void end_all(Farewell how) override;
  void half_close(LinkDirection direction) override;
  void lose_held(LinkDirection direction) override;

  Loop* loop_;
  Endpoint upstream_;
  const StoreType* type_;
  bool filters_;
  std::shared_ptr<Resolver> resolver_;
  Endpoint at_;
  int listener_ = -1;
  Loop::WatchId watch_ = 0;
  OneShot again_;
  int refusals_ = 0;
  int stalls_up_ = 0;
  int stalls_down_ = 0;
  int clogs_up_ = 0;
  int clogs_down_ = 0;
  int mutes_ = 0;
  int half_opens_ = 0;
  Duration delay_up_{};
  Duration delay_down_{};
  Duration delay_messages_{};
  bool passes_half_closes_ = false;
  std::vector<std::shared_ptr<Toxic>> armed_;
  std::map<int, TrueTime> armed_at_;  // by their number
  std::uint64_t last_connection_ = 0;
  std::map<Connection*, std::unique_ptr<Connection>> connections_;
  std::shared_ptr<bool> alive_ = std::make_shared<bool>(true);
};

}  // namespace leasescope
