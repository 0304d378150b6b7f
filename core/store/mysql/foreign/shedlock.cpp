// ShedLock's table: whoever holds has a row that ends later than now, in UTC, where its user has not set another zone.
#include "core/store/mysql/foreign/row_forms.h"

namespace leasescope::mysql {
namespace {

constexpr const char* kPresent =
    "select count(*) from information_schema.tables where table_schema = database() and table_name = 'shedlock'";

// A lock that will be taken is of another zone.
constexpr const char* kSql =
    "select name, locked_by, 0, timestampdiff(microsecond, utc_timestamp(3), lock_until) div 1000, "
    "concat('locked at ', locked_at) from shedlock where lock_until > utc_timestamp(3) "
    "and locked_at < utc_timestamp(3) + interval 60 second order by cast(name as binary) limit 1000";

}  // namespace

RowForm shedlock() { return {"ShedLock", "lock", true, false, kPresent, kSql}; }

}  // namespace leasescope::mysql
