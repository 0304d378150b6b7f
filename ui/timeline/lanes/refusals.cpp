// Writes that were refused, and those that were taken though they are stale: never dropped, and over all else.
#include <array>
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

const WrongWrites& wrong_of(const ResourceRow& resource, WriteFate fate) {
  return resource.wrong_of[static_cast<std::size_t>(fate)];
}

// All of one fate: a stem for each that is told apart, a mark for each run.
void paint_fate(Canvas& canvas, const Scene& scene, const RowBox& row, WriteFate fate, const ResourceRow& resource,
                int axis) {
  constexpr int kLeastApart = 3;
  const WrongWrites& wrong = wrong_of(resource, fate);
  const std::size_t first = wrong.first_at(scene.viewport.from);
  std::vector<int> marks;
  for (std::size_t i = first; i < wrong.size() && wrong.at(i) < scene.viewport.to();) {
    const int x = scene.x(wrong.at(i));
    const bool begins = i == first || x - scene.x(wrong.at(i - 1)) >= kOneMark;
    paint_stem(canvas, scene, row, fate, x, axis, !begins);
    if (begins) marks.push_back(x);
    i = wrong.first_at(scene.first_of(x + kLeastApart), i + 1);
  }
  for (const int x : marks) {
    paint_refusal(canvas, fate, x, axis);
    canvas.places().reserve({x - 7, axis - 25, 15, 16});
  }
}

// Those in view and beyond its edges: a run begins, and ends, where nothing goes wrong for the length of a plate, so
// that it is the same wherever the edges are. The first of them and behind the last, of all that went wrong.
std::pair<std::size_t, std::size_t> around(const Scene& scene, const ResourceRow& resource) {
  constexpr int kFarthest = 50;  // plates beyond an edge
  const auto pixel = [&](std::size_t k) { return scene.viewport.pixel(resource.writes[resource.wrong[k]].at); };
  const auto first_from = [&](std::int64_t at) { return first_wrong(resource, scene.viewport.time(at)); };
  std::size_t begin = first_wrong(resource, scene.viewport.from), end = first_wrong(resource, scene.viewport.to());
  std::int64_t near = 0;
  for (int i = 0; i < kFarthest && begin > 0 && pixel(begin - 1) >= near - kOnePlate; ++i) {
    begin = std::min(begin - 1, first_from(pixel(begin - 1) - kOnePlate));
    near = pixel(begin);
  }
  near = scene.viewport.width;
  for (int i = 0; i < kFarthest && end < resource.wrong.size() && pixel(end) <= near + kOnePlate; ++i) {
    end = std::max(end + 1, first_from(pixel(end) + kOnePlate + 1));
    near = pixel(end - 1);
  }
  return {begin, end};
}

// Gathers those of one fate that share a plate.
class Plates {
 public:
  Plates(const Scene& scene, const ResourceRow& resource, WriteFate fate)
      : scene_(scene), resource_(resource), fate_(fate), wrong_(wrong_of(resource, fate)) {}

  // Those between two writes of the resource.
  std::vector<Refusals> between(TrueTime from, TrueTime to) {
    const std::size_t end = wrong_.first_at(to + Duration(1));
    for (std::size_t i = wrong_.first_at(from); i < end;) {
      const std::size_t next = std::min(together(i), end);
      add(i, next);
      i = next;
    }
    return std::move(refusals_);
  }

 private:
  // Behind the last of those that share the plate of `i`, whatever lies before: alike and near, or in its pixel.
  std::size_t together(std::size_t i) const {
    const std::size_t alike = std::min(wrong_.alike_end(i), wrong_.near_end(i, scene_.time_of(kOnePlate)));
    const std::int64_t pixel = scene_.viewport.pixel(wrong_.at(i));
    return std::max(alike, wrong_.first_at(scene_.viewport.time(pixel + 1), i + 1));
  }

  std::size_t plate_of(std::size_t i) const {
    const std::int64_t at = scene_.viewport.pixel(wrong_.at(i));
    const auto known = of_term_.find(write(i).token);
    if (known != of_term_.end() &&
        at - scene_.viewport.pixel(resource_.writes[refusals_[known->second].last].at) <= kOnePlate)
      return known->second;
    return at - last_at_ < kOneMark ? last_ : refusals_.size();
  }

  void add(std::size_t i, std::size_t end) {
    const std::size_t mine = plate_of(i);
    if (mine == refusals_.size()) refusals_.push_back({fate_, wrong_.write(i), wrong_.write(i), 0, true});
    Refusals& all = refusals_[mine];
    const WriteMark& first = resource_.writes[all.first];
    all.last = wrong_.write(end - 1);
    all.count += end - i;
    all.one_height = all.one_height && wrong_.alike_end(i) >= end && write(i).token == first.token &&
                     write(i).highest == first.highest;
    of_term_[write(i).token] = of_term_[write(end - 1).token] = last_ = mine;
    last_at_ = scene_.viewport.pixel(wrong_.at(end - 1));
  }

  const WriteMark& write(std::size_t i) const { return resource_.writes[wrong_.write(i)]; }

  const Scene& scene_;
  const ResourceRow& resource_;
  const WriteFate fate_;
  const WrongWrites& wrong_;
  std::vector<Refusals> refusals_;
  std::map<Token, std::size_t> of_term_;  // the latest plate
  std::size_t last_ = 0;
  std::int64_t last_at_ = INT64_MIN / 2;
};

constexpr std::array kWrongFates{WriteFate::kStale, WriteFate::kTokenless, WriteFate::kStaleAccepted};

}  // namespace

// A write belongs to the last one of its fate and term if that is near; where many terms fall on a few pixels, to
// whatever mark of its fate it is too near to for one of its own. What was accepted in between breaks no run.
std::vector<Refusals> refusals_of(const Scene& scene, const ResourceRow& resource) {
  std::vector<Refusals> refusals;
  const auto [begin, end] = around(scene, resource);
  if (begin == end) return refusals;
  const auto at = [&](std::size_t k) { return resource.writes[resource.wrong[k]].at; };
  for (const WriteFate fate : kWrongFates) {
    const std::vector<Refusals> found = Plates(scene, resource, fate).between(at(begin), at(end - 1));
    refusals.insert(refusals.end(), found.begin(), found.end());
  }
  std::sort(refusals.begin(), refusals.end(), [](const auto& a, const auto& b) { return a.first < b.first; });
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
    for (const WriteFate fate : kWrongFates) paint_fate(canvas, scene, row, fate, resource, axis);
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
