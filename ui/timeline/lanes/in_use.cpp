// Of a mutex for several, how many believe they hold it; what is over its limit is tape.
#include "ui/models/words.h"
#include "ui/timeline/lanes/in_view.h"
#include "ui/timeline/lanes/pointing.h"
#include "ui/timeline/paint/tape.h"

namespace leasescope {
namespace {

constexpr int kMostHigh = 28;  // px above the axis

struct Step {
  TrueTime at{};
  int believers = 0;
};
// Of a mutex.
class Steps {
 public:
  const std::vector<Step>& list() const { return list_; }
  void add(Step step) {
    list_.push_back(step);
    most_.update(list_.size() - 1, believers());
  }
  // The first of those with the most.
  std::size_t highest(std::size_t first, std::size_t end) const {
    std::size_t shown = first;
    for (std::size_t i = first; i < end; i = most_.first_above(i + 1, list_[i].believers, believers())) shown = i;
    return shown;
  }

 private:
  struct Believers {
    const std::vector<Step>& list;
    int operator()(std::size_t i) const { return list[i].believers; }
  };
  Believers believers() const { return {list_}; }

  std::vector<Step> list_;
  Peaks<int> most_;
};

class InUse : public Lane {
 public:
  std::vector<EventKind> hears() const override { return {EventKind::kBelieved, EventKind::kDisbelieved}; }
  void fold(Folding& at, const Event& event) override {
    if (at.change.belief == Change::Belief::kSame || at.change.mutex == Standing::kNone) return;
    const Standing::Mutex& mutex = at.standing.mutex(at.change.mutex);
    if (mutex.capacity < 2) return;
    steps_[at.mutex(mutex.name)].add({event.hi, static_cast<int>(mutex.believers.size())});
  }

  std::vector<OwnRow> rows(const ChartData& data, const ChartLayout& layout, RowSpot spot, int mutex) const override {
    if (spot != RowSpot::kAfterContenders || data.mutexes()[static_cast<std::size_t>(mutex)].capacity < 2) return {};
    return {{mutex, measures().in_use_height, !layout.rows.back().alternate}};
  }
  void paint(Canvas& canvas, const Scene& scene) const override;
  void head(Canvas& canvas, const Scene& scene, const RowBox& row) const override;
  Hit hit(const Scene& scene, const RowBox& row, QPoint at) const override;
  std::optional<Band> place(const Scene& /*scene*/, const RowBox& row, const Hit& hit) const override {
    if (row.kind != RowKind::kOwn || row.lane != LaneKind::kInUse || row.index != hit.row) return {};
    return lane();
  }
  HoverText describe(const ChartData& data, const Hit& hit, TrueTime at) const override;
  std::vector<LegendMark> legend() const override {
    return {{LegendGroup::kIs, tr("in use"), tr("how many believe; over the limit it is tape"),
             [](Canvas& c, const QRect& at) {
               c.fill(at.x(), at.y() + 9, at.width(), 7, c.colours().grid_strong);
               c.fill(at.x() + 20, at.y() + 2, 20, 14, c.colours().grid_strong);
               c.hdash(at.y() + 2, at.x(), at.x() + at.width(), c.colours().text, 1, 3);
             }}};
  }

 private:
  static Band lane() { return {measures().in_use_axis - kMostHigh, kMostHigh}; }
  static int capacity_of(const Scene& scene, const RowBox& row) {
    return static_cast<int>(scene.data.mutexes()[static_cast<std::size_t>(row.index)].capacity);
  }
  // Pixels of so many, one of them at most as high as the row says.
  static int high(int capacity, int believers) {
    const int unit = measures().in_use_unit;
    return (capacity + 1) * unit <= kMostHigh ? believers * unit : believers * (kMostHigh - unit) / capacity;
  }

  ByRow<Steps> steps_;  // by mutex
};

void InUse::paint(Canvas& canvas, const Scene& scene) const {
  const Colours& c = canvas.colours();
  each_own_row(scene, LaneKind::kInUse, [&](const RowBox& row) {
    const int capacity = capacity_of(scene, row), axis = scene.y(row) + measures().in_use_axis;
    const auto put = [&](const Step& step, TrueTime to) {
      if (step.believers == 0 || !scene.shows(step.at, to)) return;
      const int from = scene.clipped_x(step.at), end = scene.clipped_x(to);
      const int top = high(capacity, std::min(step.believers, capacity));
      canvas.fill(from, axis - top, end - from, top, c.grid_strong);
      canvas.fill(from, axis - top, end - from, 1, c.line_strong);
      if (step.believers <= capacity) return;
      const int over = high(capacity, step.believers) - top;
      paint_tape(canvas, {from, std::max(end, from + measures().incident_min_width)}, axis - top - over, over,
                 IncidentKind::kBeliefOverlap);
    };
    if (const Steps* const steps = steps_.find(row.index)) {
      const std::vector<Step>& list = steps->list();
      each_step(
          scene, list, [&](std::size_t i, TrueTime end) { put(list[i], end); },
          [&](std::size_t first, std::size_t end) {
            // In one pixel only what is over the limit is seen: the most of it.
            const std::size_t most = steps->highest(first, end);
            if (list[most].believers > capacity) put(list[most], step_end(scene, list, most));
          });
    }
    canvas.hline(axis, scene.left(), scene.right(), c.resource);
    canvas.hdash(axis - high(capacity, capacity), scene.left(), scene.right(), c.text, 1, 3);
  });
}

void InUse::head(Canvas& canvas, const Scene& scene, const RowBox& row) const {
  if (row.kind != RowKind::kOwn || row.lane != LaneKind::kInUse) return;
  write_row_name(canvas, scene, row, tr("in use"), tr("who believes"));
  const int capacity = capacity_of(scene, row), axis = measures().in_use_axis;
  write_line_name(canvas, scene, row, axis + 3, QStringLiteral("0"));
  write_line_name(canvas, scene, row, axis - high(capacity, capacity) + 4, QString::number(capacity));
}

// ---- hit, describe

// The step that goes on; or of those that begin in reach the one with too many, whose tape is seen though it be over.
Hit InUse::hit(const Scene& scene, const RowBox& row, QPoint at) const {
  if (row.kind != RowKind::kOwn || row.lane != LaneKind::kInUse || !inside(lane(), at.y() - scene.y(row))) return {};
  const Steps* const steps = steps_.find(row.index);
  if (steps == nullptr || steps->list().empty()) return {};
  const std::vector<Step>& list = steps->list();
  const TrueTime time = scene.first_of(at.x());
  std::size_t i = step_at(list, time);
  bool seen = time >= list[i].at && time < scene.data.now();
  const std::size_t first = first_at(list, scene.first_of(at.x() - measures().incident_min_width + 1));
  const std::size_t end = first_at(list, scene.first_of(at.x() + 1));
  if (first < end) {
    const std::size_t most = steps->highest(first, end);
    const bool over = list[most].believers > capacity_of(scene, row);
    seen = seen || over;
    if (over) i = most;
  }
  if (!seen || list[i].believers == 0) return {};
  const TrueTime to = step_end(scene, list, i);
  const QRect bar(scene.x(list[i].at), scene.y(row) + lane().y, std::max(1, scene.x(to) - scene.x(list[i].at)),
                  lane().height);
  return {LaneKind::kInUse, row.kind, row.index, i, bar, list[i].at, to};
}

HoverText InUse::describe(const ChartData& data, const Hit& hit, TrueTime /*at*/) const {
  const MutexRow& mutex = data.mutexes()[static_cast<std::size_t>(hit.row)];
  const int believers = steps_.find(hit.row)->list()[hit.index].believers;
  const int over = believers - static_cast<int>(mutex.capacity);
  HoverText text;
  text.title = tr("in use: %1").arg(QString::fromStdString(mutex.name));
  text.right = tr("%1 of %2").arg(believers).arg(mutex.capacity);
  text.lines.emplace_back(tr("from – to"), data.axis().stretchText(hit.from, hit.to));
  if (over > 0) text.warning = tr("%1 more believe than may").arg(over);
  return text;
}

}  // namespace

std::unique_ptr<Lane> in_use_lane() { return std::make_unique<InUse>(); }

}  // namespace leasescope
