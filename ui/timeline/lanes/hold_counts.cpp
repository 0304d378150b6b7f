// How often who holds has entered: a bracket inside its bars for every hold beyond the first.
#include "ui/models/words.h"
#include "ui/timeline/lanes/in_view.h"
#include "ui/timeline/lanes/pointing.h"

namespace leasescope {
namespace {

struct Count {
  TrueTime from{}, to = kOpenEnd;
  std::int64_t holds = 0;
  int mutex = 0;
};
// Of a contender: they follow each other.
class Counts {
 public:
  const std::vector<Count>& list() const { return list_; }
  void add(const Count& count) {
    list_.push_back(count);
    measure();
  }
  void end(TrueTime at) {
    if (list_.empty() || list_.back().to != kOpenEnd) return;
    list_.back().to = at;
    measure();
  }
  // The first at or after `i` that lasts longer than so long.
  std::size_t first_longer(std::size_t i, Duration least) const {
    return lengths_.first_above(i, least.count(), length());
  }

 private:
  struct Length {
    const std::vector<Count>& list;
    std::int64_t operator()(std::size_t i) const { return (list[i].to - list[i].from).count(); }
  };
  Length length() const { return {list_}; }
  void measure() { lengths_.update(list_.size() - 1, length()); }

  std::vector<Count> list_;
  Peaks<std::int64_t> lengths_;
};

constexpr int kLine = 2;                   // px of a bracket
constexpr int kAboveBottom = 5;            // the lowest of them
constexpr int kHigher = 4, kNarrower = 3;  // each further one
constexpr int kFromEnds = 2;
constexpr int kMostBrackets = 3;
constexpr int kLeastForText = 30, kLeastForArms = 14, kLeast = 3;

int brackets_of(const Count& count) { return static_cast<int>(std::min<std::int64_t>(kMostBrackets, count.holds - 1)); }

class HoldCounts : public Lane {
 public:
  std::vector<EventKind> hears() const override {
    return {EventKind::kReentered, EventKind::kGranted, EventKind::kReleased, EventKind::kExpired};
  }
  void fold(Folding& at, const Event& event) override {
    if (event.kind == EventKind::kReentered) {
      const int who = at.contender(event.node);
      if (who == kNoContender) return;
      end(who, event.hi);
      if (event.b > 1) counts_[who].add({event.hi, kOpenEnd, event.b, at.mutex(event.mutex)});
      return;
    }
    // Who holds no more holds no count either.
    const Standing::Mutex* const mutex = at.standing.mutex(event.mutex);
    if (mutex == nullptr) return;
    if (const int who = at.contender(event.node); who != kNoContender) end(who, event.hi);
    for (const std::uint32_t place : at.standing.displaced())
      if (const int who = at.contender(at.standing.contender(place).name); who != kNoContender) end(who, event.hi);
  }

  void paint(Canvas& canvas, const Scene& scene) const override;
  Says says() const override { return Says::kHolds; }
  void write(Canvas& canvas, const Scene& scene) const override;
  Hit hit(const Scene& scene, const RowBox& row, QPoint at) const override;
  std::optional<Band> place(const Scene& scene, const RowBox& row, const Hit& hit) const override;
  HoverText describe(const ChartData& data, const Hit& hit, TrueTime at) const override;
  std::vector<LegendMark> legend() const override;

 private:
  // What a contender's row shows it in, and the mutex's header: the line of a hit.
  enum Where : int { kInHeld, kInBelieved, kInHeader };
  // The place of a contender's that lies there; none: -1.
  int count_at(int who, TrueTime at) const;
  Hit hit_of(const Scene& scene, const RowBox& row, Band bars, int who, Where where, QPoint at) const;
  void end(int who, TrueTime at) { counts_[who].end(at); }
  // Calls with each of a contender's that is wide enough to be drawn, and its end.
  template <class Do>
  void each_wide(const Scene& scene, int who, Do&& action) const;
  // Calls with each count, the band it lies in, its hue and whether that is what the store held.
  template <class Do>
  void each_in_view(Canvas& canvas, const Scene& scene, Do&& action) const;

  ByRow<Counts> counts_;
};

template <class Do>
void HoldCounts::each_wide(const Scene& scene, int who, Do&& action) const {
  const Counts* const counts = counts_.find(who);
  if (counts == nullptr) return;
  const std::vector<Count>& list = counts->list();
  const Duration least = scene.time_of(kLeast - 1);
  for (std::size_t i = counts->first_longer(first_lasting(list, scene.viewport.from), least);
       i < list.size() && list[i].from < scene.viewport.to(); i = counts->first_longer(i + 1, least))
    if (const TrueTime to = scene.until(list[i].to); scene.shows(list[i].from, to)) action(list[i], to);
}

template <class Do>
void HoldCounts::each_in_view(Canvas& canvas, const Scene& scene, Do&& action) const {
  for (const RowBox& row : scene.layout.rows) {
    if (!scene.visible(row)) continue;
    const int y = scene.y(row);
    if (row.kind == RowKind::kMutex && scene.data.mutexes()[static_cast<std::size_t>(row.index)].places.empty()) {
      const Band band{y + measures().mutex_band.y, measures().mutex_band.height};
      for (int who = 0; who < static_cast<int>(scene.data.contenders().size()); ++who)
        each_wide(scene, who, [&](const Count& count, TrueTime to) {
          if (count.mutex == row.index) action(count, to, band, identity(canvas, scene, who), true);
        });
    }
    if (row.kind != RowKind::kContender) continue;
    const RowMeasures& m = scene.layout.row;
    each_wide(scene, row.index, [&](const Count& count, TrueTime to) {
      const IdentityColours& id = identity(canvas, scene, row.index);
      action(count, to, Band{y + m.held.y, m.held.height}, id, true);
      // It believes as often, as far as it believes at all.
      const std::optional<LeaseSpan> belief = span_at(contender_of(scene, row).believed, count.from);
      if (belief) action(count, to, Band{y + m.believed.y, m.believed.height}, id, false);
    });
  }
}

void HoldCounts::paint(Canvas& canvas, const Scene& scene) const {
  each_in_view(canvas, scene, [&](const Count& count, TrueTime to, Band band, const IdentityColours& id, bool held) {
    const int from = scene.clipped_x(count.from), end = scene.clipped_x(to), width = end - from;
    if (width < kLeast) return;
    const QColor& colour = held ? id.on : id.ink;
    for (int i = 0; i < brackets_of(count); ++i) {
      const int y = band.y + band.height - kAboveBottom - kHigher * i;
      const int left = from + kFromEnds + kNarrower * i, right = end - kFromEnds - kNarrower * i;
      if (y - kHigher < band.y || right - left < 1) break;
      canvas.fill(left, y, right - left, kLine, colour);
      if (width < kLeastForArms) continue;
      for (const int x : {left, right - kLine}) canvas.fill(x, y - kHigher, kLine, kHigher, colour);
    }
  });
}

// The bar's own label stands beside it.
void HoldCounts::write(Canvas& canvas, const Scene& scene) const {
  each_in_view(canvas, scene, [&](const Count& count, TrueTime to, Band band, const IdentityColours& id, bool held) {
    const int from = scene.clipped_x(count.from), end = scene.clipped_x(to);
    if (end - from < kLeast) return;
    const QString text = QStringLiteral("×%1").arg(count.holds);
    const TextStyle style{held ? id.on : canvas.colours().text, 11, 600};
    const int width = canvas.width_of(text, style);
    const bool room = end - from >= std::max(kLeastForText, width + 12) && band.height >= 16;
    if (room && !canvas.places().blocked({from + 8, band.y, width, band.height}))
      canvas.text(from + 8, band.y + band.height / 2 + 2, text, style);
    canvas.places().reserve({from, band.y, end - from, band.height});
  });
}

// ---- hit, describe, legend

// From the highest bracket down: above it the bar itself is meant.
Band foot_of(Band bars, const Count& count) {
  const int height = std::min(bars.height, kAboveBottom + kHigher * brackets_of(count));
  return {bars.y + bars.height - height, height};
}

int HoldCounts::count_at(int who, TrueTime at) const {
  const Counts* const counts = counts_.find(who);
  if (counts == nullptr) return -1;
  const std::size_t i = first_lasting(counts->list(), at);
  return i < counts->list().size() && counts->list()[i].from <= at ? static_cast<int>(i) : -1;
}

Hit HoldCounts::hit_of(const Scene& scene, const RowBox& row, Band bars, int who, Where where, QPoint at) const {
  const TrueTime time = scene.first_of(at.x());
  const int i = inside(bars, at.y() - scene.y(row)) ? count_at(who, time) : -1;
  if (i < 0) return {};
  const Count& count = counts_.find(who)->list()[static_cast<std::size_t>(i)];
  const TrueTime to = scene.until(count.to);
  const Band foot = foot_of(bars, count);
  if (time >= to || !inside(foot, at.y() - scene.y(row))) return {};
  if (where == kInHeader && count.mutex != row.index) return {};
  if (where == kInBelieved && !span_at(contender_of(scene, row).believed, count.from)) return {};
  const QRect bar(scene.x(count.from), scene.y(row) + foot.y, std::max(1, scene.x(to) - scene.x(count.from)),
                  foot.height);
  return {
      LaneKind::kHoldCounts, RowKind::kContender, who, static_cast<std::size_t>(i), bar, count.from, to, false, where};
}

// Of a bar that is too narrow for a bracket it is said, too.
Hit HoldCounts::hit(const Scene& scene, const RowBox& row, QPoint at) const {
  const RowMeasures& m = scene.layout.row;
  if (row.kind == RowKind::kContender) {
    const Hit held = hit_of(scene, row, m.held, row.index, kInHeld, at);
    return held ? held : hit_of(scene, row, m.believed, row.index, kInBelieved, at);
  }
  if (row.kind != RowKind::kMutex) return {};
  const MutexRow& mutex = scene.data.mutexes()[static_cast<std::size_t>(row.index)];
  // One holds it: whoever that is.
  const std::optional<LeaseSpan> held =
      mutex.places.empty() ? span_at(mutex.held, scene.first_of(at.x())) : std::nullopt;
  return held ? hit_of(scene, row, measures().mutex_band, held->contender, kInHeader, at) : Hit{};
}

std::optional<Band> HoldCounts::place(const Scene& scene, const RowBox& row, const Hit& hit) const {
  const Count& count = counts_.find(hit.row)->list()[hit.index];
  const bool header = hit.line == kInHeader;
  if (row.kind != (header ? RowKind::kMutex : RowKind::kContender)) return {};
  if (row.index != (header ? count.mutex : hit.row)) return {};
  const RowMeasures& m = scene.layout.row;
  return foot_of(header ? measures().mutex_band : hit.line == kInHeld ? m.held : m.believed, count);
}

HoverText HoldCounts::describe(const ChartData& data, const Hit& hit, TrueTime /*at*/) const {
  const Count& count = counts_.find(hit.row)->list()[hit.index];
  HoverText text;
  text.contender = hit.row;
  const std::string& name = data.mutexes()[static_cast<std::size_t>(count.mutex)].name;
  text.title = tr("entered %1 more than once").arg(QString::fromStdString(name));
  text.right = QStringLiteral("×%1").arg(count.holds);
  text.lines.emplace_back(tr("from – to"), data.axis().stretchText(count.from, hit.to));
  return text;
}

std::vector<LegendMark> HoldCounts::legend() const {
  return {{LegendGroup::kIs, tr("entered more than once"), tr("a bracket for each further hold"),
           [](Canvas& c, const QRect& at) {
             const IdentityColours& id = c.colours().id.front();
             c.fill(at.x(), at.y(), at.width(), at.height(), id.ink);
             const int y = at.y() + at.height() - kAboveBottom;
             c.fill(at.x() + kFromEnds, y, at.width() - 2 * kFromEnds, kLine, id.on);
             for (const int x : {at.x() + kFromEnds, at.x() + at.width() - kFromEnds - kLine})
               c.fill(x, y - kHigher, kLine, kHigher, id.on);
           }}};
}

}  // namespace

std::unique_ptr<Lane> hold_counts_lane() { return std::make_unique<HoldCounts>(); }

}  // namespace leasescope
