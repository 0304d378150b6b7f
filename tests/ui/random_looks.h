// Charts as somebody may look at them: any run, stretch, size and scroll, together with any theme, pixel ratio,
// density, choice of rows, counting of the ruler, and whatever lies on top. Each by its number, so that one can be had
// again.
#pragma once
#include <functional>
#include <memory>
#include <optional>
#include <vector>

#include "ui/timeline/paint/painter.h"

namespace leasescope::tests {

// What lies over a chart and moves.
struct OnTop {
  std::optional<TrueTime> cursor, veil;
  std::vector<TrueTime> forks;
  std::optional<std::pair<TrueTime, TrueTime>> measured;
  MarkerFlags markers;
  int over_marker = -1, selected_incident = -1, current_row = -1;
  std::optional<QPoint> pointer;  // over what is hovered; of the picture
  std::optional<QPoint> chosen;   // ... and selected
};

struct Look {
  std::size_t run = 0;  // of the runs below
  TrueTime from{};
  Duration span{1};
  int width = 0, height = 0, scroll = 0;  // px; no further than there are rows
  double ratio = 1;                       // device pixels a pixel
  Theme theme = Theme::kLight;
  Density density = Density::kComfortable;  // at the least
  RowChoice rows;
  Axis axis;
  OnTop top;

  QByteArray text() const;
};

// Of a look: what is painted. The run's chart counts by that axis from then on.
class Shown {
 public:
  explicit Shown(const Look& look);
  Shown(const Shown&) = delete;
  Shown& operator=(const Shown&) = delete;

  const Scene& scene() const { return *scene_; }
  const ChartData& data() const { return scene_->data; }
  Theme theme() const { return look_.theme; }
  double ratio() const { return look_.ratio; }
  // Of what lies on top; valid as long as this is.
  Overlay overlay() const;
  Minimap minimap() const;

 private:
  Look look_;
  ChartLayout layout_;
  std::optional<Scene> scene_;
};

// How many are looked at: LEASESCOPE_VIEWPORTS, 300 where nobody says.
int look_count();
// The one of a number, of LEASESCOPE_VIEWPORT_SEED; from LEASESCOPE_VIEWPORT_FIRST on.
Look nth_look(int number);

// The night of ten thousand incidents, which some looks are at.
const ChartData& crowded_night();
bool is_of_crowded_night(const Look& look);

// Why a look is wrong, in words; none: it is right.
using WhatIsWrong = std::function<std::optional<QString>(const Look&)>;
// Looks at all. Of the first that is wrong the simplest that is wrong likewise, why, and how it can be had again; empty
// when all are right. `slot` is the test's.
QByteArray first_wrong_look(const char* slot, const WhatIsWrong& what);

}  // namespace leasescope::tests
