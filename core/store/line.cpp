#include "core/store/line.h"

#include <utility>

namespace leasescope {

Line::Line(Loop& loop, const Endpoint& endpoint, Events events)
    : loop_(&loop), endpoint_(endpoint), resolver_(loop), events_(std::move(events)), timer_(loop), broken_(loop) {}

void Line::connect() {
  if (!open_ && !timer_.armed()) open();
}

void Line::open() {
  open_ = true;
  begin_in_time();
}

void Line::begin_in_time() {
  timer_.arm(kConnectTimeout, [this] { abandon(in_vain()); });
  begin();
}

void Line::turn() {
  if (!open_) return;
  up_ = false;
  drop(false);
  begin_in_time();
}

void Line::again() {
  if (open_) return;
  timer_.cancel();
  open();
}

void Line::stands() {
  timer_.cancel();
  up_ = true;
  events_.up();
}

// Hard: a release that was given up must not arrive when its contender owns again.
void Line::abandon(const std::string& reason) {
  if (!open_) return;
  open_ = up_ = false;
  drop(true);
  // The owner may be in the midst of a call of its own: it hears of it when that is over.
  broken_.arm(Duration::zero(), [this, reason] { events_.down(reason); });
  timer_.arm(back_off_.next(), [this] { open(); });
}

}  // namespace leasescope
