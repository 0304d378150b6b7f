// What the store held: its band in the mutex's header, and each holder's own leases in their rows. Solid: truth is ink.
#include "ui/models/words.h"
#include "ui/timeline/lanes/lease_words.h"
#include "ui/timeline/lanes/pointing.h"
#include "ui/timeline/paint/leases.h"

namespace leasescope {
namespace {

class Held : public Lane {
 public:
  std::vector<EventKind> hears() const override {
    return {EventKind::kGranted, EventKind::kRenewed,         EventKind::kReleased,
            EventKind::kExpired, EventKind::kUnobservedBegan, EventKind::kUnobservedEnded};
  }
  void fold(Folding& at, const Event& event) override;

  void paint(Canvas& canvas, const Scene& scene) const override;
  Says says() const override { return Says::kLeases; }
  void write(Canvas& canvas, const Scene& scene) const override;
  void head(Canvas& canvas, const Scene& scene, const RowBox& row) const override {
    write_lane_name(canvas, scene, row, scene.layout.row.held, "held");
  }
  Hit hit(const Scene& scene, const RowBox& row, QPoint at) const override;
  std::optional<Band> place(const Scene& scene, const RowBox& row, const Hit& hit) const override {
    if (row.kind != hit.on || row.index != hit.row) return {};
    return row.kind == RowKind::kMutex ? measures().mutex_band : scene.layout.row.held;
  }
  HoverText describe(const ChartData& data, const Hit& hit, TrueTime at) const override;
  std::vector<LegendMark> legend() const override;
};

// ---- fold

// The same lease in its contender's row.
LeaseSpan* own_held(Folding& at, int mutex) {
  const int who = at.mutex_row(mutex).held.back().contender;
  if (who == kNoContender) return nullptr;
  std::vector<LeaseSpan>& own = at.contender_row(who).held;
  const auto span = std::find_if(own.rbegin(), own.rend(), [&](const LeaseSpan& s) { return s.mutex == mutex; });
  return span == own.rend() ? nullptr : &*span;
}

void begin_held(Folding& at, const Event& event, bool renewal) {
  LeaseSpan span;
  span.start = moment_of(event);
  span.mutex = at.mutex(event.mutex);
  span.contender = at.contender(event.node);
  span.token = event.token;
  span.renewal = renewal;
  const bool endless = event.a <= 0;
  span.lease_end = endless ? kOpenEnd : event.hi + Duration(event.a);
  span.ttl_end = endless ? kOpenEnd : span.lease_end - std::min(at.facts().terms.transition, Duration(event.a));
  MutexRow& mutex = at.mutex_row(span.mutex);
  if (span.token == kNoToken && renewal && !mutex.held.empty()) span.token = mutex.held.back().token;
  mutex.highest = std::max(mutex.highest, span.token);
  mutex.held.push_back(span);
  if (span.contender == kNoContender) return;
  ContenderRow& row = at.contender_row(span.contender);
  row.mutex = span.mutex;
  at.wakes(span.contender);
  row.held.push_back(span);
}

void close_held(Folding& at, int mutex, Moment end, SpanEnd ending) {
  std::vector<LeaseSpan>& held = at.mutex_row(mutex).held;
  if (held.empty() || !held.back().open()) return;
  LeaseSpan* const own = own_held(at, mutex);
  for (LeaseSpan* span : {&held.back(), own}) {
    if (span == nullptr || !span->open()) continue;
    span->end = end;
    span->ending = ending;
  }
}

// The store tells again: what it says next ends the lease, or has kept it all the time.
void see_again(Folding& at, int mutex) {
  std::vector<LeaseSpan>& held = at.mutex_row(mutex).held;
  if (held.empty() || held.back().ending != SpanEnd::kUnseen) return;
  LeaseSpan* const own = own_held(at, mutex);
  for (LeaseSpan* span : {&held.back(), own}) {
    if (span == nullptr || span->ending != SpanEnd::kUnseen) continue;
    span->end = {kOpenEnd, kOpenEnd};
    span->ending = SpanEnd::kOpen;
  }
}

// What the observer of the store does not see is nobody's until it is told.
void on_unobserved(Folding& at, const Event& event) {
  if (at.contender(event.node) != kNoContender) return;
  for (std::size_t i = 0; i < at.rows().mutexes.size(); ++i) {
    if (event.kind == EventKind::kUnobservedBegan)
      close_held(at, static_cast<int>(i), moment_of(event), SpanEnd::kUnseen);
    else
      see_again(at, static_cast<int>(i));
  }
}

void Held::fold(Folding& at, const Event& event) {
  if (event.kind == EventKind::kUnobservedBegan || event.kind == EventKind::kUnobservedEnded)
    return on_unobserved(at, event);
  const int mutex = at.mutex(event.mutex);
  const Change::Hold hold = at.change.hold;
  const bool granted = event.kind == EventKind::kGranted || hold == Change::Hold::kTakenUp;
  if (event.kind == EventKind::kRenewed && !granted && hold != Change::Hold::kRenewed) return;
  see_again(at, mutex);
  if (granted || event.kind == EventKind::kRenewed) {
    close_held(at, mutex, moment_of(event), granted ? SpanEnd::kTakenOver : SpanEnd::kRenewed);
    return begin_held(at, event, !granted);
  }
  // After a take-over the earlier owner's end says nothing about who holds now.
  if (hold != Change::Hold::kEnded) return;
  close_held(at, mutex, moment_of(event), event.kind == EventKind::kReleased ? SpanEnd::kReleased : SpanEnd::kExpired);
}

// ---- paint

void Held::paint(Canvas& canvas, const Scene& scene) const {
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

void write_released(Canvas& canvas, const Scene& scene, const RowBox& row, const ContenderRow& contender) {
  const Band held = scene.layout.row.held;
  const TextStyle style{canvas.colours().muted, 10};
  for (std::size_t i = first_ending_after(contender.held, scene.viewport.from); i < contender.held.size(); ++i) {
    const LeaseSpan& span = contender.held[i];
    if (span.start.lo >= scene.viewport.to()) break;
    if (span.ending != SpanEnd::kReleased || !scene.shows(span.end.hi)) continue;
    const int x = scene.x(span.end.hi) + 7;
    const bool room = i + 1 >= contender.held.size() || scene.x(contender.held[i + 1].start.hi) > x + 50;
    const int base = scene.y(row) + held.y + held.height / 2 + 4;
    if (room && x + 44 < scene.right() && canvas.places().claim({x, base - 10, 44, 12}))
      canvas.text(x, base, QStringLiteral("released"), style);
  }
}

void Held::write(Canvas& canvas, const Scene& scene) const {
  each_row(scene, RowKind::kMutex, [&](const RowBox& row) {
    const Band band{scene.y(row) + measures().mutex_band.y, measures().mutex_band.height};
    const MutexRow& mutex = scene.data.mutexes()[static_cast<std::size_t>(row.index)];
    paint_lease_labels(canvas, scene, mutex.held, band, {}, false);
    paint_renewal_marks(canvas, scene, mutex, band.y + band.height);
  });
  each_row(scene, RowKind::kContender, [&](const RowBox& row) {
    const ContenderRow& contender = contender_of(scene, row);
    const Band held = scene.layout.row.held;
    paint_lease_labels(canvas, scene, contender.held, {scene.y(row) + held.y, held.height}, QStringLiteral("held"),
                       false);
    write_released(canvas, scene, row, contender);
  });
}

// ---- hit, describe, legend

Hit Held::hit(const Scene& scene, const RowBox& row, QPoint at) const {
  const TrueTime time = scene.viewport.time(at.x() - scene.left());
  if (row.kind == RowKind::kMutex)
    return hit_span(scene, scene.data.mutexes()[static_cast<std::size_t>(row.index)].held, LaneKind::kHeld, row,
                    measures().mutex_band, time);
  if (row.kind != RowKind::kContender || !inside(scene.layout.row.held, at.y() - scene.y(row))) return {};
  return hit_span(scene, contender_of(scene, row).held, LaneKind::kHeld, row, scene.layout.row.held, time);
}

HoverText Held::describe(const ChartData& data, const Hit& hit, TrueTime at) const {
  const auto row = static_cast<std::size_t>(hit.row);
  const bool header = hit.on == RowKind::kMutex;
  const std::vector<LeaseSpan>& held = header ? data.mutexes()[row].held : data.contenders()[row].held;
  const auto mutex = header ? row : static_cast<std::size_t>(data.contenders()[row].mutex);
  const std::string name = mutex < data.mutexes().size() ? data.mutexes()[mutex].name : std::string();
  return describe_lease(data, held, hit.index, at, false, QStringLiteral("holds ") + QString::fromStdString(name));
}

std::vector<LegendMark> Held::legend() const {
  const auto hue = [](Canvas& c) { return c.colours().id.front(); };
  return {
      {LegendGroup::kIs, "held", "the store's truth: solid",
       [hue](Canvas& c, const QRect& at) { c.fill(at.x(), at.y(), at.width(), at.height(), hue(c).ink); }, "held, ttl"},
      {LegendGroup::kIs, "held, transition", "only the owner may still renew",
       [hue](Canvas& c, const QRect& at) {
         c.hatch(at.x(), at.y(), at.width(), at.height(), Tile::kTransitionHeld, hue(c).ink, hue(c).mid);
         c.frame(at.x(), at.y(), at.width(), at.height(), hue(c).ink);
       },
       "transition"},
      {LegendGroup::kIs, "renewed", "a gap of one pixel, never merged", [hue](Canvas& c, const QRect& at) {
         c.fill(at.x(), at.y(), at.width(), at.height(), hue(c).ink);
         c.fill(at.x() + at.width() / 2, at.y(), 1, at.height(), c.colours().chart);
       }}};
}

}  // namespace

std::unique_ptr<Lane> held_lane() { return std::make_unique<Held>(); }

}  // namespace leasescope
