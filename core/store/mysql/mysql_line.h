// A line to MySQL: sets its session up, then serves one message at a time.
#pragma once
#include <array>
#include <deque>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "core/loop/one_shot.h"
#include "core/store/address_walk.h"
#include "core/store/connector.h"
#include "core/store/line.h"
#include "core/store/mysql/connection.h"
#include "core/store/mysql/sealed_way.h"

namespace leasescope::mysql {

struct Statement {
  std::string sql;  // may be several
  std::function<void()> sent;
  // Not called when the line broke first.
  std::function<void(const Answer&)> done;
};

class MysqlLine final : public Line {
 public:
  // `session`: what is said before it is up, one message after another; the last one's answer is told to `set_up`.
  MysqlLine(Loop& loop, const StoreUrl& url, const Endpoint& endpoint, std::vector<std::string> session, Events events,
            std::function<void(const Answer&)> set_up);
  ~MysqlLine() override;

  // Sends at once or, while another is under way, after it. False when the line is not up.
  bool run(Statement statement);
  // The server's number for why the line broke last, or was not made; 0: it was not the server's word.
  unsigned error() const { return error_; }

 private:
  void begin() override;
  void drop(bool hard) override;
  std::string in_vain() const override;
  std::string why_broken();
  void on_reached(int descriptor, const Endpoint& address, const Login& login);
  void enter(int descriptor);
  void set_up();
  void on_set_up(const Answer& answer);
  void begin_next();
  void begun(int waits);
  void on_ready(int what);
  void finish();
  void watch(int waits);
  void move();
  void watch_way();

  StoreUrl url_;
  std::vector<std::string> session_;
  std::function<void(const Answer&)> set_up_;
  AddressWalk addresses_;
  Connector connector_;
  std::shared_ptr<const tls::Context> context_;  // kept from one attempt to the next, as others may share it
  std::unique_ptr<SealedWay> way_;               // null: without TLS
  std::unique_ptr<Connection> connection_;
  std::deque<Statement> statements_;
  bool connecting_ = false;
  bool busy_ = false;
  unsigned error_ = 0;
  OneShot over_;
  Loop::WatchId reads_ = 0;
  Loop::WatchId writes_ = 0;
  std::array<Loop::WatchId, 4> way_watches_{};
};

}  // namespace leasescope::mysql
