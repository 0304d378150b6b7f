// The fencing token of a term: it rises from term to term of one mutex.
#pragma once
#include <cstdint>

namespace leasescope {

using Token = std::uint64_t;
inline constexpr Token kNoToken = 0;

}  // namespace leasescope
