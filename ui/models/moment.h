// What everybody believed and held at one moment, read from the history; snapshots make any moment quick to reach.
#pragma once
#include <vector>

#include "ui/models/cast.h"

namespace leasescope {

// One contender at one moment.
struct Standing {
  bool running = false;
  bool believes = false;
  bool holds = false;
  bool paused = false;
  bool cut = false;
  Name mutex;  // it was last granted
  Token believedToken = kNoToken;
  Token heldToken = kNoToken;
  TrueTime deadline{};   // its own, of the lease it was last told of
  TrueTime heldUntil{};  // as the store promised
};

class Moments {
 public:
  void setHistory(const History* history, const Cast* cast);
  // By place in the cast.
  std::vector<Standing> at(TrueTime time) const;

 private:
  // Events between two snapshots: the larger the fleet, the rarer a copy of all that it is.
  std::size_t stride() const;

  void apply(std::vector<Standing>& standings, const Event& event) const;

  const History* history_ = nullptr;
  const Cast* cast_ = nullptr;
  int firstSize_ = 0;  // of the cast when the history was set: foreign owners that come later change no stride
  mutable std::vector<std::vector<Standing>> snapshots_;  // before event k * stride()
};

}  // namespace leasescope
