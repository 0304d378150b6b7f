// Who owned one mutex when, as far as its store is known to have said: one pass over a history.
#pragma once
#include <optional>
#include <string>
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

// The store did not tell.
struct UnobservedStretch {
  TrueTime begin{};
  TrueTime end = TrueTime::max();  // max(): it lasts
};

class Ownership {
 public:
  // Of a history with that legend.
  Ownership(const Legend& legend, Name mutex) : standing_(legend), mutex_(mutex) {}

  // All events, in order.
  void append(const Event& event, const NameTable& names);
  // Likewise, or those alone that are about it or about no mutex: what `everybody` made of each.
  void take(const Event& event, const Change& change, const Standing& everybody);
  Name mutex() const { return mutex_; }

  const std::vector<OwnedStretch>& owned() const { return owned_; }  // in the order of their begins
  const std::vector<UnobservedStretch>& unobserved() const { return unobserved_; }

  // When something was told of it first; none: nothing was.
  std::optional<TrueTime> met() const { return met_; }

  struct Moment {
    std::vector<const OwnedStretch*> surely, perhaps;  // perhaps: a change lies within bounds that `at` is in
    const UnobservedStretch* unobserved = nullptr;
  };
  Moment at(TrueTime at) const;

 private:
  void end(Name owner, const Event& event, OwnedStretch::End how);

  Standing standing_;
  Name mutex_;
  std::optional<TrueTime> met_;
  std::vector<OwnedStretch> owned_;
  std::vector<UnobservedStretch> unobserved_;
};

// The same of every mutex there is, in the order in which they are met; one pass for all of them.
class Ownerships {
 public:
  explicit Ownerships(const Legend& legend) : legend_(legend), standing_(legend) {}

  void append(const Event& event, const NameTable& names);
  const std::vector<Ownership>& all() const { return all_; }

 private:
  const Legend legend_;
  Standing standing_;
  std::vector<Ownership> all_;
  std::unordered_map<std::uint32_t, std::size_t> places_;  // by the mutex's handle
};

}  // namespace leasescope
