// One connection through the fault proxy: a client's descriptor, the server's, and what is under way between them.
#pragma once
#include <memory>
#include <string>

#include "core/loop/one_shot.h"
#include "core/store/connector.h"
#include "simulator/live/fault_proxy.h"
#include "simulator/live/proxy_pipe.h"

namespace leasescope {

class FaultProxy::Connection {
 public:
  Connection(FaultProxy& proxy, int client);
  ~Connection();

  // Begins to connect upstream.
  void open();
  void pump();
  // It ends, and the proxy forgets it. `both`: with the reset also towards the server.
  void give_up(bool hard, bool both = false);
  // The other side is gone without a word, for both ends.
  void die();
  bool died() const { return died_; }
  Pipe& pipe(LinkDirection direction) { return direction == LinkDirection::kToStore ? up_ : down_; }
  // What is armed has changed.
  void look_at_lifetime();

 private:
  void on_upstream_connected(int server);
  void read(Pipe& pipe);
  void watch(Pipe& pipe);
  int& from(const Pipe& pipe) { return is_up(pipe) ? client_ : server_; }
  int& to(const Pipe& pipe) { return is_up(pipe) ? server_ : client_; }
  Loop::WatchId& reads(const Pipe& pipe) { return is_up(pipe) ? reads_up_ : reads_down_; }
  bool& heard_all(const Pipe& pipe) { return is_up(pipe) ? heard_all_up_ : heard_all_down_; }
  void on_end_of(Pipe& pipe, bool broken);
  // False when the connection is over.
  bool pump(Pipe& pipe);
  void end(bool hard, bool both = false);
  bool finish(Pipe& pipe);
  void live_out(const Toxic& toxic);
  // The client is gone; what is held of it still goes on, and the answers it has not had are read here.
  void outlive_client();
  bool wait_for_late_answers();
  void read_late_answers(std::string_view bytes);
  bool is_up(const Pipe& pipe) const { return &pipe == &up_; }

  FaultProxy* proxy_;
  Loop* loop_;
  Connector connector_;
  int client_;
  int server_ = -1;
  std::uint64_t number_;
  TrueTime began_;
  bool connected_ = false;
  bool died_ = false;
  Asked asked_;
  Pipe up_;
  Pipe down_;
  Loop::WatchId reads_up_ = 0;
  Loop::WatchId reads_down_ = 0;
  bool heard_all_up_ = false;  // that end will say no more
  bool heard_all_down_ = false;
  OneShot life_;
  std::unique_ptr<LateAnswers> late_answers_;  // once its client is gone
  bool unanswered_ = false;
};

}  // namespace leasescope
