// Who owned a mutex when, as a team's observers have seen it: by rows that one moment is found in, however much there
// is.
#pragma once
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include <tl/expected.hpp>

#include "core/alerts/alert_note.h"
#include "core/history/ownership.h"
#include "core/history/team/catalogue.h"

namespace leasescope::team {

// Moments in ns since 1970, by the clock of the machine that observed; kEver: it lasts.
struct TeamTerm {
  bool observed = true;  // false: nobody knows, from begin_hi to end_hi
  std::string owner;
  Token token = kNoToken;
  std::int64_t begin_lo = 0, begin_hi = 0, end_lo = kEver, end_hi = kEver;
  OwnedStretch::End end = OwnedStretch::End::kLasts;

  bool lasts() const { return end_hi == kEver; }
};

// A mutex as one recording knows it.
struct TeamMutex {
  TeamRecording by;
  std::int64_t handle = 0;
  std::string title;
  std::int64_t met_ns = 0;  // something was told of it first
};

// Those of that title, or of that name on whichever store; of no name all. In the order of the observers' names, then
// of their begins.
tl::expected<std::vector<TeamMutex>, std::string> mutexes_of(TeamReading& team, const std::string& name,
                                                             const std::string& observer);
// Titles of some that there are, for whoever asked for another.
tl::expected<std::vector<std::string>, std::string> some_titles(TeamReading& team, const std::string& observer,
                                                                int most);
// Those that can have been at that moment, owned ones first.
tl::expected<std::vector<TeamTerm>, std::string> terms_at(TeamReading& team, const TeamMutex& of, std::int64_t at_ns);
// What was told of alerts of it, in that order; `subject` is its handle there. None: that recording keeps none. Moments
// as above. Of one that is not written any more all alerts are over when it is.
tl::expected<std::optional<std::vector<AlertNote>>, std::string> alerts_of(TeamReading& team, const TeamMutex& of);
// All that reach into it, owned ones first.
tl::expected<std::vector<TeamTerm>, std::string> terms_between(TeamReading& team, const TeamMutex& of,
                                                               std::int64_t from_ns, std::int64_t to_ns);

}  // namespace leasescope::team
