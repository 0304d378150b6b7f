#include "simulator/live/proxy_pipe.h"

#include <algorithm>
#include <utility>

#include "core/store/socket.h"

namespace leasescope {

FaultProxy::Pipe::Pipe(FaultProxy& proxy, LinkDirection direction, std::uint64_t connection, Asked& asked,
                       std::function<void()> pump)
    : proxy_(&proxy),
      direction_(direction),
      connection_(connection),
      asked_(&asked),
      pump_(std::move(pump)),
      timer_(*proxy.loop_) {
  if (proxy.filters_ && proxy.type_->frames != nullptr)
    reader_ = proxy.type_->frames(direction == LinkDirection::kToStore ? Speaker::kClient : Speaker::kServer);
}

FaultProxy::Pipe::~Pipe() {
  *alive_ = false;
  leave();
  for (const auto& toxic : proxy_->armed_) toxic->forget(*this);
}

TrueTime FaultProxy::Pipe::now() const { return proxy_->loop_->now(); }

// ---- in

void FaultProxy::Pipe::take_in(std::string bytes) {
  if (ended_) return;
  std::vector<Frame> frames;
  if (reader_ != nullptr) {
    reader_->read(bytes, frames);
  } else {
    frames.push_back({FrameKind::kBytes, std::move(bytes), {}, true, false});
  }
  for (Frame& frame : frames) put(std::move(frame));
}

bool FaultProxy::Pipe::is_dropped_push(const Frame& frame) const {
  if (frame.kind != FrameKind::kPush || (proxy_->mutes_ == 0 && !silent_)) return false;
  if (proxy_->on_dropped) proxy_->on_dropped(frame.says);
  return true;
}

void FaultProxy::Pipe::put(Frame frame) {
  if (ended_ || is_dropped_push(frame) || silent_ || goes_nowhere(frame)) return;
  const bool up = direction_ == LinkDirection::kToStore;
  Parcel parcel;
  parcel.due = now() + (up ? proxy_->delay_up_ : proxy_->delay_down_);
  if (frame.kind == FrameKind::kPush && proxy_->delay_messages_ > Duration::zero()) {
    parcel.due += proxy_->delay_messages_;
    parcel.aside = true;
  }
  parcel.frame = std::move(frame);
  for (const auto& toxic : proxy_->armed_) {
    if (!parcel.lost && toxic->hits(direction_)) toxic->pass(parcel, *this);
  }
  if (parcel.lost || parcel.frame.bytes.empty()) return;
  if (parcel.frame.kind == FrameKind::kPush && parcel.held_by == 0) keep_order(parcel);
  if (parcel.frame.kind == FrameKind::kRequest) return put_request(std::move(parcel));
  if (parcel.twice) queue(parcel);
  queue(std::move(parcel));
}

// One that goes twice does so whole: its parts first, then all of them once more.
void FaultProxy::Pipe::put_request(Parcel parcel) {
  if (parcel.frame.begins) {
    asked_->push_back(false);
    doubled_ = parcel.twice;
    answered_once_ = parcel.answered_once;
    second_.clear();
  }
  const bool ends = parcel.frame.ends;
  if (doubled_) second_.push_back(parcel);
  queue(std::move(parcel));
  if (!ends || !std::exchange(doubled_, false)) return;
  asked_->push_back(answered_once_);
  for (Parcel& each : second_) queue(std::move(each));
  second_.clear();
}

bool FaultProxy::Pipe::goes_nowhere(const Frame& frame) {
  if (frame.kind != FrameKind::kReply) return false;
  if (frame.begins) {
    muffled_ = !asked_->empty() && asked_->front();
    if (!asked_->empty()) asked_->pop_front();
  }
  return muffled_;
}

// Pushed messages among themselves, as one connection does: what comes after a delay waits for what it has held up.
void FaultProxy::Pipe::keep_order(Parcel& parcel) {
  parcel.aside = parcel.aside || parcel.due < last_push_;
  parcel.due = std::max(parcel.due, last_push_);
  if (parcel.aside) last_push_ = parcel.due;
}

void FaultProxy::Pipe::queue(Parcel parcel) {
  kept_ += parcel.frame.bytes.size() + kEach;
  if (parcel.aside) {
    aside_.emplace(parcel.due, std::move(parcel));
    return;
  }
  // Behind bytes that cannot be told apart nothing can be put in any more: what was set aside goes before them.
  if (parcel.frame.kind == FrameKind::kBytes && !parcel.frame.whole && !aside_.empty())
    parcel.due = std::max(parcel.due, aside_.rbegin()->first);
  in_turn_.push_back(std::move(parcel));
}

void FaultProxy::Pipe::end() {
  if (std::exchange(ended_, true)) return;
  Duration later{};
  for (const auto& toxic : proxy_->armed_)
    if (toxic->hits(direction_)) later = std::max(later, toxic->closes_later());
  close_at_ = later > Duration::zero() ? now() + later : TrueTime::min();
}

void FaultProxy::Pipe::end_after(Farewell how) {
  how_ = how;
  if (how == Farewell::kSilence) {
    silent_ = true;
  } else {
    ended_ = closes_all_ = true;
  }
}

void FaultProxy::Pipe::half_close() {
  if (ended_) return;
  ended_ = true;
}

void FaultProxy::Pipe::let_go(std::uint64_t held_by) {
  for (Parcel& parcel : in_turn_)
    if (parcel.held_by == held_by) parcel.due = std::min(parcel.due, now());
  const auto found =
      std::find_if(aside_.begin(), aside_.end(), [&](const auto& each) { return each.second.held_by == held_by; });
  if (found != aside_.end()) {
    Parcel parcel = std::move(found->second);
    aside_.erase(found);
    parcel.due = std::min(parcel.due, now());
    aside_.emplace(parcel.due, std::move(parcel));
  }
  // What has gone past is still on its way to its own end.
  proxy_->loop_->post([this, alive = alive_] {
    if (*alive) pump_();
  });
}

void FaultProxy::Pipe::forget_all() {
  in_turn_.clear();
  aside_.clear();
  kept_ = 0;
  under_way_.reset();
  amid_ = false;
}

void FaultProxy::Pipe::die() {
  forget_all();
  silent_ = true;
}

void FaultProxy::Pipe::lose_held() {
  if (empty()) return;
  forget_all();
  silent_ = true;
}

// ---- out

bool FaultProxy::Pipe::stalled() const {
  return (direction_ == LinkDirection::kToStore ? proxy_->stalls_up_ : proxy_->stalls_down_) > 0;
}

bool FaultProxy::Pipe::held() const {
  if (stalled() || (direction_ == LinkDirection::kToStore ? proxy_->clogs_up_ : proxy_->clogs_down_) > 0) return true;
  return std::any_of(proxy_->armed_.begin(), proxy_->armed_.end(),
                     [this](const auto& toxic) { return toxic->holds() && toxic->hits(direction_); });
}

bool FaultProxy::Pipe::over() const { return ended_ && empty() && !held() && now() >= close_at_; }

// What goes on next; null when there is nothing, or not yet.
Parcel* FaultProxy::Pipe::next() {
  if (!under_way_ && !amid_ && !aside_.empty() && aside_.begin()->first <= now()) {
    under_way_ = std::move(aside_.begin()->second);
    aside_.erase(aside_.begin());
  }
  if (under_way_) return &*under_way_;
  if (!in_turn_.empty() && in_turn_.front().due <= now()) return &in_turn_.front();
  TrueTime first = TrueTime::max();
  if (!in_turn_.empty()) first = in_turn_.front().due;
  if (!amid_ && !aside_.empty()) first = std::min(first, aside_.begin()->first);
  if (ended_ && empty() && close_at_ > now()) first = close_at_;
  wait_until(first);
  return nullptr;
}

void FaultProxy::Pipe::wait_until(TrueTime moment) {
  if (moment != TrueTime::max()) timer_.arm(moment - now(), [this] { pump_(); });
}

std::size_t FaultProxy::Pipe::most_now(std::size_t size) const {
  for (const auto& toxic : proxy_->armed_)
    if (const auto pace = toxic->pace(); pace && toxic->hits(direction_)) size = std::min(size, pace->most);
  return size;
}

void FaultProxy::Pipe::wait_for_gap(std::size_t put) {
  Duration gap{};
  for (const auto& toxic : proxy_->armed_)
    if (const auto pace = toxic->pace(); pace && toxic->hits(direction_)) gap = std::max(gap, pace->gap(put, pace->of));
  // Without one nothing is kept: a run sets its loop's clock back when its time begins.
  paced_until_ = gap > Duration::zero() ? now() + gap : TrueTime::min();
}

bool FaultProxy::Pipe::pump(int to) {
  if (held() || writes_ != 0) return true;
  while (Parcel* const parcel = next()) {
    if (now() < paced_until_) {
      wait_until(paced_until_);
      return true;
    }
    const std::string_view left = std::string_view(parcel->frame.bytes).substr(parcel->at);
    const std::size_t size = most_now(left.size());
    wrote_at = now();
    const auto put = write_some(to, left.substr(0, size));
    if (!put) return false;
    wrote = wrote || *put > 0;
    parcel->at += *put;
    if (*put > 0) wait_for_gap(*put);
    if (parcel->at == parcel->frame.bytes.size()) {
      done(*parcel);
    } else if (*put < size) {
      writes_ = proxy_->loop_->watch(to, Readiness::kWrite, [this] {
        proxy_->loop_->unwatch(std::exchange(writes_, 0));
        pump_();
      });
      return true;
    }
  }
  return true;
}

void FaultProxy::Pipe::done(const Parcel& parcel) {
  kept_ -= parcel.frame.bytes.size() + kEach;
  if (under_way_) {
    under_way_.reset();
  } else {
    amid_ = !parcel.frame.whole;
    in_turn_.pop_front();
  }
}

void FaultProxy::Pipe::leave() {
  proxy_->loop_->unwatch(std::exchange(writes_, 0));
  timer_.cancel();
}

}  // namespace leasescope
