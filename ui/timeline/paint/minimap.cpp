#include "ui/models/words.h"

#include <QCoreApplication>

#include "ui/timeline/paint/glyphs.h"
#include "ui/timeline/paint/leases.h"
#include "ui/timeline/paint/painter.h"
#include "ui/timeline/paint/tape.h"

namespace leasescope {
namespace {

class Say {
  Q_DECLARE_TR_FUNCTIONS(Minimap)
};

constexpr int kScale = 15, kBand = 14, kBandHeight = 12, kRailTop = 3, kRailHeight = 9, kFaultHeight = 4;
constexpr int kLeastLabel = 8;  // px; no label is narrower
constexpr int kNearTape = 8, kGlyphPitch = 6;

ChartLayout strip_layout(const Minimap& minimap) {
  ChartLayout layout;
  layout.head = minimap.area.left() + minimap.head;
  layout.width = minimap.area.right() + 1 - Minimap::kRightMargin;
  return layout;
}

void paint_scale(Canvas& canvas, const Scene& scene, const QRect& area) {
  const Colours& c = canvas.colours();
  const TextStyle style{c.muted, 10, 400, Face::kMono};
  const Ticks ticks = scene.ticks(70);
  const int bottom = area.bottom() + 1;
  const TrueTime from = scene.viewport.from;
  int free_from = 0;
  for (TrueTime t = scene.axis.first(from, ticks.major, from); t <= scene.viewport.to();
       t = scene.axis.next(t, ticks.major)) {
    const int x = std::min(scene.x(t), scene.right() - 1);
    canvas.vline(x, bottom - 14, bottom - 4, c.muted);
    const QString text = scene.axis.tickText(t, ticks.decimals);
    const int width = canvas.width_of(text, style);
    // The last may stand left of its tick; and a clock that is set shows two times close to each other.
    const int begin = x + 4 + width > area.right() ? x - 4 - width : x + 4;
    if (begin < free_from) continue;
    free_from = begin + width + 6;
    canvas.text(begin, bottom - 4, text, style);
  }
}

void paint_faults_strip(Canvas& canvas, const Scene& scene, int y) {
  const Colours& c = canvas.colours();
  const auto strip = [&](const BandSpan& band) {
    const int from = scene.clipped_x(band.begin), to = std::max(scene.clipped_x(scene.until(band.end)), from + 2);
    const bool pause = band.kind == BandKind::kPause;
    canvas.hatch(from, y, to - from, kFaultHeight, pause ? Tile::kPause : Tile::kPartition,
                 pause ? c.pause_line : c.partition_line, pause ? c.pause_fill : c.partition_fill);
    canvas.frame(from, y, to - from, kFaultHeight, pause ? c.pause_line : c.partition_line);
  };
  const auto strips = [&](const BandTrack& bands) {
    for (const std::uint32_t i : bands.within(scene.viewport.from, scene.viewport.to(), scene.time_of(2)))
      strip(bands[i]);
  };
  for (const ContenderRow& contender : scene.data.contenders()) strips(contender.bands);
  strips(scene.data.store_bands());
}

// Right of the tapes that end there, so that it is not lost on them.
int beside_tapes(const Scene& scene, int x) {
  int place = x;
  for (const IncidentKind kind : {IncidentKind::kBeliefOverlap, IncidentKind::kDoubleGrant})
    scene.data.incidents_in_time().of(kind).each(
        scene.first_of(x - kNearTape), scene.first_of(x + kNearTape), [&](std::uint32_t i) {
          const PixelRange tape = incident_range(scene, scene.data.incidents()[i]);
          if (std::abs(tape.to - x) < kNearTape) place = tape.to + kNearTape;
          return scene.first_of(tape.to) - Duration(1);
        });
  return place;
}

void paint_incident_mark(Canvas& canvas, const Scene& scene, const IncidentMark& incident, PixelRange range, int top) {
  const Colours& c = canvas.colours();
  const int width = range.to - range.from;
  const bool twice = incident.kind == IncidentKind::kDoubleGrant;
  if (twice || incident.kind == IncidentKind::kBeliefOverlap) {
    canvas.hatch(range.from, top, width, kRailHeight, twice ? Tile::kCritical : Tile::kOverlap,
                 twice ? c.on_critical : c.overlap_ink, twice ? c.critical : c.overlap);
    canvas.frame(range.from - 1, top - 1, width + 2, kRailHeight + 2, twice ? c.critical : c.text);
  } else if (incident.kind == IncidentKind::kLeaderless) {
    canvas.fill(range.from, top + 5, width, kRailHeight - 5, c.muted);
  } else {
    paint_glyph(canvas, incident.kind, QRect(beside_tapes(scene, range.from) - 4, top, 8, kRailHeight),
                GlyphSize::kSmall, c.chart);
  }
}

// The worst last; of those as bad one where several would lie on each other.
void paint_incident_marks(Canvas& canvas, const Scene& scene, int top) {
  std::vector<std::pair<std::size_t, PixelRange>> marks;
  for (const IncidentKind kind : kAllIncidentKinds) {
    each_incident(scene, scene.data.incidents_in_time().of(kind),
                  [&](std::size_t i, const IncidentMark&, PixelRange range) { marks.emplace_back(i, range); });
  }
  const std::vector<IncidentMark>& incidents = scene.data.incidents();
  std::sort(marks.begin(), marks.end(), [&](const auto& a, const auto& b) {
    const int left = severity(incidents[a.first].kind), right = severity(incidents[b.first].kind);
    return left != right ? left > right : a.first < b.first;
  });
  int of = 0, last = 0;  // severity, and where the one before it lies
  for (const auto& [i, range] : marks) {
    if (std::exchange(of, severity(incidents[i].kind)) != severity(incidents[i].kind)) last = -kGlyphPitch;
    if (!is_tape(incidents[i].kind)) {
      if (range.from - last < kGlyphPitch) continue;
      last = range.from;
    }
    paint_incident_mark(canvas, scene, incidents[i], range, top);
  }
}

// Several at once: a line each, as far as they can be told apart; there is no room for letters.
void paint_places(Canvas& canvas, const Scene& scene, const MutexRow& mutex, int y) {
  const int most = kBandHeight / 2, used = static_cast<int>(mutex.places.size());
  const int lines = std::clamp(mutex.capacity > 1 ? static_cast<int>(mutex.capacity) : used, 1, most);
  const int pitch = kBandHeight / lines;
  for (int place = 0; place < used; ++place) {
    const Band line{y + (place % lines) * pitch, std::max(1, pitch - 1)};
    paint_held_band(canvas, scene, mutex.places[static_cast<std::size_t>(place)],
                    mutex.capacity > 1 ? LeaseBands{line} : LeaseBands{{y, kBandHeight}, line});
  }
}

void paint_mutex_strip(Canvas& canvas, const Scene& scene, const MutexRow& mutex, int y) {
  if (mutex.capacity > 1 || mutex.readers) return paint_places(canvas, scene, mutex, y);
  const SpanTrack& held = mutex.held;
  paint_held_band(canvas, scene, held, {{y, kBandHeight}});
  int free_from = scene.left();
  const Duration room = scene.time_of(kLeastLabel);
  for (std::size_t i = held.next_apart(0, room); i < held.size(); i = held.next_apart(i + 1, room)) {
    const LeaseSpan span = held[i];
    if (span.renewal) continue;
    const QString label = QString::fromStdString(scene.data.letter(span.contender)) + ' ' + tokenMark(span.token);
    const TextStyle style{identity(canvas, scene, span.contender).on, 9, 600};
    const int x = scene.clipped_x(span.start.hi), width = canvas.width_of(label, style);
    if (x < free_from || scene.clipped_x(scene.until(span.end.lo)) - x < width + 6) continue;
    canvas.text(x + 4, y + 9, label, style);
    free_from = x + width + 8;
  }
}

const MutexRow* mutex_of(const Minimap& minimap) {
  const std::vector<MutexRow>& all = minimap.data.mutexes();
  const auto at = static_cast<std::size_t>(std::max(0, minimap.mutex));
  return at < all.size() ? &all[at] : nullptr;
}

// Of several mutexes whose ownership the strip tells; of one, by how many it is contended for.
QString facts_of(const Minimap& minimap, const MutexRow* mutex) {
  const QString seconds = secondsText(std::max(minimap.data.end(), minimap.data.now()), 0);
  if (mutex != nullptr && minimap.data.mutexes().size() > 1)
    return QStringLiteral("%1 s · %2").arg(seconds, QString::fromStdString(mutex->name));
  return Say::tr("%1 s · %n contender(s)", nullptr, howMany(minimap.data.contenders().size())).arg(seconds);
}

void paint_view_frame(Canvas& canvas, const Minimap& minimap) {
  const Colours& c = canvas.colours();
  const QRect frame = minimap.view_frame();
  canvas.frame(frame.left(), frame.top(), frame.width(), frame.height(), c.text);
  const int y = frame.top() + (frame.height() - 14) / 2;
  canvas.fill(frame.left() - 2, y, 4, 14, c.text);
  canvas.fill(frame.right() - 1, y, 4, 14, c.text);
}

}  // namespace

Viewport Minimap::viewport() const {
  const TrueTime end = std::max(std::max(data.end(), data.now()), TrueTime(Duration(1)));
  return Viewport::fitting(TrueTime{}, data.place(end), std::max(1, area.width() - head - kRightMargin));
}

int Minimap::x(TrueTime at) const { return x_of(data.place(at)); }

int Minimap::x_of(TrueTime place) const {
  const Viewport all = viewport();
  return area.left() + head + static_cast<int>(std::clamp<std::int64_t>(all.pixel(place), 0, all.width));
}

TrueTime Minimap::time(int at) const { return viewport().time(at - area.left() - head); }

QRect Minimap::view_frame() const {
  const int left = x_of(from), right = std::max(x_of(to), left + 6);
  return {left, area.top() + 1, right - left, area.height() - kScale - 1};
}

void paint_minimap(QPainter& painter, const Minimap& minimap, Theme theme, TileCache& tiles) {
  const ChartLayout layout = strip_layout(minimap);
  const ClockView view{minimap.viewport(), minimap.data.clock().get()};
  const Scene scene{minimap.data, layout, view, minimap.area.bottom() + 1, 0};
  Canvas canvas(painter, theme, tiles, (scene.left() + scene.viewport.phase(kTilePeriod)) % kTilePeriod);
  const Colours& c = canvas.colours();
  const QRect& area = minimap.area;
  canvas.fill(area.left(), area.top(), area.width(), area.height(), c.header);
  canvas.hline(area.top(), area.left(), area.right() + 1, c.line_strong);
  const QRect frame = minimap.view_frame();
  canvas.fill(frame.left(), frame.top(), frame.width(), frame.height(), c.chart);
  canvas.text(area.left() + 12, area.top() + 21, Say::tr("whole run"), {c.text, 11, 500});
  const MutexRow* mutex = mutex_of(minimap);
  canvas.elided(area.left() + 12, area.top() + 35, minimap.head - 16, facts_of(minimap, mutex), {c.muted, 10});
  const int y = area.top() + kBand;
  if (mutex != nullptr) paint_mutex_strip(canvas, scene, *mutex, y);
  canvas.put_waiting();
  paint_faults_strip(canvas, scene, y + kBandHeight + 2);
  const int now_x = scene.clipped_x(minimap.data.now());
  if (minimap.data.now() < scene.viewport.to())
    canvas.hatch(now_x, area.top() + 1, scene.right() - now_x, area.height() - kScale - 1, Tile::kVeil, c.veil_line,
                 c.veil_fill);
  paint_incident_marks(canvas, scene, area.top() + kRailTop);
  paint_scale(canvas, scene, area);
  paint_view_frame(canvas, minimap);
  if (minimap.playhead)
    canvas.vdash(minimap.x(*minimap.playhead), area.top() + 1, area.bottom() + 1 - kScale, c.cursor, 2, 2);
}

}  // namespace leasescope
