// Observers by their names: of each name one records at a time, and while it does its session holds a lock by which all
// others know.
#pragma once
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "core/history/team/schema.h"

namespace leasescope::team {

inline constexpr std::size_t kLongestObserver = 50;  // bytes
// Why an observer cannot have that name; empty where it can.
std::string why_no_observer(const std::string& name);

// Of a row r of leasescope_history.recording: its observer is there and records. Only of the last one of an observer
// the server's locks are looked through.
inline constexpr const char* kRecordsNow =
    "(not exists (select from leasescope_history.recording n where n.observer = r.observer and n.id > r.id) "
    "and exists (select from pg_locks l where l.locktype = 'advisory' and l.granted and l.objsubid = 1 "
    "and l.database = (select d.oid from pg_database d where d.datname = current_database()) "
    "and l.classid::bigint = ((r.name_lock >> 32) & 4294967295) and l.objid::bigint = (r.name_lock & 4294967295)))";

// The lock of one name. Its session holds it until the connection ends, however that ends.
class NameLock {
 public:
  explicit NameLock(std::string observer);

  std::int64_t number() const { return number_; }
  // Whoever holds it may be a session of ours whose connection broke: that one is ended. kAgain: it still is, or it is
  // another's that has fallen silent, whose machine may be gone; kRefused: it is another's.
  Done take(Connection& database);

 private:
  Done look_who(Connection& database);

  std::string observer_;
  std::int64_t number_;
  std::vector<std::pair<std::int64_t, std::string>> ours_;  // processes of the server, and when they began
};

}  // namespace leasescope::team
