#include "core/check/call.h"

#include <algorithm>
#include <array>

namespace leasescope::check {

std::int64_t shifted(std::int64_t ns, std::int64_t by) {
  std::int64_t out = 0;
  if (__builtin_add_overflow(ns, by, &out)) return by > 0 ? kFurthest : -kFurthest;
  return std::clamp(out, -kFurthest, kFurthest);
}

bool takes(Operation f) {
  return f == Operation::kLock || f == Operation::kTryLock || f == Operation::kAcquire || f == Operation::kReadLock ||
         f == Operation::kWriteLock;
}

bool frees(Operation f) { return !takes(f) && f != Operation::kRenew; }

std::string_view type_of(Ending ending) {
  static constexpr std::array<std::string_view, 3> kTexts{"ok", "fail", "info"};
  return kTexts[static_cast<std::size_t>(ending)];
}

std::optional<Operation> operation_of(std::string_view word) {
  std::string wanted(word);
  std::replace(wanted.begin(), wanted.end(), '-', '_');
  for (int i = 0; i < kOperations; ++i)
    if (text(static_cast<Operation>(i)) == wanted) return static_cast<Operation>(i);
  return std::nullopt;
}

}  // namespace leasescope::check
