// By one contender's clock: the time in which its process stood still and saw nothing of the others.
#include "ui/timeline/lanes/lane.h"
#include "ui/timeline/paint/marks.h"

namespace leasescope {
namespace {

const BandTrack& bands_of(const ChartData& data, int owner) {
  return data.contenders()[static_cast<std::size_t>(owner)].bands;
}

// Its process stood still then.
template <class Do>
void each_stop(const Scene& scene, const BandTrack& bands, TrueTime from, TrueTime to, Duration grain, Do&& action) {
  for (const std::uint32_t i : bands.within(from, to, grain))
    if (bands[i].kind == BandKind::kPause && bands[i].lasts && bands[i].begin < scene.data.now()) action(i);
}

bool is_owners(const RowBox& row, int owner) { return row.kind == RowKind::kContender && row.index == owner; }

class NotSeen : public Lane {
 public:
  void paint(Canvas& canvas, const Scene& scene) const override;
  Hit hit(const Scene& scene, const RowBox& row, QPoint at) const override;
  std::optional<Band> place(const Scene& /*scene*/, const RowBox& row, const Hit& hit) const override {
    if (row.kind != hit.on || row.index != hit.row) return {};
    return Band{0, row.height - 1};
  }
  HoverText describe(const ChartData& data, const Hit& hit, TrueTime at) const override;
  std::vector<LegendMark> legend() const override {
    return {{LegendGroup::kDisturbs, tr("stood still and saw nothing"),
             tr("by one contender's clock: behind all others"), [](Canvas& c, const QRect& at) {
               c.hatch(at.x(), at.y(), at.width(), at.height(), Tile::kUnobserved, c.colours().unobserved_line,
                       c.colours().unobserved_fill);
               c.fill(at.x() + 10, at.y() + 4, 30, 8, c.colours().id[1].ink);
               c.vline(at.right(), at.y(), at.y() + at.height(), c.colours().unobserved_line);
             }}};
  }
};

// The ground of all other rows: what lies on it happened, and is what it learns when it goes on.
void NotSeen::paint(Canvas& canvas, const Scene& scene) const {
  const int owner = scene.data.clock_owner();
  if (owner == kNoContender) return;
  const Colours& c = canvas.colours();
  const BandTrack& bands = bands_of(scene.data, owner);
  each_stop(scene, bands, scene.viewport.from, scene.viewport.to(), scene.time_of(1), [&](std::uint32_t i) {
    const TrueTime end = scene.until(bands[i].end);
    const int from = scene.clipped_x(bands[i].begin), to = scene.clipped_x(end);
    for (const RowBox& row : scene.layout.rows) {
      if (!scene.visible(row) || is_owners(row, owner)) continue;
      const int y = scene.y(row);
      canvas.hatch(from, y, to - from, row.height - 1, Tile::kUnobserved, c.unobserved_line, c.unobserved_fill);
      if (!bands[i].open() && scene.shows(end)) canvas.vline(to, y, y + row.height - 1, c.unobserved_line);
    }
  });
}

Hit NotSeen::hit(const Scene& scene, const RowBox& row, QPoint at) const {
  const int owner = scene.data.clock_owner();
  if (owner == kNoContender || is_owners(row, owner)) return {};
  const BandTrack& bands = bands_of(scene.data, owner);
  const TrueTime time = scene.first_of(at.x());
  Hit found;
  each_stop(scene, bands, time, time, {}, [&](std::uint32_t i) {
    const TrueTime end = scene.until(bands[i].end);
    if (time >= end) return;
    const int from = scene.x(bands[i].begin);
    const QRect bar(from, scene.y(row), std::max(1, scene.x(end) - from), row.height - 1);
    found = {LaneKind::kNotSeen, row.kind, row.index, i, bar, bands[i].begin, end};
  });
  return found;
}

HoverText NotSeen::describe(const ChartData& data, const Hit& hit, TrueTime /*at*/) const {
  HoverText text;
  text.contender = data.clock_owner();
  if (text.contender == kNoContender) return text;
  text.title = tr("stood still and saw nothing");
  text.lines.emplace_back(tr("from – to"), data.axis().stretchText(hit.from, hit.to));
  text.lines.emplace_back(tr("what happened here"), tr("%1 sees at its end").arg(data.axis().shown->letter));
  return text;
}

}  // namespace

std::unique_ptr<Lane> not_seen_lane() { return std::make_unique<NotSeen>(); }

}  // namespace leasescope
