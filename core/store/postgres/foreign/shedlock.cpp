// ShedLock's table: whoever holds has a row that ends later than now. What has no time zone is taken to be in UTC,
// which its user may have set otherwise.
#include "core/store/postgres/foreign/row_forms.h"

namespace leasescope::postgres {
namespace {

constexpr const char* kPresent = "select (to_regclass('shedlock') is not null)::int";

// The seconds of a timestamp with a time zone are those since 1970 UTC; without one, as if it were in UTC. A lock that
// will be taken is of another zone.
constexpr const char* kSql = R"(
select name, locked_by, 0, floor((extract(epoch from lock_until) - now_s) * 1000)::int8, 'locked at ' || locked_at
from shedlock, (select extract(epoch from clock_timestamp()) as now_s) as t
where extract(epoch from lock_until) > now_s and extract(epoch from locked_at) < now_s + 60
order by name collate "C" limit 1000)";

}  // namespace

RowForm shedlock() { return {"ShedLock", "lock", true, false, kPresent, kSql}; }

}  // namespace leasescope::postgres
