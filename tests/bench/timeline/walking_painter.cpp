#include "tests/bench/timeline/walking_painter.h"

#include <algorithm>

#include "ui/models/words.h"

namespace leasescope::bench {
namespace {

using Spans = WalkingPainter::Spans;

constexpr int kNoHatch = 4, kNoOutline = 3;  // px, below
constexpr int kRoomBeside = 14;              // px, of a label on a bar

struct Bar {
  int from = 0, ttl = 0, to = 0;
};

Bar bar_of(const Scene& scene, const LeaseSpan& span) {
  const TrueTime end = span.open() || span.ending == SpanEnd::kRenewed ? held_until(scene.data, span) : span.end.lo;
  Bar bar;
  bar.from = scene.clipped_x(span.start.hi);
  bar.to = std::max(scene.clipped_x(end), bar.from);
  bar.ttl = std::clamp(scene.clipped_x(span.ttl_end), bar.from, bar.to);
  if (span.ending == SpanEnd::kRenewed && bar.to - bar.ttl < 3) bar.ttl = bar.to;
  return bar;
}

std::size_t first_in_view(const Spans& spans, const Scene& scene) {
  const auto found = std::upper_bound(spans.begin(), spans.end(), scene.viewport.from,
                                      [](TrueTime at, const LeaseSpan& span) { return at < span.end.hi; });
  return static_cast<std::size_t>(found - spans.begin());
}

// Many in one pixel: one flat block, its count on it. Gives the place behind the last.
std::size_t paint_folded(Canvas& canvas, const Scene& scene, const Spans& spans, std::size_t first, Band at) {
  std::size_t i = first;
  const int from = scene.clipped_x(spans[i].start.hi);
  int to = from + 1;
  bool mixed = false;
  for (; i < spans.size(); ++i) {
    const int a = scene.clipped_x(spans[i].start.lo), b = scene.clipped_x(scene.until(spans[i].end.hi));
    if (i > first && (b - a >= 2 || a > to + 1 || a >= scene.right())) break;
    to = std::max(to, std::max(b, a + 1));
    mixed = mixed || spans[i].contender != spans[first].contender;
  }
  const Colours& c = canvas.colours();
  canvas.fill(from, at.y, to - from, at.height,
              mixed ? c.line_strong : identity(canvas, scene, spans[first].contender).mid);
  PlateStyle style{c.chart, c.text, c.line_strong};
  style.face = Face::kMono;
  style.align = Align::kCentre;
  const QString count = QString::number(i - first);
  if (i - first > 1 && canvas.plate_width(count, style) + kRoomBeside <= to - from && at.height >= 12)
    canvas.plate((from + to) / 2, at.y + (at.height - 14) / 2, count, style);
  return i;
}

void paint_tail(Canvas& canvas, int from, int to, Band at, const IdentityColours& id) {
  if (to <= from) return;
  if (to - from < kNoHatch) return canvas.fill(from, at.y, to - from, at.height, id.mid);
  canvas.hatch(from, at.y, to - from, at.height, Tile::kTransitionHeld, id.ink, id.mid);
  canvas.hline(at.y, from, to, id.ink);
  canvas.hline(at.y + at.height - 1, from, to, id.ink);
  canvas.vline(to - 1, at.y, at.y + at.height, id.ink);
}

void paint_held_lane(Canvas& canvas, const Scene& scene, const Spans& spans, Band at) {
  int painted = -1;  // up to here
  for (std::size_t i = first_in_view(spans, scene); i < spans.size() && spans[i].start.lo < scene.viewport.to();) {
    const LeaseSpan& span = spans[i];
    const Bar bar = bar_of(scene, span);
    if (bar.to - bar.from < 1) {
      i = paint_folded(canvas, scene, spans, i, at);
      continue;
    }
    const IdentityColours& id = identity(canvas, scene, span.contender);
    const bool meets = span.renewal || painted >= bar.from;
    const int gap = meets && bar.from > scene.left() && bar.to - bar.from > 1 ? 1 : 0;
    if (gap == 1) canvas.fill(bar.from, at.y, 1, at.height, canvas.colours().chart);
    painted = bar.to;
    canvas.fill(bar.from + gap, at.y, bar.ttl - bar.from - gap, at.height, id.ink);
    paint_tail(canvas, std::max(bar.ttl, bar.from + gap), bar.to, at, id);
    ++i;
  }
}

void paint_belief(Canvas& canvas, const Scene& scene, const LeaseSpan& span, Band at) {
  const IdentityColours& id = identity(canvas, scene, span.contender);
  Bar bar = bar_of(scene, span);
  const int end = std::max(scene.clipped_x(scene.until(span.end.hi)), bar.from + 1);
  const int deadline = std::clamp(scene.clipped_x(span.lease_end), bar.from, end);
  bar.ttl = std::min(bar.ttl, deadline);
  if (span.ending == SpanEnd::kRenewed && end - bar.ttl < 3) bar.ttl = end;
  const int sure = span.ending == SpanEnd::kRenewed && end - deadline < 3 ? end : deadline;
  canvas.fill(bar.from, at.y, bar.ttl - bar.from, at.height, id.tint);
  if (sure - bar.ttl >= kNoHatch)
    canvas.hatch(bar.ttl, at.y, sure - bar.ttl, at.height, Tile::kTransitionBelieved, id.ink, canvas.colours().chart);
  else
    canvas.fill(bar.ttl, at.y, sure - bar.ttl, at.height, id.mid);
  if (sure > bar.ttl && bar.ttl > bar.from) canvas.vline(bar.ttl, at.y, at.y + at.height, id.ink);
  if (sure - bar.from >= kNoOutline)
    canvas.frame(bar.from, at.y, sure - bar.from, at.height, id.ink);
  else if (sure > bar.from)
    canvas.fill(bar.from, at.y, sure - bar.from, at.height, id.ink);
  if (end <= sure) return;
  if (end - sure < kNoHatch) return canvas.fill(sure, at.y, end - sure, at.height, id.mid);
  canvas.hatch(sure, at.y, end - sure, at.height, Tile::kOverdue, id.ink, canvas.colours().chart);
  canvas.dashed_frame(sure, at.y, end - sure, at.height, id.ink, 4, 3);
}

void paint_believed_lane(Canvas& canvas, const Scene& scene, const Spans& spans, Band at) {
  for (std::size_t i = first_in_view(spans, scene); i < spans.size() && spans[i].start.lo < scene.viewport.to(); ++i)
    paint_belief(canvas, scene, spans[i], at);
}

// ---- what is written

// A lease with its renewals.
struct Holding {
  std::size_t first = 0, last = 0;
};

int widest(const Scene& scene, const Spans& spans, Holding holding) {
  int widest = 0;
  for (std::size_t i = holding.first; i <= holding.last && spans[i].start.hi < scene.viewport.to(); ++i) {
    const Bar bar = bar_of(scene, spans[i]);
    widest = std::max(widest, std::max(bar.to, scene.clipped_x(scene.until(spans[i].end.lo))) - bar.from);
  }
  return widest;
}

// The left side of the first place where it is cut by no renewal; none: -1.
int place_of(Canvas& canvas, const Scene& scene, const Spans& spans, Holding holding, int width, Band at) {
  if (widest(scene, spans, holding) < width + kRoomBeside) return -1;
  for (std::size_t i = holding.first; i <= holding.last && spans[i].start.hi < scene.viewport.to(); ++i) {
    const Bar bar = bar_of(scene, spans[i]);
    const int end = std::max(bar.to, scene.clipped_x(scene.until(spans[i].end.lo)));
    for (int from = bar.from; end - from >= width + kRoomBeside;) {
      const auto in_the_way = canvas.places().blocked({from, at.y, width + kRoomBeside, at.height});
      if (!in_the_way) return from + 7;
      from = std::max(from + 1, in_the_way->right() + 2);
    }
  }
  return -1;
}

void write_holding(Canvas& canvas, const Scene& scene, const Spans& spans, Holding holding, Band at,
                   const QString& word) {
  const LeaseSpan& span = spans[holding.first];
  const bool believed = word == QStringLiteral("believes");
  const QString who = word.isEmpty() ? QString::fromStdString(scene.data.letter(span.contender)) : word;
  const QString token = tokenMark(span.token);
  const int px = at.height >= 16 ? 11 : 10;
  for (const QString& label : {token.isEmpty() ? who : who + "  " + token, token.isEmpty() ? who : token}) {
    const TextStyle style{believed ? canvas.colours().text : identity(canvas, scene, span.contender).on, px,
                          believed ? 500 : 600};
    const int width = canvas.width_of(label, style), x = place_of(canvas, scene, spans, holding, width, at);
    if (x < 0) continue;
    canvas.places().reserve({x, at.y, width, at.height});
    return canvas.text(x, at.y + (at.height + 1) / 2 + (px == 11 ? 4 : 3), label, style);
  }
}

void write_leases(Canvas& canvas, const Scene& scene, const Spans& spans, Band at, const QString& word) {
  if (at.height < 12) return;
  std::size_t i = first_in_view(spans, scene);
  while (i > 0 && i < spans.size() && spans[i].renewal) --i;
  while (i < spans.size() && spans[i].start.lo < scene.viewport.to()) {
    Holding holding{i, i};
    while (holding.last + 1 < spans.size() && spans[holding.last + 1].renewal) ++holding.last;
    write_holding(canvas, scene, spans, holding, at, word);
    i = holding.last + 1;
  }
}

void mark_renewals(Canvas& canvas, const Scene& scene, const Spans& spans, int below) {
  const TextStyle style{canvas.colours().muted, 10};
  const QString word = QStringLiteral("renewed");
  const int width = canvas.width_of(word, style);
  int free_from = scene.left();
  for (std::size_t i = first_in_view(spans, scene); i < spans.size() && spans[i].start.hi < scene.viewport.to(); ++i) {
    const LeaseSpan& span = spans[i];
    if (!span.renewal || !scene.shows(span.start.hi)) continue;
    const int x = scene.x(span.start.hi);
    if (x < free_from) continue;
    const double y = below + 1;
    canvas.polygon({{x + 0.5, y}, {x + 4.0, y + 4}, {x - 3.0, y + 4}}, identity(canvas, scene, span.contender).ink,
                   true);
    free_from = x + 8;
    const bool far = i + 1 >= spans.size() || scene.x(spans[i + 1].start.hi) > x + width + 18;
    if (far && x + width + 10 < scene.right() && canvas.places().claim({x + 7, below, width, 12}))
      canvas.text(x + 7, below + 9, word, style);
  }
}

// ---- gaps

bool told_by_an_incident(const Scene& scene, int mutex, const GapSpan& gap) {
  const TrueTime end = scene.until(gap.end.hi);
  for (const IncidentMark& incident : scene.data.incidents())
    if (incident.kind == IncidentKind::kLeaderless && incident.mutex == mutex && incident.start < end &&
        incident.end > gap.begin.lo)
      return true;
  return false;
}

// Calls with each gap of a mutex that is seen, and where it lies.
template <class Do>
void each_gap(const Scene& scene, const RowBox& row, Do&& action) {
  for (const GapSpan& gap : scene.data.mutexes()[static_cast<std::size_t>(row.index)].gaps) {
    const TrueTime end = gap.end.hi == kOpenEnd ? scene.data.now() : gap.end.lo;
    if (!scene.shows(gap.begin.hi, end) || end <= gap.begin.hi) continue;
    action(gap, scene.clipped_x(gap.begin.hi), scene.clipped_x(end), end - gap.begin.hi);
  }
}

void paint_gaps(Canvas& canvas, const Scene& scene, const RowBox& row) {
  const Band band = measures().mutex_band;
  const int y = scene.y(row) + band.y, base = y + band.height;
  const QColor& line = canvas.colours().gap_line;
  each_gap(scene, row, [&](const GapSpan& gap, int from, int end, Duration) {
    const int to = std::max(end, from + measures().gap_min_width);
    canvas.fill(from, y, to - from, band.height, canvas.colours().chart);
    canvas.hline(base - 1, from, to, line);
    canvas.vline(from, base - 5, base, line);
    if (gap.end.hi != kOpenEnd) canvas.vline(to - 1, base - 5, base, line);
  });
}

void write_gaps(Canvas& canvas, const Scene& scene, const RowBox& row) {
  const TextStyle style{canvas.colours().text, 10, 500};
  const int base = scene.y(row) + measures().mutex_band.y - 3;
  each_gap(scene, row, [&](const GapSpan& gap, int from, int to, Duration lasts) {
    if (told_by_an_incident(scene, row.index, gap)) return;
    const QString label = QStringLiteral("leaderless ") + spanText(lasts);
    const int width = canvas.width_of(label, style);
    for (const int x : {to - 4 - width, from + 4, to + 5}) {
      if (x < scene.left() + 2 || x + width > scene.right()) continue;
      if (!canvas.places().claim({x, base - 10, width, 12})) continue;
      return canvas.text(x, base, label, style);
    }
  });
}

Spans list_of(const SpanTrack& track) { return {track.begin(), track.end()}; }

}  // namespace

WalkingPainter::WalkingPainter(const ChartData& data) {
  for (const MutexRow& mutex : data.mutexes()) mutexes_.push_back(list_of(mutex.held));
  for (const ContenderRow& contender : data.contenders()) {
    held_.push_back(list_of(contender.held));
    believed_.push_back(list_of(contender.believed));
  }
}

void WalkingPainter::paint_bands(Canvas& canvas, const Scene& scene) const {
  for (const RowBox& row : scene.layout.rows) {
    if (!scene.visible(row)) continue;
    const auto index = static_cast<std::size_t>(row.index);
    const auto in = [y = scene.y(row)](Band band) { return Band{y + band.y, band.height}; };
    canvas.fill(scene.left(), scene.y(row), scene.right() - scene.left(), row.height, ground_of(canvas, row));
    if (row.kind == RowKind::kMutex) {
      paint_held_lane(canvas, scene, mutexes_[index], in(measures().mutex_band));
      paint_gaps(canvas, scene, row);
    }
    if (row.kind != RowKind::kContender) continue;
    paint_held_lane(canvas, scene, held_[index], in(scene.layout.row.held));
    paint_believed_lane(canvas, scene, believed_[index], in(scene.layout.row.believed));
  }
}

void WalkingPainter::write_labels(Canvas& canvas, const Scene& scene) const {
  for (const RowBox& row : scene.layout.rows) {
    if (!scene.visible(row)) continue;
    const auto index = static_cast<std::size_t>(row.index);
    const auto in = [y = scene.y(row)](Band band) { return Band{y + band.y, band.height}; };
    if (row.kind == RowKind::kMutex) {
      write_gaps(canvas, scene, row);
      const Band band = in(measures().mutex_band);
      write_leases(canvas, scene, mutexes_[index], band, {});
      mark_renewals(canvas, scene, mutexes_[index], band.y + band.height);
    }
    if (row.kind != RowKind::kContender) continue;
    write_leases(canvas, scene, held_[index], in(scene.layout.row.held), QStringLiteral("held"));
    write_leases(canvas, scene, believed_[index], in(scene.layout.row.believed), QStringLiteral("believes"));
  }
}

void WalkingPainter::paint(QPainter& painter, const Scene& scene, TileCache& tiles) const {
  Canvas canvas(painter, Theme::kLight, tiles, (scene.left() + scene.viewport.phase(kTilePeriod)) % kTilePeriod);
  painter.fillRect(0, 0, scene.right(), scene.height, canvas.colours().panel);
  paint_bands(canvas, scene);
  write_labels(canvas, scene);
}

}  // namespace leasescope::bench
