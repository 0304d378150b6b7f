// ZooKeeper as a live store of fenced locks: a node a call in the line of its mutex, whose first holds; one a
// contender. What is entered once more, and what was answered to which call, is remembered here: a session is of one
// process, and when that is gone nobody asks.
#pragma once
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "core/loop/one_shot.h"
#include "core/store/calls.h"
#include "core/store/store.h"
#include "core/store/zookeeper/kept_session.h"

namespace leasescope::zookeeper {

class LockStore final : public Store {
 public:
  LockStore(Loop& loop, const StoreUrl& url, const StoreRoute& route, WireNames& names, StoreListener& listener);

  // There is nothing to connect before a session is asked for.
  void connect() override;
  bool connected() const override { return ready_; }
  void send(const Request& request) override;
  void stand_still(bool still) override { kept_.stand_still(still); }

 private:
  void hand_on(const Request& request);
  struct Memo {
    SessionAnswer answer = SessionAnswer::kDone;
    Token fence = kNoToken;
    std::uint64_t count = 0;
  };
  // A thread of the session: its place in the line, if it has one.
  struct Endpoint {
    explicit Endpoint(Loop& loop) : gives_up(loop) {}
    std::uint64_t uid = 0;  // of the call that its place is of
    std::string path;       // empty: not made yet, or nobody knows
    Token fence = kNoToken;
    std::uint64_t count = 0;    // it holds so often
    bool waits = false;         // it has a place and does not hold
    bool making = false;        // its node is on its way
    bool over = false;          // it has waited long enough
    std::uint64_t call = 0;     // that is to be answered; 0: nobody asks
    std::uint64_t leaving = 0;  // the unlock that takes its node away
    OneShot gives_up;
    std::map<std::uint64_t, Memo> locks, unlocks;  // answers, by uid
  };
  using Listed = std::function<void(const std::vector<std::string>& line)>;

  void on_stands();
  void on_broke(const std::string& reason);
  void on_over();

  void open(const Request& request);
  void lock(std::uint64_t id);
  void unlock(std::uint64_t id);
  void query(std::uint64_t id);
  void close(std::uint64_t id, std::vector<std::string> paths);
  void beat(std::uint64_t id);

  Endpoint& endpoint(std::uint32_t thread);
  // Of that call's place, as long as it has one: what was asked before may be answered when it has none any more.
  Endpoint* placed(std::uint32_t thread, std::uint64_t uid);
  void take_place(Endpoint& of, const Request& request);
  void make(std::uint32_t thread, std::uint64_t uid);
  void make_folders(std::uint32_t thread, std::uint64_t uid, std::vector<std::string> folders);
  // Whether its node was made nobody has heard: the line tells.
  void resolve(std::uint32_t thread);
  void examine(std::uint32_t thread);
  void look_ahead(std::uint32_t thread, std::uint64_t uid, const std::string& before);
  void examine_all();
  // Nodes of this session that are of no call any more.
  void sweep();
  void grant(std::uint32_t thread, std::uint64_t uid);
  void give_up(std::uint32_t thread, std::uint64_t uid);
  void cancel(Endpoint& of);
  void leave(Endpoint& of);
  void re_enter(std::uint64_t id, Endpoint& of);
  // Its node is gone though it should not be: whoever took it away, the lock is lost.
  void lost(std::uint64_t id, std::uint32_t thread);
  void answer_call(Endpoint& of, const Memo& memo);

  void list(Listed listed);
  // Of what is not ok: true, and the call has ended or will.
  bool failed(std::uint64_t id, Outcome outcome, const std::string& error);
  // The same call was answered before; and the session lasts.
  void answer_again(std::uint64_t id, const Memo& memo);
  void answer(std::uint64_t id, SessionAnswer with, std::uint64_t number = 0, Token token = kNoToken);
  void answer_soon(std::uint64_t id, SessionAnswer with);
  bool of_this_session(const Request& request) const;

  Loop* loop_;
  WireNames* names_;
  StoreListener* listener_;
  Calls calls_;
  KeptSession kept_;
  Name mutex_;
  Name contender_;
  std::string folder_;
  std::map<std::uint32_t, Endpoint> endpoints_;  // by thread
  std::vector<std::uint64_t> questions_;         // that wait for a session, whichever
  std::uint64_t opening_ = 0;                    // the call that wants one
  bool strays_ = false;                          // such a node may have been made
  bool given_ = false;                           // the contender knows of it
  bool ready_ = false;
  bool told_ = false;  // that it is connected
  OneShot soon_;
};

}  // namespace leasescope::zookeeper
