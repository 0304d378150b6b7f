#include "simulator/live/proxy_connection.h"

#include <netdb.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstring>
#include <string>
#include <utility>

namespace leasescope {
namespace {

constexpr int kSocket = SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC;

void no_delay(int fd) {
  const int on = 1;
  ::setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &on, sizeof(on));
}

bool begun(int fd, const sockaddr* address, socklen_t length) {
  return ::connect(fd, address, length) == 0 || errno == EINPROGRESS || errno == EAGAIN;
}

// A descriptor on its way to the endpoint, or -1.
int connect_to(const Endpoint& endpoint) {
  if (!endpoint.unix_path.empty()) {
    sockaddr_un address{};
    address.sun_family = AF_UNIX;
    std::strncpy(address.sun_path, endpoint.unix_path.c_str(), sizeof(address.sun_path) - 1);
    const int fd = ::socket(AF_UNIX, kSocket, 0);
    if (fd >= 0 && begun(fd, reinterpret_cast<const sockaddr*>(&address), sizeof(address))) return fd;
    if (fd >= 0) ::close(fd);
    return -1;
  }
  addrinfo hints{};
  hints.ai_socktype = SOCK_STREAM;
  addrinfo* found = nullptr;
  if (::getaddrinfo(endpoint.host.c_str(), std::to_string(endpoint.port).c_str(), &hints, &found) != 0) return -1;
  int fd = -1;
  for (const addrinfo* each = found; each != nullptr && fd < 0; each = each->ai_next) {
    fd = ::socket(each->ai_family, kSocket, 0);
    if (fd >= 0 && begun(fd, each->ai_addr, each->ai_addrlen)) break;
    if (fd >= 0) ::close(std::exchange(fd, -1));
  }
  ::freeaddrinfo(found);
  if (fd >= 0) no_delay(fd);
  return fd;
}

}  // namespace

FaultProxy::Connection::Connection(FaultProxy& proxy, int client)
    : proxy_(&proxy), loop_(proxy.loop_), client_(client), up_(*loop_), down_(*loop_) {
  if (proxy.filters_) filter_ = make_push_filter(proxy.kind_);
  no_delay(client);
}

FaultProxy::Connection::~Connection() { end(false); }

bool FaultProxy::Connection::open() {
  server_ = connect_to(proxy_->upstream_);
  if (server_ < 0) {
    end(true);
    return false;
  }
  up_.from = down_.to = client_;
  up_.to = down_.from = server_;
  up_.reads = loop_->watch(client_, Readiness::kRead, [this] { read(up_); });
  up_.writes = loop_->watch(server_, Readiness::kWrite, [this] { on_upstream_connected(); });
  return true;
}

void FaultProxy::Connection::on_upstream_connected() {
  loop_->unwatch(std::exchange(up_.writes, 0));
  int error = 0;
  socklen_t length = sizeof(error);
  ::getsockopt(server_, SOL_SOCKET, SO_ERROR, &error, &length);
  if (error != 0) {
    end(true);
    return proxy_->forget(this);
  }
  connected_ = true;
  down_.reads = loop_->watch(server_, Readiness::kRead, [this] { read(down_); });
  pump();
}

bool FaultProxy::Connection::stalled(const Pipe& pipe) const {
  return (is_up(pipe) ? proxy_->stalls_up_ : proxy_->stalls_down_) > 0;
}

void FaultProxy::Connection::read(Pipe& pipe) {
  std::array<char, 65536> buffer;
  const ssize_t got = ::read(pipe.from, buffer.data(), buffer.size());
  if (got < 0 && (errno == EAGAIN || errno == EINTR)) return;
  if (got <= 0) {
    pipe.ended = true;
    loop_->unwatch(std::exchange(pipe.reads, 0));
    if (is_up(pipe) && stalled(pipe)) pipe.chunks.clear();
  } else {
    const Duration delay = is_up(pipe) ? proxy_->delay_up_ : proxy_->delay_down_;
    std::string bytes(buffer.data(), static_cast<std::size_t>(got));
    if (!is_up(pipe) && filter_ != nullptr)
      bytes = filter_->pass(bytes, proxy_->mutes_ > 0, [this](std::string_view body) {
        if (proxy_->on_dropped) proxy_->on_dropped(body);
      });
    if (!bytes.empty()) pipe.chunks.push_back({loop_->now() + delay, std::move(bytes)});
  }
  pump();
}

void FaultProxy::Connection::pump() {
  if (client_ < 0) return;
  if (pump(up_) && pump(down_)) return;
  end(false);
  proxy_->forget(this);
}

bool FaultProxy::Connection::pump(Pipe& pipe) {
  const bool given_up = is_up(pipe) && pipe.ended && pipe.chunks.empty();
  if (given_up) return false;
  if (stalled(pipe) || (is_up(pipe) && !connected_)) return true;
  while (!pipe.chunks.empty()) {
    Chunk& chunk = pipe.chunks.front();
    if (const Duration wait = chunk.due - loop_->now(); wait > Duration::zero()) {
      pipe.timer.arm(wait, [this] { pump(); });
      return true;
    }
    const ssize_t put = ::send(pipe.to, chunk.bytes.data(), chunk.bytes.size(), MSG_NOSIGNAL);
    if (put < 0 && errno != EAGAIN && errno != EINTR) return false;
    if (put > 0) chunk.bytes.erase(0, static_cast<std::size_t>(put));
    if (!chunk.bytes.empty()) {
      if (pipe.writes == 0)
        pipe.writes = loop_->watch(pipe.to, Readiness::kWrite, [this, &pipe] {
          loop_->unwatch(std::exchange(pipe.writes, 0));
          pump();
        });
      return true;
    }
    pipe.chunks.pop_front();
  }
  return !pipe.ended;
}

void FaultProxy::Connection::unwatch(Pipe& pipe) {
  loop_->unwatch(std::exchange(pipe.reads, 0));
  loop_->unwatch(std::exchange(pipe.writes, 0));
  pipe.timer.cancel();
}

void FaultProxy::Connection::end(bool hard) {
  unwatch(up_);
  unwatch(down_);
  if (hard && client_ >= 0) {
    const linger now{1, 0};
    ::setsockopt(client_, SOL_SOCKET, SO_LINGER, &now, sizeof(now));
  }
  for (int* const fd : {&client_, &server_})
    if (*fd >= 0) ::close(std::exchange(*fd, -1));
}

}  // namespace leasescope
