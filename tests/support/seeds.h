// How much of a campaign a test plays.
#pragma once
#include <cstdint>

namespace leasescope::tests {

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
inline constexpr bool kSanitized = true;
#else
inline constexpr bool kSanitized = false;
#endif

// So many seeds; a tenth of them under the sanitizers, where each takes ten to twenty times as long. What those look
// for is the way taken and not its outcome, and a few seeds go all ways.
constexpr std::uint64_t seeds(std::uint64_t all) { return kSanitized ? (all + 9) / 10 : all; }

}  // namespace leasescope::tests
