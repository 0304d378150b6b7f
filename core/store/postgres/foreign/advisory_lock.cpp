// pg_advisory_lock and its kin: by one number of 64 bits or two of 32, held by a session or a transaction.
#include "core/store/postgres/foreign/row_forms.h"

namespace leasescope::postgres {
namespace {

// The catalogue has each half without a sign.
constexpr const char* kSql = R"(
select * from (
  select case when l.objsubid = 1 then (l.classid::int8 << 32 | l.objid::int8)::text
              else format('%s, %s', (l.classid::int8 << 32) >> 32, (l.objid::int8 << 32) >> 32) end as mutex,
         format('pid %s %s%s', l.pid, coalesce(nullif(a.application_name, ''), a.usename), '@' || host(a.client_addr)) as who,
         (not l.granted)::int as waits, null as left_ms, l.mode
  from pg_locks l left join pg_stat_activity a on a.pid = l.pid
  where l.locktype = 'advisory' and l.database = (select oid from pg_database where datname = current_database())) as t
order by mutex collate "C", waits, who limit 1000)";

bool shares(std::string_view mode) { return mode == "ShareLock"; }

}  // namespace

RowForm advisory_lock() { return {"PostgreSQL", "advisory lock", false, false, nullptr, kSql, shares}; }

}  // namespace leasescope::postgres
