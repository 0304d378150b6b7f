// MySQL or MariaDB as a live store: Simba's own table, one message a request; one a contender. It tells nobody of a
// release: who waits wakes by its timers.
#pragma once
#include <random>
#include <string>
#include <vector>

#include "core/store/lease_store.h"
#include "core/store/mysql/mysql_line.h"

namespace leasescope::mysql {

class MysqlStore final : public LeaseStore {
 public:
  // `url` gives login, database and options; the endpoint is the route's. `lock_wait` bounds every wait for a row
  // inside the server.
  MysqlStore(Loop& loop, const StoreUrl& url, const StoreRoute& route, Duration lock_wait, WireNames& names,
             StoreListener& listener);

 private:
  void send_lease_call(const Request& request) override;
  void run(std::uint64_t id, const std::string& sql, int attempt = 0);
  void on_answer(std::uint64_t id, const std::string& sql, int attempt, const Answer& answer);
  bool may_retry(const Request& request, unsigned error, int attempt) const;

  Duration lock_wait_;
  MysqlLine requests_;
  std::minstd_rand jitter_{std::random_device{}()};
  bool fenced_ = false;  // its table has a column for tokens
};

}  // namespace leasescope::mysql
