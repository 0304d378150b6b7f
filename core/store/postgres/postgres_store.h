// PostgreSQL as a live store: Simba's table, one function call a request, LISTEN on a line of its own; one a contender.
#pragma once
#include <string>
#include <vector>

#include "core/store/calls.h"
#include "core/store/postgres/postgres_line.h"
#include "core/store/store.h"

namespace leasescope::postgres {

class PostgresStore : public Store {
 public:
  // `url` gives login, database and libpq's options; the endpoints are the route's. `lock_timeout` bounds every wait
  // for a row inside the server.
  PostgresStore(Loop& loop, const StoreUrl& url, const StoreRoute& route, Duration lock_timeout, WireNames& names,
                StoreListener& listener);

  void connect() override;
  bool connected() const override { return requests_.up() && messages_.up(); }
  void send(const Request& request) override;

 private:
  void line_up();
  void line_down(bool messages, const std::string& reason);
  void listen(const Request& request);
  void unlisten(const Request& request);
  void send_lease_call(const Request& request);
  void on_result(std::uint64_t id, const PGresult* result);
  void on_notified(std::string_view channel, std::string_view payload);

  Loop* loop_;
  WireNames* names_;
  StoreListener* listener_;
  Calls calls_;
  PostgresLine requests_;
  PostgresLine messages_;
  std::string channel_;  // listened to, also after a reconnect; empty = none
  Name mutex_;
  bool told_connected_ = false;
};

}  // namespace leasescope::postgres
