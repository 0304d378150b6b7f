// How urgent a claim to a lock is, and who may steal from whom.
#pragma once
#include <cstdint>

namespace leasescope {

using Priority = std::int32_t;
inline constexpr Priority kUsualPriority = 0;

// Strictly: among equals nobody is stolen from, or two of them would steal from each other for ever.
constexpr bool steals(Priority claim, Priority from) { return from < claim; }

}  // namespace leasescope
