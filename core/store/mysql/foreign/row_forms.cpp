#include "core/store/mysql/foreign/row_forms.h"

namespace leasescope::mysql {

const std::vector<RowForm>& row_forms() {
  static const std::vector<RowForm> kForms{user_lock(), metadata_lock(), shedlock()};
  return kForms;
}

}  // namespace leasescope::mysql
