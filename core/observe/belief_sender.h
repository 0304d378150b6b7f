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
  // At once or never, and without waiting. False: whoever takes it is too busy now, and it is lost; in a moment it may
  // be sent again. Where nobody is there to take it, or that is told of by ready(), it is lost too, and true is
  // returned.
  virtual bool send(const std::string& mutex, const std::string& text) = 0;
};

}  // namespace leasescope
