// The clocks of a run's servers: how far each is ahead of the true time, and what was asked of it and is not done yet.
#pragma once
#include <cstddef>
#include <deque>
#include <functional>
#include <vector>

#include "core/loop/one_shot.h"
#include "simulator/live/server_control.h"

namespace leasescope {

class ServerClocks {
 public:
  // Of one that it was asked to make.
  struct Step {
    Duration by{};
    TrueTime asked{};
    bool told = true;  // it stands for itself; else a drift is made of such
  };

  // `asked` hears of each step as it is asked for. `server`: null where nothing is asked for.
  ServerClocks(Loop& loop, std::size_t servers, ServerControl* server,
               std::function<void(std::size_t which, Duration by)> asked);

  void step(std::size_t which, Duration by);
  void speed(std::size_t which, std::int32_t ppm);  // beside what it runs fast or slow by already
  // The first that was not done has been.
  Step done(std::size_t which);
  void rest() { timer_.cancel(); }  // none drifts from now on

 private:
  struct Clock {
    Duration ahead{};  // as it was asked to be
    TrueTime at{};     // at that moment
    std::int32_t ppm = 0;
    std::deque<Step> asked;
  };

  void run();
  void set(std::size_t which, const Step& step);

  Loop* loop_;
  ServerControl* server_;
  std::function<void(std::size_t, Duration)> asked_;
  std::vector<Clock> clocks_;
  OneShot timer_;
};

}  // namespace leasescope
