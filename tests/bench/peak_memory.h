// The most memory the process has had since a moment, as Linux counts it: the highest resident set.
#pragma once
#include <malloc.h>

#include <fstream>
#include <string>

namespace leasescope::bench {

class PeakMemory {
 public:
  // What was given back before must not count.
  PeakMemory() {
    malloc_trim(0);
    std::ofstream("/proc/self/clear_refs") << 5;
  }
  // 0 where the system does not tell.
  double megabytes() const {
    std::ifstream status("/proc/self/status");
    for (std::string line; std::getline(status, line);)
      if (line.rfind("VmHWM:", 0) == 0) return std::stod(line.substr(6)) * 1024 / 1e6;
    return 0;
  }
};

}  // namespace leasescope::bench
