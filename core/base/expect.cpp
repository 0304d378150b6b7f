#include "core/base/expect.h"

#include <cstdio>
#include <cstdlib>
#include <string_view>

namespace leasescope {

void end_for(const char* what, const char* file, int line) {
  const std::string_view path(file);
  const std::string_view name = path.substr(path.rfind('/') + 1);
  std::fprintf(stderr, "leasescope: a mistake in the program: %s (%.*s:%d). Please report it, with what led to it.\n",
               what, static_cast<int>(name.size()), name.data(), line);
  std::abort();
}

}  // namespace leasescope
