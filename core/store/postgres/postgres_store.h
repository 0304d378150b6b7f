// PostgreSQL as a live store: Simba's table or registers', one function call a request, LISTEN on a line of its
// own; one a contender.
#pragma once
#include <string>
#include <vector>

#include "core/store/lease_store.h"
#include "core/store/postgres/postgres_line.h"

namespace leasescope::postgres {

class PostgresStore final : public LeaseStore {
 public:
  // `url` gives login, database and libpq's options; the endpoints are the route's. `lock_timeout` bounds every wait
  // for a row inside the server.
  // Messages are of leases alone.
  PostgresStore(Loop& loop, const StoreUrl& url, Family family, const StoreRoute& route, Duration lock_timeout,
                WireNames& names, StoreListener& listener);

 private:
  void subscribe(const Request& request) override;
  void unsubscribe(const Request& request) override;
  void send_lease_call(const Request& request) override;
  void send_cell_call(const Request& request) override;
  void line_stands() override;
  // A statement of that call on that line.
  void run(PostgresLine& line, std::uint64_t id, std::string sql, std::vector<std::string> parameters = {},
           bool prepared = false);
  void on_result(std::uint64_t id, const PGresult* result);

  Loop* loop_;
  PostgresLine requests_;
  PostgresLine messages_;
};

}  // namespace leasescope::postgres
