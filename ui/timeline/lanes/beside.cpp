// Several holders of one mutex, beside each other under one header: a line for each permit, readers as thin bars.
#include "ui/models/words.h"
#include "ui/timeline/lanes/in_view.h"
#include "ui/timeline/lanes/lease_words.h"
#include "ui/timeline/lanes/pointing.h"
#include "ui/timeline/paint/leases.h"

namespace leasescope {
namespace {

constexpr int kReader = 6, kReaderPitch = 7;  // px of the header's band
constexpr int kRoomyReaders = 3;              // so many have these; more share the band
constexpr int kLeastReader = 2;               // thinner ones would be one block
constexpr std::uint32_t kNumbered = 4;        // permits with a number and labels

const MutexRow& mutex_of(const Scene& scene, const RowBox& row) {
  return scene.data.mutexes()[static_cast<std::size_t>(row.index)];
}
bool one_band(const MutexRow& mutex) { return mutex.capacity > 1 && slot_lines(mutex).pitch == 0; }

// Where a line of the header lies, from its top; of readers, the band of those who read.
LeaseBands line_of(const MutexRow& mutex, int slot) {
  const Band band = measures().mutex_band;
  if (mutex.capacity > 1) {
    const LineMeasures lines = slot_lines(mutex);
    return {{lines.first + slot * lines.pitch, lines.height}};
  }
  const int count = static_cast<int>(mutex.places.size());
  if (count <= kRoomyReaders) return {band, {band.y + slot * kReaderPitch, kReader}};
  const int height = std::max(kLeastReader, (band.height - count + 1) / count);
  return {band, {band.y + std::min(slot * (height + 1), band.height - height), height}};
}

LeaseBands at(int y, LeaseBands bands) {
  bands.whole.y += y;
  bands.shared.y += y;
  return bands;
}

// Many more permits than have lines: how many are in use, as a share of the band.
void paint_share(Canvas& canvas, const Scene& scene, const MutexRow& mutex, Band band) {
  std::vector<int> changes(static_cast<std::size_t>(scene.right() - scene.left()) + 1);  // by pixel, by how much
  const auto change = [&](int x) -> int& { return changes[static_cast<std::size_t>(x - scene.left())]; };
  for (const SpanTrack& spans : mutex.places)
    for (std::size_t i = spans.first_ending_after(scene.viewport.from); i < spans.size();) {
      if (spans.start(i) >= scene.viewport.to()) break;
      const int end = scene.clipped_x(scene.until(spans.end_of(i)));
      ++change(scene.clipped_x(spans.start(i)));
      --change(end);
      // Those that are over in the same pixel change nothing that is seen.
      i = std::max(i + 1, spans.first_ending_after(last_before(scene, end + 1)));
    }
  int used = 0, from = scene.left();
  for (int x = scene.left(); x <= scene.right(); ++x) {
    if (change(x) == 0 && x < scene.right()) continue;
    // One of a hundred is seen, too.
    const int height = used == 0 ? 0 : std::max(1, band.height * used / static_cast<int>(mutex.capacity));
    canvas.fill(from, band.y + band.height - height, x - from, height, canvas.colours().line_strong);
    used += change(x);
    from = x;
  }
}

class Beside : public Lane {
 public:
  void paint(Canvas& canvas, const Scene& scene) const override {
    each_row(scene, RowKind::kMutex, [&](const RowBox& row) {
      const MutexRow& mutex = mutex_of(scene, row);
      const int y = scene.y(row);
      if (one_band(mutex)) return paint_share(canvas, scene, mutex, at(y, line_of(mutex, 0)).whole);
      for (int slot = 0; slot < lines(mutex); ++slot) {
        const LeaseBands bands = at(y, line_of(mutex, slot));
        if (mutex.capacity > 1)
          canvas.hline(bands.whole.y + bands.whole.height - 1, scene.left(), scene.right(),
                       canvas.colours().grid_strong);
        if (slot < static_cast<int>(mutex.places.size()))
          paint_held_band(canvas, scene, mutex.places[static_cast<std::size_t>(slot)], bands);
      }
    });
  }
  Says says() const override { return Says::kLeases; }
  void write(Canvas& canvas, const Scene& scene) const override {
    each_row(scene, RowKind::kMutex, [&](const RowBox& row) {
      const MutexRow& mutex = mutex_of(scene, row);
      if (mutex.places.empty() || mutex.capacity > kNumbered) return;
      for (std::size_t slot = 0; slot < mutex.places.size(); ++slot) {
        const LeaseBands bands = at(scene.y(row), line_of(mutex, static_cast<int>(slot)));
        paint_lease_labels(canvas, scene, mutex.places[slot], bands.whole, {}, false);
        paint_shared_labels(canvas, scene, mutex.places[slot], scene.y(row) + measures().mutex_band.y - 3, {});
      }
    });
  }
  void head(Canvas& canvas, const Scene& scene, const RowBox& row) const override {
    if (row.kind != RowKind::kMutex) return;
    const MutexRow& mutex = mutex_of(scene, row);
    if (mutex.capacity < 2 || mutex.capacity > kNumbered) return;
    for (int slot = 0; slot < static_cast<int>(mutex.capacity); ++slot)
      write_line_name(canvas, scene, row, line_of(mutex, slot).whole.y + 10, QString::number(slot + 1));
  }

  Hit hit(const Scene& scene, const RowBox& row, QPoint point) const override {
    if (row.kind != RowKind::kMutex) return {};
    const MutexRow& mutex = mutex_of(scene, row);
    if (one_band(mutex)) return {};
    const TrueTime time = scene.viewport.time(point.x() - scene.left());
    const int y = point.y() - scene.y(row);
    for (std::size_t slot = 0; slot < mutex.places.size(); ++slot) {
      const LeaseBands bands = line_of(mutex, static_cast<int>(slot));
      const std::optional<LeaseSpan> span = span_at(mutex.places[slot], time);
      if (!span || !inside(bands.of(*span), y)) continue;
      Hit hit = hit_span(scene, mutex.places[slot], LaneKind::kBeside, row, bands.of(*span), time);
      hit.line = static_cast<int>(slot);
      return hit;
    }
    return {};
  }
  std::optional<Band> place(const Scene& scene, const RowBox& row, const Hit& hit) const override {
    if (row.kind != hit.on || row.index != hit.row) return {};
    const MutexRow& mutex = mutex_of(scene, row);
    const auto slot = static_cast<std::size_t>(hit.line);
    if (slot >= mutex.places.size() || hit.index >= mutex.places[slot].size()) return {};
    return line_of(mutex, hit.line).of(mutex.places[slot][hit.index]);
  }
  HoverText describe(const ChartData& data, const Hit& hit, TrueTime time) const override {
    const MutexRow& mutex = data.mutexes()[static_cast<std::size_t>(hit.row)];
    const SpanTrack& spans = mutex.places[static_cast<std::size_t>(hit.line)];
    const bool shared = spans[hit.index].shared;
    const QString does = mutex.capacity > 1 ? tr("holds a permit of %1")
                         : !mutex.announced ? (shared ? tr("holds beside others %1") : tr("holds alone %1"))
                         : shared           ? tr("reads %1")
                                            : tr("writes %1");
    return describe_lease(data, spans, hit.index, time, false, does.arg(QString::fromStdString(mutex.name)));
  }
  std::vector<LegendMark> legend() const override {
    return {{LegendGroup::kIs, tr("permits"), tr("a line for each, the lowest that is free"),
             [](Canvas& c, const QRect& at) {
               for (int i = 0; i < 3; ++i)
                 c.fill(at.x() + 4 * i, at.y() + 6 * i, at.width() - 12, 5,
                        c.colours().id[static_cast<std::size_t>(i)].ink);
             }},
            {LegendGroup::kIs, tr("shared, exclusive"), tr("readers half as high, beside each other"),
             [](Canvas& c, const QRect& at) {
               c.fill(at.x(), at.y() + 8, at.width() / 2 - 2, 8, c.colours().id[0].ink);
               c.fill(at.x() + at.width() / 2 + 2, at.y(), at.width() / 2 - 2, at.height(), c.colours().id[1].ink);
             }}};
  }

 private:
  static int lines(const MutexRow& mutex) {
    const int used = static_cast<int>(mutex.places.size());
    return mutex.capacity > 1 ? static_cast<int>(mutex.capacity) : used;
  }
};

}  // namespace

std::unique_ptr<Lane> beside_lane() { return std::make_unique<Beside>(); }

}  // namespace leasescope
