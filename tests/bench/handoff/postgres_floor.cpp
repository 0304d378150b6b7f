// NOTIFY by one connection, received by another, then an UPDATE of one row by a third, as a waiter has two.
#include <libpq-fe.h>
#include <poll.h>

#include <stdexcept>
#include <string>

#include "tests/bench/handoff/floor.h"
#include "tests/bench/handoff/postgres_connection.h"

namespace leasescope::bench {
namespace {

class PostgresFloor final : public Floor {
 public:
  explicit PostgresFloor(const StoreUrl& url)
      : owner_(connect_postgres(url)), messages_(connect_postgres(url)), requests_(connect_postgres(url)) {
    carry_out(owner_, "CREATE TABLE IF NOT EXISTS leasescope_floor (mutex text PRIMARY KEY, owner text)");
    carry_out(owner_, "INSERT INTO leasescope_floor VALUES ('floor', '') ON CONFLICT DO NOTHING");
    carry_out(messages_, "LISTEN leasescope_floor");
  }

  Watch::duration sample() override {
    const auto begin = Watch::now();
    say(owner_, "NOTIFY leasescope_floor, 'released'");
    hear();
    carry_out(requests_, "UPDATE leasescope_floor SET owner = 'waiter' WHERE mutex = 'floor'");
    const auto took = Watch::now() - begin;
    answered(owner_);
    return took;
  }

 private:
  void hear() {
    for (;;) {
      if (PGnotify* message = PQnotifies(messages_.get())) return PQfreemem(message);
      pollfd one{PQsocket(messages_.get()), POLLIN, 0};
      ::poll(&one, 1, -1);
      if (PQconsumeInput(messages_.get()) == 0) throw std::runtime_error(PQerrorMessage(messages_.get()));
    }
  }

  PostgresConnection owner_, messages_, requests_;
};

}  // namespace

std::unique_ptr<Floor> postgres_floor(const StoreUrl& url) { return std::make_unique<PostgresFloor>(url); }

}  // namespace leasescope::bench
