#include "tests/support/places.h"

namespace leasescope::tests {

const char* const kSourceFolder = LEASESCOPE_SOURCE_DIR;
const char* const kBuildFolder = LEASESCOPE_BUILD_DIR;
// The programs are built into app/ beside tests/, wherever the build folder is.
const char* const kLeasescopectl = LEASESCOPE_BUILD_DIR "/app/leasescopectl";

}  // namespace leasescope::tests
