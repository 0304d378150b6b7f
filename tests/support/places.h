// Where the tests find what they read and start, which is another place in each checkout.
#pragma once

namespace leasescope::tests {

// Absolute paths, of the build that the test program is of. Only one source is compiled with them, so that all others
// are the same in each checkout and a compiler cache knows them.
extern const char* const kSourceFolder;
extern const char* const kBuildFolder;
extern const char* const kLeasescopectl;  // the terminal's program

}  // namespace leasescope::tests
