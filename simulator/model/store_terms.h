// What a scenario says about the servers it models.
#pragma once
#include <string_view>

#include "core/base/describe.h"
#include "core/store/port.h"
#include "core/time/clock.h"
#include "simulator/fault/port.h"

namespace leasescope {

struct RedisTerms {
  static constexpr std::string_view kName = "redis";
  static constexpr bool carries(Family family) { return family == Family::kLease; }
  static constexpr bool suffers(Disturbance what) {
    return what == Disturbance::kReplicaCut || what == Disturbance::kFailover;
  }
  static constexpr bool wakes(WakeUp) { return true; }
  using Model = class RedisModel;

  bool persistence = true;  // a restart keeps the keys
  bool replica = false;     // asynchronous: it has what the leader had `replication_lag` ago
  Duration replication_lag = std::chrono::milliseconds(1);

  template <class Keys>
  static void describe(Keys& keys) {
    keys.truth("persistence", &RedisTerms::persistence, "a restart keeps the keys");
    keys.truth("replica", &RedisTerms::replica, "it has one, which follows asynchronously");
    keys.span("replication_lag", &RedisTerms::replication_lag, Duration::zero(), "by so much");
  }
  bool operator==(const RedisTerms&) const = default;
};

struct SqlTerms {
  static constexpr std::string_view kName = "sql";
  static constexpr bool carries(Family family) { return family == Family::kLease; }
  using Model = class SqlModel;

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

  template <class Keys>
  static void describe(Keys& keys);
  bool operator==(const SqlTerms&) const = default;
};

constexpr std::string_view text(SqlTerms::Statement statement) {
  return statement == SqlTerms::Statement::kUpdate ? "update" : "for-update";
}
constexpr std::string_view text(SqlTerms::Now now) {
  return now == SqlTerms::Now::kTransaction ? "transaction" : "clock";
}

template <class Keys>
void SqlTerms::describe(Keys& keys) {
  constexpr int kMostConnections = 1000;
  keys.word("statement", &SqlTerms::statement,
            {{text(Statement::kForUpdate), Statement::kForUpdate}, {text(Statement::kUpdate), Statement::kUpdate}},
            "for-update: ours; update: Simba's");
  keys.word("now", &SqlTerms::now, {{text(Now::kClock), Now::kClock}, {text(Now::kTransaction), Now::kTransaction}},
            "clock: what the clock shows; transaction: when the transaction began");
  keys.number("pool", &SqlTerms::pool, 1, kMostConnections, "connections of one contender's process");
}

}  // namespace leasescope
