// What faults do to the server of a run, which is a private one; `which` of them, from 0, where there are several. Each
// is carried out as soon as what was asked before is done, and none is waited for.
#pragma once
#include <cstddef>
#include <cstdint>
#include <string>

#include "core/store/url.h"
#include "core/time/clock.h"

namespace leasescope {

class ServerControl {
 public:
  virtual ~ServerControl() = default;

  virtual void kill(std::size_t which) = 0;  // like a power cut
  virtual void start_again(std::size_t which) = 0;
  virtual void freeze(std::size_t which) = 0;
  virtual void thaw(std::size_t which) = 0;
  // Its replica, that of the one server: it is to find its leader there; it leads from now on, with what it has got.
  virtual void follow(const Endpoint& leader) = 0;
  virtual void promote() = 0;
  // By hand, as its administrator; the mutex as the store knows it.
  virtual void erase(const std::string& mutex) = 0;
  // The session of whoever holds the mutex.
  virtual void end_session(const std::string& mutex) = 0;
  // Its clock shows the true time and so much more, or less. Whoever carries it out tells LiveWorld when it is done.
  virtual void set_clock(std::size_t which, Duration ahead) = 0;
  // A session of its own holds the mutex's row until it is let go; `fault` names it then.
  virtual void stall(const std::string& mutex, std::uint64_t fault) = 0;
  virtual void let_go(std::uint64_t fault) = 0;
};

}  // namespace leasescope
