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
  kExpire,  // nobody's call: the store ended what the client held; in histories of calls
};
inline constexpr int kOperations = 11;

constexpr std::string_view text(Operation operation) {
  constexpr std::array<std::string_view, kOperations> kTexts{"lock",         "try_lock",  "unlock",      "acquire",
                                                             "release",      "read_lock", "read_unlock", "write_lock",
                                                             "write_unlock", "renew",     "expire"};
  return kTexts[static_cast<std::size_t>(operation)];
}

}  // namespace leasescope
