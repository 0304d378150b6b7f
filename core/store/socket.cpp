#include "core/store/socket.h"

#include <netdb.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <memory>

#include <fmt/format.h>

namespace leasescope {
namespace {

constexpr int kSocket = SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC;

using Descriptor = tl::expected<int, std::string>;

tl::unexpected<std::string> failed(int error) { return tl::unexpected<std::string>(std::strerror(error)); }

Descriptor begin_connect(int family, const sockaddr* address, socklen_t length) {
  const int fd = ::socket(family, kSocket, 0);
  if (fd < 0) return failed(errno);
  if (::connect(fd, address, length) == 0 || errno == EINPROGRESS) return fd;
  const int error = errno;
  ::close(fd);
  return failed(error);
}

Descriptor begin_connect_to_path(const std::string& path) {
  sockaddr_un address{};
  address.sun_family = AF_UNIX;
  if (path.size() >= sizeof(address.sun_path))
    return tl::unexpected(fmt::format("the path of a socket has at most {} bytes", sizeof(address.sun_path) - 1));
  std::memcpy(address.sun_path, path.data(), path.size());
  return begin_connect(AF_UNIX, reinterpret_cast<const sockaddr*>(&address), sizeof(address));
}

void set(int fd, int level, int option, int value) { ::setsockopt(fd, level, option, &value, sizeof(value)); }

}  // namespace

tl::expected<int, std::string> begin_connect(const Endpoint& endpoint) {
  if (!endpoint.unix_path.empty()) return begin_connect_to_path(endpoint.unix_path);
  addrinfo hints{};
  hints.ai_socktype = SOCK_STREAM;
  hints.ai_flags = AI_NUMERICSERV | AI_NUMERICHOST;  // a name would be looked up here and now
  addrinfo* list = nullptr;
  if (const int error = ::getaddrinfo(endpoint.host.c_str(), fmt::format("{}", endpoint.port).c_str(), &hints, &list);
      error != 0)
    return tl::unexpected<std::string>(::gai_strerror(error));
  const std::unique_ptr<addrinfo, void (*)(addrinfo*)> found(list, ::freeaddrinfo);
  Descriptor begun = tl::unexpected<std::string>("no address");
  for (const addrinfo* each = found.get(); each != nullptr && !begun; each = each->ai_next)
    begun = begin_connect(each->ai_family, each->ai_addr, each->ai_addrlen);
  if (begun) tune_line(*begun);
  return begun;
}

std::string connect_error(int descriptor) {
  int error = 0;
  socklen_t length = sizeof(error);
  if (::getsockopt(descriptor, SOL_SOCKET, SO_ERROR, &error, &length) != 0) error = errno;
  return error == 0 ? std::string() : std::strerror(error);
}

void tune_line(int descriptor) {
  set(descriptor, IPPROTO_TCP, TCP_NODELAY, 1);
  set(descriptor, SOL_SOCKET, SO_KEEPALIVE, 1);
  set(descriptor, IPPROTO_TCP, TCP_KEEPIDLE, 5);
  set(descriptor, IPPROTO_TCP, TCP_KEEPINTVL, 3);
  set(descriptor, IPPROTO_TCP, TCP_KEEPCNT, 3);
}

tl::expected<std::size_t, std::string> write_some(int descriptor, std::string_view bytes) {
  const ssize_t put = ::send(descriptor, bytes.data(), bytes.size(), MSG_NOSIGNAL);
  if (put >= 0) return static_cast<std::size_t>(put);
  if (errno == EAGAIN || errno == EINTR) return 0;
  return failed(errno);
}

tl::expected<std::size_t, std::string> read_some(int descriptor, char* into, std::size_t size) {
  const ssize_t got = ::recv(descriptor, into, size, 0);
  if (got > 0) return static_cast<std::size_t>(got);
  if (got == 0) return tl::unexpected<std::string>("the server closed the connection");
  if (errno == EAGAIN || errno == EINTR) return 0;
  return failed(errno);
}

void forget_unsent(int descriptor) {
  const linger now{1, 0};
  ::setsockopt(descriptor, SOL_SOCKET, SO_LINGER, &now, sizeof(now));
}

void close_line(int descriptor, bool hard) {
  if (descriptor < 0) return;
  if (hard) forget_unsent(descriptor);
  ::close(descriptor);
}

}  // namespace leasescope
