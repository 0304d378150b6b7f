// Of a mutex for several, how many believe they hold it; what is over its limit is tape.
#include "ui/models/words.h"
#include "ui/timeline/lanes/lane.h"
#include "ui/timeline/paint/tape.h"

namespace leasescope {
namespace {

constexpr int kMostHigh = 28;  // px above the axis

struct Step {
  TrueTime at{};
  int believers = 0;
};

class InUse : public Lane {
 public:
  std::vector<EventKind> hears() const override { return {EventKind::kBelieved, EventKind::kDisbelieved}; }
  void fold(Folding& at, const Event& event) override {
    if (at.change.belief == Change::Belief::kSame || at.change.mutex == Standing::kNone) return;
    const Standing::Mutex& mutex = at.standing.mutex(at.change.mutex);
    if (mutex.capacity < 2) return;
    steps_[at.mutex(mutex.name)].push_back({event.hi, static_cast<int>(mutex.believers.size())});
  }

  std::vector<OwnRow> rows(const ChartData& data, const ChartLayout& layout, RowSpot spot, int mutex) const override {
    if (spot != RowSpot::kAfterContenders || data.mutexes()[static_cast<std::size_t>(mutex)].capacity < 2) return {};
    return {{mutex, measures().in_use_height, !layout.rows.back().alternate}};
  }
  void paint(Canvas& canvas, const Scene& scene) const override;
  void head(Canvas& canvas, const Scene& scene, const RowBox& row) const override;
  std::vector<LegendMark> legend() const override {
    return {{LegendGroup::kIs, "in use", "how many believe; over the limit it is tape", [](Canvas& c, const QRect& at) {
               c.fill(at.x(), at.y() + 9, at.width(), 7, c.colours().grid_strong);
               c.fill(at.x() + 20, at.y() + 2, 20, 14, c.colours().grid_strong);
               c.hdash(at.y() + 2, at.x(), at.x() + at.width(), c.colours().text, 1, 3);
             }}};
  }

 private:
  static int capacity_of(const Scene& scene, const RowBox& row) {
    return static_cast<int>(scene.data.mutexes()[static_cast<std::size_t>(row.index)].capacity);
  }
  // Pixels of so many, one of them at most as high as the row says.
  static int high(int capacity, int believers) {
    const int unit = measures().in_use_unit;
    return (capacity + 1) * unit <= kMostHigh ? believers * unit : believers * (kMostHigh - unit) / capacity;
  }

  ByRow<std::vector<Step>> steps_;  // by mutex
};

void InUse::paint(Canvas& canvas, const Scene& scene) const {
  const Colours& c = canvas.colours();
  each_own_row(scene, LaneKind::kInUse, [&](const RowBox& row) {
    const int capacity = capacity_of(scene, row), axis = scene.y(row) + measures().in_use_axis;
    if (const std::vector<Step>* const steps = steps_.find(row.index))
      for (std::size_t i = 0; i < steps->size(); ++i) {
        const Step& step = (*steps)[i];
        const TrueTime to = i + 1 < steps->size() ? (*steps)[i + 1].at : scene.data.now();
        if (step.believers == 0 || !scene.shows(step.at, to)) continue;
        const int from = scene.clipped_x(step.at), end = scene.clipped_x(to);
        const int top = high(capacity, std::min(step.believers, capacity));
        canvas.fill(from, axis - top, end - from, top, c.grid_strong);
        canvas.fill(from, axis - top, end - from, 1, c.line_strong);
        if (step.believers <= capacity) continue;
        const int over = high(capacity, step.believers) - top;
        paint_tape(canvas, {from, std::max(end, from + measures().incident_min_width)}, axis - top - over, over,
                   IncidentKind::kBeliefOverlap);
      }
    canvas.hline(axis, scene.left(), scene.right(), c.resource);
    canvas.hdash(axis - high(capacity, capacity), scene.left(), scene.right(), c.text, 1, 3);
  });
}

void InUse::head(Canvas& canvas, const Scene& scene, const RowBox& row) const {
  if (row.kind != RowKind::kOwn || row.lane != LaneKind::kInUse) return;
  write_row_name(canvas, scene, row, QStringLiteral("in use"), QStringLiteral("who believes"));
  const int capacity = capacity_of(scene, row), axis = measures().in_use_axis;
  write_line_name(canvas, scene, row, axis + 3, QStringLiteral("0"));
  write_line_name(canvas, scene, row, axis - high(capacity, capacity) + 4, QString::number(capacity));
}

}  // namespace

std::unique_ptr<Lane> in_use_lane() { return std::make_unique<InUse>(); }

}  // namespace leasescope
