// What the chart says to those who hear it: a row in words, and what lies in it, one after the other.
#pragma once
#include <vector>

#include "ui/timeline/paint/hit.h"

namespace leasescope {

// "A orders-1, owner, 2 incidents": who or what a row is, and how it stands at a moment.
QString heard_row(const ChartData& data, const RowBox& row, TrueTime at);
// What is to be seen of a row, in order of time, at most so many: what a pointer would meet.
std::vector<Hit> heard_segments(const Scene& scene, const RowBox& row, std::size_t most);
// The hover card in one line; of a stretch, as it stands at its begin.
QString heard_segment(const ChartData& data, const Hit& hit);

}  // namespace leasescope
