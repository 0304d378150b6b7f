#include "core/cas/contender.h"

namespace leasescope {

Operation CasContender::acquire_operation() const {
  if (terms_.kind == CasTerms::Kind::kLock) return Operation::kLock;
  if (terms_.kind == CasTerms::Kind::kSemaphore) return Operation::kAcquire;
  return reads() ? Operation::kReadLock : Operation::kWriteLock;
}

Operation CasContender::release_operation() const {
  if (terms_.kind == CasTerms::Kind::kLock) return Operation::kUnlock;
  if (terms_.kind == CasTerms::Kind::kSemaphore) return Operation::kRelease;
  return reads() ? Operation::kReadUnlock : Operation::kWriteUnlock;
}

std::uint8_t CasContender::cell_count() const {
  const int count = reads() ? terms_.readers : terms_.kind == CasTerms::Kind::kSemaphore ? terms_.permits : 1;
  return static_cast<std::uint8_t>(count);
}

// So that a token tells its permit: those of one permit are alike modulo their number.
Token CasContender::next_token(Token last, std::uint8_t cell) const {
  const Token permits = terms_.capacity();
  return (last / permits + 1) * permits + cell;
}

}  // namespace leasescope
