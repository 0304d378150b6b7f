// The locks of other makers that are known on MySQL and MariaDB.
#pragma once
#include <vector>

#include "core/store/row_form.h"

namespace leasescope::mysql {

RowForm user_lock();
RowForm shedlock();

const std::vector<RowForm>& row_forms();

}  // namespace leasescope::mysql
