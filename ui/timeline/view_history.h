// Where a chart has been: the places to go back to, and those that were gone back from.
#pragma once
#include <optional>
#include <vector>

#include "core/time/clock.h"

namespace leasescope {

// What is seen of a chart: a stretch of time, and how far the rows are scrolled, in pixels.
struct ViewPlace {
  TrueTime from{};
  Duration span{1};
  int scroll = 0;
  friend bool operator==(const ViewPlace& a, const ViewPlace& b) {
    return a.from == b.from && a.span == b.span && a.scroll == b.scroll;
  }
};

class ViewHistory {
 public:
  static constexpr std::size_t kMost = 100;

  // That place is left for another one; what was gone back from cannot be gone to again.
  void leave(const ViewPlace& here) {
    forward_.clear();
    if (!back_.empty() && back_.back() == here) return;
    back_.push_back(here);
    if (back_.size() > kMost) back_.erase(back_.begin());
  }
  // The last place that is another one than where the chart is; none when there is no such.
  std::optional<ViewPlace> back(const ViewPlace& here) { return go(back_, forward_, here); }
  std::optional<ViewPlace> forward(const ViewPlace& here) { return go(forward_, back_, here); }
  bool has_back() const { return !back_.empty(); }
  bool has_forward() const { return !forward_.empty(); }
  // The chart has all places elsewhere now.
  template <class Change>
  void change(Change&& each) {
    for (std::vector<ViewPlace>* places : {&back_, &forward_})
      for (ViewPlace& place : *places) place = each(place);
  }
  void clear() {
    back_.clear();
    forward_.clear();
  }

 private:
  static std::optional<ViewPlace> go(std::vector<ViewPlace>& to, std::vector<ViewPlace>& from, const ViewPlace& here) {
    while (!to.empty() && to.back() == here) to.pop_back();
    if (to.empty()) return {};
    const ViewPlace place = to.back();
    to.pop_back();
    from.push_back(here);
    return place;
  }

  std::vector<ViewPlace> back_, forward_;  // the nearest last
};

}  // namespace leasescope
