#include "core/store/redis/line_share.h"

namespace leasescope::redis {

LineShare::LineShare(Loop& loop, std::shared_ptr<SharedLines> lines, SharedLine& line, Duration patience, TalkEnds ends)
    : Talk(loop, {}, std::move(ends.events)),
      lines_(std::move(lines)),
      line_(&line),
      patience_(patience),
      said_(std::move(ends.said)),
      stands_(loop) {}

LineShare::~LineShare() {
  drop(false);
  line_->forget(*this);
}

void LineShare::begin() {
  seat_ = line_->join(*this);
  if (line_->up()) stands_.arm(Duration::zero(), [this] { stands(); });
}

// What ended by itself comes back by itself.
void LineShare::line_stands() {
  if (seat_ != 0) return stands();
  if (waits_) again();
}

void LineShare::drop(bool hard) {
  stands_.cancel();
  waits_ = !line_->up();
  line_->leave(std::exchange(seat_, 0), hard);
}

std::string LineShare::in_vain() const { return line_->trouble().empty() ? Line::in_vain() : line_->trouble(); }

}  // namespace leasescope::redis
