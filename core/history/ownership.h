// Who owned one mutex when, as far as its store is known to have said: one pass over a history.
#pragma once
#include <optional>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "core/history/standing.h"

namespace leasescope {

// Somebody held from a moment within the first bounds to one within the last.
struct OwnedStretch {
  Name owner;
  Token token = kNoToken;
  TrueTime begin_lo{}, begin_hi{};
  TrueTime end_lo = TrueTime::max(), end_hi = TrueTime::max();  // max(): it lasts
  enum class End : std::uint8_t { kLasts, kReleased, kExpired, kTaken };
  End end = End::kLasts;

  bool lasts() const { return end == End::kLasts; }
};
std::string_view text(OwnedStretch::End end);  // "taken over"; "" while it lasts

// The store did not tell.
struct UnobservedStretch {
  TrueTime begin{};
  TrueTime end = TrueTime::max();  // max(): it lasts

  bool lasts() const { return end == TrueTime::max(); }
};

// Of one mutex, beside a standing of all.
class MutexOwnership {
 public:
  explicit MutexOwnership(Name mutex) : mutex_(mutex) {}
  Name mutex() const { return mutex_; }

  // All events in order, or those of this mutex and of none; `standing` has taken it in, and said `change` of it.
  void append(const Event& event, const Change& change, const Standing& standing);

  const std::vector<OwnedStretch>& owned() const { return owned_; }  // in the order of their begins
  const std::vector<UnobservedStretch>& unobserved() const { return unobserved_; }

  // When something was told of it first; none: nothing was.
  std::optional<TrueTime> met() const { return met_; }
  // Lets go of what is over: of a mutex that is followed for weeks.
  void forget_what_is_over();
  // What was told of all mutexes before this one was met.
  void take_over(const MutexOwnership& of_none) { unobserved_ = of_none.unobserved_; }

  struct Moment {
    std::vector<const OwnedStretch*> surely, perhaps;  // perhaps: a change lies within bounds that `at` is in
    const UnobservedStretch* unobserved = nullptr;
  };
  Moment at(TrueTime at) const;

 private:
  void end(Name owner, const Event& event, OwnedStretch::End how);

  Name mutex_;
  std::optional<TrueTime> met_;
  std::vector<OwnedStretch> owned_;
  std::vector<UnobservedStretch> unobserved_;
};

// The same with a standing of its own.
class Ownership {
 public:
  // Of a history with that legend.
  Ownership(const Legend& legend, Name mutex) : standing_(legend), of_(mutex) {}

  // All events, in order.
  void append(const Event& event, const NameTable& names) {
    const Change change = standing_.append(event, names);
    of_.append(event, change, standing_);
  }

  const std::vector<OwnedStretch>& owned() const { return of_.owned(); }
  const std::vector<UnobservedStretch>& unobserved() const { return of_.unobserved(); }
  std::optional<TrueTime> met() const { return of_.met(); }

  using Moment = MutexOwnership::Moment;
  Moment at(TrueTime at) const { return of_.at(at); }

 private:
  Standing standing_;
  MutexOwnership of_;
};

// Of every mutex there is, in the order in which they are met; one pass for all of them.
class Ownerships {
 public:
  explicit Ownerships(const Legend& legend) : standing_(legend), none_(Name{}) {}

  void append(const Event& event, const NameTable& names);
  const std::vector<MutexOwnership>& all() const { return all_; }

 private:
  Standing standing_;
  MutexOwnership none_;  // what was told of no mutex, and so of all
  std::vector<MutexOwnership> all_;
  std::unordered_map<std::uint32_t, std::size_t> places_;  // by the mutex's handle
};

}  // namespace leasescope
