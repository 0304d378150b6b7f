// Markers on the chart: a flag with its name in the ruler, and a thin line down over all rows.
#pragma once
#include <vector>

#include <QString>

#include "ui/timeline/paint/scene.h"

namespace leasescope {

struct MarkerFlag {
  TrueTime at{};
  QString name, text;
  bool operator==(const MarkerFlag&) const = default;
};

// In order of time.
using MarkerFlags = std::vector<MarkerFlag>;

// Where a flag lies in the ruler; `flag` by its place in the list. Its name where there is room up to the next flag.
struct FlagPlace {
  int flag = 0;
  int x = 0;  // of its line
  QRect plate;
  QString name;  // cut to its room; empty: there is none
};
// Of those in view. `cursor`: whose plate none lies under.
std::vector<FlagPlace> flag_places(const Scene& scene, const MarkerFlags& flags, std::optional<TrueTime> cursor);
// -1: none there.
int flag_at(const Scene& scene, const MarkerFlags& flags, std::optional<TrueTime> cursor, QPoint at);
// `over`: the one the pointer is over, or -1.
void paint_flags(Canvas& canvas, const Scene& scene, const MarkerFlags& flags, std::optional<TrueTime> cursor,
                 int over);

}  // namespace leasescope
