#include "core/store/zookeeper/kept_session.h"

#include <utility>

namespace leasescope::zookeeper {

KeptSession::KeptSession(Loop& loop, const StoreUrl& url, ServerWalk::Way way, Events events)
    : loop_(&loop),
      url_(url),
      events_(std::move(events)),
      resolver_(loop),
      servers_(resolver_, url, std::move(way)),
      pump_(loop),
      again_(loop),
      burial_(loop) {}

void KeptSession::begin(Duration span) {
  if (wanted()) end();
  span_ = span;
  again_.arm(Duration::zero(), [this] { open(); });
}

void KeptSession::end() {
  const bool stood = stands_;
  drop();
  if (stood) {
    closing_.push_back(std::move(buried_.back()));
    buried_.pop_back();
  }
  identity_ = {};
  span_ = Duration::zero();
}

void KeptSession::open() {
  servers_.next([this](const tl::expected<ServerWalk::Next, std::string>& next) {
    if (!next) return lose(next.error());
    session_ = std::make_unique<Session>(url_, next->address, span_, identity_,
                                         [this](Session::State state) { on_state(state); });
    pump_.drive(*session_);
    // The server may accept, and say nothing.
    again_.arm(kConnectTimeout, [this] { lose("no answer"); });
  });
}

void KeptSession::on_state(Session::State state) {
  switch (state) {
    case Session::State::kStands:
      again_.cancel();
      stands_ = true;
      servers_.arrived();
      back_off_.reset();
      identity_ = session_->identity();
      return events_.stands();
    case Session::State::kOver:
      drop();
      identity_ = {};
      span_ = Duration::zero();
      return events_.over();
    case Session::State::kRefused:
      return lose("the server refused the login");
    case Session::State::kLost:
      return lose(std::string(session_->trouble()));
  }
}

void KeptSession::abandon(const std::string& reason) { lose(reason); }

void KeptSession::lose(const std::string& reason) {
  drop();
  again_.arm(back_off_.next(), [this] { open(); });
  events_.broke(reason);
}

void KeptSession::drop() {
  stands_ = false;
  again_.cancel();
  servers_.cancel();
  pump_.stop();
  if (session_ == nullptr) return;
  session_->forget();
  buried_.push_back(std::move(session_));
  burial_.arm(Duration::zero(), [this] {
    for (const auto& each : closing_) each->close();
    closing_.clear();
    buried_.clear();
  });
}

}  // namespace leasescope::zookeeper
