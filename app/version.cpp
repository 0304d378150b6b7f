#include "app/version.h"

namespace leasescope {

const char* version_text() { return LEASESCOPE_VERSION; }

}  // namespace leasescope
