// Files that the commands write.
#pragma once
#include <string>

namespace leasescope::ctl {

// Why nothing can be written there; empty where it can, or where nothing is asked for. A file that cannot be written
// must be known before the work, not after it.
std::string unwritable(const std::string& path);
bool write_file(const std::string& path, const std::string& text);

}  // namespace leasescope::ctl
