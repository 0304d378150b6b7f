// What events tell of one mutex, as far as rules ask.
#pragma once
#include <deque>
#include <vector>

#include "core/history/standing.h"

namespace leasescope {

struct AlertSubject {
  // In the order of the history; what stands after it. Of a mutex that is known there.
  void append(const Event& event, const Standing& standing);

  Name owner;         // empty: nobody, or nobody was seen yet
  bool seen = false;  // something is known of who owns it
  bool observed = true;
  TrueTime free_since{};                 // nobody owns, and it is observed
  TrueTime lease_end = TrueTime::max();  // of the owner's, as it was seen last; max(): no clock ends it
  // The last renewal, or the end of a lease that nobody renewed: when that lease would have ended or did, and between
  // which moments it was. The end is max() where there was none.
  TrueTime renewed_end = TrueTime::max(), renewed_lo{}, renewed_hi{};
  TrueTime unobserved_since{};
  bool last_shared = false;                     // it held beside others, or might have
  Name last_owner;                              // before it was free
  std::deque<TrueTime> handoffs;                // the last ones, oldest first
  Token highest = kNoToken;                     // that was granted
  TrueTime regressed = TrueTime::max();         // the last grant bore one that is not above those before
  std::vector<Name> believers;                  // who says that he owns, in the order in which they came to
  TrueTime too_many_believe = TrueTime::max();  // since when more do than may; max(): no more do

 private:
  // Of a process that told what it believes.
  void append_belief(const Event& event, const Standing& standing);
};

}  // namespace leasescope
