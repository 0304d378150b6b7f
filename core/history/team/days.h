// The days of a team's history: each has a partition of its blocks and one of its terms, which go as a whole.
#pragma once
#include <cstdint>
#include <optional>
#include <set>
#include <string>

#include <tl/expected.hpp>

#include "core/history/recording/retention.h"
#include "core/history/team/schema.h"

namespace leasescope::team {

inline constexpr std::int64_t kDayNs = 86'400'000'000'000;

// Since 1970, in UTC.
int day_of(std::int64_t wall_ns);
std::string date_of(int day);  // "2026-11-29"

// Makes the partitions of those days; what is there stays.
Done make_days(Connection& database, const std::set<int>& days);

struct Retained {
  std::int64_t days = 0;        // that are gone
  std::int64_t recordings = 0;  // of which nothing is left
  int first = 0;                // the first day that stays
};
// Drops all days that ended longer ago than is kept, by the server's clock, and the first of those that take more room
// together than is kept; the last day stays, however large. What was owned then and still after it stays, and so does
// whoever still records.
tl::expected<Retained, SqlError> drop_older(Connection& database, const Retention& retention);

}  // namespace leasescope::team
