#include "app/leasescopectl_service.h"

#include <fcntl.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include <cerrno>
#include <charconv>
#include <cstddef>
#include <cstdlib>
#include <cstring>
#include <string_view>

namespace leasescope::ctl {
namespace {

std::string taken(const char* name) {
  const char* const value = std::getenv(name);
  std::string out = value == nullptr ? "" : value;
  ::unsetenv(name);
  return out;
}

std::optional<std::int64_t> number(std::string_view text) {
  std::int64_t out = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), out);
  if (error != std::errc{} || end != text.data() + text.size()) return {};
  return out;
}

// A path, or "@name" of one that is in no file system.
int connected_to(const std::string& place) {
  sockaddr_un address{};
  address.sun_family = AF_UNIX;
  if (place.empty() || (place[0] != '/' && place[0] != '@') || place.size() >= sizeof address.sun_path) return -1;
  std::memcpy(address.sun_path, place.data(), place.size());
  if (place[0] == '@') address.sun_path[0] = '\0';
  const int out = ::socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
  const auto length = static_cast<socklen_t>(offsetof(sockaddr_un, sun_path) + place.size());
  if (out >= 0 && ::connect(out, reinterpret_cast<const sockaddr*>(&address), length) == 0) return out;
  if (out >= 0) ::close(out);
  return -1;
}

}  // namespace

ServiceNotice::ServiceNotice() {
  socket_ = connected_to(taken("NOTIFY_SOCKET"));
  const auto us = number(taken("WATCHDOG_USEC"));
  const std::string process = taken("WATCHDOG_PID");
  if (us && *us > 0 && (process.empty() || number(process) == ::getpid())) patience_ = std::chrono::microseconds(*us);
}

ServiceNotice::~ServiceNotice() {
  if (socket_ >= 0) ::close(socket_);
}

bool ServiceNotice::say(const std::string& lines) const {
  if (socket_ < 0) return true;
  return ::send(socket_, lines.data(), lines.size(), MSG_NOSIGNAL) >= 0 || (errno != EAGAIN && errno != ENOBUFS);
}

bool has_terminal() {
  const int terminal = ::open("/dev/tty", O_RDONLY | O_CLOEXEC | O_NOCTTY);
  if (terminal >= 0) ::close(terminal);
  return terminal >= 0;
}

}  // namespace leasescope::ctl
