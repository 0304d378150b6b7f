// What `recording` does with a team's database.
#pragma once
#include <string>

namespace leasescope::ctl {

// All recordings that are in it.
int team_info(const std::string& database, bool json);

struct TeamPart {
  std::string observer;  // empty: all
  std::string from, to;  // moments, as people say them; empty: from the beginning, to the end
  bool quiet = false;
};
// In words, or as a recording, by what `out` ends in.
int team_export(const std::string& database, const std::string& out, const TeamPart& part);

}  // namespace leasescope::ctl
