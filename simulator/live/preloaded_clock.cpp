#include "simulator/live/preloaded_clock.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

#include <fmt/format.h>

namespace leasescope {

namespace embedded {
std::string server_clock();  // the library itself
}

namespace {

std::string library(const std::string& folder) { return folder + "/clock.so"; }
std::string page(const std::string& folder) { return folder + "/clock"; }

}  // namespace

std::vector<ServerFile> PreloadedClock::files(const std::string& folder) {
  return {{library(folder), embedded::server_clock()}, {page(folder), std::string(sizeof(ClockPage), '\0')}};
}

std::vector<std::pair<std::string, std::string>> PreloadedClock::environment(const std::string& folder) {
  return {{"LD_PRELOAD", library(folder)}, {kClockPageVariable, page(folder)}};
}

tl::expected<std::unique_ptr<PreloadedClock>, std::string> PreloadedClock::in(const std::string& folder) {
  const int fd = ::open(page(folder).c_str(), O_RDWR | O_CLOEXEC);
  void* const at = fd < 0 ? MAP_FAILED : ::mmap(nullptr, sizeof(ClockPage), PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
  const int error = errno;
  if (fd >= 0) ::close(fd);
  if (at == MAP_FAILED)
    return tl::unexpected(fmt::format("cannot map the server's clock {}: {}", page(folder), std::strerror(error)));
  return std::unique_ptr<PreloadedClock>(new PreloadedClock(static_cast<ClockPage*>(at)));
}

PreloadedClock::~PreloadedClock() { ::munmap(page_, sizeof(ClockPage)); }

void PreloadedClock::set(Duration ahead) { __atomic_store_n(&page_->ahead_ns, ahead.count(), __ATOMIC_RELAXED); }

bool PreloadedClock::read() const { return __atomic_load_n(&page_->readers, __ATOMIC_RELAXED) > 0; }

}  // namespace leasescope
