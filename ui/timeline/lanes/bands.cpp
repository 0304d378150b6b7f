// What disturbs a contender or the store, as bands over the whole row: faults, clocks, lines that are down, and time in
// which nothing was observed.
#include <unordered_map>

#include "ui/models/words.h"
#include "ui/timeline/lanes/lane.h"
#include "ui/timeline/paint/marks.h"
#include "ui/timeline/paint/strip.h"

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

constexpr int kMomentWidth = 8;                    // of a fault that does not last
constexpr int kNarrow = 2;                         // px; two edges
constexpr int kLeastPlate = 20;                    // px; no label has room in less
constexpr int kLeastForText = 12, kSmallText = 8;  // px; a lower plate has smaller words

PixelRange range_of(const Scene& scene, const BandSpan& band) {
  const int from = scene.clipped_x(band.begin);
  if (!band.lasts) return {from, std::min(from + kMomentWidth, scene.right())};
  return {from, std::min(std::max(scene.clipped_x(scene.until(band.end)), from + 1), scene.right())};
}

template <class Do>
void each_band(const Scene& scene, Do&& action) {
  for (const RowBox& row : scene.layout.rows) {
    if (!scene.visible(row)) continue;
    const auto each = [&](const BandTrack& bands) {
      for (const std::uint32_t i : bands.within(scene.viewport.from, scene.viewport.to(), scene.time_of(1)))
        if (scene.shows(bands[i].begin, scene.until(bands[i].end))) action(row, bands[i]);
    };
    if (row.kind == RowKind::kContender) each(contender_of(scene, row).bands);
    if (row.kind == RowKind::kStore) each(scene.data.store_bands());
    if (row.kind == RowKind::kMutex) each(scene.data.mutexes()[static_cast<std::size_t>(row.index)].unobserved);
    if (row.kind == RowKind::kStore) each(scene.data.unobserved());
  }
}

// "clock −7 s", "clock 50 000 ppm slower", "clock +3 s, 20 ppm faster".
std::string clock_label(const Event& event, std::int64_t rate) {
  if (event.a == 0 && event.b == 0) return Lane::tr("clock set").toStdString();
  QStringList parts;
  if (event.a != 0) parts << signedText(Duration(event.a));
  if (event.b != 0) parts << rateText(rate);
  return Lane::tr("clock %1").arg(parts.join(QStringLiteral(", "))).toStdString();
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
  const ContenderRow& contender = contender_of(scene, row);
  const auto in_lane = [&](int x, Band lane) {
    return QPoint(x, scene.y(row) + lane.y + std::max(0, (lane.height - height) / 2));
  };
  int x = range.from + 4;
  const Column<AttemptMark>& attempts = contender.attempts;
  for (std::size_t i = 0; x + width + 4 <= range.to; x = scene.x(attempts[i].at) + 8) {
    i = first_at(attempts, scene.first_of(x - 6), i);
    if (i == attempts.size() || scene.x(attempts[i].at) - 7 >= x + width) break;
  }
  if (x + width + 4 <= range.to) return in_lane(x, scene.layout.row.attempts);
  x = range.from + 4;
  for (std::size_t i = 0; x + width + 4 <= range.to; x = scene.x(scene.until(contender.held.end_of(i))) + 6) {
    i = contender.held.first_ending_after(scene.first_of(x - 5) - Duration(1));
    if (i == contender.held.size() || scene.x(contender.held[i].start.lo) - 4 >= x + width) break;
  }
  if (x + width + 4 <= range.to) return in_lane(x, scene.layout.row.held);
  return {};
}

LegendMark mark_of(BandKind kind, const QString& name, const QString& note, const QString& brief = {}) {
  const auto sample = [kind](bool framed_by_line) {
    return [kind, framed_by_line](Canvas& canvas, const QRect& at) {
      const BandLook look = look_of(canvas.colours(), kind);
      canvas.hatch(at.x(), at.y(), at.width(), at.height(), look.tile, look.line, look.fill);
      canvas.frame(at.x(), at.y(), at.width(), at.height(), framed_by_line ? look.line : canvas.colours().line_strong);
    };
  };
  return {LegendGroup::kDisturbs, name, note, sample(false), brief, sample(true)};
}

class Bands : public Lane {
 public:
  std::vector<EventKind> hears() const override {
    return {EventKind::kFaultBegan,   EventKind::kFaultEnded,      EventKind::kClockChanged,   EventKind::kConnected,
            EventKind::kDisconnected, EventKind::kUnobservedBegan, EventKind::kUnobservedEnded};
  }
  void fold(Folding& at, const Event& event) override {
    switch (event.kind) {
      case EventKind::kConnected:
      case EventKind::kDisconnected:
        return on_connection(at, event);
      case EventKind::kUnobservedBegan:
      case EventKind::kUnobservedEnded:
        return on_unobserved(at, event);
      default:
        return on_fault(at, event);
    }
  }

  void paint(Canvas& canvas, const Scene& scene) const override;
  Says says() const override { return Says::kFaults; }
  void write(Canvas& canvas, const Scene& scene) const override;
  Hit hit(const Scene& scene, const RowBox& row, QPoint at) const override;
  std::optional<Band> place(const Scene& /*scene*/, const RowBox& row, const Hit& hit) const override {
    if (row.kind != hit.on || row.index != hit.row) return {};
    return Band{0, row.height - 1};
  }
  HoverText describe(const ChartData& data, const Hit& hit, TrueTime at) const override;
  std::vector<LegendMark> legend() const override {
    return {mark_of(BandKind::kPause, tr("pause"), tr("the process stands still"), tr("pause")),
            mark_of(BandKind::kPartition, tr("partition"), tr("cut off"), tr("cut off")),
            mark_of(BandKind::kSkew, tr("clock skew"), tr("its clock is wrong")),
            mark_of(BandKind::kServer, tr("server fault"), {}),
            mark_of(BandKind::kUnobserved, tr("not observed"), tr("never shown as free"))};
  }

 private:
  static BandTrack& bands_of(Folding& at, Name node) {
    const int who = at.contender(node);
    if (who == kNoContender) return at.rows().store_bands;
    at.wakes(who);
    return at.contender_row(who).bands;
  }
  static void on_fault(Folding& at, const Event& event);
  static void on_connection(Folding& at, const Event& event);
  void on_unobserved(Folding& at, const Event& event);

  std::unordered_map<std::uint32_t, std::size_t> dark_;  // by store: of how many of its mutexes it does not tell
};

void Bands::on_fault(Folding& at, const Event& event) {
  // A clock that has been off from the beginning has not happened.
  const int who = at.contender(event.node);
  const bool given = event.kind == EventKind::kClockChanged && event.cause == 0 && who != kNoContender;
  if (given) ++at.contender_row(who).given;
  BandTrack& bands = given ? at.contender_row(who).bands : bands_of(at, event.node);
  BandSpan band;
  band.begin = event.hi;
  band.name = event.node.handle;
  if (event.kind == EventKind::kClockChanged) {
    band.kind = BandKind::kSkew;
    band.lasts = false;
    band.end = event.hi;
    band.label = clock_label(event, at.cast().clockRate(event));
    bands.push_back(band);
    return;
  }
  const FaultLegend* const fault = at.history.legend.fault(event.detail);
  if (fault == nullptr || fault->band == BandKind::kNone) return;
  if (event.kind == EventKind::kFaultEnded) {
    return bands.close_last(event.hi, [&](const BandSpan& earlier) {
      return earlier.fault == event.detail && earlier.name == event.node.handle;
    });
  }
  band.fault = event.detail;
  band.kind = fault->band;
  band.lasts = fault->lasts;
  if (!band.lasts) band.end = event.hi;
  band.label = fault->spoken;
  bands.push_back(band);
}

void Bands::on_connection(Folding& at, const Event& event) {
  // Of a store that is watched: what cannot be seen there is told of each mutex.
  if (event.mutex.empty() && at.contender(event.node) == kNoContender) return;
  BandTrack& bands = bands_of(at, event.node);
  // Of what lasts still, all others are of a fault or not observed.
  const auto is = [&](const BandSpan& band) {
    return band.fault < 0 && band.kind != BandKind::kUnobserved && band.name == event.node.handle;
  };
  if (event.kind == EventKind::kConnected) return bands.close_all(event.hi, is);
  BandSpan band;
  band.begin = event.hi;
  band.kind = &bands == &at.rows().store_bands ? BandKind::kServer : BandKind::kPartition;
  band.label = tr("disconnected").toStdString();
  band.name = event.node.handle;
  bands.push_back(band);
}

// What a contender does not see hides its own row; what the observer of a store does not see, the mutex's. Of no
// mutex it speaks of all.
void Bands::on_unobserved(Folding& at, const Event& event) {
  BandSpan band;
  band.begin = event.lo;
  band.kind = BandKind::kUnobserved;
  band.label = tr("not observed").toStdString();
  band.name = event.node.handle;
  const bool began = event.kind == EventKind::kUnobservedBegan;
  const auto is = [&](const BandSpan& earlier) {
    return earlier.kind == BandKind::kUnobserved && earlier.name == event.node.handle;
  };
  const auto put = [&](BandTrack& bands) { began ? bands.push_back(band) : bands.close_all(event.hi, is); };
  if (at.contender(event.node) != kNoContender) return put(bands_of(at, event.node));
  // Of a watch there are other reasons: it was not asked yet, it is asked no more, or it refuses.
  if (!at.facts().legend.contenders.empty()) band.label = tr("the store did not answer").toStdString();
  std::size_t& dark = dark_[event.node.handle];
  const std::size_t before = dark;
  each_told_of(at, event, [&](MutexRow& mutex) {
    const bool was = !mutex.unobserved.empty() && mutex.unobserved.has_open(is);
    if (was == began) return;
    put(mutex.unobserved);
    began ? ++dark : --dark;
  });
  if ((before == 0) == (dark == 0)) return;
  // Of a store that is looked at later the beginning was not observed either; a track is in order of its begins.
  BandTrack& any = at.rows().unobserved;
  if (!any.empty()) band.begin = std::max(band.begin, any[any.size() - 1].begin);
  const std::string store = at.text(event.node);
  if (at.facts().legend.contenders.empty() && store != at.facts().store)
    band.label = tr("%1: not observed").arg(QString::fromStdString(store)).toStdString();
  put(any);
}

void Bands::paint(Canvas& canvas, const Scene& scene) const {
  // Those that are no wider than their edges are nothing but edges.
  Strip edges(scene);
  const RowBox* of = nullptr;
  const auto put_edges = [&] {
    if (of != nullptr) edges.put(canvas, scene.y(*of), of->height - 1);
  };
  each_band(scene, [&](const RowBox& row, const BandSpan& band) {
    const PixelRange range = range_of(scene, band);
    const int y = scene.y(row);
    const BandLook look = look_of(canvas.colours(), band.kind);
    const bool narrow = range.to - range.from <= kNarrow && !band.open();
    if (!narrow || of != &row) put_edges();
    of = &row;
    if (narrow) return edges.fill(range.from, range.to, look.line);
    canvas.hatch(range.from, y, range.to - range.from, row.height - 1, look.tile, look.line, look.fill);
    if (scene.shows(band.begin)) canvas.vline(range.from, y, y + row.height - 1, look.line);
    if (!band.open() && range.to < scene.right()) canvas.vline(range.to - 1, y, y + row.height - 1, look.line);
  });
  put_edges();
}

void Bands::write(Canvas& canvas, const Scene& scene) const {
  each_band(scene, [&](const RowBox& row, const BandSpan& band) {
    const PixelRange range = range_of(scene, band);
    if (band.lasts && range.to - range.from < kLeastPlate) return;
    const BandLook look = look_of(canvas.colours(), band.kind);
    PlateStyle style{look.fill, canvas.colours().text, look.line};
    style.weight = 400;
    QString label = label_of(scene, band);
    const int room = band.lasts ? range.to - range.from : scene.right() - range.from;
    if (canvas.plate_width(label, style) + 8 > room) label = QString::fromStdString(band.label);
    const int width = canvas.plate_width(label, style);
    if (width + 8 > room) return;
    if (row.kind == RowKind::kContender) {
      style.height = std::min(14, scene.layout.row.attempts.height + 1);
      if (style.height < kLeastForText) style.px = kSmallText;
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

Hit Bands::hit(const Scene& scene, const RowBox& row, QPoint at) const {
  if (row.kind != RowKind::kContender && row.kind != RowKind::kStore) return {};
  const TrueTime time = scene.viewport.time(at.x() - scene.left());
  const BandTrack& bands = row.kind == RowKind::kStore ? scene.data.store_bands() : contender_of(scene, row).bands;
  for (const std::uint32_t i : bands.within(time, time, {})) {
    const TrueTime end = scene.until(bands[i].end);
    if (time > end) continue;
    return {LaneKind::kBands,
            row.kind,
            row.index,
            i,
            QRect(QPoint(scene.x(bands[i].begin), scene.y(row)), QPoint(scene.x(end), scene.y(row) + row.height - 2)),
            bands[i].begin,
            end};
  }
  return {};
}

HoverText Bands::describe(const ChartData& data, const Hit& hit, TrueTime /*at*/) const {
  const bool store = hit.on == RowKind::kStore;
  const BandSpan& band =
      store ? data.store_bands()[hit.index] : data.contenders()[static_cast<std::size_t>(hit.row)].bands[hit.index];
  HoverText text;
  text.contender = store ? kNoContender : hit.row;
  text.title = QString::fromStdString(band.label);
  if (band.lasts)
    text.lines.emplace_back(tr("from – to"), data.axis().stretchText(band.begin, hit.to));
  else
    text.lines.emplace_back(tr("at"), data.axis().text(band.begin));
  return text;
}

}  // namespace

std::unique_ptr<Lane> bands_lane() { return std::make_unique<Bands>(); }

}  // namespace leasescope
