// Looks at what a server has sent before libzookeeper reads it: that ends the program where an answer comes that nobody
// asked for, and takes as much memory as is announced.
#pragma once
#include <cstddef>
#include <cstdint>

namespace leasescope::zookeeper {

class LookAhead {
 public:
  enum class Found {
    kFrame,  // a whole one, of which the library reads exactly one at a time; or the end
    kPart,   // not yet; the descriptor is readable again when the rest has come
    kNoise,  // no ZooKeeper says that
  };

  // `greeted`: the session is answered; `asked`: so many calls are on their way.
  Found at(int descriptor, bool greeted, std::size_t asked);

 private:
  Found part(int descriptor, std::size_t wanted);

  std::size_t waits_for_ = 0;  // bytes; 0: for any
};

}  // namespace leasescope::zookeeper
