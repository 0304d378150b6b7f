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
    write_lane_name(canvas, scene, row, scene.layout.row.held, QT_TRANSLATE_NOOP("Lane", "held"));
  }
  Hit hit(const Scene& scene, const RowBox& row, QPoint at) const override;
  std::optional<Band> place(const Scene& scene, const RowBox& row, const Hit& hit) const override {
    if (row.kind != hit.on || row.index != hit.row) return {};
    return row.kind == RowKind::kMutex ? measures().mutex_band : scene.layout.row.held;
  }
  HoverText describe(const ChartData& data, const Hit& hit, TrueTime at) const override;
  std::vector<LegendMark> legend() const override;

 private:
  // One that is in force, or would be as far as was seen last: where it stands in each list.
  struct Lease {
    int contender = kNoContender;
    std::size_t of_mutex = 0, of_contender = 0;
    std::vector<std::pair<std::uint16_t, std::size_t>> places;
  };
  template <class Do>
  static void each_copy(Folding& at, int mutex, const Lease& lease, Do&& change);
  template <class Stays>
  void close(Folding& at, int mutex, Moment end, SpanEnd ending, Stays&& stays);
  std::vector<std::uint16_t> free_slots(int mutex, std::size_t count);
  void divide(Folding& at, int mutex);
  void begin(Folding& at, const Event& event, bool renewal, const Lease* before);
  void see_again(Folding& at, int mutex);
  void on_unobserved(Folding& at, const Event& event);

  ByRow<std::vector<Lease>> in_force_;  // by mutex
};

std::size_t permits_of(const Event& event) {
  return event.kind == EventKind::kGranted && event.b > 0 ? static_cast<std::size_t>(event.b) : 1;
}

// Of those who read the upper half, next to what they believe.
LeaseBands bands_in(const Scene& scene, const RowBox& row) {
  const Band held = scene.layout.row.held;
  const int y = scene.y(row) + held.y;
  return {{y, held.height}, {y, held.height / 2}};
}

// ---- fold

// The store's own word: who holds there now. A lease that is told twice, as a double grant, ends for the first of them.
bool holds_still(const Folding& at, const Event& event, int contender) {
  const Standing::Mutex* const mutex = at.standing.mutex(event.mutex);
  return mutex != nullptr && std::any_of(mutex->holds.begin(), mutex->holds.end(), [&](const Standing::Hold& hold) {
           return at.contender(at.standing.contender(hold.contender).name) == contender;
         });
}

// A span in every list that has it.
template <class Do>
void Held::each_copy(Folding& at, int mutex, const Lease& lease, Do&& change) {
  MutexRow& row = at.mutex_row(mutex);
  row.held.amend(lease.of_mutex, change);
  if (lease.contender != kNoContender) at.contender_row(lease.contender).held.amend(lease.of_contender, change);
  for (const auto& [slot, index] : lease.places) row.places[slot].amend(index, change);
}

// The lowest places that are free.
std::vector<std::uint16_t> Held::free_slots(int mutex, std::size_t count) {
  std::vector<std::uint16_t> found;
  for (std::uint16_t slot = 0; found.size() < count; ++slot) {
    const bool taken = std::any_of(in_force_[mutex].begin(), in_force_[mutex].end(), [&](const Lease& lease) {
      return std::any_of(lease.places.begin(), lease.places.end(), [&](const auto& own) { return own.first == slot; });
    });
    if (!taken) found.push_back(slot);
  }
  return found;
}

// From the first time on that several may hold, or do, a mutex has places. Until then all was in the first.
void Held::divide(Folding& at, int mutex) {
  MutexRow& row = at.mutex_row(mutex);
  if (!row.places.empty()) return;
  row.places.emplace_back(row.held);
  for (Lease& lease : in_force_[mutex]) lease.places = {{std::uint16_t{0}, lease.of_mutex}};
}

void Held::begin(Folding& at, const Event& event, bool renewal, const Lease* before) {
  LeaseSpan span;
  span.start = moment_of(event);
  span.mutex = at.mutex(event.mutex);
  span.contender = at.contender(event.node);
  span.token = event.token;
  span.renewal = renewal;
  const bool endless = event.a <= 0 || event.a == kNoDeadline;
  span.lease_end = endless ? kOpenEnd : event.hi + Duration(event.a);
  const Standing::Contender* const holder = at.standing.contender(event.node);
  const bool by_session = holder != nullptr && holder->session != 0;
  const Duration transition = by_session ? Duration{} : std::min(at.facts().terms.transition, Duration(event.a));
  span.ttl_end = endless ? kOpenEnd : span.lease_end - transition;
  MutexRow& mutex = at.mutex_row(span.mutex);
  std::optional<LeaseSpan> last;
  if (before != nullptr) last = mutex.held[before->of_mutex];
  if (span.token == kNoToken && last) span.token = last->token;
  span.shared = event.kind == EventKind::kGranted ? static_cast<GrantKind>(event.detail) == GrantKind::kShared
                                                  : last && last->shared;
  mutex.readers = mutex.readers || span.shared;
  mutex.highest = std::max(mutex.highest, span.token);
  if (mutex.capacity > 1 || span.shared || !in_force_[span.mutex].empty()) divide(at, span.mutex);

  Lease lease{span.contender, mutex.held.size(), 0, {}};
  if (!mutex.places.empty()) {
    std::vector<std::uint16_t> places;
    if (before != nullptr)
      for (const auto& own : before->places) places.push_back(own.first);
    else
      places = free_slots(span.mutex, mutex.capacity > 1 ? std::max<std::size_t>(1, permits_of(event)) : 1);
    span.slot = places.front();
    for (const std::uint16_t slot : places) {
      if (mutex.places.size() <= slot) mutex.places.resize(slot + std::size_t{1});
      lease.places.emplace_back(slot, mutex.places[slot].size());
      mutex.places[slot].push_back(span);
    }
  }
  mutex.held.push_back(span);
  if (span.contender != kNoContender) {
    ContenderRow& row = at.contender_row(span.contender);
    row.mutex = span.mutex;
    at.wakes(span.contender);
    lease.of_contender = row.held.size();
    row.held.push_back(span);
  }
  in_force_[span.mutex].push_back(std::move(lease));
}

// So that only those are still in force that `stays` says of.
template <class Stays>
void Held::close(Folding& at, int mutex, Moment end, SpanEnd ending, Stays&& stays) {
  std::vector<Lease>& leases = in_force_[mutex];
  const auto over = std::stable_partition(leases.begin(), leases.end(), stays);
  for (auto lease = over; lease != leases.end(); ++lease)
    each_copy(at, mutex, *lease, [&](LeaseSpan& span) {
      if (!span.open()) return;
      span.end = end;
      span.ending = ending;
    });
  leases.erase(over, leases.end());
}

// The store tells again: what it says next ends the lease, or has kept it all the time.
void Held::see_again(Folding& at, int mutex) {
  for (const Lease& lease : in_force_[mutex])
    each_copy(at, mutex, lease, [](LeaseSpan& span) {
      if (span.ending != SpanEnd::kUnseen) return;
      span.end = {kOpenEnd, kOpenEnd};
      span.ending = SpanEnd::kOpen;
    });
}

// What the observer of the store does not see is nobody's until it is told.
void Held::on_unobserved(Folding& at, const Event& event) {
  if (at.contender(event.node) != kNoContender) return;
  each_told_of(at, event, [&](const MutexRow& row) {
    const int mutex = static_cast<int>(&row - at.rows().mutexes.data());
    if (event.kind == EventKind::kUnobservedEnded) return see_again(at, mutex);
    for (const Lease& lease : in_force_[mutex])
      each_copy(at, mutex, lease, [&](LeaseSpan& span) {
        if (!span.open()) return;
        span.end = moment_of(event);
        span.ending = SpanEnd::kUnseen;
      });
  });
}

void Held::fold(Folding& at, const Event& event) {
  if (event.kind == EventKind::kUnobservedBegan || event.kind == EventKind::kUnobservedEnded)
    return on_unobserved(at, event);
  const int mutex = at.mutex(event.mutex);
  const Change::Hold hold = at.change.hold;
  const bool granted = event.kind == EventKind::kGranted || hold == Change::Hold::kTakenUp;
  if (event.kind == EventKind::kRenewed && !granted && hold != Change::Hold::kRenewed) return;
  see_again(at, mutex);
  const int who = at.contender(event.node);
  std::vector<Lease>& leases = in_force_[mutex];
  if (granted) {
    close(at, mutex, moment_of(event), SpanEnd::kTakenOver,
          [&](const Lease& lease) { return lease.contender != who && holds_still(at, event, lease.contender); });
    return begin(at, event, false, nullptr);
  }
  // Its own; of one whom the store knows by another's id, the only one there is.
  const auto own = std::find_if(leases.begin(), leases.end(), [&](const Lease& each) { return each.contender == who; });
  const bool known = own != leases.end() || leases.size() == 1;
  const Lease lease = own != leases.end() ? *own : known ? leases.front() : Lease{};
  const auto others = [&](const Lease& each) { return !known || each.of_mutex != lease.of_mutex; };
  if (event.kind == EventKind::kRenewed) {
    // What a session holds lasts as the session does: a sign of life is no boundary in it.
    const Standing::Contender* const holder = at.standing.contender(event.node);
    if (known && holder != nullptr && holder->session != 0)
      return each_copy(at, mutex, lease, [&](LeaseSpan& span) {
        if (span.lease_end != kOpenEnd) span.ttl_end = span.lease_end = event.hi + Duration(event.a);
      });
    close(at, mutex, moment_of(event), SpanEnd::kRenewed, others);
    return begin(at, event, true, known ? &lease : nullptr);
  }
  // After a take-over the earlier owner's end says nothing about who holds now.
  if (hold != Change::Hold::kEnded) return;
  close(at, mutex, moment_of(event), event.kind == EventKind::kReleased ? SpanEnd::kReleased : SpanEnd::kExpired,
        others);
}

// ---- paint

void Held::paint(Canvas& canvas, const Scene& scene) const {
  each_row(scene, RowKind::kMutex, [&](const RowBox& row) {
    const MutexRow& mutex = scene.data.mutexes()[static_cast<std::size_t>(row.index)];
    const Band band = measures().mutex_band;
    if (mutex.places.empty() && !mutex.votes)
      paint_held_band(canvas, scene, mutex.held, {{scene.y(row) + band.y, band.height}});
  });
  each_row(scene, RowKind::kContender, [&](const RowBox& row) {
    paint_held_band(canvas, scene, contender_of(scene, row).held, bands_in(scene, row));
  });
}

constexpr int kRenewalMark = 7;  // px; where leases are no wider the marks would be one saw

void paint_renewal_marks(Canvas& canvas, const Scene& scene, const MutexRow& mutex, int band_end) {
  const TextStyle style{canvas.colours().muted, 10};
  const QString renewed = Lane::tr("renewed");
  const int width = canvas.width_of(renewed, style);
  const SpanTrack& held = mutex.held;
  const Duration least = scene.time_of(kRenewalMark);
  for (std::size_t i = held.next_apart(held.first_starting_at(scene.viewport.from), least);
       i < held.size() && held.start(i) < scene.viewport.to(); i = held.next_apart(i + 1, least)) {
    if (!held.renewal(i)) continue;
    const LeaseSpan span = held[i];
    const int x = scene.x(span.start.hi);
    const double y = band_end + 1;
    canvas.polygon({{x + 0.5, y}, {x + 4.0, y + 4}, {x - 3.0, y + 4}}, identity(canvas, scene, span.contender).ink,
                   true);
    const bool next_far = i + 1 >= held.size() || scene.x(held.start(i + 1)) > x + width + 18;
    if (next_far && x + width + 10 < scene.right() && canvas.places().claim({x + 7, band_end, width, 12}))
      canvas.text(x + 7, band_end + 9, renewed, style);
  }
}

constexpr int kRoomForReleased = 57;  // px to the next lease

void write_released(Canvas& canvas, const Scene& scene, const RowBox& row, const ContenderRow& contender) {
  const Band held = scene.layout.row.held;
  const TextStyle style{canvas.colours().muted, 10};
  const QString released = Lane::tr("released");
  const SpanTrack& spans = contender.held;
  const auto say = [&](const LeaseSpan& span) {
    if (span.ending != SpanEnd::kReleased || !scene.shows(span.end.hi)) return;
    const int x = scene.x(span.end.hi) + 7, base = scene.y(row) + held.y + held.height / 2 + 4;
    if (x + 44 < scene.right() && canvas.places().claim({x, base - 10, 44, 12})) canvas.text(x, base, released, style);
  };
  // Where the next begins far enough from its end, and after the last.
  const Duration least = scene.time_of(kRoomForReleased);
  std::size_t i = spans.first_ending_after(scene.viewport.from);
  if (i >= spans.size()) return;
  for (i = spans.next_apart(i + 1, least); i < spans.size() && spans.end_of(i - 1) < scene.viewport.to();
       i = spans.next_apart(i + 1, least))
    if (scene.x(spans.start(i)) > scene.x(spans.end_of(i - 1)) + kRoomForReleased) say(spans[i - 1]);
  if (i == spans.size()) say(spans.back());
}

void Held::write(Canvas& canvas, const Scene& scene) const {
  each_row(scene, RowKind::kMutex, [&](const RowBox& row) {
    const Band band{scene.y(row) + measures().mutex_band.y, measures().mutex_band.height};
    const MutexRow& mutex = scene.data.mutexes()[static_cast<std::size_t>(row.index)];
    if (!mutex.places.empty() || mutex.votes) return;
    paint_lease_labels(canvas, scene, mutex.held, band, {}, false);
    paint_renewal_marks(canvas, scene, mutex, band.y + band.height);
  });
  const QString says = tr("held"), writes = tr("writes");
  each_row(scene, RowKind::kContender, [&](const RowBox& row) {
    const ContenderRow& contender = contender_of(scene, row);
    const Band held = scene.layout.row.held;
    const auto mutex = static_cast<std::size_t>(contender.mutex);
    const bool readers = mutex < scene.data.mutexes().size() && scene.data.mutexes()[mutex].readers &&
                         scene.data.mutexes()[mutex].announced;
    paint_lease_labels(canvas, scene, contender.held, {scene.y(row) + held.y, held.height}, readers ? writes : says,
                       false);
    write_released(canvas, scene, row, contender);
  });
}

// ---- hit, describe, legend

Hit Held::hit(const Scene& scene, const RowBox& row, QPoint at) const {
  const TrueTime time = scene.viewport.time(at.x() - scene.left());
  if (row.kind == RowKind::kMutex) {
    const MutexRow& mutex = scene.data.mutexes()[static_cast<std::size_t>(row.index)];
    if (!mutex.places.empty()) return {};
    return hit_span(scene, mutex.held, LaneKind::kHeld, row, measures().mutex_band, time);
  }
  if (row.kind != RowKind::kContender || !inside(scene.layout.row.held, at.y() - scene.y(row))) return {};
  return hit_span(scene, contender_of(scene, row).held, LaneKind::kHeld, row, scene.layout.row.held, time);
}

HoverText Held::describe(const ChartData& data, const Hit& hit, TrueTime at) const {
  const auto row = static_cast<std::size_t>(hit.row);
  const bool header = hit.on == RowKind::kMutex;
  const SpanTrack& held = header ? data.mutexes()[row].held : data.contenders()[row].held;
  const auto mutex = header ? row : static_cast<std::size_t>(data.contenders()[row].mutex);
  const std::string name = mutex < data.mutexes().size() ? data.mutexes()[mutex].name : std::string();
  return describe_lease(data, held, hit.index, at, false, tr("holds %1").arg(QString::fromStdString(name)));
}

std::vector<LegendMark> Held::legend() const {
  const auto hue = [](Canvas& c) { return c.colours().id.front(); };
  return {{LegendGroup::kIs, tr("held"), tr("the store's truth: solid"),
           [hue](Canvas& c, const QRect& at) { c.fill(at.x(), at.y(), at.width(), at.height(), hue(c).ink); },
           tr("held, ttl")},
          {LegendGroup::kIs, tr("held, transition"), tr("only the owner may still renew"),
           [hue](Canvas& c, const QRect& at) {
             c.hatch(at.x(), at.y(), at.width(), at.height(), Tile::kTransitionHeld, hue(c).ink, hue(c).mid);
             c.frame(at.x(), at.y(), at.width(), at.height(), hue(c).ink);
           },
           tr("transition")},
          {LegendGroup::kIs, tr("renewed"), tr("a gap of one pixel, never merged"), [hue](Canvas& c, const QRect& at) {
             c.fill(at.x(), at.y(), at.width(), at.height(), hue(c).ink);
             c.fill(at.x() + at.width() / 2, at.y(), 1, at.height(), c.colours().chart);
           }}};
}

}  // namespace

std::unique_ptr<Lane> held_lane() { return std::make_unique<Held>(); }

}  // namespace leasescope
