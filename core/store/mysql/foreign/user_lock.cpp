// GET_LOCK: a name, held by a connection. The performance schema tells of them where it is on and looks at metadata
// locks: so it is on MySQL 8 unless it was told otherwise, and on MariaDB where it was told to.
#include "core/store/mysql/foreign/row_forms.h"

namespace leasescope::mysql {
namespace {

constexpr const char* kPresent =
    "select count(*) from performance_schema.setup_instruments "
    "where name = 'wait/lock/metadata/sql/mdl' and enabled = 'YES' and @@performance_schema = 1";

constexpr const char* kSql =
    "select m.object_name, concat('connection ', coalesce(t.processlist_id, 0), ' ', coalesce(t.processlist_user, ''), "
    "'@', coalesce(t.processlist_host, '')), m.lock_status = 'PENDING', null, m.lock_type "
    "from performance_schema.metadata_locks m join performance_schema.threads t on t.thread_id = m.owner_thread_id "
    "where m.object_type = 'USER LEVEL LOCK' and m.lock_status in ('GRANTED', 'PENDING') "
    "order by cast(m.object_name as binary), 3, t.processlist_id limit 1000";

}  // namespace

RowForm user_lock() { return {"MySQL", "GET_LOCK", false, false, kPresent, kSql}; }

}  // namespace leasescope::mysql
