// The row of those who have none of their own.
#include "ui/models/words.h"
#include "ui/timeline/lanes/lane.h"
#include "ui/timeline/paint/marks.h"

namespace leasescope {
namespace {

std::size_t folded_of(const Scene& scene) {
  std::size_t folded = 0;
  for (const RowBox& row : scene.layout.rows) folded += static_cast<std::size_t>(row.count);
  return folded;
}

// Over the whole width: what is not drawn is said, and that it is there.
void paint_fold(Canvas& canvas, const Scene& scene, const RowBox& row) {
  const Colours& c = canvas.colours();
  const QString count = countText(static_cast<std::uint64_t>(row.count));
  const QString words = scene.layout.cut ? QStringLiteral("too many to draw: the busiest %1 are, %2 more are not")
                                               .arg(countText(scene.data.contenders().size() - folded_of(scene)), count)
                                         : QStringLiteral("%1 more, that never owned").arg(count);
  const int y = scene.y(row);
  canvas.fill(0, y, scene.right(), row.height - 1, c.header);
  canvas.hline(y + row.height - 1, 0, scene.right(), c.line);
  canvas.text(kHeadText, y + 15, words, {c.muted, 11});
}

class Folds : public Lane {
 public:
  void head(Canvas& canvas, const Scene& scene, const RowBox& row) const override {
    if (row.kind == RowKind::kFold) paint_fold(canvas, scene, row);
  }
  Hit hit(const Scene& scene, const RowBox& row, QPoint at) const override {
    if (row.kind != RowKind::kFold) return {};
    const TrueTime time = scene.viewport.time(at.x() - scene.left());
    return {LaneKind::kFolds, row.kind, row.index, 0, QRect(0, scene.y(row), scene.right(), row.height), time, time};
  }
  std::optional<Band> place(const Scene& /*scene*/, const RowBox& row, const Hit& hit) const override {
    if (row.kind != hit.on || row.index != hit.row) return {};
    return Band{0, row.height};
  }
  HoverText describe(const ChartData& data, const Hit& /*hit*/, TrueTime /*at*/) const override {
    HoverText text;
    text.title = QStringLiteral("Contenders without a row");
    text.lines.emplace_back(QStringLiteral("shown"), QStringLiteral("in the table of contenders"));
    if (can_unfold(data)) text.lines.emplace_back(QStringLiteral("click"), QStringLiteral("draws them all"));
    return text;
  }
};

}  // namespace

std::unique_ptr<Lane> folds_lane() { return std::make_unique<Folds>(); }

}  // namespace leasescope
