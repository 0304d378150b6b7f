// The locks of other makers that are known on PostgreSQL.
#pragma once
#include <vector>

#include "core/store/row_form.h"

namespace leasescope::postgres {

RowForm advisory_lock();
RowForm row_lock();
RowForm shedlock();

const std::vector<RowForm>& row_forms();

}  // namespace leasescope::postgres
