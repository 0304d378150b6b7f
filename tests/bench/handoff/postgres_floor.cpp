// NOTIFY by one connection, received by another, then the function that acquires, prepared, by a third: a waiter has
// two.
#include <libpq-fe.h>
#include <poll.h>

#include <stdexcept>
#include <string>

#include "core/store/postgres/texts.h"
#include "tests/bench/handoff/floor.h"
#include "tests/bench/handoff/postgres_connection.h"

namespace leasescope::bench {
namespace {

class PostgresFloor final : public Floor {
 public:
  explicit PostgresFloor(const StoreUrl& url)
      : owner_(connect_postgres(url)), messages_(connect_postgres(url)), requests_(connect_postgres(url)) {
    carry_out(owner_, postgres::table_sql(Family::kLease).c_str());
    carry_out(requests_, postgres::session_sql(Family::kLease).c_str());
    carry_out(requests_,
              "PREPARE acquire AS SELECT * FROM pg_temp.leasescope_contend('leasescope-floor', 'waiter', 5000, 10000, "
              "'leasescope_floor_acquired', false, true, 0)");
    carry_out(requests_,
              "PREPARE release AS UPDATE simba_mutex SET owner_id = '', transition_at = 0 "
              "WHERE mutex = 'leasescope-floor'");
    carry_out(messages_, "LISTEN leasescope_floor");
  }

  Watch::duration sample() override {
    const auto begin = Watch::now();
    say(owner_, "NOTIFY leasescope_floor, 'released'");
    hear();
    carry_out(requests_, "EXECUTE acquire");
    const auto took = Watch::now() - begin;
    carry_out(requests_, "EXECUTE release");
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
