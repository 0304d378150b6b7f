// A line to PostgreSQL: sets its session up, then serves one statement at a time.
#pragma once
#include <deque>
#include <functional>
#include <string>
#include <vector>

#include "core/store/intake.h"
#include "core/store/line.h"
#include "core/store/postgres/conninfo.h"
#include "core/store/server_walk.h"

typedef struct pg_result PGresult;

namespace leasescope::postgres {

struct Statement {
  std::string sql;
  std::vector<std::string> parameters;  // none: may hold several statements
  std::function<void()> sent;
  // The last result of it; null when the line broke first.
  std::function<void(const PGresult*)> done;
  bool prepared = false;  // `sql` is the name of a statement that the session has prepared
};

class PostgresLine final : public Line {
 public:
  using Notified = std::function<void(std::string_view channel, std::string_view payload)>;

  // `session`: what is said before it is up, one statement or message of several after another.
  PostgresLine(Loop& loop, const StoreUrl& url, ServerWalk::Way way, std::vector<std::string> session, Events events,
               Notified notified = {});
  ~PostgresLine() override;

  // Sends at once or, while another is under way, after it. False when the line is not up.
  bool run(Statement statement);
  // The number of the server's process, as it was told at the login; 0 while there is no connection.
  int named_at_login() const;
  // As the server said at the login, "15.8"; empty: it did not, or there is no connection.
  std::string server_version() const;

 private:
  void begin() override;
  void drop(bool hard) override;
  void start(const ServerWalk::Next& next);
  void poll();
  void set_up();
  void on_set_up(const PGresult* result);
  bool begin_next();
  bool send(const Statement& statement);
  void on_readable();
  void take_results();
  void flush();
  void watch(bool read, bool on, void (PostgresLine::*what)());

  StoreUrl url_;
  std::vector<std::string> session_;
  Notified notified_;
  ServerWalk servers_;
  PGconn* connection_ = nullptr;
  Intake intake_;
  Loop::WatchId reads_ = 0;
  Loop::WatchId writes_ = 0;
  std::deque<Statement> statements_;  // the first is under way when `busy_`
  PGresult* last_ = nullptr;
  bool busy_ = false;
};

}  // namespace leasescope::postgres
