#include "simulator/live/proxy_connection.h"

#include <sys/socket.h>

#include <array>
#include <cerrno>
#include <string>
#include <utility>

#include "core/store/socket.h"

namespace leasescope {
namespace {

// More is left to the kernel's buffers, which make the sender wait: a server that floods fills nobody's memory.
constexpr std::size_t kMostKept = 1024 * 1024;

}  // namespace

FaultProxy::Connection::Connection(FaultProxy& proxy, int client)
    : proxy_(&proxy),
      loop_(proxy.loop_),
      connector_(*loop_, *proxy.resolver_),
      client_(client),
      up_(*loop_),
      down_(*loop_) {
  if (proxy.filters_ && proxy.type_->push_filter != nullptr) filter_ = proxy.type_->push_filter();
  tune_line(client);
}

FaultProxy::Connection::~Connection() { end(false); }

void FaultProxy::Connection::open() {
  up_.from = down_.to = client_;
  watch(up_);
  connector_.connect(proxy_->upstream_, [this](const tl::expected<int, std::string>& server) {
    if (server) return on_upstream_connected(*server);
    end(true);
    proxy_->forget(this);
  });
}

void FaultProxy::Connection::on_upstream_connected(int server) {
  server_ = up_.to = down_.from = server;
  connected_ = true;
  watch(down_);
  pump();
}

bool FaultProxy::Connection::stalled(const Pipe& pipe) const {
  return (is_up(pipe) ? proxy_->stalls_up_ : proxy_->stalls_down_) > 0;
}

bool FaultProxy::Connection::held(const Pipe& pipe) const {
  return stalled(pipe) || (is_up(pipe) ? proxy_->clogs_up_ : proxy_->clogs_down_) > 0;
}

void FaultProxy::Connection::read(Pipe& pipe) {
  std::array<char, 65536> buffer;
  const ssize_t got = ::read(pipe.from, buffer.data(), buffer.size());
  if (got < 0 && (errno == EAGAIN || errno == EINTR)) return;
  if (got <= 0) {
    pipe.ended = true;
    loop_->unwatch(std::exchange(pipe.reads, 0));
    if (is_up(pipe) && stalled(pipe)) {
      pipe.chunks.clear();
      pipe.kept = 0;
    }
    if (is_up(pipe) && (!pipe.chunks.empty() || unanswered_)) outlive_client();
  } else if (!is_up(pipe) && late_answers_ != nullptr) {
    read_late_answers({buffer.data(), static_cast<std::size_t>(got)});
  } else {
    if (!is_up(pipe)) unanswered_ = false;
    const Duration delay = is_up(pipe) ? proxy_->delay_up_ : proxy_->delay_down_;
    std::string bytes(buffer.data(), static_cast<std::size_t>(got));
    if (!is_up(pipe) && filter_ != nullptr)
      bytes = filter_->pass(bytes, proxy_->mutes_ > 0, [this](std::string_view body) {
        if (proxy_->on_dropped) proxy_->on_dropped(body);
      });
    pipe.kept += bytes.size();
    if (!bytes.empty()) pipe.chunks.push_back({loop_->now() + delay, std::move(bytes)});
    if (pipe.kept > kMostKept) loop_->unwatch(std::exchange(pipe.reads, 0));
  }
  pump();
}

void FaultProxy::Connection::outlive_client() {
  if (proxy_->type_->late_answers != nullptr) late_answers_ = proxy_->type_->late_answers();
  down_.chunks.clear();
  down_.kept = 0;
}

// The server answers what it has read, and closes.
bool FaultProxy::Connection::wait_for_late_answers() {
  if (late_answers_ == nullptr || !connected_) return false;
  ::shutdown(server_, SHUT_WR);
  return true;
}

void FaultProxy::Connection::read_late_answers(std::string_view bytes) {
  for (const bool freed : late_answers_->releases(bytes))
    if (proxy_->on_late_release) proxy_->on_late_release(freed, asked_at_);
}

void FaultProxy::Connection::watch(Pipe& pipe) {
  if (pipe.reads == 0 && !pipe.ended)
    pipe.reads = loop_->watch(pipe.from, Readiness::kRead, [this, &pipe] { read(pipe); });
}

// So much of the first chunk is on its way.
void FaultProxy::Connection::take(Pipe& pipe, std::size_t size) {
  pipe.chunks.front().bytes.erase(0, size);
  pipe.kept -= size;
  if (pipe.kept <= kMostKept) watch(pipe);
}

void FaultProxy::Connection::pump() {
  if (client_ < 0) return;
  if (pump(up_) && pump(down_)) return;
  end(false);
  proxy_->forget(this);
}

bool FaultProxy::Connection::pump(Pipe& pipe) {
  const bool given_up = is_up(pipe) && pipe.ended && pipe.chunks.empty();
  if (given_up) return wait_for_late_answers();
  if (held(pipe) || (is_up(pipe) && !connected_)) return true;
  while (!pipe.chunks.empty()) {
    Chunk& chunk = pipe.chunks.front();
    if (const Duration wait = chunk.due - loop_->now(); wait > Duration::zero()) {
      pipe.timer.arm(wait, [this] { pump(); });
      return true;
    }
    if (is_up(pipe)) asked_at_ = loop_->now();
    const auto put = write_some(pipe.to, chunk.bytes);
    if (!put) return false;
    take(pipe, *put);
    if (is_up(pipe)) unanswered_ = true;
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
  return !pipe.ended || (is_up(pipe) && wait_for_late_answers());
}

void FaultProxy::Connection::unwatch(Pipe& pipe) {
  loop_->unwatch(std::exchange(pipe.reads, 0));
  loop_->unwatch(std::exchange(pipe.writes, 0));
  pipe.timer.cancel();
}

void FaultProxy::Connection::end(bool hard) {
  connector_.cancel();
  unwatch(up_);
  unwatch(down_);
  close_line(std::exchange(client_, -1), hard);
  close_line(std::exchange(server_, -1), false);
}

}  // namespace leasescope
