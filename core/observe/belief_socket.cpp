#include "core/observe/belief_socket.h"

#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <utility>

#include <fmt/format.h>

#include "core/base/escaped.h"
#include "core/observe/belief.h"

namespace leasescope {
namespace {

constexpr int kMostAtOnce = 64;  // messages: then it is somebody else's turn in the loop

// The path fits, as parse_belief_way() has seen to.
sockaddr_un address_of(const std::string& path) {
  sockaddr_un out{};
  out.sun_family = AF_UNIX;
  std::memcpy(out.sun_path, path.data(), std::min(path.size(), sizeof out.sun_path - 1));
  return out;
}

int datagrams() { return ::socket(AF_UNIX, SOCK_DGRAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0); }

tl::unexpected<std::string> failed(const std::string& path, const char* words) {
  return tl::unexpected(fmt::format("unix:{}: {}", escaped(path), words));
}

class SocketSender final : public BeliefSender {
 public:
  SocketSender(const std::string& path, int descriptor) : to_(address_of(path)), descriptor_(descriptor) {}
  ~SocketSender() override { ::close(descriptor_); }

  // Ten datagrams may wait at a socket, as Linux comes: who listens may be busy for a moment.
  bool send(const std::string& /*mutex*/, const std::string& text) override {
    const ssize_t sent = ::sendto(descriptor_, text.data(), text.size(), MSG_DONTWAIT | MSG_NOSIGNAL,
                                  reinterpret_cast<const sockaddr*>(&to_), sizeof to_);
    return sent >= 0 || (errno != EAGAIN && errno != EWOULDBLOCK && errno != ENOBUFS);
  }

 private:
  const sockaddr_un to_;
  const int descriptor_;
};

// What lies there when it is the socket of nobody any more is taken away. The error: it is not.
tl::expected<void, std::string> make_room(const std::string& path) {
  struct stat there {};
  if (::lstat(path.c_str(), &there) != 0) return {};
  if (!S_ISSOCK(there.st_mode)) return failed(path, "a file lies there: expected the path of a socket, or a free one");
  const int probe = datagrams();
  if (probe < 0) return failed(path, std::strerror(errno));
  const sockaddr_un address = address_of(path);
  const bool answers = ::connect(probe, reinterpret_cast<const sockaddr*>(&address), sizeof address) == 0;
  const int why = errno;
  ::close(probe);
  if (answers) return failed(path, "somebody listens there already: each who watches has a path of his own");
  if (why != ECONNREFUSED) return failed(path, std::strerror(why));
  if (::unlink(path.c_str()) != 0) return failed(path, std::strerror(errno));
  return {};
}

}  // namespace

tl::expected<std::unique_ptr<BeliefSender>, std::string> send_to_socket(const std::string& path) {
  const int descriptor = datagrams();
  if (descriptor < 0) return failed(path, std::strerror(errno));
  return std::make_unique<SocketSender>(path, descriptor);
}

tl::expected<std::unique_ptr<BeliefSocket>, std::string> BeliefSocket::open(Loop& loop, const std::string& path,
                                                                            Heard heard) {
  if (auto room = make_room(path); !room) return tl::unexpected(room.error());
  const int descriptor = datagrams();
  if (descriptor < 0) return failed(path, std::strerror(errno));
  const sockaddr_un address = address_of(path);
  if (::bind(descriptor, reinterpret_cast<const sockaddr*>(&address), sizeof address) != 0) {
    const int why = errno;
    ::close(descriptor);
    return failed(path, std::strerror(why));
  }
  return std::unique_ptr<BeliefSocket>(new BeliefSocket(loop, path, descriptor, std::move(heard)));
}

BeliefSocket::BeliefSocket(Loop& loop, std::string path, int descriptor, Heard heard)
    : loop_(&loop),
      path_(std::move(path)),
      descriptor_(descriptor),
      heard_(std::move(heard)),
      watch_(loop.watch(descriptor, Readiness::kRead, [this] { read(); })) {
  struct stat made {};
  if (::lstat(path_.c_str(), &made) != 0) return;
  device_ = made.st_dev;
  inode_ = made.st_ino;
}

BeliefSocket::~BeliefSocket() {
  loop_->unwatch(watch_);
  ::close(descriptor_);
  // Somebody may have taken it away meanwhile, and another may have made his there.
  struct stat there {};
  if (::lstat(path_.c_str(), &there) == 0 && there.st_dev == device_ && there.st_ino == inode_) ::unlink(path_.c_str());
}

// One byte more than a message may have: what is longer shows, and is refused.
void BeliefSocket::read() {
  std::array<char, kMostBelief + 1> bytes{};
  for (int i = 0; i < kMostAtOnce; ++i) {
    const ssize_t size = ::recv(descriptor_, bytes.data(), bytes.size(), MSG_DONTWAIT);
    if (size < 0) return;
    heard_(std::string_view(bytes.data(), static_cast<std::size_t>(size)));
  }
}

}  // namespace leasescope
