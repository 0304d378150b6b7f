#include "ui/timeline/paint/leases.h"

#include "ui/models/words.h"

namespace leasescope {

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

namespace {

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

}  // namespace

void paint_transition(Canvas& canvas, int from, int to, int y, int height, const IdentityColours& id) {
  if (to <= from) return;
  if (to - from < kNoHatchBelow) return canvas.fill(from, y, to - from, height, id.mid);
  canvas.hatch(from, y, to - from, height, Tile::kTransitionHeld, id.ink, id.mid);
  canvas.hline(y, from, to, id.ink);
  canvas.hline(y + height - 1, from, to, id.ink);
  canvas.vline(to - 1, y, y + height, id.ink);
}

namespace {

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

}  // namespace

void paint_lease_labels(Canvas& canvas, const Scene& scene, const std::vector<LeaseSpan>& spans, Band at,
                        const QString& word, bool believed) {
  const Colours& c = canvas.colours();
  const int y = at.y, height = at.height;
  const int px = height >= 16 ? 11 : 10;
  if (height < 12) return;
  each_holding(scene, spans, [&](Holding holding) {
    if (spans[holding.first].shared || widest(scene, spans, holding) < kLeastLabel + 14) return;
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

const LeaseSpan* span_at(const std::vector<LeaseSpan>& spans, TrueTime at) {
  const std::size_t i = first_ending_after(spans, at);
  return i < spans.size() && spans[i].start.hi <= at ? &spans[i] : nullptr;
}

std::size_t first_ending_after(const std::vector<LeaseSpan>& spans, TrueTime at) {
  const auto found = std::upper_bound(spans.begin(), spans.end(), at,
                                      [](TrueTime t, const LeaseSpan& span) { return t < span.end.hi; });
  return static_cast<std::size_t>(found - spans.begin());
}

void paint_shared_labels(Canvas& canvas, const Scene& scene, const std::vector<LeaseSpan>& spans, int baseline,
                         const QString& word) {
  const TextStyle style{canvas.colours().text, 10, 500};
  each_holding(scene, spans, [&](Holding holding) {
    const LeaseSpan& span = spans[holding.first];
    if (!span.shared) return;
    const QString who = word.isEmpty() ? QString::fromStdString(scene.data.letter(span.contender)) : word;
    const QString label = (who + "  " + tokenMark(span.token)).trimmed();
    const int x = std::max(scene.x(span.start.hi), scene.left()) + 1, width = canvas.width_of(label, style);
    if (x + width < scene.right() && canvas.places().claim({x, baseline - 9, width, 11}))
      canvas.text(x, baseline, label, style);
  });
}

void paint_held_band(Canvas& canvas, const Scene& scene, const std::vector<LeaseSpan>& spans, LeaseBands bands) {
  std::size_t i = first_ending_after(spans, scene.viewport.from);
  int painted = -1;  // up to here
  while (i < spans.size() && spans[i].start.lo < scene.viewport.to()) {
    const LeaseSpan& span = spans[i];
    const SpanPixels p = pixels_of(scene, span);
    if (p.to - p.from < 1) {
      i = paint_fold(canvas, scene, spans, i, bands.whole.y, bands.whole.height);
      continue;
    }
    const auto [y, height] = bands.of(span);
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

}  // namespace leasescope
