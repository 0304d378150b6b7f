// A row that somebody has locked and somebody else waits for: only then the catalogue knows of it.
#include "core/store/postgres/foreign/row_forms.h"

namespace leasescope::postgres {
namespace {

// Who waits first has the row's place in the line, and waits for the transaction that has the row. All is read at one
// moment.
constexpr const char* kSql = R"(
with l as materialized (select * from pg_locks),
line as (
  select format('%s row (%s,%s)', relation::regclass, page, tuple) as mutex, pid, granted, mode from l
  where locktype = 'tuple' and database = (select oid from pg_database where datname = current_database())),
holder as (
  select distinct line.mutex, h.pid from line
  join l w on w.pid = line.pid and w.locktype = 'transactionid' and not w.granted
  join l h on h.locktype = 'transactionid' and h.granted and h.transactionid = w.transactionid
  where line.granted),
those as (
  select mutex, pid, 0 as waits, 'holds the row' as how from holder
  union all select mutex, pid, 1, mode from line where mutex in (select mutex from holder))
select t.mutex, format('pid %s %s%s', t.pid, coalesce(nullif(a.application_name, ''), a.usename),
                       '@' || host(a.client_addr)), t.waits, null, t.how
from those t left join pg_stat_activity a on a.pid = t.pid order by t.mutex collate "C", t.waits, t.pid limit 1000)";

}  // namespace

RowForm row_lock() { return {"PostgreSQL", "row lock", false, true, nullptr, kSql}; }

}  // namespace leasescope::postgres
