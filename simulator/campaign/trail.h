// A run told line by line, every input and every event with the hash of all up to it: two trails of what should be one
// run are compared to find the first moment at which they part.
#pragma once
#include <functional>
#include <memory>
#include <optional>
#include <string>

#include "simulator/scenario/scenario.h"

namespace leasescope {

class Trail {
 public:
  // To the end of the scenario; of a swarm's, to where its run ends.
  explicit Trail(const Scenario& scenario);
  Trail(Trail&&) noexcept;
  ~Trail();

  // "12.345678901 s  c3 is handed timer 0 …  0123456789abcdef"; none at the end.
  std::optional<std::string> next();

 private:
  struct Parts;
  std::unique_ptr<Parts> parts_;
};

using Lines = std::function<std::optional<std::string>()>;

struct Divergence {
  std::uint64_t line = 0;  // from 1
  std::string before;      // the last line both have
  std::string here;        // empty: ended
  std::string there;
};

// None when both tell the same.
std::optional<Divergence> first_divergence(const Lines& here, const Lines& there);

}  // namespace leasescope
