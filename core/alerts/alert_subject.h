// What events tell of one mutex, or of one store, as far as rules ask.
#pragma once
#include <deque>
#include <optional>
#include <vector>

#include "core/history/standing.h"

namespace leasescope {

struct AlertSubject {
  // In the order of the history; what stands after it. Of a mutex that is known there.
  void append(const Event& event, const Standing& standing);
  // The same of a store, of an event that says that it cannot be seen, or that it is.
  void append_store(const Event& event);

  Name owner;         // empty: nobody, or nobody was seen yet
  bool seen = false;  // something is known of who owns it
  bool observed = true;
  TrueTime free_since{};                 // nobody owns, and it is observed
  TrueTime lease_since{};                // the owner's: granted or renewed, by then
  TrueTime lease_end = TrueTime::max();  // of it, as it was seen last; max(): no clock ends it
  Duration lease_length{};               // what was left of it when that was seen first; zero: no clock ends it
  // The last renewal, or the end of a lease that nobody renewed: when that lease would have ended or did, how long it
  // was, and between which moments it was. The end is max() where there was none.
  TrueTime renewed_end = TrueTime::max(), renewed_lo{}, renewed_hi{};
  Duration renewed_length{};
  // So long after it was at most the last renewal became known; none: none was seen yet between two looks.
  std::optional<Duration> renewal_known_within;
  TrueTime unobserved_since{};
  TrueTime observed_from{}, observed_since{};   // the last look after a gap: asked, and answered
  TrueTime changed{};                           // who owns it, last; or it was seen again after a gap
  bool last_shared = false;                     // it held beside others, or might have
  Name last_owner;                              // before it was free
  std::deque<TrueTime> handoffs;                // the last ones, oldest first
  Token highest = kNoToken;                     // that was granted
  TrueTime regressed = TrueTime::max();         // the last grant bore one that is not above those before
  std::vector<Name> waiting;                    // who waits, in the order in which they came
  TrueTime waited_since{};                      // somebody does, without a break
  std::vector<Name> believers;                  // who says that he owns, in the order in which they came to
  TrueTime too_many_believe = TrueTime::max();  // since when more do than may; max(): no more do

  TrueTime away_since = TrueTime::max();  // of a store that cannot be seen; max(): it can, as far as is known

 private:
  void begin_lease(const Event& event);
  void append_waiter(const Event& event, const Standing& standing);
  // Of a process that told what it believes.
  void append_belief(const Event& event, const Standing& standing);
};

}  // namespace leasescope
