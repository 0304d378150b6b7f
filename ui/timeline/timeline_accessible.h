// The chart for screen readers: a list of its rows, each with what is to be seen of it as items, in the words of the
// hover card. An item can be pressed, which selects it as a click does.
#pragma once

namespace leasescope {

// From then on every TimelineView is told so; once is enough.
void make_timelines_accessible();

}  // namespace leasescope
