#include "ui/models/words.h"
#include "ui/timeline/paint/marks.h"

namespace leasescope {
namespace {

constexpr int kNoHatchBelow = 4;
constexpr int kNoOutlineBelow = 3;

// What is left of the first edge of a span once its bounds are taken off: the part that is certain.
struct SpanPixels {
  int from = 0, ttl = 0, to = 0;
};

SpanPixels pixels_of(const Scene& scene, const LeaseSpan& span) {
  // A span that is still open lasts as far as is known. A renewal is certain on both sides of its bounds: only when it
  // happened is not.
  const TrueTime end = span.open() || span.ending == SpanEnd::kRenewed ? held_until(scene.data, span) : span.end.lo;
  SpanPixels p;
  p.from = scene.clipped_x(span.start.hi);
  p.to = std::max(scene.clipped_x(end), p.from);
  p.ttl = std::clamp(scene.clipped_x(span.ttl_end), p.from, p.to);
  // A sliver of transition before a renewal is the way to the store, not a lease running out.
  if (span.ending == SpanEnd::kRenewed && p.to - p.ttl < 3) p.ttl = p.to;
  return p;
}

void paint_fade(Canvas& canvas, const Scene& scene, Moment bounds, bool rising, const IdentityColours& id, int y,
                int height) {
  const int from = scene.clipped_x(bounds.lo), to = scene.clipped_x(bounds.hi);
  if (bounds.exact() || to - from < 1) return;
  const std::array<QColor, 3> steps{id.fade3, id.fade2, id.fade1};
  for (int i = 0; i < 3; ++i) {
    const int a = from + (to - from) * i / 3, b = from + (to - from) * (i + 1) / 3;
    canvas.fill(a, y, b - a, height, steps[static_cast<std::size_t>(rising ? i : 2 - i)]);
  }
  if (to - from < 3) return;
  canvas.vdash(from, y - 3, y + height + 3, canvas.colours().text, 1, 2);
  canvas.vdash(to - 1, y - 3, y + height + 3, canvas.colours().text, 1, 2);
}

// Of a renewal: dots above and below the band.
void paint_bounds(Canvas& canvas, const Scene& scene, Moment bounds, int y, int height) {
  const int from = scene.clipped_x(bounds.lo), to = scene.clipped_x(bounds.hi);
  if (bounds.exact() || to - from < 3) return;
  for (const int x : {from, to}) {
    canvas.vdash(x, y - 3, y, canvas.colours().text, 1, 2);
    canvas.vdash(x, y + height, y + height + 4, canvas.colours().text, 1, 2);
  }
}

void paint_transition(Canvas& canvas, int from, int to, int y, int height, const IdentityColours& id) {
  if (to <= from) return;
  if (to - from < kNoHatchBelow) return canvas.fill(from, y, to - from, height, id.mid);
  canvas.hatch(from, y, to - from, height, Tile::kTransitionHeld, id.ink, id.mid);
  canvas.hline(y, from, to, id.ink);
  canvas.hline(y + height - 1, from, to, id.ink);
  canvas.vline(to - 1, y, y + height, id.ink);
}

// Many spans in one pixel: one flat block, its count on it. Incidents are painted over it later.
std::size_t paint_fold(Canvas& canvas, const Scene& scene, const std::vector<LeaseSpan>& spans, std::size_t first,
                       int y, int height) {
  std::size_t i = first;
  const int from = scene.clipped_x(spans[i].start.hi);
  int to = from + 1;
  bool mixed = false;
  while (i < spans.size()) {
    const int a = scene.clipped_x(spans[i].start.lo), b = scene.clipped_x(scene.until(spans[i].end.hi));
    if (i > first && (b - a >= 2 || a > to + 1 || a >= scene.right())) break;
    to = std::max(to, std::max(b, a + 1));
    mixed = mixed || spans[i].contender != spans[first].contender;
    ++i;
  }
  const Colours& c = canvas.colours();
  canvas.fill(from, y, to - from, height, mixed ? c.line_strong : identity(canvas, scene, spans[first].contender).mid);
  PlateStyle style{c.chart, c.text, c.line_strong};
  style.face = Face::kMono;
  const QString count = QString::number(i - first);
  if (i - first > 1 && canvas.plate_width(count, style) + 14 <= to - from && height >= 12)
    canvas.plate((from + to) / 2, y + (height - 14) / 2, count, [&] {
      style.align = Align::kCentre;
      return style;
    }());
  return i;
}

void paint_believed_band(Canvas& canvas, const Scene& scene, const std::vector<LeaseSpan>& spans, int y, int height) {
  for (std::size_t i = first_ending_after(spans, scene.viewport.from); i < spans.size(); ++i) {
    const LeaseSpan& span = spans[i];
    if (span.start.lo >= scene.viewport.to()) break;
    const IdentityColours& id = identity(canvas, scene, span.contender);
    SpanPixels p = pixels_of(scene, span);
    const int end = std::max(scene.clipped_x(scene.until(span.end.hi)), p.from + 1);
    const int deadline = std::clamp(scene.clipped_x(span.lease_end), p.from, end);
    p.ttl = std::min(p.ttl, deadline);
    if (span.ending == SpanEnd::kRenewed && end - p.ttl < 3) p.ttl = end;
    const int sure = span.ending == SpanEnd::kRenewed && end - deadline < 3 ? end : deadline;
    canvas.fill(p.from, y, p.ttl - p.from, height, id.tint);
    if (sure - p.ttl >= kNoHatchBelow) {
      canvas.hatch(p.ttl, y, sure - p.ttl, height, Tile::kTransitionBelieved, id.ink, canvas.colours().chart);
    } else {
      canvas.fill(p.ttl, y, sure - p.ttl, height, id.mid);
    }
    if (sure > p.ttl && p.ttl > p.from) canvas.vline(p.ttl, y, y + height, id.ink);
    if (sure - p.from >= kNoOutlineBelow)
      canvas.frame(p.from, y, sure - p.from, height, id.ink);
    else if (sure > p.from)
      canvas.fill(p.from, y, sure - p.from, height, id.ink);
    if (end <= sure) continue;
    if (end - sure < kNoHatchBelow) {
      canvas.fill(sure, y, end - sure, height, id.mid);
    } else {
      canvas.hatch(sure, y, end - sure, height, Tile::kOverdue, id.ink, canvas.colours().chart);
      canvas.dashed_frame(sure, y, end - sure, height, id.ink, 4, 3);
    }
  }
}

// ---- labels

// A lease with its renewals, as one bar: where it begins, ends and may be written on.
struct Holding {
  std::size_t first = 0, last = 0;
};

template <class Do>
void each_holding(const Scene& scene, const std::vector<LeaseSpan>& spans, Do&& action) {
  std::size_t i = first_ending_after(spans, scene.viewport.from);
  while (i > 0 && i < spans.size() && spans[i].renewal) --i;
  while (i < spans.size() && spans[i].start.lo < scene.viewport.to()) {
    Holding holding{i, i};
    while (holding.last + 1 < spans.size() && spans[holding.last + 1].renewal) ++holding.last;
    action(holding);
    i = holding.last + 1;
  }
}

struct LabelPlace {
  int x = 0;
  bool solid = false;
  bool fits = false;
};

constexpr int kLeastLabel = 4;  // no text is narrower

// The most room that a single lease of a holding has, tapes left aside.
int widest(const Scene& scene, const std::vector<LeaseSpan>& spans, Holding holding) {
  int widest = 0;
  for (std::size_t i = holding.first; i <= holding.last && spans[i].start.hi < scene.viewport.to(); ++i) {
    const SpanPixels p = pixels_of(scene, spans[i]);
    widest = std::max(widest, std::max(p.to, scene.clipped_x(scene.until(spans[i].end.lo))) - p.from);
  }
  return widest;
}

// The first place in a holding where the text is cut by no renewal, and meets no tape and no edge of an incident; on
// the solid part if it can be.
LabelPlace place_label(Canvas& canvas, const Scene& scene, const std::vector<LeaseSpan>& spans, Holding holding,
                       int width, Band lane) {
  if (widest(scene, spans, holding) < width + 14) return {};
  for (std::size_t i = holding.first; i <= holding.last; ++i) {
    if (spans[i].start.hi >= scene.viewport.to()) break;
    const SpanPixels p = pixels_of(scene, spans[i]);
    const int end = std::max(p.to, scene.clipped_x(scene.until(spans[i].end.lo)));
    for (int from = p.from; end - from >= width + 14;) {
      const auto in_the_way = canvas.places().blocked({from, lane.y, width + 14, lane.height});
      if (in_the_way) {
        from = std::max(from + 1, in_the_way->right() + 2);
        continue;
      }
      if (p.ttl - from >= width + 14) return {from + 7, true, true};
      if (p.ttl - from < 10 && end - from >= width + 20) return {from + 5, false, true};
      break;
    }
  }
  return {};
}

void paint_labels_of(Canvas& canvas, const Scene& scene, const std::vector<LeaseSpan>& spans, int y, int height,
                     const QString& word, bool believed) {
  const Colours& c = canvas.colours();
  const int px = height >= 16 ? 11 : 10;
  if (height < 12) return;
  each_holding(scene, spans, [&](Holding holding) {
    if (widest(scene, spans, holding) < kLeastLabel + 14) return;
    const LeaseSpan& span = spans[holding.first];
    const IdentityColours& id = identity(canvas, scene, span.contender);
    const QString who = word.isEmpty() ? QString::fromStdString(scene.data.letter(span.contender)) : word;
    const QString token = tokenMark(span.token);
    for (const QString& label : {token.isEmpty() ? who : who + "  " + token, token.isEmpty() ? who : token}) {
      const TextStyle style{believed ? c.text : id.on, px, believed ? 500 : 600};
      const int width = canvas.width_of(label, style);
      const LabelPlace place = place_label(canvas, scene, spans, holding, width, {y, height});
      if (!place.fits) continue;
      canvas.places().reserve({place.x, y, width, height});
      if (place.solid) {
        canvas.text(place.x, y + (height + 1) / 2 + (px == 11 ? 4 : 3), label, style);
      } else {
        PlateStyle plate{c.chart, c.text, id.ink};
        plate.weight = believed ? 500 : 600;
        plate.height = std::min(14, height);
        canvas.plate(place.x, y + (height - plate.height) / 2, label, plate);
      }
      return;
    }
  });
}

void paint_renewal_marks(Canvas& canvas, const Scene& scene, const MutexRow& mutex, int band_end) {
  const TextStyle style{canvas.colours().muted, 10};
  const int width = canvas.width_of(QStringLiteral("renewed"), style);
  int free_from = scene.left();
  for (std::size_t i = first_ending_after(mutex.held, scene.viewport.from); i < mutex.held.size(); ++i) {
    const LeaseSpan& span = mutex.held[i];
    if (span.start.hi >= scene.viewport.to()) break;
    if (!span.renewal || !scene.shows(span.start.hi)) continue;
    const int x = scene.x(span.start.hi);
    if (x < free_from) continue;
    const double y = band_end + 1;
    canvas.polygon({{x + 0.5, y}, {x + 4.0, y + 4}, {x - 3.0, y + 4}}, identity(canvas, scene, span.contender).ink,
                   true);
    free_from = x + 8;
    const bool next_far = i + 1 >= mutex.held.size() || scene.x(mutex.held[i + 1].start.hi) > x + width + 18;
    if (next_far && x + width + 10 < scene.right() && canvas.places().claim({x + 7, band_end, width, 12}))
      canvas.text(x + 7, band_end + 9, QStringLiteral("renewed"), style);
  }
}

bool told_in_rail(Canvas& canvas, const Scene& scene, int mutex, const GapSpan& gap) {
  const TrueTime end = scene.until(gap.end.hi);
  const std::vector<IncidentMark>& incidents = scene.data.incidents();
  for (std::size_t i = 0; i < incidents.size(); ++i) {
    const IncidentMark& incident = incidents[i];
    if (incident.kind == IncidentKind::kLeaderless && incident.mutex == mutex && incident.start < end &&
        incident.end > gap.begin.lo)
      return rail_says(canvas, scene, i);
  }
  return false;
}

}  // namespace

const LeaseSpan* span_at(const std::vector<LeaseSpan>& spans, TrueTime at) {
  const std::size_t i = first_ending_after(spans, at);
  return i < spans.size() && spans[i].start.hi <= at ? &spans[i] : nullptr;
}

std::size_t first_ending_after(const std::vector<LeaseSpan>& spans, TrueTime at) {
  const auto found = std::upper_bound(spans.begin(), spans.end(), at,
                                      [](TrueTime t, const LeaseSpan& span) { return t < span.end.hi; });
  return static_cast<std::size_t>(found - spans.begin());
}

void paint_held_band(Canvas& canvas, const Scene& scene, const std::vector<LeaseSpan>& spans, int y, int height) {
  std::size_t i = first_ending_after(spans, scene.viewport.from);
  int painted = -1;  // up to here
  while (i < spans.size() && spans[i].start.lo < scene.viewport.to()) {
    const LeaseSpan& span = spans[i];
    const SpanPixels p = pixels_of(scene, span);
    if (p.to - p.from < 1) {
      i = paint_fold(canvas, scene, spans, i, y, height);
      continue;
    }
    const IdentityColours& id = identity(canvas, scene, span.contender);
    // Equal neighbours never merge: a renewal or a new grant leaves a pixel of the ground.
    const int gap = (span.renewal || painted >= p.from) && p.from > scene.left() && p.to - p.from > 1 ? 1 : 0;
    if (gap == 1) canvas.fill(p.from, y, 1, height, canvas.colours().chart);
    painted = p.to;
    canvas.fill(p.from + gap, y, p.ttl - p.from - gap, height, id.ink);
    paint_transition(canvas, std::max(p.ttl, p.from + gap), p.to, y, height, id);
    if (!span.renewal)
      paint_fade(canvas, scene, span.start, true, id, y, height);
    else
      paint_bounds(canvas, scene, span.start, y, height);
    if (!span.open() && span.ending != SpanEnd::kRenewed) paint_fade(canvas, scene, span.end, false, id, y, height);
    ++i;
  }
}

void paint_held(Canvas& canvas, const Scene& scene) {
  for (const RowBox& row : scene.layout.rows) {
    if (!scene.visible(row)) continue;
    const auto index = static_cast<std::size_t>(row.index);
    const int y = scene.y(row);
    if (row.kind == RowKind::kMutex) {
      const Band band = measures().mutex_band;
      paint_held_band(canvas, scene, scene.data.mutexes()[index].held, y + band.y, band.height);
    }
    if (row.kind == RowKind::kContender) {
      const Band band = scene.layout.row.held;
      paint_held_band(canvas, scene, scene.data.contenders()[index].held, y + band.y, band.height);
    }
  }
}

void paint_believed(Canvas& canvas, const Scene& scene) {
  const Band band = scene.layout.row.believed;
  for (const RowBox& row : scene.layout.rows) {
    if (row.kind != RowKind::kContender || !scene.visible(row)) continue;
    const ContenderRow& contender = scene.data.contenders()[static_cast<std::size_t>(row.index)];
    paint_believed_band(canvas, scene, contender.believed, scene.y(row) + band.y, band.height);
  }
}

// An open bracket under the free time, at least three pixels wide, with its length.
void paint_gaps(Canvas& canvas, const Scene& scene) {
  const Colours& c = canvas.colours();
  const Band band = measures().mutex_band;
  for (const RowBox& row : scene.layout.rows) {
    if (row.kind != RowKind::kMutex || !scene.visible(row)) continue;
    const int y = scene.y(row) + band.y;
    for (const GapSpan& gap : scene.data.mutexes()[static_cast<std::size_t>(row.index)].gaps) {
      const bool open = gap.end.hi == kOpenEnd;
      const TrueTime end = open ? scene.data.now() : gap.end.lo;
      if (!scene.shows(gap.begin.hi, end) || end < gap.begin.hi) continue;
      const int from = scene.clipped_x(gap.begin.hi);
      const int to = std::max(scene.clipped_x(end), from + measures().gap_min_width);
      canvas.fill(from, y, to - from, band.height, c.chart);
      canvas.hline(y + band.height - 1, from, to, c.gap_line);
      canvas.vline(from, y + band.height - 5, y + band.height, c.gap_line);
      if (!open) canvas.vline(to - 1, y + band.height - 5, y + band.height, c.gap_line);
    }
  }
}

// Above the gap, before its end or behind its begin; what the rail says already is not said twice.
void paint_gap_labels(Canvas& canvas, const Scene& scene) {
  const TextStyle style{canvas.colours().text, 10, 500};
  for (const RowBox& row : scene.layout.rows) {
    if (row.kind != RowKind::kMutex || !scene.visible(row)) continue;
    const int base = scene.y(row) + measures().mutex_band.y - 3;
    for (const GapSpan& gap : scene.data.mutexes()[static_cast<std::size_t>(row.index)].gaps) {
      const bool open = gap.end.hi == kOpenEnd;
      const TrueTime end = open ? scene.data.now() : gap.end.lo;
      if (!scene.shows(gap.begin.hi, end) || end < gap.begin.hi || told_in_rail(canvas, scene, row.index, gap))
        continue;
      const bool exact = open || (gap.begin.exact() && gap.end.exact());
      const QString label = QStringLiteral("leaderless ") +
                            (exact ? spanText(end - gap.begin.hi)
                                   : spanText(end - gap.begin.hi) + " … " + spanText(gap.end.hi - gap.begin.lo));
      const int from = scene.clipped_x(gap.begin.hi), to = scene.clipped_x(end), width = canvas.width_of(label, style);
      for (const int x : {to - 4 - width, from + 4, to + 5}) {
        if (x < scene.left() + 2 || x + width > scene.right()) continue;
        if (!canvas.places().claim({x, base - 10, width, 12})) continue;
        canvas.text(x, base, label, style);
        break;
      }
    }
  }
}

void paint_band_labels(Canvas& canvas, const Scene& scene) {
  for (const RowBox& row : scene.layout.rows) {
    if (!scene.visible(row)) continue;
    const auto index = static_cast<std::size_t>(row.index);
    const int y = scene.y(row);
    if (row.kind == RowKind::kMutex) {
      const Band band = measures().mutex_band;
      const MutexRow& mutex = scene.data.mutexes()[index];
      paint_labels_of(canvas, scene, mutex.held, y + band.y, band.height, {}, false);
      paint_renewal_marks(canvas, scene, mutex, y + band.y + band.height);
    }
    if (row.kind != RowKind::kContender) continue;
    const ContenderRow& contender = scene.data.contenders()[index];
    const RowMeasures& m = scene.layout.row;
    paint_labels_of(canvas, scene, contender.held, y + m.held.y, m.held.height, QStringLiteral("held"), false);
    paint_labels_of(canvas, scene, contender.believed, y + m.believed.y, m.believed.height, QStringLiteral("believes"),
                    true);
  }
}

}  // namespace leasescope
