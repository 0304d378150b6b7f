// How one mutex is used, as a history tells it: who held it from when until when, when it was renewed, and how long the
// store took to answer. Observations alone: what they come to is for estimate.h.
#pragma once
#include <cstdint>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

#include "core/history/history.h"

namespace leasescope {

// Whose history it is. A watch knows a grant or a renewal between two of its looks, and of contenders those that hold
// or wait; a run has what its contenders asked and heard, too.
enum class SeenBy : std::uint8_t { kWatch, kContenders };

// A grant or a renewal: it was made by `hi`, and then so much of the lease was left.
struct SeenLease {
  TrueTime lo{}, hi{};
  std::optional<Duration> left;  // none: no clock ends it
  bool after_gap = false;        // the store was not observed for a while before: others may have been unseen
};

struct SeenTerm {
  enum class End : std::uint8_t { kLasts, kReleased, kRanOut, kTaken };
  Name owner;
  SeenLease granted;
  bool met = false;  // it was held already when somebody looked first, or again: since when is not known
  std::vector<SeenLease> renewed;
  TrueTime end_lo = TrueTime::max(), end_hi = TrueTime::max();
  End end = End::kLasts;
};

// Between two moments, by the events up to then.
struct ObservedUse {
  SeenBy by = SeenBy::kWatch;
  TrueTime from{}, to{};
  std::vector<SeenTerm> terms;        // that reach beyond `from`, in the order of their grants
  std::vector<Name> contenders;       // who held it, or was seen to want it, as they were met
  bool somebody = false;              // ... and somebody whom the store does not name
  bool shared = false;                // several held it beside each other
  std::vector<Duration> round_trips;  // from a question to its answer: of the observer, or of contenders that renewed
  std::vector<Duration> ways;         // of an answer alone, from the store to whom it is for
};

// The mutex of that title; none: nothing was told of it.
std::optional<Name> mutex_titled(const NameTable& names, std::string_view title);

class UseFold {
 public:
  UseFold(Name mutex, SeenBy by, TrueTime from) : mutex_(mutex) {
    use_.by = by;
    use_.from = from;
  }

  // All events in order, up to the moment that use() is asked for.
  void append(const Event& event, const NameTable& names);
  ObservedUse use(TrueTime to) const;

 private:
  bool counts(const Event& event) const { return event.at() >= use_.from; }
  void grant(const Event& event);
  void renew(const Event& event);
  void end(Name owner, const Event& event, SeenTerm::End how);
  void send_answer(const Event& event);
  void answer(const Event& event);
  void drop_answers(Name contender);
  void look_again(const Event& event);
  void meet(Name contender);

  const Name mutex_;
  ObservedUse use_;
  std::vector<SeenTerm> open_;
  std::vector<Name> waiting_;
  std::vector<std::pair<Name, TrueTime>> answers_;  // of a run: that are under way to whom they are for
  Name store_;                                      // of the mutex, by whom a watch says what it does not observe
  std::vector<std::pair<Name, Duration>> looks_;    // the first one after not observing a store
  std::pair<Name, TrueTime> last_look_;
  TrueTime seen_again_ = TrueTime::min();
  bool after_gap_ = false;
};

}  // namespace leasescope
