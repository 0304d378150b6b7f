// What a scenario says about the servers it models.
#pragma once
#include <string_view>

#include "core/time/clock.h"

namespace leasescope {

struct RedisTerms {
  bool persistence = true;  // a restart keeps the keys
  bool replica = false;     // asynchronous: it has what the leader had `replication_lag` ago
  Duration replication_lag = std::chrono::milliseconds(1);

  bool operator==(const RedisTerms&) const = default;
};

struct SqlTerms {
  enum class Statement : std::uint8_t {
    kForUpdate,  // our function on PostgreSQL: SELECT … FOR UPDATE, then the clock, then UPDATE
    kUpdate,     // Simba's on MySQL: one UPDATE, whose times are taken before it waits for the row
  };
  enum class Now : std::uint8_t {
    kClock,        // clock_timestamp(): what the clock shows
    kTransaction,  // now(): what it showed when the transaction began
  };

  Statement statement = Statement::kForUpdate;
  Now now = Now::kClock;
  int pool = 10;  // connections of one contender's process

  bool operator==(const SqlTerms&) const = default;
};

constexpr std::string_view text(SqlTerms::Statement statement) {
  return statement == SqlTerms::Statement::kUpdate ? "update" : "for-update";
}
constexpr std::string_view text(SqlTerms::Now now) {
  return now == SqlTerms::Now::kTransaction ? "transaction" : "clock";
}

}  // namespace leasescope
