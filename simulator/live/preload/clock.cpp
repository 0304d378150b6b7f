// Preloaded into a private server: its time of day is the machine's and so much more, or less, as its page says. What
// it measures lengths of time by (CLOCK_MONOTONIC) is the machine's. It is asked before the server's allocator is
// ready, and from within it: nothing here takes memory or looks for a symbol at run time, and the machine's own time
// comes from the kernel.
#include <fcntl.h>
#include <pthread.h>
#include <semaphore.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <cstdlib>
#include <ctime>

#include "simulator/live/preload/clock_page.h"

namespace {

using leasescope::ClockPage;

constexpr std::int64_t kSecond = 1'000'000'000;
constexpr unsigned kMonotonicCondition = 2;  // of glibc's __wrefs: pthread_condattr_setclock was told CLOCK_MONOTONIC

ClockPage* map_page() {
  static ClockPage none;
  const char* const path = std::getenv(leasescope::kClockPageVariable);
  const int fd = path == nullptr ? -1 : ::open(path, O_RDWR | O_CLOEXEC);
  void* const at = fd < 0 ? MAP_FAILED : ::mmap(nullptr, sizeof(ClockPage), PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
  if (fd >= 0) ::close(fd);
  if (at == MAP_FAILED) return &none;
  auto* const page = static_cast<ClockPage*>(at);
  __atomic_fetch_add(&page->readers, 1, __ATOMIC_RELAXED);
  return page;
}

// Two threads that are the first both map it, which does no harm.
std::int64_t ahead_ns() {
  static std::atomic<ClockPage*> mapped{nullptr};
  ClockPage* page = mapped.load(std::memory_order_acquire);
  if (page == nullptr) mapped.store(page = map_page(), std::memory_order_release);
  return __atomic_load_n(&page->ahead_ns, __ATOMIC_RELAXED);
}

timespec moved(const timespec& from, std::int64_t by_ns) {
  timespec to{from.tv_sec + by_ns / kSecond, from.tv_nsec + by_ns % kSecond};
  if (to.tv_nsec >= kSecond) ++to.tv_sec, to.tv_nsec -= kSecond;
  if (to.tv_nsec < 0) --to.tv_sec, to.tv_nsec += kSecond;
  return to;
}

int kernel_time(clockid_t clock, timespec* out) { return static_cast<int>(::syscall(SYS_clock_gettime, clock, out)); }

timespec time_of_day() {
  const int before = errno;
  timespec now{};
  kernel_time(CLOCK_REALTIME, &now);
  now = moved(now, ahead_ns());
  errno = before;
  return now;
}

// A deadline by the server's clock, as the kernel has to be told it.
timespec by_the_kernel(const timespec* deadline) { return moved(*deadline, -ahead_ns()); }

}  // namespace

extern "C" {

[[gnu::constructor]] static void begin() { (void)ahead_ns(); }

int clock_gettime(clockid_t clock, timespec* out) noexcept {
  if (clock != CLOCK_REALTIME && clock != CLOCK_REALTIME_COARSE) return kernel_time(clock, out);
  *out = time_of_day();
  return 0;
}

int gettimeofday(timeval* out, void* /*zone*/) noexcept {
  const timespec now = time_of_day();
  *out = {now.tv_sec, now.tv_nsec / 1000};
  return 0;
}

time_t time(time_t* out) noexcept {
  const timespec now = time_of_day();
  if (out != nullptr) *out = now.tv_sec;
  return now.tv_sec;
}

int timespec_get(timespec* out, int base) noexcept {
  if (base != TIME_UTC) return 0;
  *out = time_of_day();
  return base;
}

int pthread_cond_timedwait(pthread_cond_t* condition, pthread_mutex_t* mutex, const timespec* deadline) {
  if ((condition->__data.__wrefs & kMonotonicCondition) != 0)
    return pthread_cond_clockwait(condition, mutex, CLOCK_MONOTONIC, deadline);
  const timespec until = by_the_kernel(deadline);
  return pthread_cond_clockwait(condition, mutex, CLOCK_REALTIME, &until);
}

int pthread_mutex_timedlock(pthread_mutex_t* mutex, const timespec* deadline) noexcept {
  const timespec until = by_the_kernel(deadline);
  return pthread_mutex_clocklock(mutex, CLOCK_REALTIME, &until);
}

int sem_timedwait(sem_t* semaphore, const timespec* deadline) {
  const timespec until = by_the_kernel(deadline);
  return sem_clockwait(semaphore, CLOCK_REALTIME, &until);
}

}  // extern "C"
