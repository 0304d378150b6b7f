// NOTIFY by one connection, received by another, then the statement that acquires by a third: a waiter has two.
//
// The connections are as old as those of a hand-off with one waiting, where each contender comes anew, acquires or is
// told that another one owns, and waits: a server's process writes slower for the first time than for the hundredth
// (with connections that stay, floor and hand-off are shorter by a fifth each). Of several who wait most have been
// there for longer.
#include <libpq-fe.h>
#include <poll.h>

#include <stdexcept>
#include <string>

#include <fmt/format.h>

#include "core/store/postgres/texts.h"
#include "tests/bench/handoff/floor.h"
#include "tests/bench/handoff/postgres_connection.h"

namespace leasescope::bench {
namespace {

class PostgresFloor final : public Floor {
 public:
  explicit PostgresFloor(const StoreUrl& url) : url_(url) {
    carry_out(connect_postgres(url), postgres::table_sql(Family::kLease).c_str());
  }

  void prepare() override {
    owner_ = contender();
    requests_ = contender();
    messages_ = connect_postgres(url_);
    carry_out(messages_, "LISTEN leasescope_floor");
    carry_out(owner_, contend("owner").c_str());
    carry_out(requests_, contend("waiter").c_str());  // is told that the other one owns
    carry_out(owner_, kFree);                         // unheard
  }

  Watch::duration sample() override {
    const std::string acquire = contend("waiter");
    const auto begin = Watch::now();
    say(owner_, "NOTIFY leasescope_floor, 'released'");
    hear();
    carry_out(requests_, acquire.c_str());
    const auto took = Watch::now() - begin;
    answered(owner_);
    carry_out(requests_, kFree);
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

  static constexpr const char* kFree =
      "UPDATE simba_mutex SET owner_id = '', transition_at = 0 WHERE mutex = 'leasescope-floor'";

  PostgresConnection contender() const {
    PostgresConnection out = connect_postgres(url_);
    carry_out(out, postgres::session_sql(Family::kLease).c_str());
    return out;
  }

  static std::string contend(const char* who) {
    return fmt::format(
        "EXECUTE leasescope_contend('leasescope-floor', '{}', 5000, 10000, 'leasescope_acquired', "
        "false, true, 0)",
        who);
  }

  StoreUrl url_;
  PostgresConnection owner_, messages_, requests_;
};

}  // namespace

std::unique_ptr<Floor> postgres_floor(const StoreUrl& url) { return std::make_unique<PostgresFloor>(url); }

}  // namespace leasescope::bench
