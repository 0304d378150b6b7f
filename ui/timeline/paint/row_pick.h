// Whose rows are drawn and in which order: what a reader chose, met with who there is.
#pragma once
#include <vector>

#include "ui/models/row_choice.h"
#include "ui/timeline/paint/chart_data.h"

namespace leasescope {

inline constexpr int kFoldFrom = 40;   // contenders; a smaller fleet is drawn whole
inline constexpr int kMostRows = 240;  // of contenders; of more the busiest are drawn, and it is said so
// Whether all rows of a fleet can be drawn when they are asked for.
inline bool can_unfold(const ChartData& data) { return data.contenders().size() <= kMostRows; }

// Contenders and mutexes by their places.
struct RowPick {
  std::vector<int> pinned, shown;    // in their order; of a pinned one there is no other row
  std::vector<bool> left_out;        // by contender: hidden or filtered by the reader
  std::vector<bool> mutex_left_out;  // by mutex: all of it is filtered
  bool cut = false;                  // of `shown`: there are more than can be drawn
};
RowPick pick_rows(const ChartData& data, const RowChoice& choice);

// Of those who are left out: all, and the incidents that some of them are part of, each counted once. `mutex`: of that
// one alone, or -1.
struct LeftOut {
  int rows = 0, incidents = 0;
  bool operator==(const LeftOut&) const = default;
};
LeftOut left_out(const ChartData& data, const RowPick& pick, int mutex = -1);

}  // namespace leasescope
