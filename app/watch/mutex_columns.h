// The columns of the live table: which find room in a terminal of that width, and what stands in them.
#pragma once
#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "app/watch/mutex_list.h"
#include "app/watch/styled_text.h"

namespace leasescope::ctl {

// What stands in a row's cells, as presented() makes it.
struct MutexCells {
  std::array<std::string, kMutexColumns> texts;
  LeaseShares shares;
  WatchState state = WatchState::kNotObserved;
};
// epoch_ns: the wall clock at the watch's zero, ns since 1970.
MutexCells cells_of(const WatchedMutex& mutex, const WatchedStore& store, TrueTime now, std::int64_t epoch_ns,
                    Letters letters);

// What decides about room.
struct ColumnNeeds {
  std::array<std::size_t, kMutexColumns> widest{};  // cells of what stands there
  bool several_stores = false;                      // else one name would stand in all rows
  bool foreign = false;                             // there are systems of other makers
  void take(const MutexCells& cells);
};

struct MutexLayout {
  struct Placed {
    MutexColumn column;
    std::size_t cells;
  };
  std::vector<Placed> columns;  // as MutexColumn has them, kBetween cells apart
  std::size_t bar = 0;          // cells of the lease's bar, in its column before the figure and a space; 0: none
};
inline constexpr std::size_t kBetween = 2;
// Below it not even mutex, owner and state have room.
inline constexpr std::size_t kFewestCells = 40;

// The first that go where it is narrow: system, last change, hand-offs, the bar, store, token, waiters, held for, lease
// left. A lone store goes before all others, and a system of another maker later.
MutexLayout layout_of(std::size_t cells, const ColumnNeeds& needs);

// Figures stand at the right of their columns.
bool is_figure(MutexColumn column);

// Of so many cells: what is over of the lease, what is left of it, and at the end that in which only its owner may
// renew it.
std::string bar_text(const LeaseShares& shares, std::size_t cells, Letters letters);

}  // namespace leasescope::ctl
