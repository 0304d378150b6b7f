#include "core/store/intake.h"

#include <sys/ioctl.h>
#include <sys/socket.h>

namespace leasescope {
namespace {

// The longest answer anybody asks for has a row of a few hundred bytes, or a server's error.
constexpr std::size_t kMost = 1024 * 1024;

}  // namespace

bool Intake::bounded(int descriptor) {
  int waiting = 0;
  if (::ioctl(descriptor, FIONREAD, &waiting) == 0) taken_ += static_cast<std::size_t>(waiting);
  return taken_ <= kMost;
}

void Intake::narrow(int descriptor) {
  const int bytes = 4096;
  ::setsockopt(descriptor, SOL_SOCKET, SO_RCVBUF, &bytes, sizeof(bytes));
}

}  // namespace leasescope
