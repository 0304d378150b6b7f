// What `history` was asked for.
#pragma once
#include <optional>
#include <string>

#include <tl/expected.hpp>

#include "app/leasescopectl_two_moments.h"
#include "core/history/known_times.h"

namespace leasescope::ctl {

struct HistoryOptions {
  std::string mutex, recording, at, from, to, observer;  // mutex: empty: all of them
  bool json = false;
  Moments moments() const { return {from, to}; }
};

// "03:12", "2026-11-27 03:12:04" or "15s" after the beginning, as a moment of it; `option`, for the error, names it.
tl::expected<TrueTime, std::string> moment_of(const char* option, const std::string& text, const KnownTimes& known,
                                              const DayWish& wish = {});

// Both are within what is known; without them it is all of it.
struct AskedRange {
  TrueTime from{}, to{};
};
tl::expected<AskedRange, std::string> range_of(const Moments& moments, const KnownTimes& known);

// What it was asked for, as times: all owners within a range, or who owned it at one moment.
struct AskedTimes {
  AskedRange range;
  std::optional<TrueTime> at;
};
tl::expected<AskedTimes, std::string> times_of(const HistoryOptions& options, const KnownTimes& known);

// history of a team's database.
int team_history(const HistoryOptions& options);

}  // namespace leasescope::ctl
