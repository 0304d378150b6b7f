// The first line of a history that is written down: what it is a history of, and what its zero is in wall time.
#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include <tl/expected.hpp>

#include "core/history/watch_settings.h"

namespace leasescope {

// The world of a history of calls that somebody wrote: what a store did beside them nobody has told.
inline constexpr std::string_view kToldCalls = "calls";

struct HistoryHeader {
  static constexpr int kFormat = 1;  // rises when a line means something else than before

  std::string program;   // version of the program that wrote it
  std::string scenario;  // its name
  std::string title;     // of the scenario
  std::string toml;      // the scenario with every value, as a file that runs it again
  std::uint64_t seed = 0;
  std::string world;  // "virtual", "live", or kToldCalls
  std::string store;
  std::optional<std::int64_t> epoch_ns;  // live: scenario time 0, in ns since 1970 (UTC), by the wall clock of then
  std::optional<std::int64_t> until_ns;  // where it was to end, when that was before the scenario's own end
  struct Fork {
    std::int64_t at_ns = 0;
    std::string toml;  // what it ran under from there on, in the form of the other
  };
  std::optional<Fork> fork;
  std::optional<WatchSettings> watch;  // of a watch, in recordings; a line does not have it
};

// {"format":"leasescope history","version":1,…} and a line feed, without the settings of a watch; what there is not, is
// null.
std::string header_line(const HistoryHeader& header);
// The same backwards; fields that are not there are as if they were null. The error says what was expected.
tl::expected<HistoryHeader, std::string> read_header_line(std::string_view line);

}  // namespace leasescope
