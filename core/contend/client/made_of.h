// The insides of a public object, which may go in a thread of their own callbacks.
#pragma once
#include <memory>
#include <thread>
#include <utility>

namespace leasescope::client {

// Its end waits for its callbacks: where one of them lets it go, another thread waits.
template <class Parts, class... Args>
std::shared_ptr<Parts> made_of(Args&&... args) {
  return std::shared_ptr<Parts>(new Parts(std::forward<Args>(args)...), [](Parts* parts) {
    if (!parts->in_callback()) return delete parts;
    std::thread([parts] { delete parts; }).detach();
  });
}

}  // namespace leasescope::client
