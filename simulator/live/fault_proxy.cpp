#include "simulator/live/fault_proxy.h"

#include <netdb.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <utility>

#include <fmt/format.h>

#include "simulator/live/proxy_connection.h"

namespace leasescope {
namespace {

// When it could not be done: no descriptor is left, or somebody else has the port.
constexpr std::chrono::milliseconds kTryAgain{100};

// A bound socket that listens there; -1: errno says why not.
int listener_at(const addrinfo& address) {
  const int fd = ::socket(address.ai_family, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
  if (fd < 0) return fd;
  const int yes = 1;
  ::setsockopt(fd, SOL_SOCKET, SO_REUSEADDR, &yes, sizeof yes);
  if (::bind(fd, address.ai_addr, address.ai_addrlen) == 0 && ::listen(fd, 128) == 0) return fd;
  const int error = errno;
  ::close(fd);
  errno = error;
  return -1;
}

int port_of(int descriptor) {
  sockaddr_storage name{};
  socklen_t length = sizeof name;
  ::getsockname(descriptor, reinterpret_cast<sockaddr*>(&name), &length);
  return ntohs(name.ss_family == AF_INET6 ? reinterpret_cast<sockaddr_in6*>(&name)->sin6_port
                                          : reinterpret_cast<sockaddr_in*>(&name)->sin_port);
}

}  // namespace

FaultProxy::FaultProxy(Loop& loop, const Endpoint& upstream, const StoreType& type, bool filters,
                       std::shared_ptr<Resolver> resolver)
    : loop_(&loop), upstream_(upstream), type_(&type), filters_(filters), resolver_(std::move(resolver)), again_(loop) {
  if (resolver_ == nullptr) resolver_ = std::make_shared<Resolver>(loop);
}

FaultProxy::FaultProxy(Loop& loop, const Endpoint& upstream, const StoreType* type, bool filters)
    : loop_(&loop),
      upstream_(upstream),
      type_(type),
      filters_(filters && type != nullptr),
      resolver_(std::make_shared<Resolver>(loop)),
      again_(loop) {}

FaultProxy::~FaultProxy() {
  *alive_ = false;
  close_listener();
  connections_.clear();  // whose ways tell the toxics
}

// ---- the listener

tl::expected<Endpoint, std::string> FaultProxy::listen(const Endpoint& at) {
  at_ = at;
  if (const std::string error = open_listener(); !error.empty())
    return tl::unexpected(fmt::format("the fault proxy cannot listen on {}:{}: {}", at.host, at.port, error));
  return at_;
}

std::string FaultProxy::open_listener() {
  addrinfo hints{};
  hints.ai_socktype = SOCK_STREAM;
  hints.ai_flags = AI_NUMERICSERV | AI_NUMERICHOST | AI_PASSIVE;
  addrinfo* list = nullptr;
  if (const int error = ::getaddrinfo(at_.host.c_str(), fmt::format("{}", at_.port).c_str(), &hints, &list); error != 0)
    return ::gai_strerror(error);
  const std::unique_ptr<addrinfo, void (*)(addrinfo*)> found(list, ::freeaddrinfo);
  listener_ = listener_at(*found);
  if (listener_ < 0) return std::strerror(errno);
  at_.port = port_of(listener_);
  watch_ = loop_->watch(listener_, Readiness::kRead, [this] { accept(); });
  return {};
}

void FaultProxy::close_listener() {
  again_.cancel();
  loop_->unwatch(std::exchange(watch_, 0));
  if (listener_ >= 0) ::close(std::exchange(listener_, -1));
}

void FaultProxy::listen_again() {
  if (refusals_ > 0 || listener_ >= 0 || open_listener().empty()) return;
  again_.arm(kTryAgain, [this] { listen_again(); });
}

void FaultProxy::accept() {
  const int client = ::accept4(listener_, nullptr, nullptr, SOCK_NONBLOCK | SOCK_CLOEXEC);
  if (client < 0) {
    if (errno == EAGAIN || errno == EINTR || errno == ECONNABORTED) return;
    loop_->unwatch(std::exchange(watch_, 0));  // it stays ready, and nothing can be done about it
    again_.arm(kTryAgain, [this] {
      if (listener_ >= 0 && watch_ == 0) watch_ = loop_->watch(listener_, Readiness::kRead, [this] { accept(); });
    });
    return;
  }
  auto connection = std::make_unique<Connection>(*this, client);
  Connection* const place = connection.get();
  connections_.emplace(place, std::move(connection));
  place->open();
}

void FaultProxy::refuse(bool refuses) {
  refusals_ += refuses ? 1 : -1;
  refusals_ > 0 ? close_listener() : listen_again();
}

// ---- connections

// At the loop's next turn: the connection is still on the stack.
void FaultProxy::forget(Connection* connection) {
  loop_->post([this, connection, alive = alive_] {
    if (*alive) connections_.erase(connection);
  });
}

void FaultProxy::pump() {
  std::vector<Connection*> all;
  for (const auto& [place, connection] : connections_) all.push_back(place);
  for (Connection* connection : all) connection->pump();
}

void FaultProxy::stall(LinkDirection direction) {
  if (direction != LinkDirection::kFromStore) ++stalls_up_;
  if (direction != LinkDirection::kToStore) ++stalls_down_;
}

void FaultProxy::resume(LinkDirection direction) {
  if (direction != LinkDirection::kFromStore) --stalls_up_;
  if (direction != LinkDirection::kToStore) --stalls_down_;
  pump();
}

void FaultProxy::clog(LinkDirection direction) {
  if (direction != LinkDirection::kFromStore) ++clogs_up_;
  if (direction != LinkDirection::kToStore) ++clogs_down_;
}

void FaultProxy::unclog(LinkDirection direction) {
  if (direction != LinkDirection::kFromStore) --clogs_up_;
  if (direction != LinkDirection::kToStore) --clogs_down_;
  pump();
}

void FaultProxy::heal() {
  stalls_up_ = stalls_down_ = clogs_up_ = clogs_down_ = mutes_ = 0;
  if (half_opens_ > 0) half_opens_ = 1;
  close_half_open();
  delay_up_ = delay_down_ = delay_messages_ = Duration::zero();
  disarm(std::exchange(armed_, {}));
  pump();
}

void FaultProxy::add_delay(LinkDirection direction, Duration by) {
  if (direction != LinkDirection::kFromStore) delay_up_ += by;
  if (direction != LinkDirection::kToStore) delay_down_ += by;
}

void FaultProxy::end_all(bool hard, bool both) {
  for (const auto& [place, connection] : connections_) connection->give_up(hard, both);
}

void FaultProxy::cut() { end_all(false); }
void FaultProxy::reset() { end_all(true); }

void FaultProxy::half_open() {
  ++half_opens_;
  for (const auto& [place, connection] : connections_) connection->die();
}

void FaultProxy::close_half_open() {
  if (half_opens_ == 0 || --half_opens_ > 0) return;
  for (const auto& [place, connection] : connections_)
    if (connection->died()) connection->give_up(true, true);
}

// ---- toxics

void FaultProxy::arm(const std::vector<std::shared_ptr<Toxic>>& toxics) {
  for (const auto& toxic : toxics) {
    armed_.push_back(toxic);
    armed_at_[toxic->row.number] = loop_->now();
  }
  for (const auto& toxic : toxics) toxic->begin(*this);
  look_at_lifetimes();
}

void FaultProxy::disarm(const std::vector<std::shared_ptr<Toxic>>& toxics) {
  for (const auto& toxic : toxics) armed_.erase(std::remove(armed_.begin(), armed_.end(), toxic), armed_.end());
  for (const auto& toxic : toxics) toxic->end(*this);
  look_at_lifetimes();
  pump();
}

TrueTime FaultProxy::armed_at(const Toxic& toxic) const { return armed_at_.at(toxic.row.number); }

void FaultProxy::look_at_lifetimes() {
  for (const auto& [place, connection] : connections_) connection->look_at_lifetime();
}

void FaultProxy::end_all(Farewell how) {
  if (how != Farewell::kSilence) return end_all(how == Farewell::kReset, true);
  for (const auto& [place, connection] : connections_)
    for (const LinkDirection each : {LinkDirection::kToStore, LinkDirection::kFromStore})
      connection->pipe(each).silence();
}

void FaultProxy::half_close(LinkDirection direction) {
  for (const auto& [place, connection] : connections_)
    for (const LinkDirection each : {LinkDirection::kToStore, LinkDirection::kFromStore})
      if (direction == LinkDirection::kBoth || direction == each) connection->pipe(each).half_close();
  pump();
}

void FaultProxy::lose_held(LinkDirection direction) {
  for (const auto& [place, connection] : connections_)
    for (const LinkDirection each : {LinkDirection::kToStore, LinkDirection::kFromStore})
      if (direction == LinkDirection::kBoth || direction == each) connection->pipe(each).lose_held();
}

}  // namespace leasescope
