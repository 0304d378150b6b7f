// What a picture shows in the rows of a chart, column by column: leases where they are and nowhere else, and of what is
// wrong the tape in the row of each who is part of it.
#pragma once
#include <optional>
#include <vector>

#include <QImage>

#include "ui/timeline/paint/painter.h"

namespace leasescope::tests {

struct RowsSeen {
  std::size_t lanes = 0;         // bands of leases that were looked at
  std::size_t leases = 0;        // columns of them that have one
  std::size_t open = 0;          // ... and on which nothing lies
  std::size_t tapes = 0;         // of an incident in one row
  std::optional<QString> wrong;  // the first thing

  void add(const RowsSeen& other) {
    lanes += other.lanes;
    leases += other.leases;
    open += other.open;
    tapes += other.tapes;
  }
};

// `image`: the chart without what lies on top and moves, as it is painted for a device of its ratio.
RowsSeen bars_seen(const Scene& scene, Theme theme, const QImage& image);
RowsSeen tapes_seen(const Scene& scene, Theme theme, const QImage& image);

}  // namespace leasescope::tests
