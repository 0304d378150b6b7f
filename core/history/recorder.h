// Appends to a history in memory and runs the checkers on append: what the window and the reports read.
#pragma once
#include <vector>

#include "core/history/checkers.h"
#include "core/history/history.h"

namespace leasescope {

class Recorder {
 public:
  Recorder(NameTable names, const LeaseTerms& terms, Legend legend = {});
  Recorder(const Recorder&) = delete;  // the checkers point into the names
  Recorder& operator=(const Recorder&) = delete;

  Name intern(std::string_view text) { return history_.names.intern(text); }
  // Live: what the store did may be known only so long after; none = at once. What needs to be certain waits as long.
  void known_within(Duration late) { checkers_.known_within(late); }
  // Returns the event's sequence number, for later events to name as their cause.
  Sequence append(const Event& event);
  // The history is known up to `now`; open incidents and the summary are brought up to it.
  void advance(TrueTime now);
  void finish(TrueTime end);

  const History& history() const { return history_; }
  // Of incidents that are over so many are held at least, the newest: what one of them is about seldom goes on when so
  // many others have come (then another begins), and they take some 2.5 MB.
  static constexpr std::size_t kIncidentsHeld = 10'000;
  // Events up to that number are no longer held: whoever is to have them has them. Nor are older incidents that are
  // over, as far as `taken` has them as they are: the history's own, where nobody else is to have them.
  void forget(Sequence last, const IncidentList& taken);
  // So many contenders are remembered: those who are in something that lasts, and some who were.
  std::size_t remembered() const { return checkers_.standing().seated(); }
  // Memory of what is held, beside the incidents.
  std::size_t bytes() const;
  // What the history would be at `now` if those were appended. Its own events are not in it: it says they are
  // forgotten.
  History with(const std::vector<Event>& more, TrueTime now) const;

 private:
  void publish();

  History history_;
  Checkers checkers_;
};

}  // namespace leasescope
