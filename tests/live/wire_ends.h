// Both ends of a proxied connection as plain sockets: an upstream that echoes or only listens, and clients.
#pragma once
#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <memory>
#include <string>
#include <vector>

#include "core/loop/loop.h"
#include "core/store/socket.h"

namespace leasescope::tests {

// One end; it keeps all that it hears.
class WireEnd {
 public:
  WireEnd(Loop& loop, int descriptor, bool echoes = false) : loop_(&loop), descriptor_(descriptor), echoes_(echoes) {
    listen();
  }
  ~WireEnd() { close(); }
  WireEnd(const WireEnd&) = delete;
  WireEnd& operator=(const WireEnd&) = delete;

  // All of it, or as much as the network takes.
  std::size_t say(std::string_view bytes) {
    std::size_t said = 0;
    while (said < bytes.size()) {
      const auto put = write_some(descriptor_, bytes.substr(said));
      if (!put || *put == 0) break;
      said += *put;
    }
    return said;
  }
  void say_no_more() { ::shutdown(descriptor_, SHUT_WR); }
  void stop_listening() { loop_->unwatch(std::exchange(watch_, 0)); }
  void listen() {
    watch_ = loop_->watch(descriptor_, Readiness::kRead, [this] { read(); });
  }
  void close(bool hard = false) {
    stop_listening();
    close_line(std::exchange(descriptor_, -1), hard);
  }

  std::string heard;
  std::vector<std::size_t> pieces;  // of what was heard at once
  TrueTime last{};                  // when
  bool ended = false;               // the other side says no more
  bool reset = false;

 private:
  void read() {
    std::array<char, 65536> buffer;
    const ssize_t got = ::recv(descriptor_, buffer.data(), buffer.size(), 0);
    last = loop_->now();
    if (got > 0) {
      heard.append(buffer.data(), static_cast<std::size_t>(got));
      pieces.push_back(static_cast<std::size_t>(got));
      if (echoes_) say({buffer.data(), static_cast<std::size_t>(got)});
    } else if (got == 0) {
      ended = true;
      stop_listening();
    } else if (errno != EAGAIN) {
      reset = true;
      stop_listening();
    }
  }

  Loop* loop_;
  int descriptor_;
  bool echoes_;
  Loop::WatchId watch_ = 0;
};

// A server on the loopback.
class WireServer {
 public:
  WireServer(Loop& loop, bool echoes) : loop_(&loop), echoes_(echoes) {
    listener_ = ::socket(AF_INET, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    socklen_t length = sizeof address;
    auto* const name = reinterpret_cast<sockaddr*>(&address);
    if (::bind(listener_, name, length) == 0 && ::listen(listener_, 64) == 0 &&
        ::getsockname(listener_, name, &length) == 0)
      at.port = ntohs(address.sin_port);
    watch_ = loop.watch(listener_, Readiness::kRead, [this] {
      const int came = ::accept4(listener_, nullptr, nullptr, SOCK_NONBLOCK | SOCK_CLOEXEC);
      if (came >= 0) ends.push_back(std::make_unique<WireEnd>(*loop_, came, echoes_));
    });
  }
  ~WireServer() {
    loop_->unwatch(watch_);
    ::close(listener_);
  }
  WireServer(const WireServer&) = delete;
  WireServer& operator=(const WireServer&) = delete;

  Endpoint at;
  std::vector<std::unique_ptr<WireEnd>> ends;

 private:
  Loop* loop_;
  bool echoes_;
  int listener_ = -1;
  Loop::WatchId watch_ = 0;
};

}  // namespace leasescope::tests
