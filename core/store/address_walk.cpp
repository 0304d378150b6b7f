#include "core/store/address_walk.h"

#include <utility>

namespace leasescope {

void AddressWalk::next(Done done) {
  if (is_address(endpoint_)) return done(endpoint_);
  looks_up_ =
      resolver_->look_up(endpoint_, [this, done = std::move(done)](const Addresses& found) { take(found, done); });
}

void AddressWalk::take(const Addresses& found, const Done& done) {
  if (!found) return done(tl::unexpected(found.error()));
  if (attempts_ >= found->size()) {
    attempts_ = 0;
    resolver_->forget(endpoint_);
  }
  done((*found)[attempts_++]);
}

}  // namespace leasescope
