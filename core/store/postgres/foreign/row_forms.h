// The locks that are known on PostgreSQL beside our leases: of other makers, and our fenced ones.
#pragma once
#include <vector>

#include "core/store/row_form.h"

namespace leasescope::postgres {

RowForm advisory_lock();
RowForm row_lock();
RowForm shedlock();
RowForm fenced_lock();

const std::vector<RowForm>& row_forms();

}  // namespace leasescope::postgres
