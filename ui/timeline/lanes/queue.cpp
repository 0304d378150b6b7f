// Who waits at the store, in its order: a row of places under the mutex's header, and in the rows of those who wait
// when they asked and until when they waited.
#include "ui/models/words.h"
#include "ui/timeline/lanes/pointing.h"

namespace leasescope {
namespace {

constexpr int kMostLines = 4;  // of more places the last line is their number
constexpr int kEdge = 3;       // px of the hue at a bar's begin
constexpr int kBelow = 3;      // the last line

// One stay in one place.
struct Stay {
  TrueTime from{}, to = kOpenEnd;
  int contender = kNoContender;
  int place = 0;       // from 0
  bool moves = false;  // at its end, to the place before or to the band
};
struct Step {
  TrueTime at{};
  int waiting = 0;
};
// From the request to the grant, or to its end without one.
struct Wait {
  TrueTime at{}, to = kOpenEnd;
  int place = 0;
};

struct Line {
  std::vector<Stay> stays;
  std::vector<Step> steps;         // of the number that waits
  std::vector<std::size_t> queue;  // stays that have not ended, first in first
  int most = 0;
};

class Queue : public Lane {
 public:
  std::vector<EventKind> hears() const override {
    return {EventKind::kQueued, EventKind::kDequeued, EventKind::kGranted};
  }
  void fold(Folding& at, const Event& event) override;

  std::vector<OwnRow> rows(const ChartData& /*data*/, const ChartLayout& /*layout*/, RowSpot spot,
                           int mutex) const override {
    const Line* const line = lines_.find(mutex);
    if (spot != RowSpot::kUnderHeader || line == nullptr || line->most == 0) return {};
    const LineMeasures& m = measures().queue;
    return {{mutex, m.first + kBelow + m.pitch * std::min(line->most, kMostLines)}};
  }
  void paint(Canvas& canvas, const Scene& scene) const override;
  Says says() const override { return Says::kAttempts; }
  void write(Canvas& canvas, const Scene& scene) const override;
  void head(Canvas& canvas, const Scene& scene, const RowBox& row) const override {
    if (row.kind != RowKind::kOwn || row.lane != LaneKind::kQueue) return;
    write_row_name(canvas, scene, row, QStringLiteral("queue"), QStringLiteral("first in, first out"));
    const LineMeasures& m = measures().queue;
    const int most = std::min(lines_.find(row.index)->most, kMostLines);
    const bool counted = lines_.find(row.index)->most > kMostLines;
    for (int i = 0; i < most; ++i)
      write_line_name(canvas, scene, row, m.first + i * m.pitch + 10,
                      counted && i + 1 == most ? QStringLiteral("more") : QString::number(i + 1));
  }
  Hit hit(const Scene& scene, const RowBox& row, QPoint at) const override;
  std::optional<Band> place(const Scene& /*scene*/, const RowBox& row, const Hit& hit) const override {
    if (row.kind != RowKind::kOwn || row.lane != LaneKind::kQueue || row.index != hit.row) return {};
    return Band{line_y(hit.line), measures().queue.height};
  }
  HoverText describe(const ChartData& data, const Hit& hit, TrueTime at) const override;
  std::vector<LegendMark> legend() const override;

 private:
  static int line_y(int place) { return measures().queue.first + place * measures().queue.pitch; }
  void leave(Line& line, std::size_t place, const Event& event, bool granted);
  void paint_waits(Canvas& canvas, const Scene& scene, const RowBox& row) const;

  ByRow<Line> lines_;               // by mutex
  ByRow<std::vector<Wait>> waits_;  // by contender
};

// ---- fold

// Whoever stands behind moves up.
void Queue::leave(Line& line, std::size_t place, const Event& event, bool granted) {
  Stay& gone = line.stays[line.queue[place]];
  gone.to = event.hi;
  gone.moves = granted;
  line.queue.erase(line.queue.begin() + static_cast<std::ptrdiff_t>(place));
  for (std::size_t i = place; i < line.queue.size(); ++i) {
    Stay& before = line.stays[line.queue[i]];
    before.to = event.hi;
    before.moves = true;
    line.queue[i] = line.stays.size();
    line.stays.push_back({event.hi, kOpenEnd, before.contender, static_cast<int>(i)});
  }
}

void Queue::fold(Folding& at, const Event& event) {
  const int who = at.contender(event.node), mutex = at.mutex(event.mutex);
  if (who == kNoContender) return;
  const bool queued = event.kind == EventKind::kQueued;
  if (!queued && lines_.find(mutex) == nullptr) return;
  Line& line = lines_[mutex];
  const auto stay =
      std::find_if(line.queue.begin(), line.queue.end(), [&](std::size_t i) { return line.stays[i].contender == who; });
  const auto place = static_cast<std::size_t>(stay - line.queue.begin());
  if (event.kind == EventKind::kGranted) {
    // The grant may be told after the place was given up.
    for (auto last = line.stays.rbegin(); last != line.stays.rend() && last->to >= event.hi; ++last)
      if (last->contender == who && last->to == event.hi) last->moves = true;
    if (stay == line.queue.end()) return;
  }
  if (stay != line.queue.end()) {
    leave(line, place, event, event.kind == EventKind::kGranted);
    if (!queued && !waits_[who].empty()) waits_[who].back().to = event.hi;
  }
  if (queued) {
    const bool told = event.a > 0 && static_cast<std::size_t>(event.a) <= line.queue.size();
    const std::size_t to = told ? static_cast<std::size_t>(event.a) - 1 : line.queue.size();
    line.queue.insert(line.queue.begin() + static_cast<std::ptrdiff_t>(to), line.stays.size());
    line.stays.push_back({event.hi, kOpenEnd, who, static_cast<int>(to)});
    if (waits_[who].empty() || waits_[who].back().to != kOpenEnd)
      waits_[who].push_back({event.hi, kOpenEnd, static_cast<int>(to)});
    at.wakes(who);
  }
  const int waiting = static_cast<int>(line.queue.size());
  line.steps.push_back({event.hi, waiting});
  if (waiting <= line.most) return;
  line.most = waiting;
  at.moves_rows();
}

// ---- paint

// A stay at a bar's place, drawn so that it says who moves where: a line in the hue up to where it goes on.
void paint_stay(Canvas& canvas, const Scene& scene, const Stay& stay, int y, int up) {
  const IdentityColours& id = identity(canvas, scene, stay.contender);
  const int from = scene.clipped_x(stay.from), to = scene.clipped_x(scene.until(stay.to));
  const int height = measures().queue.height, width = std::max(1, to - from);
  canvas.fill(from, y, width, height, width < kEdge ? id.ink : id.mid);
  if (scene.shows(stay.from)) canvas.fill(from, y, std::min(kEdge, width), height, id.ink);
  if (stay.moves && scene.shows(stay.to)) canvas.vline(to, up, y, id.ink);
}

void Queue::paint(Canvas& canvas, const Scene& scene) const {
  each_own_row(scene, LaneKind::kQueue, [&](const RowBox& row) {
    const Line& line = *lines_.find(row.index);
    const int y = scene.y(row), height = measures().queue.height;
    const RowBox* const header = scene.layout.mutex_row(row.index);
    const Band band = measures().mutex_band;
    for (const Stay& stay : line.stays) {
      const bool counted = line.most > kMostLines && stay.place >= kMostLines - 1;
      if (counted || stay.place >= kMostLines || !scene.shows(stay.from, scene.until(stay.to))) continue;
      const int up = stay.place > 0      ? y + line_y(stay.place - 1) + height
                     : header != nullptr ? scene.y(*header) + band.y + band.height
                                         : y;
      paint_stay(canvas, scene, stay, y + line_y(stay.place), up);
    }
    if (line.most <= kMostLines) return;
    for (std::size_t i = 0; i < line.steps.size(); ++i) {
      const TrueTime to = i + 1 < line.steps.size() ? line.steps[i + 1].at : scene.data.now();
      if (line.steps[i].waiting < kMostLines || !scene.shows(line.steps[i].at, to)) continue;
      const int from = scene.clipped_x(line.steps[i].at);
      canvas.fill(from, y + line_y(kMostLines - 1), scene.clipped_x(to) - from, height, canvas.colours().grid_strong);
    }
  });
  each_row(scene, RowKind::kContender, [&](const RowBox& row) { paint_waits(canvas, scene, row); });
}

// The won triangle, hollow, and a base line to the answer; when that is a grant, a filled triangle stands at its end.
void Queue::paint_waits(Canvas& canvas, const Scene& scene, const RowBox& row) const {
  const std::vector<Wait>* const waits = waits_.find(row.index);
  if (waits == nullptr) return;
  const Colours& c = canvas.colours();
  const Band lane = scene.layout.row.attempts;
  const int y = scene.y(row) + lane.y, base = y + lane.height - 1, head = lane.height >= 14 ? 9 : 6;
  const double w = lane.height >= 14 ? 4.5 : 3;
  for (const Wait& wait : *waits) {
    if (!scene.shows(wait.at, scene.until(wait.to))) continue;
    const int from = scene.clipped_x(wait.at), to = scene.clipped_x(scene.until(wait.to));
    if (to - from >= 3) {
      canvas.hline(base, from, to + 1, c.wake_window);
      if (scene.shows(wait.at)) canvas.vline(from, base - 4, base + 1, c.wake_window);
      if (wait.to != kOpenEnd && scene.shows(wait.to)) canvas.vline(to, base - 4, base + 1, c.wake_window);
    }
    if (!scene.shows(wait.at)) continue;
    const double x = from + 0.5;
    canvas.vline(from, y + head, base, c.attempt_lost);
    canvas.polygon({{x - w - 0.9, y + head + 1.1}, {x, y + 0.2}, {x + w + 0.9, y + head + 1.1}}, c.attempt_lost, true);
    canvas.polygon({{x - w + 1.1, y + head - 0.1}, {x, y + 2.6}, {x + w - 1.1, y + head - 0.1}}, ground_of(canvas, row),
                   true);
  }
}

void Queue::write(Canvas& canvas, const Scene& scene) const {
  const TextStyle style{canvas.colours().text, 10, 500};
  each_own_row(scene, LaneKind::kQueue, [&](const RowBox& row) {
    const Line& line = *lines_.find(row.index);
    const auto say = [&](TrueTime from, TrueTime to, int place, const QString& text) {
      if (!scene.shows(from, to)) return;
      const int y = scene.y(row) + line_y(place), end = scene.clipped_x(to), width = canvas.width_of(text, style);
      int x = scene.clipped_x(from) + 8;
      if (const auto other = canvas.places().blocked({x, y, width, 12})) x = other->right() + 4;
      if (x + width + 6 <= end && canvas.places().claim({x, y, width, 12})) canvas.text(x, y + 9, text, style);
    };
    const bool counted = line.most > kMostLines;
    for (const Stay& stay : line.stays)
      if (stay.place < kMostLines - (counted ? 1 : 0))
        say(stay.from, scene.until(stay.to), stay.place,
            QString::fromStdString(scene.data.letter(stay.contender)) + QStringLiteral(" waits"));
    if (!counted) return;
    for (std::size_t i = 0; i < line.steps.size(); ++i)
      if (line.steps[i].waiting >= kMostLines)
        say(line.steps[i].at, i + 1 < line.steps.size() ? line.steps[i + 1].at : scene.data.now(), kMostLines - 1,
            QStringLiteral("+%1").arg(line.steps[i].waiting - kMostLines + 1));
  });
  const Band lane = scene.layout.row.attempts;
  if (lane.height < 14) return;
  const TextStyle muted{canvas.colours().muted, 10};
  each_row(scene, RowKind::kContender, [&](const RowBox& row) {
    const std::vector<Wait>* const waits = waits_.find(row.index);
    if (waits == nullptr) return;
    for (const Wait& wait : *waits) {
      if (!scene.shows(wait.at)) continue;
      const QString text = QStringLiteral("place %1").arg(wait.place + 1);
      const int x = scene.x(wait.at) + 8, width = canvas.width_of(text, muted);
      // Nor over the triangle of its grant.
      const int end = wait.to == kOpenEnd ? scene.right() : std::min(scene.right(), scene.x(wait.to) - 8);
      if (x + width < end && canvas.places().claim({x, scene.y(row) + lane.y, width, 12}))
        canvas.text(x, scene.y(row) + lane.y + 10, text, muted);
    }
  });
}

// ---- hit, describe, legend

Hit Queue::hit(const Scene& scene, const RowBox& row, QPoint at) const {
  if (row.kind != RowKind::kOwn || row.lane != LaneKind::kQueue) return {};
  const Line& line = *lines_.find(row.index);
  const TrueTime time = scene.viewport.time(at.x() - scene.left());
  for (std::size_t i = 0; i < line.stays.size(); ++i) {
    const Stay& stay = line.stays[i];
    const TrueTime to = scene.until(stay.to);
    const Band band{line_y(stay.place), measures().queue.height};
    if (stay.place >= kMostLines || time < stay.from || time > to || !inside(band, at.y() - scene.y(row))) continue;
    const QRect bar(scene.x(stay.from), scene.y(row) + band.y, std::max(1, scene.x(to) - scene.x(stay.from)),
                    band.height);
    return {LaneKind::kQueue, row.kind, row.index, i, bar, stay.from, to, false, stay.place};
  }
  return {};
}

HoverText Queue::describe(const ChartData& data, const Hit& hit, TrueTime /*at*/) const {
  const Stay& stay = lines_.find(hit.row)->stays[hit.index];
  HoverText text;
  text.contender = stay.contender;
  text.title =
      QStringLiteral("waits for ") + QString::fromStdString(data.mutexes()[static_cast<std::size_t>(hit.row)].name);
  text.right = QStringLiteral("place %1").arg(stay.place + 1);
  text.lines.emplace_back(QStringLiteral("here"), data.axis().stretchText(stay.from, hit.to));
  return text;
}

std::vector<LegendMark> Queue::legend() const {
  return {{LegendGroup::kIs, "place in the queue", "its begin in the hue, a line where it moves up",
           [](Canvas& c, const QRect& at) {
             const IdentityColours& id = c.colours().id[1];
             c.fill(at.x(), at.y() + 2, at.width(), 12, id.mid);
             c.fill(at.x(), at.y() + 2, kEdge, 12, id.ink);
           }},
          {LegendGroup::kHappens, "asked, waits", "hollow until it is granted", [](Canvas& c, const QRect& at) {
             const double x = at.x() + 8.5, y = at.y();
             c.hline(at.y() + 15, at.x() + 8, at.x() + 48, c.colours().wake_window);
             c.vline(at.x() + 8, at.y() + 9, at.y() + 15, c.colours().attempt_lost);
             c.polygon({{x - 5.4, y + 10.1}, {x, y - 0.8}, {x + 5.4, y + 10.1}}, c.colours().attempt_lost, true);
             c.polygon({{x - 3.4, y + 8.9}, {x, y + 1.8}, {x + 3.4, y + 8.9}}, c.colours().panel, true);
           }}};
}

}  // namespace

std::unique_ptr<Lane> queue_lane() { return std::make_unique<Queue>(); }

}  // namespace leasescope
