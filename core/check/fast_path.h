// The one order that the calls on a lock with one owner can have taken effect in, when every outcome is known: found by
// sorting, so that no search is needed.
#pragma once
#include <optional>
#include <vector>

#include "core/check/search.h"

namespace leasescope::check {

// Whether the model allows the calls; nothing where there may be more than one order, which is for search(). Takes
// O(n log n).
std::optional<bool> fast_path(const Model& model, const std::vector<Op>& ops);

}  // namespace leasescope::check
