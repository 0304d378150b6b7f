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

constexpr int kLeastForCount = 12;  // px, of a block that has its count written on it

void paint_count(Canvas& canvas, PixelRange block, Band at, std::size_t count) {
  const Colours& c = canvas.colours();
  PlateStyle style{c.chart, c.text, c.line_strong};
  style.face = Face::kMono;
  style.align = Align::kCentre;
  const QString text = QString::number(count);
  if (canvas.plate_width(text, style) + 14 <= block.to - block.from)
    canvas.plate_later((block.from + block.to) / 2, at.y + (at.height - 14) / 2, text, style);
}

}  // namespace

Fold fold_of(const Scene& scene, const SpanTrack& spans, std::size_t first, std::size_t limit) {
  const auto begin = [&](std::size_t i) { return scene.clipped_x(spans.start_of(i).lo); };
  const auto finish = [&](std::size_t i) { return scene.clipped_x(scene.until(spans.end_of(i))); };
  const int from = scene.clipped_x(spans.start(first));
  Fold fold{{from, std::max({from + 1, finish(first), begin(first) + 1})}, first, first + 1};
  const Duration least = scene.time_of(1);
  // Only one that is wider than a pixel, or that far from the one before it, can end the block.
  while (fold.end < limit) {
    const std::size_t next = std::min(limit, spans.next_apart(fold.end, least));
    if (next > fold.end) {
      fold.block.to = std::max({fold.block.to, finish(next - 1), begin(next - 1) + 1});
      fold.end = next;
    }
    if (next == limit) break;
    const int a = begin(next), b = finish(next);
    if (b - a >= 2 || a > fold.block.to + 1) break;
    fold.block.to = std::max({fold.block.to, b, a + 1});
    fold.end = next + 1;
  }
  return fold;
}

void paint_fold(Canvas& canvas, const Scene& scene, Strip& strip, SpanTrack::Cursor& spans, const Fold& fold, Band at) {
  const QColor& colour = spans.mixed(fold.first, fold.end) ? canvas.colours().line_strong
                                                           : identity(canvas, scene, spans.contender(fold.first)).mid;
  strip.fill(fold.block.from, fold.block.to, colour);
  const std::size_t count = fold.end - fold.first;
  if (count == 1 || fold.block.to - fold.block.from < kLeastForCount || at.height < kLeastForCount) return;
  strip.put(canvas, at.y, at.height);
  paint_count(canvas, fold.block, at, count);
}

namespace {

// A lease with its renewals, as one bar: where it begins, ends and may be written on.
struct Holding {
  std::size_t first = 0, last = 0;
};

// Of those with a lease wider than `least` pixels: in others there is no room for a word.
template <class Do>
void each_holding(const Scene& scene, const SpanTrack& spans, int least, Do&& action) {
  const Duration room = scene.time_of(least);
  if (!spans.lasts_longer(room)) return;  // as in most pictures of a whole night
  std::size_t i = spans.next_apart(spans.first_ending_after(scene.viewport.from), room);
  while (i < spans.size() && spans.start(i) < scene.viewport.to()) {
    const Holding holding{spans.holding_first(i), spans.holding_end(i) - 1};
    action(holding);
    i = spans.next_apart(holding.last + 1, room);
  }
}

// Those of a holding that are in view and wider than so many pixels, until `action` says that it is enough.
template <class Do>
void each_lease(const Scene& scene, const SpanTrack& spans, Holding holding, int least, Do&& action) {
  const Duration room = scene.time_of(least);
  std::size_t i = std::max(holding.first, spans.first_ending_after(scene.viewport.from));
  for (i = spans.next_apart(i, room); i <= holding.last && spans.start(i) < scene.viewport.to();
       i = spans.next_apart(i + 1, room))
    if (action(spans[i])) return;
}

struct LabelPlace {
  int x = 0;
  bool solid = false;
  bool fits = false;
};

constexpr int kLeastLabel = 4;    // no text is narrower
constexpr int kBesideLabel = 14;  // px

// The first place in a holding where the text is cut by no renewal, and meets no tape and no edge of an incident; on
// the solid part if it can be.
LabelPlace place_label(Canvas& canvas, const Scene& scene, const SpanTrack& spans, Holding holding, int width,
                       Band lane) {
  LabelPlace place;
  each_lease(scene, spans, holding, width + kBesideLabel - 1, [&](const LeaseSpan& span) {
    const SpanPixels p = pixels_of(scene, span);
    const int end = std::max(p.to, scene.clipped_x(scene.until(span.end.lo)));
    for (int from = p.from; end - from >= width + kBesideLabel;) {
      const auto in_the_way = canvas.places().blocked({from, lane.y, width + kBesideLabel, lane.height});
      if (in_the_way) {
        from = std::max(from + 1, in_the_way->right() + 2);
        continue;
      }
      if (p.ttl - from >= width + kBesideLabel)
        place = {from + 7, true, true};
      else if (p.ttl - from < 10 && end - from >= width + 20)
        place = {from + 5, false, true};
      break;
    }
    return place.fits;
  });
  return place;
}

}  // namespace

void paint_lease_labels(Canvas& canvas, const Scene& scene, const SpanTrack& spans, Band at, const QString& word,
                        bool believed) {
  const Colours& c = canvas.colours();
  const int y = at.y, height = at.height;
  const int px = height >= 16 ? 11 : 10;
  if (height < 12) return;
  each_holding(scene, spans, kLeastLabel + kBesideLabel - 1, [&](Holding holding) {
    bool room = false;
    each_lease(scene, spans, holding, kLeastLabel + kBesideLabel - 1, [&](const LeaseSpan& lease) {
      const SpanPixels p = pixels_of(scene, lease);
      room = std::max(p.to, scene.clipped_x(scene.until(lease.end.lo))) - p.from >= kLeastLabel + kBesideLabel;
      return room;
    });
    const LeaseSpan span = spans[holding.first];
    if (!room || span.shared) return;
    const IdentityColours& id = identity(canvas, scene, span.contender);
    const QString who = word.isEmpty() ? QString::fromStdString(scene.data.letter(span.contender)) : word;
    const QString token = tokenMark(span.token);
    const int widest = scene.clipped_x(scene.until(spans[holding.last].end.lo)) - scene.clipped_x(span.start.lo);
    for (const QString& label : {token.isEmpty() ? who : who + "  " + token, token.isEmpty() ? who : token}) {
      if (least_width_of(label, px) + kBesideLabel > widest) continue;
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

std::optional<LeaseSpan> span_at(const SpanTrack& spans, TrueTime at) {
  const std::size_t i = spans.first_ending_after(at);
  if (i >= spans.size() || spans.start(i) > at) return {};
  return spans[i];
}

void paint_shared_labels(Canvas& canvas, const Scene& scene, const SpanTrack& spans, int baseline,
                         const QString& word) {
  if (!spans.has_shared()) return;
  const TextStyle style{canvas.colours().text, 10, 500};
  each_holding(scene, spans, 1, [&](Holding holding) {
    const LeaseSpan span = spans[holding.first];
    if (!span.shared) return;
    const QString who = word.isEmpty() ? QString::fromStdString(scene.data.letter(span.contender)) : word;
    const QString label = (who + "  " + tokenMark(span.token)).trimmed();
    const int x = std::max(scene.x(span.start.hi), scene.left()) + 1;
    if (canvas.places().blocked({x, baseline - 9, std::max(1, least_width_of(label, style.px)), 11})) return;
    const int width = canvas.width_of(label, style);
    if (x + width < scene.right() && canvas.places().claim({x, baseline - 9, width, 11}))
      canvas.text(x, baseline, label, style);
  });
}

namespace {

// Of one that is nothing but colours side by side: no hatch and no bounds.
bool flat(const LeaseSpan& span, SpanPixels p, int solid_from) {
  const bool sure = span.start.exact() && (span.open() || span.ending == SpanEnd::kRenewed || span.end.exact());
  return sure && !span.shared && p.to - std::max(p.ttl, solid_from) < kNoHatchBelow;
}

void paint_held(Canvas& canvas, const Scene& scene, const LeaseSpan& span, SpanPixels p, int gap, Band at) {
  const auto [y, height] = at;
  const IdentityColours& id = identity(canvas, scene, span.contender);
  if (gap == 1) canvas.fill(p.from, y, 1, height, canvas.colours().chart);
  canvas.fill(p.from + gap, y, p.ttl - p.from - gap, height, id.ink);
  paint_transition(canvas, std::max(p.ttl, p.from + gap), p.to, y, height, id);
  if (!span.renewal)
    paint_fade(canvas, scene, span.start, true, id, y, height);
  else
    paint_bounds(canvas, scene, span.start, y, height);
  if (!span.open() && span.ending != SpanEnd::kRenewed) paint_fade(canvas, scene, span.end, false, id, y, height);
}

}  // namespace

void paint_held_band(Canvas& canvas, const Scene& scene, const SpanTrack& spans, LeaseBands bands) {
  const auto [y, height] = bands.whole;
  const std::size_t limit = spans.first_starting_at(scene.viewport.to());
  SpanTrack::Cursor at(spans);
  Strip strip(scene);
  int painted = -1;  // up to here
  for (std::size_t i = spans.first_ending_after(scene.viewport.from); i < limit; ++i) {
    const auto fold = [&] {
      const Fold many = fold_of(scene, spans, i, limit);
      paint_fold(canvas, scene, strip, at, many, bands.whole);
      i = many.end - 1;
    };
    const bool ended = spans.exact(i) && spans.ending(i) != SpanEnd::kOpen;
    if (ended && scene.clipped_x(spans.end_of(i)) == scene.clipped_x(spans.start(i))) {
      fold();
      continue;
    }
    const LeaseSpan span = at[i];
    const SpanPixels p = pixels_of(scene, span);
    if (p.to - p.from < 1) {
      fold();
      continue;
    }
    // Equal neighbours never merge: a renewal or a new grant leaves a pixel of the ground.
    const int gap = (span.renewal || painted >= p.from) && p.from > scene.left() && p.to - p.from > 1 ? 1 : 0;
    painted = p.to;
    if (!flat(span, p, p.from + gap)) {
      strip.put(canvas, y, height);
      paint_held(canvas, scene, span, p, gap, bands.of(span));
      continue;
    }
    const IdentityColours& id = identity(canvas, scene, span.contender);
    if (gap == 1) strip.fill(p.from, p.from + 1, canvas.colours().chart);
    strip.fill(p.from + gap, p.ttl, id.ink);
    strip.fill(std::max(p.ttl, p.from + gap), p.to, id.mid);
  }
  strip.put(canvas, y, height);
}

}  // namespace leasescope
