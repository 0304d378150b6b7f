// A table whose metadata somebody has locked and somebody else waits for: LOCK TABLES, or an ALTER behind a transaction
// that is left open. What MariaDB's plug-in metadata_lock_info shows is not read: of those who wait it has none.
#include "core/store/mysql/foreign/row_forms.h"

namespace leasescope::mysql {
namespace {

// Each kind of lock is a bit; what somebody waits for is at odds with those kinds whose bits it has here, as the
// server's own table says; one that is not named is at odds with all, and all with it. Who has the table already and
// waits for more of it, as an ALTER does, is one of those who wait.
constexpr const char* kSql = R"(
select concat('table ', l.object_schema, '.', l.object_name),
       coalesce(concat('connection ', t.processlist_id, ' ', t.processlist_user, '@', t.processlist_host),
                concat('thread ', l.owner_thread_id)),
       l.waits, null, l.how
from (
  select m.object_schema, m.object_name, m.owner_thread_id, max(m.lock_status = 'PENDING') as waits,
         coalesce(group_concat(distinct if(m.lock_status = 'PENDING', m.lock_type, null)),
                  group_concat(distinct m.lock_type)) as how
  from (
    select object_schema, object_name,
           bit_or(case lock_type when 'SHARED' then 128 when 'SHARED_HIGH_PRIO' then 128 when 'SHARED_READ' then 192
                                 when 'SHARED_WRITE' then 240 when 'SHARED_WRITE_LOW_PRIO' then 240
                                 when 'SHARED_UPGRADABLE' then 232 when 'SHARED_READ_ONLY' then 196
                                 when 'SHARED_NO_WRITE' then 236 when 'SHARED_NO_READ_WRITE' then 254
                                 else 255 end) as at_odds
    from performance_schema.metadata_locks where object_type = 'TABLE' and lock_status = 'PENDING'
    group by object_schema, object_name) w
  join performance_schema.metadata_locks m
    on m.object_type = 'TABLE' and m.object_schema = w.object_schema and m.object_name = w.object_name
  where m.lock_status = 'PENDING' or (m.lock_status = 'GRANTED' and w.at_odds &
    case m.lock_type when 'SHARED' then 1 when 'SHARED_HIGH_PRIO' then 1 when 'SHARED_READ' then 2
                     when 'SHARED_WRITE' then 4 when 'SHARED_WRITE_LOW_PRIO' then 4 when 'SHARED_UPGRADABLE' then 8
                     when 'SHARED_READ_ONLY' then 16 when 'SHARED_NO_WRITE' then 32 when 'SHARED_NO_READ_WRITE' then 64
                     when 'EXCLUSIVE' then 128 else 255 end)
  group by m.object_schema, m.object_name, m.owner_thread_id) l
left join performance_schema.threads t on t.thread_id = l.owner_thread_id
order by cast(concat('table ', l.object_schema, '.', l.object_name) as binary), l.waits, l.owner_thread_id limit 1000)";

// Of the kinds that a connection has each.
bool shares(std::string_view kinds) {
  const auto has = [&](std::string_view kind) { return kinds.find(kind) != std::string_view::npos; };
  return has("SHARED") && !has("EXCLUSIVE") && !has("SHARED_NO_READ_WRITE");
}

}  // namespace

RowForm metadata_lock() { return {"MySQL", "metadata lock", false, true, kSeesMetadataLocks, kSql, shares}; }

}  // namespace leasescope::mysql
