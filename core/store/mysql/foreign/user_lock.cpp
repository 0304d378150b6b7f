// GET_LOCK: a name, held by a connection, of which the performance schema tells.
#include "core/store/mysql/foreign/row_forms.h"

namespace leasescope::mysql {
namespace {

constexpr const char* kSql =
    "select m.object_name, concat('connection ', coalesce(t.processlist_id, 0), ' ', coalesce(t.processlist_user, ''), "
    "'@', coalesce(t.processlist_host, '')), m.lock_status = 'PENDING', null, m.lock_type "
    "from performance_schema.metadata_locks m join performance_schema.threads t on t.thread_id = m.owner_thread_id "
    "where m.object_type = 'USER LEVEL LOCK' and m.lock_status in ('GRANTED', 'PENDING') "
    "order by cast(m.object_name as binary), 3, t.processlist_id limit 1000";

}  // namespace

RowForm user_lock() { return {"MySQL", "GET_LOCK", false, false, kSeesMetadataLocks, kSql}; }

}  // namespace leasescope::mysql
