// The shortest sub-history that shows that a history is illegal.
#pragma once
#include <vector>

#include "core/check/search.h"

namespace leasescope::check {

struct Offence {
  std::vector<std::uint32_t> ops;  // in the order of their returns; the last is the one that nothing allows any more
  bool shortest = true;            // else: time was up before it was shown that there is no shorter one
};

// Of ops that search() found illegal, with the op that it was stuck at.
Offence shortest_offence(const Model& model, const std::vector<Op>& ops, std::uint32_t stuck,
                         const OutOfTime& out_of_time);

}  // namespace leasescope::check
