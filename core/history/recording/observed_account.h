// What one observer's recording tells of the mutexes that it watched, as stretches: who held, waited or believed from
// when to when, each end within bounds, and when the observer did not see.
#pragma once
#include <cstdint>
#include <optional>
#include <unordered_map>
#include <vector>

#include "core/history/event.h"

namespace leasescope {

struct ToldStretch {
  enum class What : std::uint8_t { kHold, kWait, kBelief };

  What what = What::kHold;
  // It was so when the observer looked after it had not: `begin` says when it looked, and it may have begun long
  // before.
  bool met = false;
  Event begin;
  std::vector<Event> again;  // renewals; of a belief, that it is said anew
  std::optional<Event> end;  // none: it lasts as far as the account goes
  TrueTime lasts_at{};       // of one without an end: until when the observer looked, and has not seen it end

  bool is_shared() const {
    return begin.kind == EventKind::kGranted && begin.detail == static_cast<std::uint8_t>(GrantKind::kShared);
  }
  // Holds, and nobody else does beside it.
  bool is_exclusive() const { return what == What::kHold && !is_shared(); }
};

// Nothing is known from `begin` on, until a look between the other two.
struct BlindStretch {
  TrueTime begin{};
  TrueTime end_lo = TrueTime::max(), end_hi = TrueTime::max();
};

// Of one mutex; or of one store, of which only is told when it was away.
struct ToldMutex {
  Name mutex;                          // empty: of a store
  Name store;                          // who does not tell while it is not seen; empty: nothing was said of that
  std::vector<ToldStretch> stretches;  // as they were told
  std::vector<BlindStretch> blind;     // in the order of time, none of them touching another
  // When something was told of it first. Where that is not that it is seen, it was free before, nobody knows since
  // when.
  TrueTime told_from{};
};

class ObservedAccount {
 public:
  // Events in their order, with names that all accounts have in common and mutexes by what they are called there.
  // False: it is of a kind that nobody who only watches tells of.
  bool tell(const Event& event);
  // All has been told, and is known up to `now`.
  void finish(TrueTime now);
  // From then on by another clock, which shows between `lo` and `hi` more; every bound is widened by what that leaves
  // open.
  void shift(Duration lo, Duration hi);

  const std::vector<ToldMutex>& mutexes() const { return mutexes_; }  // as they were met
  const std::vector<ToldMutex>& stores() const { return stores_; }    // that were away
  const ToldMutex* mutex(Name name) const;
  TrueTime begin() const { return begin_; }
  TrueTime now() const { return now_; }

 private:
  // What is needed of a mutex while it is told of.
  struct Open {
    std::size_t place = 0;                                          // in mutexes_
    std::vector<std::size_t> lasting;                               // stretches
    TrueTime seen_lo = TrueTime::max(), seen_hi = TrueTime::min();  // of the last look after it was not seen
  };

  Open& opened(const Event& event);
  void on_sight(const Event& event, ToldMutex& of, Open* open);
  void on_granted(const Event& event, Open& open);
  void on_again(const Event& event, Open& open, ToldStretch::What what);
  void on_end(const Event& event, Open& open, ToldStretch::What what);
  void begin(const Event& event, Open& open, ToldStretch::What what);

  std::vector<ToldMutex> mutexes_, stores_;
  std::unordered_map<std::uint32_t, Open> open_;         // by the mutex's handle
  std::unordered_map<std::uint32_t, std::size_t> away_;  // places in stores_, by the handle of its name
  TrueTime begin_{}, now_{};
};

}  // namespace leasescope
