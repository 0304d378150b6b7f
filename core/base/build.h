// Which program this is.
#pragma once
#include <string>

namespace leasescope {

// "0.1.0 (commit 1b1b7fd, Release, GNU 12.2.0)"
std::string build_text();

}  // namespace leasescope
