#include "core/store/mysql/sealed_way.h"

#include <fcntl.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <utility>

#include <fmt/format.h>

#include "core/store/socket.h"

namespace leasescope::mysql {
namespace {

tl::unexpected<std::string> no_door() {
  return tl::unexpected(fmt::format("TLS cannot be used: no socket of our own: {}", std::strerror(errno)));
}

// Binds it in a folder of its own and opens its place there; neither is left behind.
int bound_out_of_sight(int listener) {
  std::string folder = (std::filesystem::temp_directory_path() / "leasescope-XXXXXX").string();
  if (::mkdtemp(folder.data()) == nullptr) return -1;
  sockaddr_un address{};
  address.sun_family = AF_UNIX;
  const std::string path = folder + "/door";
  int place = -1;
  if (path.size() < sizeof(address.sun_path)) {
    std::memcpy(address.sun_path, path.data(), path.size());
    if (::bind(listener, reinterpret_cast<const sockaddr*>(&address), sizeof(address)) == 0)
      place = ::open(path.c_str(), O_PATH | O_CLOEXEC);
  } else {
    errno = ENAMETOOLONG;
  }
  const int error = errno;
  ::unlink(path.c_str());
  ::rmdir(folder.c_str());
  errno = error;
  return place;
}

bool is_ours(int descriptor) {
  ucred who{};
  socklen_t size = sizeof(who);
  return ::getsockopt(descriptor, SOL_SOCKET, SO_PEERCRED, &who, &size) == 0 && who.pid == ::getpid();
}

}  // namespace

SealedWay::SealedWay(int server, std::shared_ptr<const tls::Context> context, std::string host)
    : server_(server), talk_(std::move(context), std::move(host)) {}

SealedWay::~SealedWay() {
  if (!hard_) move();  // with the library's good-bye
  close_line(server_, hard_);
  for (const int each : {listener_, place_, client_}) close_line(each, false);
}

tl::expected<Endpoint, std::string> SealedWay::door() {
  listener_ = ::socket(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
  if (listener_ < 0) return no_door();
  place_ = bound_out_of_sight(listener_);
  if (place_ < 0 || ::listen(listener_, 1) != 0) return no_door();
  Endpoint out;
  out.unix_path = fmt::format("/proc/self/fd/{}", place_);
  return out;
}

bool SealedWay::entered() {
  client_ = ::accept4(listener_, nullptr, nullptr, SOCK_NONBLOCK | SOCK_CLOEXEC);
  for (int* const each : {&listener_, &place_}) close_line(std::exchange(*each, -1), false);
  if (client_ >= 0 && !is_ours(client_)) close_line(std::exchange(client_, -1), false);
  return client_ >= 0;
}

void SealedWay::move() {
  if (hears_client()) read_client();
  if (hears_server()) read_server();
  write_both();
}

void SealedWay::read_client() {
  std::array<char, 16 * 1024> buffer;
  const auto got = read_some(client_, buffer.data(), buffer.size());
  client_ended_ = !got;
  if (got) talk_.from_client({buffer.data(), *got});
}

void SealedWay::read_server() {
  std::array<char, 16 * 1024> buffer;
  const auto got = read_some(server_, buffer.data(), buffer.size());
  if (got) {
    talk_.from_server({buffer.data(), *got});
    server_ends_ = talk_.ended();
  } else {
    server_ends_ = talk_.why_ended(got.error());
  }
}

void SealedWay::write_both() {
  to_server_ += talk_.to_server();
  to_client_ += talk_.to_client();
  if (const auto put = write_some(server_, to_server_)) {
    to_server_.erase(0, *put);
  } else if (server_ends_.empty()) {
    server_ends_ = talk_.why_ended(put.error());
  }
  if (client_ >= 0)
    if (const auto put = write_some(client_, to_client_)) to_client_.erase(0, *put);
  if (error_.empty()) error_ = talk_.error();
  if (error_.empty() && !server_ends_.empty() && !stands() && to_client_.empty()) error_ = server_ends_;
  const bool over = !error_.empty() || (!server_ends_.empty() && to_client_.empty());
  if (over && client_ >= 0) ::shutdown(client_, SHUT_RDWR);
}

void SealedWay::cut() {
  hard_ = true;
  if (client_ >= 0) ::shutdown(client_, SHUT_RDWR);
}

}  // namespace leasescope::mysql
