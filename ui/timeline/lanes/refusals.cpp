// Writes that were refused, and those that were taken though they are stale: never dropped, and over all else.
#include <climits>
#include <map>

#include "ui/models/words.h"
#include "ui/timeline/lanes/lane.h"
#include "ui/timeline/paint/glyphs.h"
#include "ui/timeline/paint/marks.h"

namespace leasescope {
namespace {

constexpr int kOnePlate = 200;  // refused writes of one term nearer to each other than this share a plate
constexpr int kOneMark = 14;    // ... and nearer than this a mark, with a stem each

// The first of them at or after a moment: its place among those that are wrong.
std::size_t first_wrong(const ResourceRow& resource, TrueTime at) {
  const auto found = std::lower_bound(resource.wrong.begin(), resource.wrong.end(), at,
                                      [&](std::uint32_t i, TrueTime t) { return resource.writes[i].at < t; });
  return static_cast<std::size_t>(found - resource.wrong.begin());
}

PlateStyle plate_of(const Colours& c, WriteFate fate) {
  const bool stale = fate == WriteFate::kStaleAccepted;
  PlateStyle style{stale ? c.critical : c.write_rejected, stale ? c.on_critical : c.write_on_rejected};
  style.face = Face::kMono;
  style.height = 16;
  style.padding = 5;
  return style;
}

// After the last of them; before the first where there is no room; else beside the first mark in view.
void paint_plate(Canvas& canvas, const Scene& scene, const Refusals& refusals, const std::vector<WriteMark>& writes,
                 int axis) {
  const PlateStyle style = plate_of(canvas.colours(), refusals.fate);
  const WriteMark& first = writes[refusals.first];
  const QString text =
      writePlate(refusals.fate, first.token, refusals.one_height ? first.highest : kNoToken, refusals.count);
  const int width = canvas.plate_width(text, style);
  const int y = refusals.fate == WriteFate::kStaleAccepted ? axis - 15 : axis - 25;
  const int from = std::max(scene.x(first.at), scene.left());
  for (const int x : {scene.x(writes[refusals.last].at) + 12, from - 11 - width, from + 12}) {
    if (x < scene.left() || x + width > scene.right()) continue;
    if (!canvas.places().claim({x, y, width, style.height})) continue;
    canvas.plate(x, y, text, style);
    return;
  }
}

// In a dense run the stems end at the axis: below it stands who may write from then on.
void paint_stem(Canvas& canvas, const Scene& scene, const RowBox& row, WriteFate fate, int x, int axis, bool dense) {
  const Colours& c = canvas.colours();
  if (fate == WriteFate::kStaleAccepted)
    canvas.fill(x - 1, scene.y(row), 3, row.height - 1, c.write_stale);
  else
    canvas.vline(x, axis - 14, axis + (dense ? 1 : 6), c.write_rejected);
}

void paint_refusal(Canvas& canvas, WriteFate fate, int x, int axis) {
  const Colours& c = canvas.colours();
  switch (fate) {
    case WriteFate::kStaleAccepted:
      return canvas.diamond(x + 0.5, axis - 7, 7, c.chart);
    case WriteFate::kTokenless:
      canvas.fill(x - 6, axis - 24, 14, 14, c.chart);
      return paint_glyph(canvas, IncidentKind::kTokenlessRefused, QRect(x - 7, axis - 25, 16, 16), GlyphSize::kLarge,
                         c.chart);
    default:
      return canvas.barred_disc(x + 0.5, axis - 17, 6.5, c.chart);
  }
}

// All of one fate: a stem for each that is told apart, a mark for each run.
void paint_fate(Canvas& canvas, const Scene& scene, const RowBox& row, WriteFate fate, const ResourceRow& resource,
                int axis) {
  std::vector<int> marks;
  int last_stem = INT_MIN / 2, last = INT_MIN / 2;
  for (std::size_t i = first_wrong(resource, scene.viewport.from); i < resource.wrong.size(); ++i) {
    const WriteMark& write = resource.writes[resource.wrong[i]];
    if (write.at >= scene.viewport.to()) break;
    if (write.fate() != fate) continue;
    const int x = scene.x(write.at);
    if (x - last_stem >= 3) {
      paint_stem(canvas, scene, row, fate, x, axis, x - last < kOneMark);
      last_stem = x;
    }
    if (x - last >= kOneMark) marks.push_back(x);
    last = x;
  }
  for (const int x : marks) {
    paint_refusal(canvas, fate, x, axis);
    canvas.places().reserve({x - 7, axis - 25, 15, 16});
  }
}

}  // namespace

// A write belongs to the last one of its fate and term if that is near; where many terms fall on a few pixels, to
// whatever mark of its fate it is too near to for one of its own. What was accepted in between breaks no run.
std::vector<Refusals> refusals_of(const Scene& scene, const ResourceRow& resource) {
  const std::vector<WriteMark>& writes = resource.writes;
  constexpr std::size_t kFarthest = 20'000;  // that are looked at beyond an edge
  const std::size_t first = first_wrong(resource, scene.viewport.from);
  // A run begins, and ends, where nothing is refused for the length of a plate: the same wherever the picture's edges.
  std::size_t begin = first;
  std::int64_t near = 0;
  for (; begin > 0 && first - begin < kFarthest; --begin) {
    const std::int64_t at = scene.viewport.pixel(writes[resource.wrong[begin - 1]].at);
    if (at < near - kOnePlate) break;
    near = at;
  }
  std::vector<Refusals> refusals;
  std::map<std::pair<WriteFate, Token>, std::size_t> of_term;  // the latest
  struct Last {
    std::size_t refusals = 0;
    std::int64_t at = INT64_MIN / 2;
  };
  std::map<WriteFate, Last> last_of;
  near = scene.viewport.width;
  std::size_t beyond = 0;
  for (std::size_t k = begin; k < resource.wrong.size() && beyond < kFarthest; ++k) {
    const std::size_t i = resource.wrong[k];
    const std::int64_t at = scene.viewport.pixel(writes[i].at);
    beyond += at >= scene.viewport.width;
    if (at > near + kOnePlate) break;
    const WriteFate fate = writes[i].fate();
    near = std::max(near, at);
    Last& last = last_of[fate];
    const auto known = of_term.find({fate, writes[i].token});
    std::size_t mine = refusals.size();
    if (known != of_term.end() && at - scene.viewport.pixel(writes[refusals[known->second].last].at) <= kOnePlate)
      mine = known->second;
    else if (at - last.at < kOneMark)
      mine = last.refusals;
    if (mine == refusals.size()) refusals.push_back({fate, i, i, 0, true});
    Refusals& all = refusals[mine];
    all.last = i;
    ++all.count;
    all.one_height =
        all.one_height && writes[i].token == writes[all.first].token && writes[i].highest == writes[all.first].highest;
    of_term[{fate, writes[i].token}] = mine;
    last = {mine, at};
  }
  return refusals;
}

namespace {

class RefusedWrites : public Lane {
 public:
  Says says() const override { return Says::kRefusals; }
  void write(Canvas& canvas, const Scene& scene) const override;
  std::vector<LegendMark> legend() const override;
};

// The worst last, so that none is covered by a lesser one.
void RefusedWrites::write(Canvas& canvas, const Scene& scene) const {
  for (const RowBox& row : scene.layout.rows) {
    if (row.kind != RowKind::kResource || !scene.visible(row)) continue;
    const ResourceRow& resource = scene.data.resources()[static_cast<std::size_t>(row.index)];
    const std::vector<WriteMark>& writes = resource.writes;
    const int axis = axis_of(scene, row);
    for (const WriteFate fate : {WriteFate::kStale, WriteFate::kTokenless, WriteFate::kStaleAccepted})
      paint_fate(canvas, scene, row, fate, resource, axis);
    // Plates take their room in this order: the worst first, and of those the latest.
    std::vector<Refusals> refusals = refusals_of(scene, resource);
    std::reverse(refusals.begin(), refusals.end());
    std::stable_partition(refusals.begin(), refusals.end(),
                          [](const Refusals& each) { return each.fate == WriteFate::kStaleAccepted; });
    for (const Refusals& each : refusals)
      if (scene.shows(writes[each.first].at, writes[each.last].at)) paint_plate(canvas, scene, each, writes, axis);
  }
}

LegendMark glyph_of_kind(IncidentKind kind, const QString& name, const QString& note) {
  return {LegendGroup::kHappens, name, note, [kind](Canvas& canvas, const QRect& at) {
            paint_glyph(canvas, kind, at, GlyphSize::kLarge, Qt::transparent);
          }};
}

std::vector<LegendMark> RefusedWrites::legend() const {
  LegendMark rejected =
      glyph_of_kind(IncidentKind::kStaleWriteRejected, tr("write rejected"), tr("by the fence: its token is too old"));
  rejected.brief = tr("write rejected");
  rejected.brief_sample = [](Canvas& c, const QRect& at) {
    c.barred_disc(at.x() + 13, at.y() + 5.5, 5.5, c.colours().window);
  };
  return {rejected,
          {LegendGroup::kHappens,
           {},
           {},
           [](Canvas& c, const QRect& at) {
             paint_glyph(c, IncidentKind::kTokenlessRefused, QRect(at.x(), at.y(), 26, 12), GlyphSize::kLarge,
                         c.colours().window);
           },
           tr("refused, no token")},
          {LegendGroup::kHappens,
           {},
           {},
           [](Canvas& c, const QRect& at) { c.diamond(at.x() + 13, at.y() + 5.5, 6, c.colours().window); },
           tr("stale write accepted")}};
}

}  // namespace

std::unique_ptr<Lane> refusals_lane() { return std::make_unique<RefusedWrites>(); }

}  // namespace leasescope
