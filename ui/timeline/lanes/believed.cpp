// What a contender took itself for: from what it last told its application to the next. Belief is an outline.
#include "core/store/port.h"
#include "ui/models/words.h"
#include "ui/timeline/lanes/lease_words.h"
#include "ui/timeline/lanes/pointing.h"
#include "ui/timeline/paint/leases.h"

namespace leasescope {
namespace {

SpanEnd ending_of(DisbeliefReason reason) {
  switch (reason) {
    case DisbeliefReason::kLost:
    case DisbeliefReason::kDisconnected:
      return SpanEnd::kLost;
    case DisbeliefReason::kWatchdog:
      return SpanEnd::kWatchdog;
    case DisbeliefReason::kStop:
      return SpanEnd::kStop;
    case DisbeliefReason::kEvent:
      return SpanEnd::kEvent;
    case DisbeliefReason::kFailure:
      return SpanEnd::kFailure;
    case DisbeliefReason::kSession:
      return SpanEnd::kSession;
    case DisbeliefReason::kStolen:
      return SpanEnd::kStolen;
    case DisbeliefReason::kUnconfirmed:
      return SpanEnd::kUnconfirmed;
  }
  return SpanEnd::kLost;
}

constexpr int kLeastForReaders = 16;  // px of a band whose upper half has room for words

// Of those who read the lower half, next to what the store held.
LeaseBands bands_in(const Scene& scene, const RowBox& row) {
  const Band band = scene.layout.row.believed;
  const int y = scene.y(row) + band.y, half = band.height / 2;
  return {{y, band.height}, {y + band.height - half, half}};
}

class Believed : public Lane {
 public:
  std::vector<EventKind> hears() const override {
    return {EventKind::kAttempt, EventKind::kBelieved, EventKind::kDisbelieved, EventKind::kSessionRenewed};
  }
  void fold(Folding& at, const Event& event) override {
    const int who = at.contender(event.node);
    if (who == kNoContender) return;
    if (event.kind == EventKind::kAttempt) return on_attempt(at, event, who);
    if (event.kind == EventKind::kBelieved) return on_believed(at, event, who);
    SpanTrack& believed = at.contender_row(who).believed;
    if (believed.empty() || !believed.back().open()) return;
    if (event.kind == EventKind::kSessionRenewed)  // it lasts as its session does
      return believed.amend(believed.size() - 1, [&](LeaseSpan& last) {
        if (last.lease_end != kOpenEnd) last.ttl_end = last.lease_end = event.hi + Duration(event.a);
      });
    end(believed, event, ending_of(static_cast<DisbeliefReason>(event.detail)));
  }

  void paint(Canvas& canvas, const Scene& scene) const override;
  Says says() const override { return Says::kLeases; }
  void write(Canvas& canvas, const Scene& scene) const override {
    const Band band = scene.layout.row.believed;
    const QString believes = tr("believes"), reads = tr("reads");
    each_row(scene, RowKind::kContender, [&](const RowBox& row) {
      const SpanTrack& believed = contender_of(scene, row).believed;
      paint_lease_labels(canvas, scene, believed, {scene.y(row) + band.y, band.height}, believes, true);
      if (band.height >= kLeastForReaders)
        paint_shared_labels(canvas, scene, believed, scene.y(row) + band.y + 7, reads);
    });
  }
  void head(Canvas& canvas, const Scene& scene, const RowBox& row) const override {
    write_lane_name(canvas, scene, row, scene.layout.row.believed, QT_TRANSLATE_NOOP("Lane", "believes"));
  }
  Hit hit(const Scene& scene, const RowBox& row, QPoint at) const override {
    if (row.kind != RowKind::kContender || !inside(scene.layout.row.believed, at.y() - scene.y(row))) return {};
    return hit_span(scene, contender_of(scene, row).believed, LaneKind::kBelieved, row, scene.layout.row.believed,
                    scene.viewport.time(at.x() - scene.left()));
  }
  std::optional<Band> place(const Scene& scene, const RowBox& row, const Hit& hit) const override {
    if (row.kind != hit.on || row.index != hit.row) return {};
    return scene.layout.row.believed;
  }
  HoverText describe(const ChartData& data, const Hit& hit, TrueTime at) const override;
  std::vector<LegendMark> legend() const override;

 private:
  static void end(SpanTrack& believed, const Event& event, SpanEnd ending) {
    believed.amend(believed.size() - 1, [&](LeaseSpan& last) {
      last.end = moment_of(event);
      last.ending = ending;
    });
  }
  void on_attempt(Folding& at, const Event& event, int who);
  void on_believed(Folding& at, const Event& event, int who);

  struct Told {
    Duration remaining{};  // of the lease that it was told of last
    Duration margin{};     // that its deadline lies before that
  };
  ByRow<Told> told_;
};

// A guard or an acquire that is won while it believes is a renewal.
void Believed::on_attempt(Folding& at, const Event& event, int who) {
  if (!asks_for_it(event)) return;
  if (static_cast<AttemptResult>(event.detail) != AttemptResult::kWon) return;
  ContenderRow& row = at.contender_row(who);
  Told& told = told_[who];
  told.remaining = Duration(event.a);
  const Standing::Contender* const standing = at.standing.contender(event.node);
  const bool believes = standing != nullptr && standing->believes && !row.believed.empty();
  if (!believes || event.a <= 0) return;
  LeaseSpan next = row.believed.back();
  end(row.believed, event, SpanEnd::kRenewed);
  next.end = {kOpenEnd, kOpenEnd};
  next.ending = SpanEnd::kOpen;
  next.start = moment_of(event);
  const TrueTime over = deadline_after(event.hi, event.a);
  next.lease_end = over == kOpenEnd ? kOpenEnd : over - told.margin;
  next.ttl_end = over == kOpenEnd ? kOpenEnd : over - std::min(at.facts().terms.transition, Duration(event.a));
  next.renewal = true;
  if (event.token != kNoToken) next.token = event.token;
  row.believed.push_back(next);
}

void Believed::on_believed(Folding& at, const Event& event, int who) {
  ContenderRow& row = at.contender_row(who);
  if (!row.believed.empty() && row.believed.back().open()) end(row.believed, event, SpanEnd::kRenewed);
  LeaseSpan span;
  span.start = moment_of(event);
  span.contender = who;
  span.mutex = event.mutex.empty() ? row.mutex : at.mutex(event.mutex);
  span.token = event.token;
  span.shared = !row.held.empty() && row.held.back().open() && row.held.back().shared;
  const bool endless = event.a == kNoDeadline;
  span.lease_end = deadline_after(event.hi, event.a);
  span.ttl_end = endless ? kOpenEnd : event.hi + std::min(Duration(event.a), Duration(event.b));
  Told& told = told_[who];
  told.margin = endless ? Duration{} : std::max(Duration{}, told.remaining - Duration(event.a));
  if (told.margin > at.facts().terms.lease() / 4) told.margin = Duration{};
  row.mutex = span.mutex;
  at.wakes(who);
  row.believed.push_back(span);
}

// Up to where it is within its ttl, sure, and believed at all.
struct BeliefPixels {
  int from = 0, ttl = 0, sure = 0, end = 0;
  bool hatched() const { return sure - ttl >= kNoHatchBelow || end - sure >= kNoHatchBelow; }
};

BeliefPixels belief_pixels(const Scene& scene, const LeaseSpan& span) {
  const SpanPixels p = pixels_of(scene, span);
  BeliefPixels out;
  out.from = p.from;
  out.end = std::max(scene.clipped_x(scene.until(span.end.hi)), p.from + 1);
  const int deadline = std::clamp(scene.clipped_x(span.lease_end), p.from, out.end);
  out.ttl = std::min(p.ttl, deadline);
  if (span.ending == SpanEnd::kRenewed && out.end - out.ttl < 3) out.ttl = out.end;
  out.sure = span.ending == SpanEnd::kRenewed && out.end - deadline < 3 ? out.end : deadline;
  return out;
}

void paint_belief(Canvas& canvas, const IdentityColours& id, BeliefPixels p, Band at) {
  const auto [y, height] = at;
  canvas.fill(p.from, y, p.ttl - p.from, height, id.tint);
  if (p.sure - p.ttl >= kNoHatchBelow) {
    canvas.hatch(p.ttl, y, p.sure - p.ttl, height, Tile::kTransitionBelieved, id.ink, canvas.colours().chart);
  } else {
    canvas.fill(p.ttl, y, p.sure - p.ttl, height, id.mid);
  }
  if (p.sure > p.ttl && p.ttl > p.from) canvas.vline(p.ttl, y, y + height, id.ink);
  if (p.sure - p.from >= kNoOutlineBelow)
    canvas.frame(p.from, y, p.sure - p.from, height, id.ink);
  else if (p.sure > p.from)
    canvas.fill(p.from, y, p.sure - p.from, height, id.ink);
  if (p.end <= p.sure) return;
  if (p.end - p.sure < kNoHatchBelow) {
    canvas.fill(p.sure, y, p.end - p.sure, height, id.mid);
  } else {
    canvas.hatch(p.sure, y, p.end - p.sure, height, Tile::kOverdue, id.ink, canvas.colours().chart);
    canvas.dashed_frame(p.sure, y, p.end - p.sure, height, id.ink, 4, 3);
  }
}

// Beliefs without a hatch: colours side by side, with lines above and below those that have an outline.
class Outlines {
 public:
  explicit Outlines(const Scene& scene) : body_(scene), lines_(scene) {}

  void add(const IdentityColours& id, BeliefPixels p) {
    if (p.sure - p.from < kNoOutlineBelow) {
      body_.fill(p.from, p.sure, id.ink);
    } else {
      body_.fill(p.from, p.ttl, id.tint);
      body_.fill(p.ttl, p.sure, id.mid);
      if (p.sure > p.ttl) body_.fill(p.ttl, p.ttl + 1, id.ink);
      body_.fill(p.from, p.from + 1, id.ink);
      body_.fill(p.sure - 1, p.sure, id.ink);
      lines_.fill(p.from, p.sure, id.ink);
    }
    body_.fill(p.sure, p.end, id.mid);
  }
  void put(Canvas& canvas, Band at) {
    body_.put(canvas, at.y, at.height);
    lines_.show(canvas, at.y, 1);
    lines_.put(canvas, at.y + at.height - 1, 1);
  }
  Strip& body() { return body_; }

 private:
  Strip body_, lines_;
};

void paint_believed_band(Canvas& canvas, const Scene& scene, const SpanTrack& spans, LeaseBands bands) {
  const std::size_t limit = spans.first_starting_at(scene.viewport.to());
  SpanTrack::Cursor at(spans);
  Outlines flat(scene);
  for (std::size_t i = spans.first_ending_after(scene.viewport.from); i < limit; ++i) {
    const int from = scene.clipped_x(spans.start(i));
    const bool alone = i + 1 == spans.size() || scene.clipped_x(spans.start(i + 1)) > from + 1;
    if (!alone && scene.clipped_x(scene.until(spans.end_of(i))) <= from) {
      const Fold fold = fold_of(scene, spans, i, limit);
      paint_fold(canvas, scene, flat.body(), at, fold, bands.whole);
      i = fold.end - 1;
      continue;
    }
    const LeaseSpan span = at[i];
    const BeliefPixels p = belief_pixels(scene, span);
    const IdentityColours& id = identity(canvas, scene, span.contender);
    if (!p.hatched() && !span.shared) {
      flat.add(id, p);
      continue;
    }
    flat.put(canvas, bands.whole);
    paint_belief(canvas, id, p, bands.of(span));
  }
  flat.put(canvas, bands.whole);
}

void Believed::paint(Canvas& canvas, const Scene& scene) const {
  each_row(scene, RowKind::kContender, [&](const RowBox& row) {
    paint_believed_band(canvas, scene, contender_of(scene, row).believed, bands_in(scene, row));
  });
}

HoverText Believed::describe(const ChartData& data, const Hit& hit, TrueTime at) const {
  const ContenderRow& contender = data.contenders()[static_cast<std::size_t>(hit.row)];
  const auto mutex = static_cast<std::size_t>(contender.mutex);
  const std::string name = mutex < data.mutexes().size() ? data.mutexes()[mutex].name : std::string();
  return describe_lease(data, contender.believed, hit.index, at, true,
                        tr("believes it owns %1").arg(QString::fromStdString(name)));
}

std::vector<LegendMark> Believed::legend() const {
  const auto hue = [](Canvas& c) { return c.colours().id.front(); };
  return {{LegendGroup::kIs, tr("believes"), tr("what the contender thinks: an outline"),
           [hue](Canvas& c, const QRect& at) {
             c.fill(at.x(), at.y(), at.width(), at.height(), hue(c).tint);
             c.frame(at.x(), at.y(), at.width(), at.height(), hue(c).ink);
           },
           tr("believed")},
          {LegendGroup::kIs,
           tr("believes, transition"),
           {},
           [hue](Canvas& c, const QRect& at) {
             c.hatch(at.x(), at.y(), at.width(), at.height(), Tile::kTransitionBelieved, hue(c).ink, c.colours().chart);
             c.frame(at.x(), at.y(), at.width(), at.height(), hue(c).ink);
           }},
          {LegendGroup::kIs, tr("believes past its own deadline"), tr("its clock or its pause hid the end"),
           [hue](Canvas& c, const QRect& at) {
             c.hatch(at.x(), at.y(), at.width(), at.height(), Tile::kOverdue, hue(c).ink, c.colours().chart);
             c.dashed_frame(at.x(), at.y(), at.width(), at.height(), hue(c).ink, 4, 3);
           }}};
}

}  // namespace

std::unique_ptr<Lane> believed_lane() { return std::make_unique<Believed>(); }

}  // namespace leasescope
