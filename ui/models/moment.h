// What everybody believed and held at one moment, read from the history; snapshots make any moment quick to reach.
#pragma once
#include <vector>

#include "core/history/standing.h"
#include "ui/models/cast.h"

namespace leasescope {

// One contender at one moment.
struct ContenderAt {
  bool running = false;
  bool believes = false;
  bool holds = false;
  bool paused = false;
  bool cut = false;
  Token believedToken = kNoToken;
  Token heldToken = kNoToken;
  TrueTime deadline{};  // its own, of the lease it was last told of; max(): none
};

class Moments {
 public:
  void setHistory(const History* history, const Cast* cast);
  // Another that says the same.
  void setCast(const Cast* cast) { cast_ = cast; }
  // Makes the snapshots of what has come: a long run that is come by at once would keep its first moment waiting.
  void follow();
  // By place in the cast.
  std::vector<ContenderAt> at(TrueTime time) const;

 private:
  // Events between two snapshots: the larger the fleet, the rarer a copy of all that it is.
  std::size_t stride() const;
  // After so many events.
  Standing after(std::size_t count) const;

  const History* history_ = nullptr;
  const Cast* cast_ = nullptr;
  int firstSize_ = 0;  // of the cast when the history was set: foreign owners that come later change no stride
  mutable std::vector<Standing> snapshots_;  // before event k * stride()
};

}  // namespace leasescope
