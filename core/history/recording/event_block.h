// Events as bytes, column by column: what a recording keeps of them. README.md says how.
#pragma once
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "core/history/event.h"

namespace leasescope {

// Of the one block: so many are packed together, and found together.
inline constexpr std::size_t kEventsInBlock = 4096;
// More than this is none of ours.
inline constexpr std::size_t kMostEventsInBlock = 65'536;

// `first` is the number of the first of them. The result replaces what `bytes` was.
void pack_events(const Event* events, std::size_t count, std::uint64_t first, std::string& bytes);

// Appends so many events; false, and nothing appended, when the bytes are not exactly those of so many. The kinds,
// details and names in them are whatever was written there.
bool unpack_events(std::string_view bytes, std::size_t count, std::uint64_t first, std::vector<Event>& events);

// 64 bits by which bytes that were changed are known. `seed`: of what stands beside or before them.
std::int64_t sum_of(std::string_view bytes, std::int64_t seed);

}  // namespace leasescope
