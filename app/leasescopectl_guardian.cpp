#include "app/leasescopectl_guardian.h"

#include <fcntl.h>
#include <poll.h>
#include <sys/prctl.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <ctime>

namespace leasescope::ctl {
namespace {

using std::chrono::milliseconds;

struct Ward {
  pid_t group = 0;  // 0 = none
  std::int64_t until_ns = 0;
};

// A killed group may still have members that the kernel has not ended yet, and new ones: until none is left.
void kill_all(pid_t group) {
  for (int i = 0; i < 100 && ::kill(-group, SIGKILL) == 0; ++i) ::usleep(1000);
}

int wait_ms(const Ward& ward) {
  if (ward.group == 0 || ward.until_ns == Duration::max().count()) return -1;
  const Duration left = std::max(Duration(ward.until_ns) - Guardian::now(), Duration::zero());
  return static_cast<int>(std::chrono::ceil<milliseconds>(std::min<Duration>(left, std::chrono::hours(1))).count());
}

// Reads whom to guard until the other end of the pipe is gone.
[[noreturn]] void guard_until_the_end(int from) {
  Ward ward;
  while (true) {
    pollfd told{from, POLLIN, 0};
    const int ready = ::poll(&told, 1, wait_ms(ward));
    if (ready < 0 && errno == EINTR) continue;
    if (ready == 0 && Duration(ward.until_ns) <= Guardian::now()) {
      kill_all(ward.group);
      ward.group = 0;
    }
    if (ready <= 0) continue;
    Ward next;
    const auto got = ::read(from, &next, sizeof next);
    if (got == sizeof next) {
      ward = next;
    } else if (got >= 0 || errno != EINTR) {
      break;
    }
  }
  if (ward.group != 0) kill_all(ward.group);
  ::_exit(0);
}

// A terminal's signals, and those to our process group, are not for it.
void stand_apart(int keep) {
  ::setsid();
  for (int number = 1; number < 32; ++number) ::signal(number, SIG_IGN);
  ::prctl(PR_SET_NAME, "leasescope-guard");
  // Whoever waits for the end of our output does not wait for the guardian's.
  const int nothing = ::open("/dev/null", O_RDWR | O_CLOEXEC);
  for (int standard = 0; standard < 3; ++standard) ::dup2(nothing, standard);
  const auto kept = static_cast<unsigned>(keep);
  if (kept > 3) ::close_range(3, kept - 1, 0);
  ::close_range(kept + 1, ~0U, 0);
}

}  // namespace

Guardian::Guardian() {
  int ends[2] = {};
  if (::pipe2(ends, O_CLOEXEC) != 0) return;
  const pid_t child = ::fork();
  if (child == 0) {
    ::close(ends[1]);
    stand_apart(ends[0]);
    guard_until_the_end(ends[0]);
  }
  ::close(ends[0]);
  if (child > 0) {
    pipe_ = ends[1];
  } else {
    ::close(ends[1]);
  }
}

// It ends by itself, once it sees that the pipe is closed.
Guardian::~Guardian() {
  if (pipe_ >= 0) ::close(pipe_);
}

// A pipe takes so few bytes whole or not at all.
void Guardian::guard(pid_t group, Duration until) {
  const Ward ward{group, until.count()};
  [[maybe_unused]] const auto put = ::write(pipe_, &ward, sizeof ward);
}

Duration Guardian::now() {
  timespec reading{};
  ::clock_gettime(CLOCK_BOOTTIME, &reading);
  return std::chrono::seconds(reading.tv_sec) + Duration(reading.tv_nsec);
}

}  // namespace leasescope::ctl
