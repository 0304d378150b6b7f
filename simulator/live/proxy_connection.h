// One connection through the fault proxy: a client's descriptor, the server's, and what is under way between them.
#pragma once
#include <deque>
#include <memory>
#include <string>

#include "core/loop/one_shot.h"
#include "core/store/connector.h"
#include "simulator/live/fault_proxy.h"

namespace leasescope {

class FaultProxy::Connection {
 public:
  Connection(FaultProxy& proxy, int client);
  ~Connection();

  // Begins to connect upstream.
  void open();
  void pump();
  void end(bool hard);

 private:
  struct Chunk {
    TrueTime due{};
    std::string bytes;
  };
  // One direction: what was read from `from` and is to be written to `to`.
  struct Pipe {
    explicit Pipe(Loop& loop) : timer(loop) {}
    int from = -1;
    int to = -1;
    std::deque<Chunk> chunks;
    std::size_t kept = 0;  // bytes of them
    bool ended = false;    // `from` will say no more
    Loop::WatchId reads = 0;
    Loop::WatchId writes = 0;
    OneShot timer;
  };

  void on_upstream_connected(int server);
  void read(Pipe& pipe);
  void watch(Pipe& pipe);
  void take(Pipe& pipe, std::size_t size);
  // False when the connection is over.
  bool pump(Pipe& pipe);
  // The client is gone; what is held of it still goes on, and the answers it has not had are read here.
  void outlive_client();
  bool wait_for_late_answers();
  void read_late_answers(std::string_view bytes);
  bool is_up(const Pipe& pipe) const { return &pipe == &up_; }
  bool held(const Pipe& pipe) const;
  bool stalled(const Pipe& pipe) const;
  void unwatch(Pipe& pipe);

  FaultProxy* proxy_;
  Loop* loop_;
  Connector connector_;
  int client_;
  int server_ = -1;
  bool connected_ = false;
  Pipe up_;
  Pipe down_;
  std::unique_ptr<PushFilter> filter_;
  std::unique_ptr<LateAnswers> late_answers_;  // once its client is gone
  TrueTime asked_at_{};                        // what went to the server last did so then
  bool unanswered_ = false;
};

}  // namespace leasescope
