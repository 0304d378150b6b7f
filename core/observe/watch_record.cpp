#include "core/observe/watch_record.h"

#include <ctime>

namespace leasescope {

// How much of a lease is transition its owners have agreed on among themselves.
std::string_view watch_scenario() {
  return "schema = 1\ntitle = \"What was seen\"\nduration = \"1s\"\n\n"
         "[mutex]\nname = \"watched\"\nttl = \"10s\"\ntransition = \"0s\"\n\n"
         "[[contender]]\nname = \"watched\"\n";
}

std::string_view text(Foreign foreign) {
  switch (foreign) {
    case Foreign::kNone:
      return "none";
    case Foreign::kCertain:
      return "certain";
    case Foreign::kLikely:
      return "likely";
  }
  return "";
}

WatchSettings::Store settings_of(const std::string& store, const ObserverTerms& terms) {
  return {store, terms.poll.count(), std::string(text(terms.foreign)), terms.beliefs};
}

HistoryHeader watch_header(const Watch& watch, const std::string& program, std::int64_t epoch_ns) {
  HistoryHeader header;
  header.program = program;
  header.scenario = kWatchName;
  header.title = "What was seen";
  header.world = "live";
  header.toml = watch_scenario();
  for (const auto& store : watch.stores()) header.store += (header.store.empty() ? "" : ", ") + store->name;
  header.epoch_ns = epoch_ns;
  return header;
}

std::int64_t wall_clock_ns() {
  timespec at{};
  ::clock_gettime(CLOCK_REALTIME, &at);
  return std::int64_t{at.tv_sec} * 1'000'000'000 + at.tv_nsec;
}

std::int64_t zero_by_wall_clock(const Loop& loop) {
  constexpr int kPairs = 5;
  std::int64_t out = 0;
  Duration least = Duration::max();
  for (int i = 0; i < kPairs; ++i) {
    const TrueTime before = loop.now();
    const std::int64_t wall = wall_clock_ns();
    const Duration passed = loop.now() - before;
    if (passed >= least) continue;
    least = passed;
    out = wall - (before.time_since_epoch() + passed / 2).count();
  }
  return out;
}

}  // namespace leasescope
