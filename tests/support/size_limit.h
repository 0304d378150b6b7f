// A full disk for the length of a call, without one.
#pragma once
#include <sys/resource.h>

#include <csignal>

namespace leasescope::tests {

// A limit on the size of files fails a write as a full disk does: some bytes fit, the rest not.
template <class Write>
auto with_room_for(rlim_t bytes, Write&& write) {
  rlimit old{};
  getrlimit(RLIMIT_FSIZE, &old);
  const rlimit small{bytes, old.rlim_max};
  const auto handler = std::signal(SIGXFSZ, SIG_IGN);
  setrlimit(RLIMIT_FSIZE, &small);
  auto done = write();
  setrlimit(RLIMIT_FSIZE, &old);
  std::signal(SIGXFSZ, handler);
  return done;
}

}  // namespace leasescope::tests
