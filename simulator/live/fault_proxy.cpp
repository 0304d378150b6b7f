#include "simulator/live/fault_proxy.h"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "simulator/live/proxy_connection.h"

namespace leasescope {

FaultProxy::FaultProxy(Loop& loop, const Endpoint& upstream, const StoreType& type, bool filters,
                       std::shared_ptr<Resolver> resolver)
    : loop_(&loop), upstream_(upstream), type_(&type), filters_(filters), resolver_(std::move(resolver)) {
  if (resolver_ == nullptr) resolver_ = std::make_shared<Resolver>(loop);
}

FaultProxy::~FaultProxy() {
  *alive_ = false;
  loop_->unwatch(watch_);
  if (listener_ >= 0) ::close(listener_);
}

tl::expected<Endpoint, std::string> FaultProxy::listen() {
  listener_ = ::socket(AF_INET, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  socklen_t length = sizeof(address);
  auto* const name = reinterpret_cast<sockaddr*>(&address);
  if (listener_ < 0 || ::bind(listener_, name, length) != 0 || ::listen(listener_, 16) != 0 ||
      ::getsockname(listener_, name, &length) != 0)
    return tl::unexpected(fmt::format("the fault proxy cannot listen on the loopback: {}", std::strerror(errno)));
  watch_ = loop_->watch(listener_, Readiness::kRead, [this] { accept(); });
  Endpoint endpoint;
  endpoint.port = ntohs(address.sin_port);
  return endpoint;
}

void FaultProxy::accept() {
  const int client = ::accept4(listener_, nullptr, nullptr, SOCK_NONBLOCK | SOCK_CLOEXEC);
  if (client < 0) return;
  auto connection = std::make_unique<Connection>(*this, client);
  Connection* const place = connection.get();
  connections_.emplace(place, std::move(connection));
  place->open();
}

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
  delay_up_ = delay_down_ = Duration::zero();
  pump();
}

void FaultProxy::add_delay(LinkDirection direction, Duration by) {
  if (direction != LinkDirection::kFromStore) delay_up_ += by;
  if (direction != LinkDirection::kToStore) delay_down_ += by;
}

void FaultProxy::end_all(bool hard) {
  for (const auto& [place, connection] : connections_) {
    connection->end(hard);
    forget(place);
  }
}

void FaultProxy::cut() { end_all(false); }
void FaultProxy::reset() { end_all(true); }

}  // namespace leasescope
