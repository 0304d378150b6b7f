// ZooKeeper as a live store of nodes: Curator's LeaderLatch form under /simba/<mutex>; one a contender. A connection is
// made and lost for its contender, who keeps the time of its session; this adapter connects when it is asked to.
#pragma once
#include <map>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include "core/loop/one_shot.h"
#include "core/store/calls.h"
#include "core/store/server_walk.h"
#include "core/store/store.h"
#include "core/store/zookeeper/pump.h"

namespace leasescope::zookeeper {

class ZookeeperStore final : public Store {
 public:
  ZookeeperStore(Loop& loop, const StoreUrl& url, const StoreRoute& route, WireNames& names, StoreListener& listener);
  ~ZookeeperStore() override;

  // There is nothing to connect before a session is asked for.
  void connect() override;
  bool connected() const override { return ready_; }
  void send(const Request& request) override;
  void stand_still(bool still) override { pump_.stand_still(still); }

 private:
  void hand_on(const Request& request);
  void open(const Request& request);
  void begin(const Endpoint& address);
  void on_state(Session::State state);
  // The connection is no more: what was on its way ends unknown, and the contender hears of it.
  void lose(const std::string& reason);
  void drop();

  void create(std::uint64_t id);
  void make_folders(std::uint64_t id, std::vector<std::string> folders);
  void on_made(std::uint64_t id, const std::string& path, std::int64_t czxid);
  void list(std::uint64_t id);
  void on_listed(const Request& request, const std::vector<std::string>& names);
  void look(std::uint64_t id);
  void remove(std::uint64_t id);
  void close_session(std::uint64_t id);
  void beat(std::uint64_t id);
  void happened(Name mutex);

  // The request of an open call; null when it has ended.
  const Request* call(std::uint64_t id) const { return calls_.find(id); }
  void answer(std::uint64_t id, NodeAnswer with, std::uint64_t number = 0, Token token = kNoToken, Name owner = {});
  void answer_soon(std::uint64_t id, NodeAnswer with);
  // Of what is not ok: true, and the call has ended or will.
  bool failed(std::uint64_t id, Outcome outcome, const std::string& error);
  void lose_soon(const std::string& reason);
  std::string path_of(const Request& request, std::uint32_t node) const;

  Loop* loop_;
  StoreUrl url_;
  WireNames* names_;
  StoreListener* listener_;
  Calls calls_;
  Resolver resolver_;
  ServerWalk servers_;
  std::unique_ptr<Session> session_;
  Session::Identity identity_;                  // of the session that there is, or was
  std::uint64_t opening_ = 0;                   // the call that asked for the connection; 0: it has been answered
  Duration span_{};                             // asked for
  std::uint64_t events_ = 0;                    // told in this session
  std::map<std::uint32_t, std::string> nodes_;  // names by number, as they were seen last
  std::set<std::string> watched_;               // paths of those whose going will be told, on this connection
  std::string own_;                             // path of the node that it made last
  Pump pump_;
  OneShot soon_;
  OneShot goodbye_;  // closes the session
  OneShot burial_;
  std::vector<std::unique_ptr<Session>> buried_;  // of which the library may be in the midst
  bool ready_ = false;
  bool stands_ = false;
};

}  // namespace leasescope::zookeeper
