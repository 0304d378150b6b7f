#include "ui/models/words.h"
#include "ui/timeline/paint/marks.h"

namespace leasescope {
namespace {

struct BandLook {
  Tile tile;
  QColor fill, line;
};

BandLook look_of(const Colours& c, BandKind kind) {
  switch (kind) {
    case BandKind::kPause:
      return {Tile::kPause, c.pause_fill, c.pause_line};
    case BandKind::kPartition:
      return {Tile::kPartition, c.partition_fill, c.partition_line};
    case BandKind::kSkew:
      return {Tile::kSkew, c.skew_fill, c.skew_line};
    case BandKind::kServer:
      return {Tile::kServer, c.server_fill, c.server_line};
    case BandKind::kUnobserved:
    case BandKind::kNone:
      break;
  }
  return {Tile::kUnobserved, c.unobserved_fill, c.unobserved_line};
}

constexpr int kMomentWidth = 8;  // of a fault that does not last

PixelRange range_of(const Scene& scene, const BandSpan& band) {
  const int from = scene.clipped_x(band.begin);
  if (!band.lasts) return {from, std::min(from + kMomentWidth, scene.right())};
  return {from, std::min(std::max(scene.clipped_x(scene.until(band.end)), from + 1), scene.right())};
}

template <class Do>
void each_band(const Scene& scene, Do&& action) {
  for (const RowBox& row : scene.layout.rows) {
    if (!scene.visible(row)) continue;
    const std::vector<BandSpan>* bands = nullptr;
    if (row.kind == RowKind::kContender) bands = &scene.data.contenders()[static_cast<std::size_t>(row.index)].bands;
    if (row.kind == RowKind::kStore) bands = &scene.data.store_bands();
    if (bands != nullptr)
      for (const BandSpan& band : *bands)
        if (scene.shows(band.begin, scene.until(band.end))) action(row, band);
    if (row.kind != RowKind::kMutex && row.kind != RowKind::kStore) continue;
    for (const BandSpan& band : scene.data.unobserved())
      if (scene.shows(band.begin, scene.until(band.end))) action(row, band);
  }
}

QString label_of(const Scene& scene, const BandSpan& band) {
  QString label = QString::fromStdString(band.label);
  if (!band.lasts) return label;
  const Duration length = scene.until(band.end) - band.begin;
  // Planned lengths are whole tenths; three decimals would say more than is meant.
  const bool tenths = length.count() % 100'000'000 == 0;
  return label + ' ' +
         (tenths ? QString::number(length / std::chrono::milliseconds(100) / 10) + '.' +
                       QString::number(length / std::chrono::milliseconds(100) % 10) + " s"
                 : spanText(length));
}

// Where in a row a plate covers neither an attempt nor a bar; none when there is no such place.
std::optional<QPoint> free_place(const Scene& scene, const RowBox& row, PixelRange range, int width, int height) {
  const ContenderRow& contender = scene.data.contenders()[static_cast<std::size_t>(row.index)];
  const auto in_lane = [&](int x, Band lane) {
    return QPoint(x, scene.y(row) + lane.y + std::max(0, (lane.height - height) / 2));
  };
  int x = range.from + 4;
  for (const AttemptMark& attempt : contender.attempts) {
    const int at = scene.x(attempt.at);
    if (at + 7 <= x) continue;
    if (at - 7 >= x + width) break;
    x = at + 8;
  }
  if (x + width + 4 <= range.to) return in_lane(x, scene.layout.row.attempts);
  x = range.from + 4;
  for (const LeaseSpan& span : contender.held) {
    if (scene.x(span.start.lo) - 4 < x + width && scene.x(scene.until(span.end.hi)) + 6 > x)
      x = scene.x(scene.until(span.end.hi)) + 6;
  }
  if (x + width + 4 <= range.to) return in_lane(x, scene.layout.row.held);
  return {};
}

}  // namespace

void paint_faults(Canvas& canvas, const Scene& scene) {
  each_band(scene, [&](const RowBox& row, const BandSpan& band) {
    const BandLook look = look_of(canvas.colours(), band.kind);
    const PixelRange range = range_of(scene, band);
    const int y = scene.y(row);
    canvas.hatch(range.from, y, range.to - range.from, row.height - 1, look.tile, look.line, look.fill);
    if (scene.shows(band.begin)) canvas.vline(range.from, y, y + row.height - 1, look.line);
    if (!band.open() && range.to < scene.right()) canvas.vline(range.to - 1, y, y + row.height - 1, look.line);
  });
}

void paint_fault_labels(Canvas& canvas, const Scene& scene) {
  each_band(scene, [&](const RowBox& row, const BandSpan& band) {
    const BandLook look = look_of(canvas.colours(), band.kind);
    const PixelRange range = range_of(scene, band);
    PlateStyle style{look.fill, canvas.colours().text, look.line};
    style.weight = 400;
    QString label = label_of(scene, band);
    const int room = band.lasts ? range.to - range.from : scene.right() - range.from;
    if (canvas.plate_width(label, style) + 8 > room) label = QString::fromStdString(band.label);
    const int width = canvas.plate_width(label, style);
    if (width + 8 > room) return;
    if (row.kind == RowKind::kContender) {
      style.height = std::min(14, scene.layout.row.attempts.height + 1);
      const std::optional<QPoint> place = free_place(scene, row, range, width, style.height);
      if (place && canvas.places().claim({place->x(), place->y(), width, style.height}))
        canvas.plate(place->x(), place->y(), label, style);
    } else {
      const int y = scene.y(row) + (row.height - style.height) / 2;
      if (canvas.places().claim({range.from + 4, y, width, style.height}))
        canvas.plate(range.from + 4, y, label, style);
    }
  });
  // What comes later is not written over a moment's band.
  each_band(scene, [&](const RowBox& row, const BandSpan& band) {
    const PixelRange range = range_of(scene, band);
    if (!band.lasts && row.kind == RowKind::kContender)
      canvas.places().reserve({range.from, scene.y(row), range.to - range.from, row.height});
  });
}

}  // namespace leasescope
