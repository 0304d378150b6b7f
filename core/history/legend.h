// What a history needs to be read: the words and the effects of the kinds of fault that it speaks of, and what its
// mutexes allow. It is part of the history, so that nobody who reads one asks the program that made it.
#pragma once
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "core/time/clock.h"

namespace leasescope {

// What a fault takes from whom it hits while it lasts; of a store, what it may have made it forget.
enum class Disturbs : std::uint8_t {
  kNothing,
  kPauses,        // it takes no input
  kCuts,          // nothing gets to the store, or nothing back
  kStarves,       // its timers wait while its work goes on
  kDrifts,        // its clock runs at another rate, which clock_changed tells as well
  kDelaysWrites,  // its writes reach the resource late
  kSetsClock,     // which clock_changed tells as well
  kKills,         // its process ends
  kDeletes,       // the store's: somebody has taken something out of it by hand
  kFailsOver,     // the store's: a replica that may know less takes over
  kRestarts,      // the store's: it comes back, perhaps without what it knew
};
inline constexpr int kSpells = 6;  // those before kSetsClock last, and are a contender's
inline bool of_store_memory(Disturbs what) { return what >= Disturbs::kDeletes; }

// How what lies over a row of the chart is drawn.
enum class BandKind : std::uint8_t {
  kNone,  // what it does shows it
  kPause,
  kPartition,
  kSkew,
  kServer,
  kUnobserved
};

struct FaultLegend {
  std::string name;    // "clock_drift"
  std::string spoken;  // "clock drift"
  // Sentences in which {who} stands for whom it hits and {for} for how long.
  std::string began;
  std::string ended;
  Disturbs disturbs = Disturbs::kNothing;
  BandKind band = BandKind::kPartition;
  bool lasts = false;
};

// What one mutex allows.
struct MutexLegend {
  std::string name;
  std::uint32_t capacity = 1;  // so many may hold at once
  std::string system = "simba";
};

struct ResourceLegend {
  std::string name;
  bool fencing = true;
};

// What the contenders' calls go to.
struct StoreLegend {
  Duration timeout{};     // a call without an answer is given up then
  Duration round_trip{};  // of a call and its answer, the median of the longest way
  bool tells = true;      // waiters hear of a release; else they wake by their timers alone
};

struct Legend {
  std::vector<FaultLegend> faults;  // by the detail of fault events
  std::vector<MutexLegend> mutexes;
  std::vector<std::string> contenders;  // fleet order: it gives letters and hues
  std::vector<ResourceLegend> resources;
  StoreLegend store;

  // Null when the history speaks of a kind that its legend does not know.
  const FaultLegend* fault(std::uint8_t detail) const { return detail < faults.size() ? &faults[detail] : nullptr; }
  Disturbs disturbs(std::uint8_t detail) const {
    return detail < faults.size() ? faults[detail].disturbs : Disturbs::kNothing;
  }
};

}  // namespace leasescope
