// Asks the processor for memory that will be needed soon.
#pragma once
#include <cstddef>
#include <cstdint>

namespace leasescope {

// The statement without text keeps it: g++ takes a function that only asks for memory for one that does nothing, and
// leaves its calls out.
inline void prefetch(const void* where) {
  __builtin_prefetch(where);
  asm volatile("");
}

inline constexpr std::size_t kCacheLine = 64;  // bytes; what memory hands over at once

// Every line that holds something of [from, to).
inline void prefetch(const void* from, const void* to) {
  const char* first = static_cast<const char*>(from) - reinterpret_cast<std::uintptr_t>(from) % kCacheLine;
  for (const char* at = first; at < to; at += kCacheLine) prefetch(at);
}

}  // namespace leasescope
