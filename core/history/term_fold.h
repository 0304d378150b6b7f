// Who owned each mutex when, told as it comes to be known: rows for whoever keeps them where one moment is to be found
// without all that was before it. One pass; what is over is not held.
#pragma once
#include <cstdint>
#include <unordered_map>
#include <vector>

#include "core/history/ownership.h"

namespace leasescope {

// A stretch of one mutex that somebody owned, or that was not observed, as far as it is known.
struct TermRow {
  Name mutex;
  bool observed = true;    // false: nobody knows, from `is.begin_hi` to `is.end_hi`, which then are exact
  std::uint32_t number{};  // of its mutex and kind, from 0
  bool told_before = false;
  TrueTime told{};  // when it was first known
  OwnedStretch is;
  // All of its mutex and kind that began before were over by then; max(): some of them last.
  TrueTime before_until = TrueTime::min();
};

// How those of a moment `at` are found: of one mutex and kind, in the order of their numbers, each has a `least`: the
// least `begin_lo` of it and all later ones, so that it never falls. From the last with `least` <= at backwards, until
// one has `before_until` <= at, are all that can have been then.
struct LowerLeast {
  Name mutex;
  bool observed = true;
  std::uint32_t before{};  // of all with lower numbers
  TrueTime to{};           // `least` is this where it was more
};

class TermFold {
 public:
  TermFold() = default;
  explicit TermFold(const Legend& legend) : standing_(legend) {}

  // All events, in order.
  void append(const Event& event, const NameTable& names);

  struct Told {
    std::vector<TermRow> rows;      // new ones, and those that have ended since; `least` of a new one is its begin_lo
    std::vector<LowerLeast> lower;  // afterwards, in this order
    std::vector<Name> met;          // mutexes that were first told of, and when
    std::vector<TrueTime> met_at;
  };
  // What has come since the last time.
  Told take();

 private:
  static constexpr std::size_t kTaken = SIZE_MAX;  // it was told of before
  struct Open {
    std::uint32_t number = 0;
    std::size_t row = kTaken;  // in what has come since
    TrueTime told{};
    TrueTime before_until{};
  };
  struct Kind {
    std::vector<Open> open;  // as many as last
    std::uint32_t next = 0;
    TrueTime over = TrueTime::min();   // all that are
    TrueTime least = TrueTime::min();  // of the last one
  };
  struct Mutex {
    explicit Mutex(Name name) : of(name) {}
    MutexOwnership of;
    Kind owned, unobserved;
  };

  Mutex& met(const Event& event);
  void take_changes(Name mutex, Mutex& of, TrueTime told);
  template <class Stretches>
  void note(const TermRow& blank, const Stretches& now, Kind& of);

  Standing standing_;
  MutexOwnership of_none_{Name{}};                    // what is told of all
  std::unordered_map<std::uint32_t, Mutex> mutexes_;  // by handle
  Told told_;
};

}  // namespace leasescope
