// Who owned the mutexes of a watch at a moment that is past, as far as it saw: by the same reckoning as `history --at`.
#pragma once
#include <memory>
#include <string>
#include <unordered_map>

#include "core/history/history.h"
#include "core/history/ownership.h"
#include "core/observe/watched_row.h"

namespace leasescope {

class PastWatch {
 public:
  // Takes in what has come: of the same history each time, which grows.
  void append(const History& seen);

  // Null: nothing was told of it.
  const MutexOwnership* of(const WatchedMutex& mutex) const;

 private:
  std::unique_ptr<Ownerships> all_;  // null: nothing has come yet
  Sequence taken_ = 0;
  std::size_t placed_ = 0;                               // of the mutexes
  std::unordered_map<std::string, std::size_t> places_;  // of mutexes, by their titles in the history
};

// What is said of it as at that moment. Nobody is said to be gone where it was not observed, or not known yet: then it
// is kNotObserved, with its owner as it was last seen, or "perhaps a or b" where a change lies within bounds that the
// moment is in. Who waited, how long a lease had left, and hand-offs of the hour before are not kept.
// `of`: of PastWatch; may be null. `names`: of the history.
WatchedRow past_row(const MutexOwnership* of, const NameTable& names, TrueTime at);

}  // namespace leasescope
