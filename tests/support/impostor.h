// A server that is none: it listens on the loopback and treats whoever connects as it was told, each in its own thread.
#pragma once
#include <arpa/inet.h>
#include <netinet/in.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <chrono>
#include <functional>
#include <list>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

namespace leasescope::tests {

// One connection, as the impostor sees it. Everything ends when the peer has gone or the impostor goes.
class Peer {
 public:
  Peer(int fd, const std::atomic<bool>& over) : fd_(fd), over_(&over) {}

  bool gone() const { return gone_ || *over_; }
  int error() const { return error_; }  // how it went; 0: in good order
  // False when the peer no longer takes it.
  bool say(std::string_view bytes) {
    while (!bytes.empty() && ready(POLLOUT)) {
      const ssize_t put = ::send(fd_, bytes.data(), bytes.size(), MSG_NOSIGNAL | MSG_DONTWAIT);
      if (put < 0) gone_ = true;
      if (put > 0) bytes.remove_prefix(static_cast<std::size_t>(put));
    }
    return bytes.empty();
  }
  // What has come, at least a byte; empty when the peer has gone.
  std::string hear() {
    char buffer[65536];
    if (!ready(POLLIN)) return {};
    const ssize_t got = ::recv(fd_, buffer, sizeof(buffer), 0);
    if (got < 0) error_ = errno;
    if (got <= 0) gone_ = true;
    return got > 0 ? std::string(buffer, static_cast<std::size_t>(got)) : std::string();
  }
  std::string hear(std::size_t size) {
    while (heard_.size() < size && !gone()) heard_ += hear();
    if (heard_.size() < size) return {};
    const std::string out = heard_.substr(0, size);
    heard_.erase(0, size);
    return out;
  }
  // The same, with what was heard before and not taken.
  std::string hear_some() {
    if (heard_.empty()) return hear();
    std::string out;
    std::swap(out, heard_);
    return out;
  }
  std::string hear_line() {
    std::size_t end = 0;
    while ((end = heard_.find("\r\n")) == std::string::npos && !gone()) heard_ += hear();
    return end == std::string::npos ? std::string() : hear(end + 2).substr(0, end);
  }
  // The words of a Redis client; empty when it has gone.
  std::vector<std::string> hear_command() {
    const std::string head = hear_line();
    std::vector<std::string> words(head.size() > 1 && head[0] == '*' ? std::stoul(head.substr(1)) : 0);
    for (std::string& word : words) {
      const std::string length = hear_line();
      if (length.size() < 2) return {};
      word = hear(std::stoul(length.substr(1)) + 2);
      if (word.size() < 2) return {};
      word.resize(word.size() - 2);
    }
    return words;
  }
  void be_silent() {
    while (!gone()) hear();
  }
  void rest(int ms) const {
    for (; ms > 0 && !gone(); ms -= 20) std::this_thread::sleep_for(std::chrono::milliseconds(std::min(ms, 20)));
  }

 private:
  bool ready(short what) {
    while (!gone()) {
      pollfd one{fd_, what, 0};
      if (::poll(&one, 1, 50) > 0) return true;
    }
    return false;
  }

  int fd_;
  const std::atomic<bool>* over_;
  std::string heard_;
  bool gone_ = false;
  int error_ = 0;
};

class Impostor {
 public:
  // What it does to a peer, and the how manieth this one is, from 0 on.
  using Manner = std::function<void(Peer&, int)>;

  explicit Impostor(Manner manner) : manner_(std::move(manner)) {
    listener_ = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    socklen_t length = sizeof(address);
    auto* const name = reinterpret_cast<sockaddr*>(&address);
    if (::bind(listener_, name, length) == 0 && ::listen(listener_, 64) == 0 &&
        ::getsockname(listener_, name, &length) == 0)
      port_ = ntohs(address.sin_port);
    threads_.emplace_back([this] { accept(); });
  }
  ~Impostor() {
    over_ = true;
    threads_.front().join();
    threads_.pop_front();
    for (std::thread& thread : threads_) thread.join();
    ::close(listener_);
  }
  Impostor(const Impostor&) = delete;
  Impostor& operator=(const Impostor&) = delete;

  int port() const { return port_; }
  int met() const { return met_; }

 private:
  void accept() {
    while (!over_) {
      pollfd one{listener_, POLLIN, 0};
      if (::poll(&one, 1, 50) <= 0) continue;
      const int fd = ::accept4(listener_, nullptr, nullptr, SOCK_CLOEXEC);
      if (fd < 0) continue;
      threads_.emplace_back([this, fd, number = met_++] {
        Peer peer(fd, over_);
        manner_(peer, number);
        ::close(fd);
      });
    }
  }

  Manner manner_;
  int listener_ = -1;
  int port_ = 0;
  std::atomic<bool> over_{false};
  std::atomic<int> met_{0};
  std::list<std::thread> threads_;  // the first accepts; the rest are added by it
};

}  // namespace leasescope::tests
