#include "app/leasescopectl_guardian.h"

#include <fcntl.h>
#include <poll.h>
#include <sys/prctl.h>
#include <sys/timerfd.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <ctime>
#include <utility>

namespace leasescope::ctl {
namespace {

// A killed group may still have members that the kernel has not ended yet, and new ones: until none is left.
void kill_all(pid_t group) {
  for (int i = 0; i < 100 && ::kill(-group, SIGKILL) == 0; ++i) ::usleep(1000);
}

// By a clock that goes on while the machine sleeps, which poll() does not count by.
void set_alarm(int alarm, std::int64_t at_ns) {
  itimerspec at{};
  if (at_ns != Duration::max().count()) {
    constexpr std::int64_t kSecond = 1'000'000'000;
    const std::int64_t due = std::max<std::int64_t>(at_ns, 1);  // of zero it would never fire
    at.it_value.tv_sec = due / kSecond;
    at.it_value.tv_nsec = due % kSecond;
  }
  ::timerfd_settime(alarm, TFD_TIMER_ABSTIME, &at, nullptr);
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

// Reads whom to guard until the other end of the pipe is gone. Our process may have threads: only what is safe then.
void Guardian::guard_until_the_end(int from) {
  stand_apart(from);
  const int alarm = ::timerfd_create(CLOCK_BOOTTIME, TFD_NONBLOCK | TFD_CLOEXEC);
  Ward ward;
  while (true) {
    std::array<pollfd, 2> ready{pollfd{from, POLLIN, 0}, pollfd{alarm, POLLIN, 0}};
    if (::poll(ready.data(), ready.size(), -1) < 0) continue;
    // What was said in time stands, also where both come at once.
    if (ready[0].revents != 0) {
      Ward next;
      const auto got = ::read(from, &next, sizeof next);
      if (got != sizeof next && (got >= 0 || errno != EINTR)) break;
      if (got == sizeof next) ward = next;
      set_alarm(alarm, ward.group == 0 ? Duration::max().count() : ward.until_ns);
    } else if (ward.group != 0 && Duration(ward.until_ns) <= now()) {
      kill_all(ward.group);
      ward = {};
      set_alarm(alarm, Duration::max().count());
    }
  }
  if (ward.group != 0) kill_all(ward.group);
  ::_exit(0);
}

void Guardian::begin() {
  std::array<int, 2> ends{};
  if (::pipe2(ends.data(), O_CLOEXEC) != 0) return;
  const pid_t child = ::fork();
  if (child == 0) {
    ::close(ends[1]);
    guard_until_the_end(ends[0]);
  }
  ::close(ends[0]);
  if (child > 0) {
    ::fcntl(ends[1], F_SETFL, O_NONBLOCK);  // one that stands still does not hold us up
    pipe_ = ends[1];
    process_ = child;
  } else {
    ::close(ends[1]);
  }
}

// Killed before its pipe is closed: it would take that for our end.
void Guardian::end() {
  if (process_ > 0 && ::kill(process_, SIGKILL) == 0) ::waitpid(process_, nullptr, 0);
  process_ = 0;
  if (const int pipe = std::exchange(pipe_, -1); pipe >= 0) ::close(pipe);
}

// It ends by itself, once it sees that the pipe is closed.
Guardian::~Guardian() {
  if (pipe_ >= 0) ::close(pipe_);
}

// A pipe takes so few bytes whole or not at all.
bool Guardian::say() const { return pipe_ >= 0 && ::write(pipe_, &ward_, sizeof ward_) == sizeof ward_; }

bool Guardian::guard(pid_t group, Duration until) {
  ward_ = {group, until.count()};
  if (say()) return true;
  end();
  begin();
  return say();
}

bool Guardian::replaced_after(pid_t child) {
  if (child != process_) return true;
  process_ = 0;  // it is no child any more
  end();
  begin();
  return say();
}

Duration Guardian::now() {
  timespec reading{};
  ::clock_gettime(CLOCK_BOOTTIME, &reading);
  return std::chrono::seconds(reading.tv_sec) + Duration(reading.tv_nsec);
}

}  // namespace leasescope::ctl
