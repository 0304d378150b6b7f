// The line of those who wait to be handed the lease over, in the order of their first call: WakeUp::kHandOver. A place
// that is not taken again in time is passed over.
#pragma once
#include <algorithm>
#include <vector>

#include "core/store/port.h"
#include "simulator/fault/port.h"

namespace leasescope {

struct LinePlace {
  Name who;
  NodeIndex node = 0;
  ServerTime taken{};  // for the last time
  Duration lease{};    // that is asked for

  bool lasts(ServerTime now) const { return now - taken <= place_lasts(lease); }
};

class WaitingLine {
 public:
  // Keeps the place of one that has one, whose last call this is.
  void take(const LinePlace& place) {
    forget_handed(place.who);
    const auto at = place_of(place.who);
    at == line_.end() ? line_.push_back(place) : void(*at = place);
  }
  void leave(Name who) {
    forget_handed(who);
    const auto at = place_of(who);
    if (at != line_.end()) line_.erase(at);
  }
  // Whoever's place is over leaves, up to the first that lasts.
  bool comes_first(Name who, ServerTime now) {
    drop_old(now);
    return !line_.empty() && line_.front().who == who;
  }
  // The first whose place lasts, which it leaves; one of nobody where there is none.
  LinePlace next(ServerTime now) {
    drop_old(now);
    if (line_.empty()) return {};
    const LinePlace first = line_.front();
    line_.erase(line_.begin());
    handed_ = first;
    return first;
  }
  // Once after it was next, as long as its place would have lasted.
  bool was_handed(Name who, ServerTime now) {
    const bool out = handed_.who == who && handed_.lasts(now);
    forget_handed(who);
    return out;
  }

 private:
  void forget_handed(Name who) {
    if (handed_.who == who) handed_ = {};
  }
  void drop_old(ServerTime now) {
    line_.erase(line_.begin(),
                std::find_if(line_.begin(), line_.end(), [&](const LinePlace& place) { return place.lasts(now); }));
  }
  std::vector<LinePlace>::iterator place_of(Name who) {
    return std::find_if(line_.begin(), line_.end(), [who](const LinePlace& place) { return place.who == who; });
  }

  std::vector<LinePlace> line_;
  LinePlace handed_;  // the last that was next, and has not called since
};

}  // namespace leasescope
