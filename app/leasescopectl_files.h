// Files that the commands write.
#pragma once
#include <string>

namespace leasescope::ctl {

// Why nothing can be written there; empty where it can, or where nothing is asked for. A file that cannot be written
// must be known before the work, not after it. Nothing is made there meanwhile.
std::string unwritable(const std::string& path);
// Whole or not at all; "-" is standard output. Empty, or why it could not be written.
std::string write_file(const std::string& path, const std::string& text);

}  // namespace leasescope::ctl
