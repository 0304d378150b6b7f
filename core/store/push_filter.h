// Cuts a server's byte stream into protocol frames, so that the messages it pushes can be dropped and all else passes.
#pragma once
#include <functional>
#include <string>
#include <string_view>

namespace leasescope {

class PushFilter {
 public:
  using Dropped = std::function<void(std::string_view)>;

  virtual ~PushFilter() = default;

  // Returns what passes on now; an unfinished frame is kept. With `drop`, pushed messages do not pass: `dropped` is
  // told the body of each.
  virtual std::string pass(std::string_view bytes, bool drop, const Dropped& dropped) = 0;
};

}  // namespace leasescope
