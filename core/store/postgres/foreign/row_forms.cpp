#include "core/store/postgres/foreign/row_forms.h"

namespace leasescope::postgres {

const std::vector<RowForm>& row_forms() {
  static const std::vector<RowForm> kForms{advisory_lock(), row_lock(), shedlock(), fenced_lock()};
  return kForms;
}

}  // namespace leasescope::postgres
