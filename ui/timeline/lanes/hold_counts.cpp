// How often who holds has entered: a bracket inside its bars for every hold beyond the first.
#include "ui/models/words.h"
#include "ui/timeline/lanes/in_view.h"
#include "ui/timeline/paint/marks.h"

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
  std::vector<LegendMark> legend() const override;

 private:
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
    const int brackets = static_cast<int>(std::min<std::int64_t>(kMostBrackets, count.holds - 1));
    for (int i = 0; i < brackets; ++i) {
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
