#include "core/base/build.h"

namespace leasescope {
namespace embedded {
// Made by the build, anew for each commit.
extern const char* const kCommit;
}  // namespace embedded

std::string build_text() {
  return std::string(LEASESCOPE_VERSION) + " (commit " + embedded::kCommit + ", " + LEASESCOPE_BUILD + ")";
}

}  // namespace leasescope
