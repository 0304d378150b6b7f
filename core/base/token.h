// The fencing token of a term: it rises from term to term of one mutex. Where a mutex has several permits, those tokens
// that are alike modulo their number are of one permit, and only they have an order: nobody has lost his permit because
// another has taken one of the others since.
#pragma once
#include <cstdint>

namespace leasescope {

using Token = std::uint64_t;
inline constexpr Token kNoToken = 0;

}  // namespace leasescope
