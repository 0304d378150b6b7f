// One connection to PostgreSQL that keeps coming back: connect, set the session up, serve one statement at a time.
#pragma once
#include <deque>
#include <functional>
#include <string>
#include <vector>

#include "core/loop/one_shot.h"
#include "core/store/postgres/conninfo.h"
#include "core/store/postgres/intake.h"
#include "core/store/resolver.h"
#include "core/store/store.h"

typedef struct pg_result PGresult;

namespace leasescope::postgres {

struct Statement {
  std::string sql;
  std::vector<std::string> parameters;  // none: may hold several statements
  std::function<void()> sent;
  // The last result of it; null when the line broke first.
  std::function<void(const PGresult*)> done;
};

class PostgresLine {
 public:
  // Called from the loop, never from within a call of this class. `down` also tells of failed attempts.
  struct Events {
    std::function<void()> up;
    std::function<void(const std::string&)> down;
    std::function<void(std::string_view channel, std::string_view payload)> notified;
  };

  // `session`: what is said before it is up, one statement or message of several after another.
  PostgresLine(Loop& loop, const StoreUrl& url, const Endpoint& endpoint, std::vector<std::string> session,
               Events events);
  ~PostgresLine();
  PostgresLine(const PostgresLine&) = delete;
  PostgresLine& operator=(const PostgresLine&) = delete;

  void connect();
  // Gives the connection up, with all that is on its way to the server, and makes a new one.
  void abandon(const std::string& reason);
  bool up() const { return up_; }
  // Sends at once or, while another is under way, after it. False when the line is not up.
  bool run(Statement statement);

 private:
  void open();
  void start(const Addresses& addresses);
  void poll();
  void set_up();
  void on_set_up(const PGresult* result);
  bool begin_next();
  void on_readable();
  void take_results();
  void flush();
  void on_broken(const std::string& reason);
  void drop(bool hard);
  void watch(bool read, bool on, void (PostgresLine::*what)());

  Loop* loop_;
  StoreUrl url_;
  Endpoint endpoint_;
  Resolver resolver_;
  Resolver::Ticket looks_up_;
  std::size_t attempts_ = 0;  // which of the host's addresses comes next
  std::vector<std::string> session_;
  Events events_;
  PGconn* connection_ = nullptr;
  bool open_ = false;  // connecting or connected
  Intake intake_;
  Loop::WatchId reads_ = 0;
  Loop::WatchId writes_ = 0;
  BackOff back_off_;
  OneShot timer_;                     // of the connection attempt, and between attempts
  OneShot broken_;                    // a break is told of at the loop's next turn
  std::deque<Statement> statements_;  // the first is under way when `busy_`
  PGresult* last_ = nullptr;
  bool busy_ = false;
  bool up_ = false;
};

}  // namespace leasescope::postgres
