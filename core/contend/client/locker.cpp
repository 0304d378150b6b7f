#include <utility>

#include <fmt/format.h>

#include "core/base/escaped.h"
#include "core/contend/client/locker_parts.h"

namespace leasescope::client {

Locker::Parts::Parts(std::shared_ptr<Client::Parts> client, const std::string& mutex, const Terms& terms)
    : contender_(
          std::move(client), mutex, terms,
          {[this](const Term&) { acquired(); }, [this](const Term& term, End end) { released(term, end); }, {}}) {
  contender_.refused = [this] {
    const std::lock_guard lock(guard_);
    refused_ = true;
    changed_.notify_all();
  };
}

tl::expected<Lock, NotLocked> Locker::Parts::acquire(Nanoseconds within) {
  std::unique_lock lock(guard_);
  if (state_ != State::kFree)
    return tl::unexpected(NotLocked{NotLocked::Why::kHeld, fmt::format("{} is held by this locker", contender_.mutex)});
  state_ = State::kWaits;
  refused_ = false;
  lock.unlock();  // a callback that gives an earlier lock back is waited for
  contender_.start();
  lock.lock();
  const auto over = [&] {
    return state_ == State::kHeld || state_ == State::kLost || (within <= Nanoseconds::zero() && refused_);
  };
  // Whoever waits for years waits without end; and who does not wait at all waits for the first answer.
  const bool endless = within <= Nanoseconds::zero() || within > std::chrono::hours(24 * 365);
  endless ? changed_.wait(lock, over) : void(changed_.wait_for(lock, within, over));
  if (state_ == State::kHeld) return Lock(shared_from_this(), contender_.last_term());
  state_ = State::kGivesUp;
  lock.unlock();
  contender_.stop();
  lock.lock();
  state_ = State::kFree;
  return tl::unexpected(NotLocked{NotLocked::Why::kTimeout, why_not()});
}

std::string Locker::Parts::why_not() const {
  const std::string trouble = contender_.last_trouble(), other = contender_.last_other();
  if (!trouble.empty()) return fmt::format("{} could not be locked: {}", contender_.mutex, trouble);
  return other.empty() ? fmt::format("{} is held by somebody else", contender_.mutex)
                       : fmt::format("{} is held by {}", contender_.mutex, escaped(other));
}

void Locker::Parts::acquired() {
  const std::lock_guard lock(guard_);
  if (state_ != State::kWaits) return;
  state_ = State::kHeld;
  changed_.notify_all();
}

void Locker::Parts::released(const Term& term, End end) {
  if (end == End::kStopped) return;
  std::function<void(const Term&)> lost;
  {
    const std::lock_guard lock(guard_);
    if (state_ != State::kHeld) return;
    state_ = State::kLost;
    lost = lost_;
  }
  contender_.stop();     // what it owned is over; it does not contend for another time behind its user's back
  if (lost) lost(term);  // what it throws is taken where we were called
}

bool Locker::Parts::holds() const {
  const std::lock_guard lock(guard_);
  return state_ == State::kHeld && contender_.owns();
}

bool Locker::Parts::release() {
  contender_.stop();
  const std::lock_guard lock(guard_);
  return std::exchange(state_, State::kFree) == State::kHeld;
}

void Locker::Parts::on_lost(std::function<void(const Term&)> callback) {
  const std::lock_guard lock(guard_);
  lost_ = std::move(callback);
}

Locker::Locker(std::shared_ptr<Parts> parts) : parts_(std::move(parts)) {}
Locker::Locker(Locker&&) noexcept = default;
Locker& Locker::operator=(Locker&&) noexcept = default;
Locker::~Locker() = default;

tl::expected<Lock, NotLocked> Locker::acquire(Nanoseconds within) { return parts_->acquire(within); }
void Locker::on_lost(std::function<void(const Term&)> callback) { parts_->on_lost(std::move(callback)); }

Lock::Lock(Lock&&) noexcept = default;
Lock& Lock::operator=(Lock&& other) noexcept {
  if (this != &other) {
    release();
    parts_ = std::move(other.parts_);
    term_ = std::move(other.term_);
  }
  return *this;
}
Lock::~Lock() { release(); }

bool Lock::owns() const { return parts_ != nullptr && std::static_pointer_cast<Locker::Parts>(parts_)->holds(); }

bool Lock::release() {
  const auto parts = std::static_pointer_cast<Locker::Parts>(std::exchange(parts_, nullptr));
  return parts != nullptr && parts->release();
}

}  // namespace leasescope::client
