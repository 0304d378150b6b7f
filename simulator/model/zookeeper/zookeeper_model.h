// What a ZooKeeper does with the calls of a latch: sessions that end by its own ticks, a folder a mutex whose children
// are numbered in order and go with their session, and one word to who watches a child when it goes.
#pragma once
#include <vector>

#include "core/base/prefetch.h"
#include "simulator/model/server_step.h"
#include "simulator/model/subscribers.h"
#include "simulator/model/zookeeper/zookeeper_terms.h"

namespace leasescope {

class ZookeeperModel {
 public:
  static constexpr bool kActs = true;
  using Terms = ZookeeperTerms;
  static ZookeeperModel make(const ModelSetting& setting, const Terms& terms);

  // `first_tick`: so long after the beginning, less than a tick.
  ZookeeperModel(const std::vector<Name>& mutexes, const ZookeeperTerms& terms, Duration first_tick = {});

  // The tag of a session is its place: its number less one.
  bool take(const ServerCall& call, ServerNow now, ServerSteps& out);
  TrueTime deadline(std::uint32_t tag, const SkewedClock<ServerTime>& clock) const;
  void wake(std::uint32_t tag, ServerNow now, ServerSteps& out);
  void disturb(Disturbance what, ServerNow now, ServerSteps& out);
  bool listen(const ServerCall& call);
  const Subscribers& subscribers() const { return subscribers_; }

  // Whose session the lowest child belongs to; empty = there is none.
  Name owner(std::uint32_t mutex) const;
  void fetch(std::uint32_t mutex) const { prefetch(&folders_[mutex]); }

 private:
  struct Session {
    Name client;
    NodeIndex node = 0;
    std::uint32_t mutex = 0;
    bool open = true;
    bool connected = true;      // as far as the server knows
    std::uint64_t events = 0;   // it was told
    std::uint64_t connect = 0;  // the request by which its connection stands
    std::uint64_t create = 0;   // the latest that made a node
    Duration length{};
    TrueTime touched{};  // by the last call of its client
    TrueTime ends{};     // the tick at which nobody waits any longer
  };
  struct Child {
    std::uint32_t number = 0;   // from 1
    std::uint32_t session = 0;  // its place
    Token czxid = kNoToken;
    std::uint64_t word = 0;
    std::vector<std::uint32_t> watchers;  // places of sessions
  };
  struct Folder {
    std::uint32_t last = 0;       // number given
    std::vector<Child> children;  // in order
  };
  // Why a child goes: given back by its client, at its session's time, or by somebody's hand.
  enum class Going : std::uint8_t { kGivenBack, kRanOut, kForced };

  static std::uint32_t place_of(std::uint64_t session) { return static_cast<std::uint32_t>(session - 1); }
  bool is_open(std::uint64_t session) const;
  bool is_dropped(const ServerCall& call) const;
  void touch(std::uint32_t place, TrueTime now);
  void connect(const ServerCall& call, TrueTime now, ServerSteps& out);
  void beat(const ServerCall& call, std::uint32_t place, ServerSteps& out);
  void create(const ServerCall& call, std::uint32_t place, TrueTime now, ServerSteps& out);
  void list(const ServerCall& call, ServerSteps& out);
  void forget_watches(std::uint32_t place);
  void look(const ServerCall& call, std::uint32_t place, ServerSteps& out);
  void erase(const ServerCall& call, TrueTime now, ServerSteps& out);
  void end(std::uint32_t place, SessionEnd how, ServerNow now, ServerSteps& out);
  void remove(std::uint32_t mutex, std::size_t index, Going why, TrueTime now, ServerSteps& out);
  void tell(std::uint32_t watcher, StoreEventKind what, Name whose, ServerStep& step);
  void grant(std::uint32_t mutex, TrueTime now, ServerSteps& out);
  void renew(std::uint32_t place, ServerSteps& out);
  ServerStep& fact(std::uint32_t place, ServerSteps& out) const;
  ServerStep& answer(const ServerCall& call, NodeAnswer answer, ServerSteps& out) const;
  std::vector<Child>::iterator find(std::uint32_t mutex, std::uint32_t number);

  ZookeeperTerms terms_;
  Duration first_tick_{};
  std::vector<Folder> folders_;    // by mutex
  std::vector<Session> sessions_;  // all there ever were
  Token zxid_ = 0;                 // of the last change
  Subscribers subscribers_;
};

}  // namespace leasescope
