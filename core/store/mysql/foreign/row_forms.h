// The locks of other makers that are known on MySQL and MariaDB.
#pragma once
#include <vector>

#include "core/store/row_form.h"

namespace leasescope::mysql {

// Both lie in one table: where the performance schema is on and looks at metadata locks. So it is on MySQL 8 unless it
// was told otherwise, and on MariaDB where it was told to.
inline constexpr const char* kSeesMetadataLocks =
    "select count(*) from performance_schema.setup_instruments "
    "where name = 'wait/lock/metadata/sql/mdl' and enabled = 'YES' and @@performance_schema = 1";

RowForm user_lock();
RowForm metadata_lock();
RowForm shedlock();

const std::vector<RowForm>& row_forms();

}  // namespace leasescope::mysql
