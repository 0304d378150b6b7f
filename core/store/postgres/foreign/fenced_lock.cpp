// Our own fenced locks: who holds and for how long his session lasts yet, who waits in which order, by the database's
// clock. Whoever calls next ends a session that is over; until then its row is there, and nobody holds.
#include "core/store/postgres/foreign/row_forms.h"

namespace leasescope::postgres {
namespace {

constexpr const char* kPresent = "select (to_regclass('leasescope_lock') is not null)::int";

// Almost every contender calls by its thread 1 alone. A lock's row stays for ever: where there are many, those that
// nobody has are left out, as only so many rows are read.
constexpr const char* kSql = R"(
with t as (select floor(extract(epoch from clock_timestamp()) * 1000000)::int8 as now_us),
s as (select x.session, x.owner_id, x.expires - t.now_us as left_us from leasescope_session x, t),
l as (
  select k.mutex, k.held, k.fence, k.thread, k.session, s.owner_id, coalesce(s.left_us, 0) as left_us
  from leasescope_lock k left join s on s.session = k.session),
those as (
  select mutex::text as mutex, owner_id || case when thread = 1 then '' else ', thread ' || thread end as who, 0 as part,
         left_us / 1000 as left_ms, format('session %s, thread %s, entered %s times', session, thread, held) as how,
         fence, 0::int8 as place
  from l where held > 0 and left_us > 0
  union all
  select mutex, '', 2, null, format('the session of %s is over, and not ended yet', coalesce(owner_id, 'somebody')),
         fence, 0
  from l where held > 0 and left_us <= 0
  union all
  select mutex, '', 2, null, '', fence, 0 from l where held = 0 and (select count(*) from leasescope_lock) <= 500
  union all
  select w.mutex, s.owner_id || case when w.thread = 1 then '' else ', thread ' || w.thread end, 1, null,
         format('session %s for %s ms, thread %s, fence %s', w.session, s.left_us / 1000, w.thread, w.fence), w.fence,
         w.fence
  from leasescope_waiter w join s on s.session = w.session, t
  where s.left_us > 0 and coalesce(w.gives_up > t.now_us, true))
select mutex, who, part, left_ms, how, fence from those order by mutex collate "C", part = 1, place limit 1000)";

}  // namespace

RowForm fenced_lock() { return {kOwnMaker, "fenced lock", false, false, kPresent, kSql, nullptr, true, true}; }

}  // namespace leasescope::postgres
