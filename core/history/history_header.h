// The first line of a history that is written down: what it is a history of, and what its zero is in wall time.
#pragma once
#include <cstdint>
#include <optional>
#include <string>

namespace leasescope {

struct HistoryHeader {
  static constexpr int kFormat = 1;  // rises when a line means something else than before

  std::string program;   // version of the program that wrote it
  std::string scenario;  // its name
  std::string toml;      // the scenario with every value, as a file that runs it again
  std::uint64_t seed = 0;
  std::string world;  // "virtual", "live"
  std::string store;
  std::optional<std::int64_t> epoch_ns;  // live: scenario time 0, in ns since 1970 (UTC), by the wall clock of then
};

// {"format":"leasescope history","version":1,…} and a line feed; "epoch_unix_ns" is null in virtual time.
std::string header_line(const HistoryHeader& header);

}  // namespace leasescope
