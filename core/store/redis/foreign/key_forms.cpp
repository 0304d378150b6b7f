#include "core/store/redis/foreign/key_forms.h"

namespace leasescope::redis {

const std::vector<KeyForm>& key_forms() {
  static const std::vector<KeyForm> kForms{
      redisson_lock(), redisson_semaphore(), redis_py_lock(), node_redlock(), redsync_lock(),
  };
  return kForms;
}

}  // namespace leasescope::redis
