// Looks for an order in which the calls on one lock can have taken effect: the search of Wing and Gong with Lowe's two
// remedies, to remember what was tried, and to decide on a call no sooner than at its return.
#pragma once
#include <cstdint>
#include <functional>
#include <vector>

#include "core/check/model.h"

namespace leasescope::check {

// A call as the search takes it.
struct Op {
  const Call* call = nullptr;
  Moment called;
  Moment returned = kNever;  // it took effect until then, or never
  bool must = true;          // it did take effect
};

// What judges relies on it: whoever else let such calls in has a mistake.
void expect_sound(const std::vector<Op>& ops);

// Asked now and then; true ends the work, which is then undecided.
using OutOfTime = std::function<bool()>;

struct Searched {
  enum Found : std::uint8_t { kLegal, kIllegal, kOutOfTime } found = kLegal;
  std::vector<std::uint32_t>
      order;                // legal: the ops in an order that the model allows; those that need not, perhaps not
  std::uint32_t stuck = 0;  // illegal: the op at whose return no order is left; before it there was one
};

// So many steps beside those for each return, one way is followed after the other; then all are side by side, which is
// slower where an order is found soon, and faster where there is none.
inline constexpr std::uint64_t kPatience = 10'000;

Searched search(const Model& model, const std::vector<Op>& ops, const OutOfTime& out_of_time,
                std::uint64_t patience = kPatience);

}  // namespace leasescope::check
