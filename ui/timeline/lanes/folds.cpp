// The row of those who have none of their own.
#include "ui/models/words.h"
#include "ui/timeline/lanes/lane.h"
#include "ui/timeline/paint/marks.h"

namespace leasescope {
namespace {

// Who has a row.
std::size_t drawn(const Scene& scene) {
  std::size_t none = static_cast<std::size_t>(scene.layout.left_out.rows);
  for (const RowBox& row : scene.layout.rows) none += static_cast<std::size_t>(row.count);
  return scene.data.contenders().size() - none;
}

QString count_of(int count) { return countText(static_cast<std::uint64_t>(count)); }

QString words_of(const Scene& scene, const RowBox& row) {
  QStringList words;
  if (row.count > 0)
    words << (scene.layout.cut ? Lane::tr("too many to draw: the busiest %1 are, %2 more are not")
                                     .arg(countText(drawn(scene)), count_of(row.count))
                               : Lane::tr("%1 more, that never owned").arg(count_of(row.count)));
  if (const LeftOut& out = row.left_out; out.rows > 0) {
    words << Lane::tr("%1 hidden").arg(count_of(out.rows));
    if (out.incidents > 0)
      words.back() +=
          Lane::tr(", part of %1 %2")
              .arg(count_of(out.incidents), out.incidents == 1 ? Lane::tr("incident") : Lane::tr("incidents"));
  }
  return words.join(QStringLiteral(" · "));
}

// Over the whole width: what is not drawn is said, and that it is there.
void paint_fold(Canvas& canvas, const Scene& scene, const RowBox& row) {
  const Colours& c = canvas.colours();
  const int y = scene.y(row);
  canvas.fill(0, y, scene.right(), row.height - 1, c.header);
  canvas.hline(y + row.height - 1, 0, scene.right(), c.line);
  const bool warns = row.left_out.incidents > 0;
  canvas.text(kHeadText, y + 15, words_of(scene, row), {warns ? c.warn_text : c.muted, 11});
}

class Folds : public Lane {
 public:
  void head(Canvas& canvas, const Scene& scene, const RowBox& row) const override {
    if (row.kind == RowKind::kFold) paint_fold(canvas, scene, row);
  }
  Hit hit(const Scene& scene, const RowBox& row, QPoint at) const override {
    if (row.kind != RowKind::kFold) return {};
    const TrueTime time = scene.viewport.time(at.x() - scene.left());
    // By their number: whether any were left out by the reader.
    const auto hidden = static_cast<std::size_t>(row.left_out.rows);
    return {
        LaneKind::kFolds, row.kind, row.index, hidden, QRect(0, scene.y(row), scene.right(), row.height), time, time};
  }
  std::optional<Band> place(const Scene& /*scene*/, const RowBox& row, const Hit& hit) const override {
    if (row.kind != hit.on || row.index != hit.row) return {};
    return Band{0, row.height};
  }
  HoverText describe(const ChartData& data, const Hit& hit, TrueTime /*at*/) const override {
    HoverText text;
    text.title = tr("Contenders without a row");
    text.lines.emplace_back(tr("shown"), tr("in the table of contenders"));
    if (hit.index > 0)
      text.lines.emplace_back(tr("click"), tr("shows what was hidden"));
    else if (can_unfold(data))
      text.lines.emplace_back(tr("click"), tr("draws them all"));
    return text;
  }
  std::vector<LegendMark> legend() const override {
    return {{LegendGroup::kIs, tr("contenders without a row"), tr("how many are not drawn, and why"),
             [](Canvas& c, const QRect& at) {
               c.fill(at.x(), at.y(), at.width(), at.height() - 1, c.colours().header);
               c.hline(at.y() + at.height() - 1, at.x(), at.x() + at.width(), c.colours().line);
               c.text(at.x() + 6, at.y() + 12, QStringLiteral("+7"), {c.colours().muted, 11});
             }}};
  }
};

}  // namespace

std::unique_ptr<Lane> folds_lane() { return std::make_unique<Folds>(); }

}  // namespace leasescope
