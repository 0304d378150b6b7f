// Nights of the other lock systems, for the chart: made of events by hand, as many as are asked for, with what these
// systems have that a lease has not.
#pragma once
#include <array>
#include <cstdint>

#include "core/history/history.h"
#include "ui/models/run_facts.h"

namespace leasescope::bench {

// Fenced: sessions with signs of life, some of which run out, and a queue. Quorum: five stores, thefts and their
// acknowledgements. Pools: permits, many permits, readers and a writer, holds that are entered again. Bank: transfers,
// some posted twice or lost, and notifications of each release.
enum class SystemNight : std::uint8_t { kFenced, kQuorum, kPools, kBank };
inline constexpr std::array kSystemNights{SystemNight::kFenced, SystemNight::kQuorum, SystemNight::kPools,
                                          SystemNight::kBank};
const char* name_of(SystemNight night);

struct NightOfEvents {
  RunFacts facts;
  History history;  // in order of time
};
NightOfEvents system_night(SystemNight night, std::uint64_t events);

}  // namespace leasescope::bench
