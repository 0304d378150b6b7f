// What occurs in a history: what a filter of its events can be completed with.
#pragma once
#include <unordered_set>
#include <vector>

#include "core/history/event.h"

namespace leasescope {

// Each once, in order of first appearance.
class Occurring {
 public:
  // True when it brings something new.
  bool take(const Event& event);

  const std::vector<Event>& kinds() const { return kinds_; }  // an event of each kind and outcome
  const std::vector<Name>& mutexes() const { return mutexes_; }
  const std::vector<Name>& stores() const { return stores_; }  // that voted
  const std::vector<Name>& resources() const { return resources_; }

 private:
  struct Known {
    std::unordered_set<std::uint32_t> keys;
    std::uint32_t last = UINT32_MAX;  // most events are like the one before
    bool add(std::uint32_t key);
  };

  std::vector<Event> kinds_;
  std::vector<Name> mutexes_, stores_, resources_;
  Known kind_, mutex_, store_, resource_;
};

}  // namespace leasescope
