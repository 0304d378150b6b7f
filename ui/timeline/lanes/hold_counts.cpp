// How often who holds has entered: a bracket inside its bars for every hold beyond the first.
#include "ui/models/words.h"
#include "ui/timeline/lanes/lane.h"
#include "ui/timeline/paint/marks.h"

namespace leasescope {
namespace {

struct Count {
  TrueTime from{}, to = kOpenEnd;
  std::int64_t holds = 0;
  int mutex = 0;
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
      if (event.b > 1) counts_[who].push_back({event.hi, kOpenEnd, event.b, at.mutex(event.mutex)});
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
  void end(int who, TrueTime at) {
    if (!counts_[who].empty() && counts_[who].back().to == kOpenEnd) counts_[who].back().to = at;
  }
  // Calls with each count, the band it lies in, its hue and whether that is what the store held.
  template <class Do>
  void each_in_view(Canvas& canvas, const Scene& scene, Do&& action) const;

  ByRow<std::vector<Count>> counts_;
};

template <class Do>
void HoldCounts::each_in_view(Canvas& canvas, const Scene& scene, Do&& action) const {
  for (const RowBox& row : scene.layout.rows) {
    if (!scene.visible(row)) continue;
    const int y = scene.y(row);
    if (row.kind == RowKind::kMutex && scene.data.mutexes()[static_cast<std::size_t>(row.index)].places.empty()) {
      const Band band{y + measures().mutex_band.y, measures().mutex_band.height};
      for (int who = 0; who < static_cast<int>(scene.data.contenders().size()); ++who)
        if (const std::vector<Count>* const counts = counts_.find(who))
          for (const Count& count : *counts)
            if (count.mutex == row.index && scene.shows(count.from, scene.until(count.to)))
              action(count, scene.until(count.to), band, identity(canvas, scene, who), true);
    }
    if (row.kind != RowKind::kContender) continue;
    const std::vector<Count>* const counts = counts_.find(row.index);
    if (counts == nullptr) continue;
    const RowMeasures& m = scene.layout.row;
    for (const Count& count : *counts) {
      const TrueTime to = scene.until(count.to);
      if (!scene.shows(count.from, to)) continue;
      const IdentityColours& id = identity(canvas, scene, row.index);
      action(count, to, Band{y + m.held.y, m.held.height}, id, true);
      // It believes as often, as far as it believes at all.
      const std::optional<LeaseSpan> belief = span_at(contender_of(scene, row).believed, count.from);
      if (belief) action(count, to, Band{y + m.believed.y, m.believed.height}, id, false);
    }
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
  return {
      {LegendGroup::kIs, "entered more than once", "a bracket for each further hold", [](Canvas& c, const QRect& at) {
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
