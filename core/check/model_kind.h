// Which model, and its numbers: what a lock system names as the one that fits it.
#pragma once
#include <cstdint>

namespace leasescope::check {

enum class ModelKind : std::uint8_t {
  kMutex,
  kOwnerAware,
  kReentrant,
  kFenced,
  kReentrantFenced,
  kSemaphore,
  kReadWrite,
  kLease,
};
inline constexpr int kModels = 8;

inline constexpr std::uint32_t kAnyNumber = UINT32_MAX;

struct Model {
  ModelKind kind = ModelKind::kMutex;
  std::uint32_t n = 2;   // reentrant: how often its owner may hold it; semaphore: permits
  std::int64_t eps = 0;  // lease: so many ns before its deadline it may end
};

}  // namespace leasescope::check
