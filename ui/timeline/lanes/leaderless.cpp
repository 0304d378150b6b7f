// Time in which nobody held a mutex: an open bracket under it, with its length.
#include "ui/models/words.h"
#include "ui/timeline/lanes/pointing.h"
#include "ui/timeline/paint/glyphs.h"
#include "ui/timeline/paint/marks.h"
#include "ui/timeline/paint/strip.h"

namespace leasescope {
namespace {

bool is_open(const std::vector<GapSpan>& gaps) { return !gaps.empty() && gaps.back().end.hi == kOpenEnd; }

void put_last(MutexRow& mutex) {
  const GapSpan& last = mutex.gaps.back();
  mutex.gaps_in_time.put(static_cast<std::uint32_t>(mutex.gaps.size() - 1), last.begin.hi, last.end.hi);
}

void end_gap(MutexRow& mutex, const Event& event) {
  if (!is_open(mutex.gaps)) return;
  mutex.gaps.back().end = moment_of(event);
  put_last(mutex);
}

void begin_gap(MutexRow& mutex, const Event& event) {
  if (is_open(mutex.gaps)) return;
  mutex.gaps.push_back({moment_of(event), {kOpenEnd, kOpenEnd}});
  put_last(mutex);
}

constexpr int kUnderBar = 4;  // px
constexpr std::size_t kCrowd = 200;
constexpr int kLeastLabel = 60;  // px
constexpr int kLeastApart = 4;   // px; between labels of gaps nearer to each other there is no room

// Of a mutex for several, or for readers beside each other, that nobody holds it is nothing to look at.
bool has_gaps(const MutexRow& mutex) { return mutex.capacity <= 1 && !mutex.readers; }

// As far as it is known.
TrueTime end_of(const ChartData& data, const GapSpan& gap) { return gap.end.hi == kOpenEnd ? data.now() : gap.end.lo; }

// Each has room for a few pixels.
bool crowded(const Scene& scene, const MutexRow& mutex) {
  return mutex.gaps_in_time.begun(scene.viewport.from, scene.viewport.to() - Duration(1)) > kCrowd;
}

// Calls with each in view, its end as far as it is known, and whether it lasts. Of a crowd those that begin within
// `step` pixels of another and are over by then are passed over.
template <class Do>
void each_gap(const Scene& scene, const RowBox& row, int step, Do&& action) {
  const MutexRow& mutex = scene.data.mutexes()[static_cast<std::size_t>(row.index)];
  if (!has_gaps(mutex)) return;
  const TrueTime last = scene.viewport.to() - Duration(1);
  const bool crowd = crowded(scene, mutex);
  mutex.gaps_in_time.each(scene.viewport.from, last, [&](std::uint32_t i) {
    const GapSpan& gap = mutex.gaps[i];
    const bool open = gap.end.hi == kOpenEnd;
    const TrueTime end = end_of(scene.data, gap);
    if (scene.shows(gap.begin.hi, end) && end > gap.begin.hi) action(gap, end, open);
    return crowd ? scene.first_of(scene.x(gap.begin.hi) + step) - Duration(1) : gap.begin.hi;
  });
}

// Likewise with those that have something to be written, some `step` pixels apart. Of a crowd only those that are as
// wide as they are drawn, and the one that lasts: of the others nobody could tell which one a label is of.
template <class Do>
void each_told(const Scene& scene, const RowBox& row, int step, Do&& action) {
  const MutexRow& mutex = scene.data.mutexes()[static_cast<std::size_t>(row.index)];
  if (!crowded(scene, mutex)) return each_gap(scene, row, step, action);
  if (!has_gaps(mutex)) return;
  mutex.gaps_in_time.each_long(scene.viewport.from, scene.viewport.to() - Duration(1),
                               scene.time_of(measures().gap_min_width), [&](std::uint32_t i) {
                                 const GapSpan& gap = mutex.gaps[i];
                                 action(gap, end_of(scene.data, gap), gap.end.hi == kOpenEnd);
                               });
}

// Of whom nobody saw but the store it is not known whether anybody waits.
QString word_of(const ChartData& data) {
  return data.facts().legend.contenders.empty() ? Lane::tr("free") : Lane::tr("leaderless");
}

// Within its bounds.
QString length_of(const GapSpan& gap, TrueTime end, bool open) {
  QString least = spanText(end - gap.begin.hi);
  if (open || (gap.begin.exact() && gap.end.exact())) return least;
  return least + QStringLiteral(" … ") + spanText(gap.end.hi - gap.begin.lo);
}

bool told_in_rail(Canvas& canvas, const Scene& scene, int mutex, const GapSpan& gap) {
  std::optional<std::size_t> told;
  const IntervalTrack& track = scene.data.incidents_in_time().of_mutex(IncidentKind::kLeaderless, mutex);
  track.each(gap.begin.lo + Duration(1), scene.until(gap.end.hi) - Duration(1), [&](std::uint32_t i) {
    if (!told) told = i;
    return kOpenEnd;
  });
  return told && rail_says(canvas, scene, *told);
}

class Leaderless : public Lane {
 public:
  std::vector<EventKind> hears() const override {
    return {EventKind::kGranted, EventKind::kRenewed,         EventKind::kReleased,
            EventKind::kExpired, EventKind::kUnobservedBegan, EventKind::kUnobservedEnded};
  }
  void fold(Folding& at, const Event& event) override {
    switch (event.kind) {
      case EventKind::kUnobservedBegan:
      case EventKind::kUnobservedEnded:
        if (at.contender(event.node) == kNoContender) on_unobserved(at, event);
        return;
      case EventKind::kGranted:
        return end_gap(at.mutex_row(at.mutex(event.mutex)), event);
      case EventKind::kRenewed:
        if (at.change.hold == Change::Hold::kTakenUp) end_gap(at.mutex_row(at.mutex(event.mutex)), event);
        return;
      default:
        break;
    }
    // After a take-over the earlier owner's end says nothing about who holds now.
    const Standing::Mutex* const mutex = at.standing.mutex(event.mutex);
    if (at.change.hold != Change::Hold::kEnded || mutex->unobserved || !mutex->free()) return;
    begin_gap(at.mutex_row(at.mutex(event.mutex)), event);
  }

  void paint(Canvas& canvas, const Scene& scene) const override;
  Says says() const override { return Says::kGaps; }
  void write(Canvas& canvas, const Scene& scene) const override;
  std::vector<LegendMark> legend() const override {
    return {{LegendGroup::kIs, tr("leaderless"), tr("nobody has it"), [](Canvas& canvas, const QRect& at) {
               paint_glyph(canvas, IncidentKind::kLeaderless, at, GlyphSize::kLarge, Qt::transparent);
             }}};
  }
  Hit hit(const Scene& scene, const RowBox& row, QPoint at) const override;
  std::optional<Band> place(const Scene& /*scene*/, const RowBox& row, const Hit& hit) const override {
    if (row.kind != hit.on || row.index != hit.row) return {};
    return measures().mutex_band;
  }
  HoverText describe(const ChartData& data, const Hit& hit, TrueTime at) const override;

 private:
  // Until the store is seen again there is neither an owner nor a gap.
  static void on_unobserved(Folding& at, const Event& event) {
    each_told_of(at, event, [&](MutexRow& mutex) {
      if (event.kind == EventKind::kUnobservedBegan)
        end_gap(mutex, event);
      else if (!mutex.held.empty() && !mutex.held.back().open())
        begin_gap(mutex, event);
    });
  }
};

// At least three pixels wide.
void Leaderless::paint(Canvas& canvas, const Scene& scene) const {
  const Colours& c = canvas.colours();
  const Band band = measures().mutex_band;
  Strip ground(scene), posts(scene), line(scene);
  each_row(scene, RowKind::kMutex, [&](const RowBox& row) {
    // Under a quorum's bar, which goes on in pieces; else in the place of the band.
    const int down = scene.data.mutexes()[static_cast<std::size_t>(row.index)].votes ? kUnderBar : 0;
    each_gap(scene, row, 1, [&](const GapSpan& gap, TrueTime end, bool open) {
      const int from = scene.clipped_x(gap.begin.hi);
      const int to = std::max(scene.clipped_x(end), from + measures().gap_min_width);
      if (down == 0) ground.fill(from, to, c.chart);
      line.fill(from, to, c.gap_line);
      posts.fill(from, from + 1, c.gap_line);
      if (!open) posts.fill(to - 1, to, c.gap_line);
    });
    const int y = scene.y(row) + band.y, base = y + band.height + down;
    ground.put(canvas, y, band.height);
    posts.put(canvas, base - 5, 5);
    line.put(canvas, base - 1, 1);
  });
}

// Above the gap, before its end or behind its begin; what the rail says already is not said twice.
void Leaderless::write(Canvas& canvas, const Scene& scene) const {
  const TextStyle style{canvas.colours().text, 10, 500};
  const QString word = word_of(scene.data);
  each_row(scene, RowKind::kMutex, [&](const RowBox& row) {
    const int base = scene.y(row) + measures().mutex_band.y - 3;
    PixelRange written;  // the last label
    each_told(scene, row, kLeastApart, [&](const GapSpan& gap, TrueTime end, bool open) {
      const int from = scene.clipped_x(gap.begin.hi), to = scene.clipped_x(end);
      if (to - 4 > written.from && to + 5 < written.to) return;
      const auto blocked = [&](int x) { return canvas.places().blocked({x, base - 10, kLeastLabel, 12}).has_value(); };
      if (blocked(to - 4 - kLeastLabel) && blocked(from + 4) && blocked(to + 5)) return;
      if (told_in_rail(canvas, scene, row.index, gap)) return;
      const QString label = word + u' ' + length_of(gap, end, open);
      const int width = canvas.width_of(label, style);
      for (const int x : {to - 4 - width, from + 4, to + 5}) {
        if (x < scene.left() + 2 || x + width > scene.right()) continue;
        if (!canvas.places().claim({x, base - 10, width, 12})) continue;
        canvas.text(x, base, label, style);
        written = {x, x + width};
        break;
      }
    });
  });
}

// ---- hit, describe

// As wide as it is drawn: a narrow one over the begin of what comes next.
Hit Leaderless::hit(const Scene& scene, const RowBox& row, QPoint at) const {
  const Band band = measures().mutex_band;
  if (row.kind != RowKind::kMutex || !inside({band.y, band.height + kUnderBar}, at.y() - scene.y(row))) return {};
  const MutexRow& mutex = scene.data.mutexes()[static_cast<std::size_t>(row.index)];
  if (!has_gaps(mutex)) return {};
  Hit found;
  const int least = measures().gap_min_width;
  mutex.gaps_in_time.each(
      scene.first_of(at.x() - least + 1), scene.first_of(at.x() + 1) - Duration(1), [&](std::uint32_t i) {
        const GapSpan& gap = mutex.gaps[i];
        const TrueTime end = end_of(scene.data, gap);
        const int from = scene.x(gap.begin.hi), to = std::max(scene.x(end), from + least);
        if (end > gap.begin.hi && at.x() >= from && at.x() < to)
          found = {
              LaneKind::kLeaderless, row.kind, row.index, i, QRect(from, scene.y(row) + band.y, to - from, band.height),
              gap.begin.hi,          end};
        // Of those in one pixel the first: it is the one that is drawn.
        return scene.first_of(from + 1) - Duration(1);
      });
  return found;
}

HoverText Leaderless::describe(const ChartData& data, const Hit& hit, TrueTime /*at*/) const {
  const MutexRow& mutex = data.mutexes()[static_cast<std::size_t>(hit.row)];
  const GapSpan& gap = mutex.gaps[hit.index];
  const bool open = gap.end.hi == kOpenEnd;
  const TrueTime end = end_of(data, gap);
  HoverText text;
  text.title = tr("nobody holds %1").arg(QString::fromStdString(mutex.name));
  text.right = word_of(data);
  text.lines.emplace_back(tr("from – to"),
                          data.axis().stretchText(gap.begin.hi, end) + (open ? QStringLiteral(" …") : QString()));
  text.lines.emplace_back(tr("for"), length_of(gap, end, open));
  return text;
}

}  // namespace

std::unique_ptr<Lane> leaderless_lane() { return std::make_unique<Leaderless>(); }

}  // namespace leasescope
