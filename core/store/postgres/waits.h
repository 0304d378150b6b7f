// Lock calls that the server has told to wait: each looks again when a message says that there is an answer, or when
// the holder's session may be over.
#pragma once
#include <cstdint>
#include <functional>
#include <map>

#include "core/loop/one_shot.h"
#include "core/store/port.h"
#include "core/store/postgres/session_call.h"

namespace leasescope::postgres {

class Waits {
 public:
  // `look`: a call of that number is to be looked after at the server, which answers with looked(), or ends it.
  Waits(Loop& loop, std::function<void(std::uint64_t id)> look) : loop_(&loop), look_(std::move(look)) {}

  void begin(const Request& lock);  // it has gone out
  void end(std::uint64_t id);
  void end_all() { waits_.clear(); }
  void looked(std::uint64_t id, Duration again);  // it waits
  // Has been told to wait, and nothing is asked of the server: one that leaves a look unanswered may be gone.
  bool waits(std::uint64_t id) const;
  void hear(const SessionMessage& message);
  // Messages may have been missed.
  void look_all();
  // Its process stands still, and looks after nothing.
  void stand_still(bool still);

 private:
  struct Wait {
    explicit Wait(Loop& loop) : timer(loop) {}
    std::uint32_t thread = 0;
    std::uint64_t uid = 0;
    bool told = false;   // to wait
    bool asking = true;  // its answer is under way
    bool anew = false;   // and then it looks again
    OneShot timer;
  };

  void look(std::uint64_t id, Wait& wait);

  Loop* loop_;
  std::function<void(std::uint64_t)> look_;
  std::map<std::uint64_t, Wait> waits_;  // by the call's number
  bool still_ = false;
};

}  // namespace leasescope::postgres
