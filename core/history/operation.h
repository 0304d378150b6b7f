// What an application asks of a mutex: the calls whose beginnings and ends a history tells, and a model judges.
#pragma once
#include <array>
#include <cstdint>
#include <string_view>

namespace leasescope {

enum class Operation : std::uint8_t {
  kLock,
  kTryLock,
  kUnlock,
  kAcquire,  // permits of a semaphore
  kRelease,
  kReadLock,
  kReadUnlock,
  kWriteLock,
  kWriteUnlock,
  kRenew,
};
inline constexpr int kOperations = 10;

constexpr std::string_view text(Operation operation) {
  constexpr std::array<std::string_view, kOperations> kTexts{"lock",         "try_lock",  "unlock",      "acquire",
                                                             "release",      "read_lock", "read_unlock", "write_lock",
                                                             "write_unlock", "renew"};
  return kTexts[static_cast<std::size_t>(operation)];
}

}  // namespace leasescope
