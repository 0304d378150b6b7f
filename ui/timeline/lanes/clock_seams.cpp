// By one contender's clock: where that was set. Over the tints of incidents, which may lie on it.
#include "ui/models/words.h"
#include "ui/timeline/lanes/lane.h"
#include "ui/timeline/paint/marks.h"

namespace leasescope {
namespace {

constexpr int kNear = 3;  // px on both sides of a seam that a pointer may be off

// Of a place on the chart.
int x_of(const Scene& scene, TrueTime place) {
  const std::int64_t pixel = scene.viewport.shown.pixel(place);
  return scene.left() + static_cast<int>(std::clamp<std::int64_t>(pixel, 0, scene.right() - scene.left()));
}

// What it would have shown, had nobody set it.
QString told_before(const ChartData& data, const ClockSeam& seam) {
  const Axis& axis = data.axis();
  return QStringLiteral("%1 %2 s").arg(axis.shown->letter, secondsText(axis.counted(seam.at) - seam.by));
}

class ClockSeams : public Lane {
 public:
  void paint(Canvas& canvas, const Scene& scene) const override {
    if (scene.data.clock_owner() == kNoContender) return;
    const Colours& c = canvas.colours();
    const std::vector<SeenSeam> seams = seen_seams(scene);
    for (const RowBox& row : scene.layout.rows) {
      if (!scene.visible(row)) continue;
      const int y = scene.y(row), height = row.height - 1;
      for (const auto& [seam, gap] : seams) {
        canvas.hatch(gap.from, y, gap.to - gap.from, height, Tile::kSkew, c.skew_line, c.skew_fill);
        if (gap.from > scene.left()) canvas.vline(gap.from, y, y + height, c.skew_line);
        if (!scene.shows(seam->at)) continue;
        if (seam->is_back())
          canvas.vdash(gap.to, y, y + height, c.skew_line, 4, 2);
        else if (gap.to > scene.left())
          canvas.vline(gap.to - 1, y, y + height, c.skew_line);
      }
    }
  }

  Says says() const override { return Says::kFaults; }
  void write(Canvas& canvas, const Scene& scene) const override;
  Hit hit(const Scene& scene, const RowBox& row, QPoint at) const override;
  std::optional<Band> place(const Scene& /*scene*/, const RowBox& row, const Hit& hit) const override {
    if (row.kind != hit.on || row.index != hit.row) return {};
    return Band{0, row.height - 1};
  }
  HoverText describe(const ChartData& data, const Hit& hit, TrueTime at) const override;
  std::vector<LegendMark> legend() const override {
    return {{LegendGroup::kDisturbs, tr("clock set forward"), tr("by one contender's clock: it never showed these"),
             [](Canvas& c, const QRect& at) {
               const int left = at.x() + 14, wide = 28;
               c.hatch(left, at.y(), wide, at.height(), Tile::kSkew, c.colours().skew_line, c.colours().skew_fill);
               for (const int x : {left, left + wide - 1})
                 c.vline(x, at.y(), at.y() + at.height(), c.colours().skew_line);
             }},
            {LegendGroup::kDisturbs, tr("clock set back"), tr("by one contender's clock: it shows them again"),
             [](Canvas& c, const QRect& at) {
               c.vdash(at.x() + 28, at.y(), at.y() + at.height(), c.colours().skew_line, 4, 2);
             }}};
  }
};

// By how much, once: in the topmost row. The owner's own has it from its bands.
void ClockSeams::write(Canvas& canvas, const Scene& scene) const {
  const Colours& c = canvas.colours();
  const auto top = std::find_if(scene.layout.rows.begin(), scene.layout.rows.end(),
                                [&](const RowBox& row) { return scene.visible(row); });
  if (top == scene.layout.rows.end()) return;
  PlateStyle style{c.skew_fill, c.text, c.skew_line};
  style.weight = 400;
  const std::vector<SeenSeam> seams = seen_seams(scene);
  if (seams.empty()) return;
  const QString shorter = tr("%1, drawn shorter");
  for (const auto& [seam, gap] : seams) {
    const QString much = signedText(seam->by);
    const QString label = seam->is_cut() ? shorter.arg(much) : much;
    const int width = canvas.plate_width(label, style), y = scene.y(*top) + (top->height - style.height) / 2;
    const bool within = gap.to - gap.from >= width + 4;
    const int x = within ? gap.from + (gap.to - gap.from - width) / 2 : gap.to + 3;
    if (!within && !scene.shows(seam->at)) continue;
    if (x + width > scene.right() || !canvas.places().claim({x, y, width, style.height})) continue;
    canvas.plate(x, y, label, style);
  }
}

Hit ClockSeams::hit(const Scene& scene, const RowBox& row, QPoint at) const {
  if (scene.data.clock_owner() == kNoContender) return {};
  for (const auto& [seam, gap] : seen_seams(scene)) {
    if (at.x() < gap.from - kNear || at.x() > gap.to + kNear) continue;
    const auto index = static_cast<std::size_t>(seam - scene.viewport.clock->seams().data());
    const QRect bar(gap.from, scene.y(row), std::max(1, gap.to - gap.from), row.height - 1);
    return {LaneKind::kClockSeams,  row.kind, row.index,         index, bar,
            seam->at - Duration(1), seam->at, gap.from == gap.to};
  }
  return {};
}

HoverText ClockSeams::describe(const ChartData& data, const Hit& hit, TrueTime /*at*/) const {
  HoverText text;
  text.contender = data.clock_owner();
  if (text.contender == kNoContender) return text;
  if (data.clock() == nullptr || hit.index >= data.clock()->seams().size()) return text;
  const ClockSeam& seam = data.clock()->seams()[hit.index];
  text.title = seam.is_back() ? tr("clock set back") : tr("clock set forward");
  text.right = signedText(seam.by);
  text.lines.emplace_back(tr("showed"), told_before(data, seam));
  text.lines.emplace_back(tr("went on at"), data.axis().text(seam.at));
  text.lines.emplace_back(tr("time of the run"), secondsText(seam.at) + QStringLiteral(" s"));
  if (seam.is_cut()) text.lines.emplace_back(tr("gap"), tr("drawn shorter than it is"));
  return text;
}

}  // namespace

std::vector<SeenSeam> seen_seams(const Scene& scene) {
  const ClockView& view = scene.viewport;
  std::vector<SeenSeam> found;
  if (view.clock == nullptr) return found;
  // One that lies at an edge as well: a part of its gap may be seen.
  const std::span<const ClockSeam> all = view.clock->seams(view.from, view.to() + Duration(1));
  for (auto seam = all.begin(); seam != all.end();) {
    const int to = x_of(scene, seam->place);
    found.push_back({&*seam, {x_of(scene, seam->place - seam->gap), to}});
    const TrueTime next = scene.first_of(to + 1);
    seam = std::lower_bound(seam + 1, all.end(), next, [](const ClockSeam& each, TrueTime at) { return each.at < at; });
  }
  return found;
}

PixelRange again_range(const Scene& scene, const ClockSeam& seam) {
  if (!seam.is_back()) return {};
  return {x_of(scene, seam.place), x_of(scene, seam.place - seam.by)};
}

std::unique_ptr<Lane> clock_seams_lane() { return std::make_unique<ClockSeams>(); }

}  // namespace leasescope
