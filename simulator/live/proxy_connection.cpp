#include "simulator/live/proxy_connection.h"

#include <sys/socket.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <utility>

#include "core/store/socket.h"
#include "simulator/live/toxics/keys.h"

namespace leasescope {

FaultProxy::Connection::Connection(FaultProxy& proxy, int client)
    : proxy_(&proxy),
      loop_(proxy.loop_),
      connector_(*loop_, *proxy.resolver_),
      client_(client),
      number_(++proxy.last_connection_),
      began_(loop_->now()),
      up_(proxy, LinkDirection::kToStore, number_, asked_, [this] { pump(); }),
      down_(proxy, LinkDirection::kFromStore, number_, asked_, [this] { pump(); }),
      life_(*loop_) {
  tune_line(client);
}

FaultProxy::Connection::~Connection() { end(false); }

void FaultProxy::Connection::open() {
  watch(up_);
  look_at_lifetime();
  connector_.connect(proxy_->upstream_, [this](const tl::expected<int, std::string>& server) {
    if (server) return on_upstream_connected(*server);
    if (proxy_->on_unreachable) proxy_->on_unreachable(number_, server.error());
    give_up(true);
  });
}

void FaultProxy::Connection::on_upstream_connected(int server) {
  server_ = server;
  connected_ = true;
  watch(down_);
  pump();
}

// ---- in

void FaultProxy::Connection::watch(Pipe& pipe) {
  if (reads(pipe) == 0 && !heard_all(pipe) && !pipe.full() && from(pipe) >= 0)
    reads(pipe) = loop_->watch(from(pipe), Readiness::kRead, [this, &pipe] { read(pipe); });
}

void FaultProxy::Connection::read(Pipe& pipe) {
  std::array<char, 65536> buffer;
  const ssize_t got = ::read(from(pipe), buffer.data(), buffer.size());
  if (got < 0 && (errno == EAGAIN || errno == EINTR)) return;
  const std::string_view bytes(buffer.data(), static_cast<std::size_t>(std::max<ssize_t>(got, 0)));
  if (got <= 0) {
    on_end_of(pipe, got < 0);
  } else if (!is_up(pipe) && late_answers_ != nullptr) {
    read_late_answers(bytes);
  } else {
    if (!is_up(pipe)) unanswered_ = false;
    pipe.take_in(std::string(bytes));
    if (pipe.full()) loop_->unwatch(std::exchange(reads(pipe), 0));
  }
  pump();
}

void FaultProxy::Connection::on_end_of(Pipe& pipe, bool broken) {
  heard_all(pipe) = true;
  loop_->unwatch(std::exchange(reads(pipe), 0));
  if (broken && proxy_->passes_half_closes_) return give_up(true, true);
  pipe.end();
  if (!is_up(pipe) || proxy_->passes_half_closes_) return;
  if (pipe.stalled()) pipe.forget_all();
  if (!pipe.empty() || unanswered_) outlive_client();
}

void FaultProxy::Connection::outlive_client() {
  if (proxy_->type_ != nullptr && proxy_->type_->late_answers != nullptr) late_answers_ = proxy_->type_->late_answers();
  down_.forget_all();
}

// The server answers what it has read, and closes.
bool FaultProxy::Connection::wait_for_late_answers() {
  if (late_answers_ == nullptr || !connected_) return false;
  ::shutdown(server_, SHUT_WR);
  return true;
}

void FaultProxy::Connection::read_late_answers(std::string_view bytes) {
  for (const bool freed : late_answers_->releases(bytes))
    if (proxy_->on_late_release) proxy_->on_late_release(freed, up_.wrote_at);
}

// ---- out

void FaultProxy::Connection::pump() {
  if (client_ < 0) return;
  if (pump(up_) && pump(down_)) return;
  if (client_ >= 0) give_up(false);
}

bool FaultProxy::Connection::pump(Pipe& pipe) {
  if (!is_up(pipe) || connected_) {
    if (!pipe.pump(to(pipe))) return false;
    if (std::exchange(pipe.wrote, false) && is_up(pipe)) unanswered_ = true;
  }
  watch(pipe);
  const bool given_up = is_up(pipe) && !proxy_->passes_half_closes_ && pipe.drained();
  return (!given_up && !pipe.over()) || finish(pipe);
}

// Nothing more comes on this way; false when the connection is over with that.
bool FaultProxy::Connection::finish(Pipe& pipe) {
  if (pipe.how() == Farewell::kReset) {
    give_up(true, true);
    return true;
  }
  if (!proxy_->passes_half_closes_) return is_up(pipe) && wait_for_late_answers();
  if (pipe.closes_all() || (is_up(pipe) && !connected_)) return !pipe.closes_all();
  if (!std::exchange(pipe.dead, true)) ::shutdown(to(pipe), SHUT_WR);
  return !up_.dead || !down_.dead;
}

void FaultProxy::Connection::die() {
  died_ = true;
  for (Pipe* const each : {&up_, &down_}) each->die();
}

void FaultProxy::Connection::give_up(bool hard, bool both) {
  if (client_ < 0) return;  // it has been, and another may stand in its place when that is forgotten
  end(hard, both);
  proxy_->forget(this);
}

// ---- how long it lasts

void FaultProxy::Connection::look_at_lifetime() {
  life_.cancel();
  TrueTime first = TrueTime::max();
  std::shared_ptr<Toxic> by;
  for (const auto& toxic : proxy_->armed_) {
    const auto lifetime = toxic->lifetime();
    if (!lifetime) continue;
    const TrueTime ends = std::max(began_, proxy_->armed_at(*toxic)) + *lifetime;
    if (ends >= first) continue;
    first = ends;
    by = toxic;
  }
  if (by != nullptr) life_.arm(std::max(Duration{}, first - loop_->now()), [this, by] { live_out(*by); });
}

void FaultProxy::Connection::live_out(const Toxic& toxic) {
  if (client_ < 0) return;
  if (toxic.told)
    toxic.told({loop_->now(), &toxic.row, number_, LinkDirection::kBoth, 0,
                fmt::format("its time is over: {}", toxics::farewell_words(toxic.farewell()))});
  if (toxic.farewell() == Farewell::kSilence) {
    up_.silence();
    down_.silence();
  } else {
    give_up(toxic.farewell() == Farewell::kReset, true);
  }
}

void FaultProxy::Connection::end(bool hard, bool both) {
  connector_.cancel();
  life_.cancel();
  up_.leave();
  down_.leave();
  loop_->unwatch(std::exchange(reads_up_, 0));
  loop_->unwatch(std::exchange(reads_down_, 0));
  close_line(std::exchange(client_, -1), hard);
  close_line(std::exchange(server_, -1), hard && both);
}

}  // namespace leasescope
