// PostgreSQL as a live store: Simba's table, registers' or those of fenced locks, one function call a request, LISTEN
// on a line of its own; one a contender.
#pragma once
#include <string>
#include <vector>

#include "core/store/lease_store.h"
#include "core/store/postgres/postgres_line.h"
#include "core/store/postgres/waits.h"

namespace leasescope::postgres {

class PostgresStore final : public LeaseStore {
 public:
  // `url` gives login, database and libpq's options; the endpoints are the route's. `lock_timeout` bounds every wait
  // for a row inside the server.
  // Messages are of leases and of fenced locks.
  PostgresStore(Loop& loop, const StoreUrl& url, Family family, const StoreRoute& route, Duration lock_timeout,
                WireNames& names, StoreListener& listener);

  void stand_still(bool still) override { waits_.stand_still(still); }

 private:
  void subscribe(const Request& request) override;
  void unsubscribe(const Request& request) override;
  void send_lease_call(const Request& request) override;
  const std::string& its_channel(Name mutex);
  void send_cell_call(const Request& request) override;
  void send_session_call(const Request& request) override;
  bool only_waited(const Request& request) override;
  void line_stands() override;
  void line_broke(bool messages) override;
  // A statement of that call on that line.
  bool run(PostgresLine& line, std::uint64_t id, std::string sql, std::vector<std::string> parameters = {},
           bool prepared = false);
  void on_result(std::uint64_t id, const PGresult* result);
  void on_session_result(const Request& request, const PGresult* result, Reply& answer);
  void on_message(std::string_view channel, std::string_view payload);
  void look(std::uint64_t id);
  // For messages to that session's waiters.
  void listen_for(std::uint64_t session);

  Loop* loop_;
  Family family_;
  Waits waits_;
  std::uint64_t session_ = 0;  // the one that was opened last
  Name channel_is_of_;
  std::string own_channel_;
  PostgresLine requests_;
  PostgresLine messages_;
};

}  // namespace leasescope::postgres
