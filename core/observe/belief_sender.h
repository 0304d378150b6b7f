// Who sends what is believed, on a connection of its own or on none: never on one that a lease is renewed on.
#pragma once
#include <functional>
#include <memory>
#include <string>

namespace leasescope {

class BeliefSender {
 public:
  // Both are called from the loop, never from within a call of the sender.
  struct Events {
    std::function<void()> ready;                      // it can send from now on, again perhaps
    std::function<void(const std::string&)> refused;  // the server lets us send nothing, in its words
  };

  virtual ~BeliefSender() = default;
  // At once or never, and without waiting: what cannot be sent now is lost, and nobody is told.
  virtual void send(const std::string& mutex, const std::string& text) = 0;
};

}  // namespace leasescope
