#include "core/store/connector.h"

#include <algorithm>
#include <utility>

#include "core/store/socket.h"

namespace leasescope {

void Connector::connect(const Endpoint& endpoint, Done done) {
  cancel();
  endpoint_ = endpoint;
  done_ = std::move(done);
  if (is_address(endpoint)) {
    left_ = {endpoint};
    return try_next();
  }
  ticket_ = resolver_->look_up(endpoint, [this](const Addresses& found) {
    found ? begin_with(*found) : void(error_ = found.error());
    try_next();
  });
}

void Connector::begin_with(const std::vector<Endpoint>& found) {
  left_.assign(found.rbegin(), found.rend());
  const auto passed = static_cast<std::ptrdiff_t>(in_vain_ % left_.size());
  std::rotate(left_.begin(), left_.end() - passed, left_.end());
}

void Connector::cancel() {
  ticket_.reset();
  if (descriptor_ >= 0) ++in_vain_;
  left_.clear();
  error_.clear();
  failed_.cancel();
  loop_->unwatch(std::exchange(watch_, 0));
  close_line(std::exchange(descriptor_, -1), true);
}

void Connector::try_next() {
  while (!left_.empty()) {
    const auto begun = begin_connect(left_.back());
    left_.pop_back();
    if (begun) {
      descriptor_ = *begun;
      watch_ = loop_->watch(descriptor_, Readiness::kWrite, [this] { on_writable(); });
      return;
    }
    error_ = begun.error();
  }
  // None of them leads there, or not any more.
  resolver_->forget(endpoint_);
  failed_.arm(Duration::zero(), [this] { std::exchange(done_, {})(tl::unexpected(error_)); });
}

void Connector::on_writable() {
  loop_->unwatch(std::exchange(watch_, 0));
  const int descriptor = std::exchange(descriptor_, -1);
  error_ = connect_error(descriptor);
  if (error_.empty()) return std::exchange(done_, {})(descriptor);
  close_line(descriptor, true);
  try_next();
}

}  // namespace leasescope
