// What faults do to the server of a run, which is a private one; `which` of them, from 0, where there are several. Each
// is carried out as soon as what was asked before is done, and none is waited for.
#pragma once
#include <cstddef>
#include <cstdint>
#include <string>

namespace leasescope {

class ServerControl {
 public:
  virtual ~ServerControl() = default;

  virtual void kill(std::size_t which) = 0;  // like a power cut
  virtual void start_again(std::size_t which) = 0;
  virtual void freeze(std::size_t which) = 0;
  virtual void thaw(std::size_t which) = 0;
  // By hand, as its administrator; the mutex as the store knows it.
  virtual void erase(const std::string& mutex) = 0;
  // A session of its own holds the mutex's row until it is let go; `fault` names it then.
  virtual void stall(const std::string& mutex, std::uint64_t fault) = 0;
  virtual void let_go(std::uint64_t fault) = 0;
};

}  // namespace leasescope
