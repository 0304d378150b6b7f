// What a picture shows of the incidents in the rail: of each the mark that the painter says it has, where it says so,
// to the pixel. So one whose mark is not painted is missed, whatever stands beside it.
#pragma once
#include <optional>
#include <vector>

#include "ui/timeline/paint/painter.h"

class QImage;

namespace leasescope::tests {

struct RailSeen {
  struct Unseen {
    std::size_t incident = 0;
    QString why;
  };
  int marks = 0;      // that were looked for and found
  int stood_for = 0;  // incidents that a near one of their kind stands for
  int under = 0;      // beliefs that grants lie on: what is left of them below was found
  std::vector<Unseen> unseen;
};

// Of every incident that meets what is shown. `cursor`: its line crosses the rail.
RailSeen rail_seen(const Scene& scene, Theme theme, const QImage& image, std::optional<TrueTime> cursor = {});

}  // namespace leasescope::tests
