// A session that is come back to after each break, for as long as the server keeps it.
#pragma once
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "core/store/server_walk.h"
#include "core/store/store.h"
#include "core/store/zookeeper/pump.h"

namespace leasescope::zookeeper {

class KeptSession {
 public:
  // Told from the loop, never from within a call of this class but abandon().
  struct Events {
    std::function<void()> stands;                          // it is answered, for the first time or again
    std::function<void(const std::string& reason)> broke;  // or could not be reached: it is tried again
    std::function<void()> over;                            // there is no such session any more
  };

  KeptSession(Loop& loop, const StoreUrl& url, ServerWalk::Way way, Events events);
  ~KeptSession() { drop(); }
  KeptSession(const KeptSession&) = delete;
  KeptSession& operator=(const KeptSession&) = delete;

  // A new one; one that there was is ended.
  void begin(Duration span);
  // It ends at the server, which is not waited for.
  void end();
  // Its connection leads nowhere, or is not to be trusted.
  void abandon(const std::string& reason);
  void stand_still(bool still) { pump_.stand_still(still); }

  bool wanted() const { return span_ > Duration::zero(); }  // it stands, or is tried for
  bool stands() const { return stands_; }
  std::uint64_t number() const { return static_cast<std::uint64_t>(identity_.id); }  // 0: there is none yet
  Duration span() const { return span_; }
  // While it stands. After a call of it: go_on().
  Session& session() { return *session_; }
  void go_on() { pump_.go_on(); }

 private:
  void open();
  void on_state(Session::State state);
  void drop();
  void lose(const std::string& reason);

  Loop* loop_;
  StoreUrl url_;
  Events events_;
  Resolver resolver_;
  ServerWalk servers_;
  Pump pump_;
  std::unique_ptr<Session> session_;
  Session::Identity identity_;
  Duration span_{};
  BackOff back_off_;
  OneShot again_;
  OneShot burial_;
  std::vector<std::unique_ptr<Session>> buried_;   // of which the library may be in the midst
  std::vector<std::unique_ptr<Session>> closing_;  // likewise, and the server is to end them
  bool stands_ = false;
};

}  // namespace leasescope::zookeeper
