// Who waits at the store, in its order: a row of places under the mutex's header, and in the rows of those who wait
// when they asked and until when they waited.
#include <array>

#include "ui/models/words.h"
#include "ui/timeline/lanes/in_view.h"
#include "ui/timeline/lanes/pointing.h"
#include "ui/timeline/paint/strip.h"

namespace leasescope {
namespace {

constexpr int kMostLines = 4;   // of more places the last line is their number
constexpr int kEdge = 3;        // px of the hue at a bar's begin
constexpr int kBelow = 3;       // the last line
constexpr int kOneTick = 3;     // px; nearer requests are one
constexpr int kLeastGlyph = 7;  // ... and nearer than this a tick each: triangles would hide each other
constexpr int kLeastWait = 3;   // px of a base line

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
  std::array<IntervalTrack, kMostLines> in_time;  // of those that have a line, by place
  std::vector<Step> steps;                        // of the number that waits
  std::vector<std::size_t> queue;                 // stays that have not ended, first in first
  int most = 0;

  bool counted() const { return most > kMostLines; }
  int lines() const { return counted() ? kMostLines - 1 : std::min(most, kMostLines); }  // with a line a place
  void add(const Stay& stay) {
    stays.push_back(stay);
    put(stays.size() - 1);
  }
  // It is new, or has ended.
  void put(std::size_t i) {
    const Stay& stay = stays[i];
    if (stay.place < kMostLines)
      in_time[static_cast<std::size_t>(stay.place)].put(static_cast<std::uint32_t>(i), stay.from, stay.to);
  }
};

// Of a contender: its waits follow each other.
struct Waits {
  std::vector<Wait> list;
  MarkTrack asked;  // the same
};

// Calls with each that is seen at a place.
template <class Do>
void each_stay(const Scene& scene, const Line& line, int place, Do&& action) {
  each_seen(scene, line.in_time[static_cast<std::size_t>(place)], [&](std::uint32_t i) {
    const Stay& stay = line.stays[i];
    if (scene.shows(stay.from, scene.until(stay.to))) action(stay);
  });
}

// Calls with each wait in view that goes on into another pixel than it begins in.
template <class Do>
void each_wait(const Scene& scene, const std::vector<Wait>& waits, Do&& action) {
  for (std::size_t i = first_lasting(waits, scene.viewport.from);
       i < waits.size() && waits[i].at < scene.viewport.to();) {
    const TrueTime to = scene.until(waits[i].to);
    if (scene.shows(waits[i].at, to)) action(waits[i]);
    i = std::max(i + 1, first_lasting(waits, scene.first_of(scene.clipped_x(to) + 1), i));
  }
}

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
    write_row_name(canvas, scene, row, tr("queue"), tr("first in, first out"));
    const LineMeasures& m = measures().queue;
    const int most = std::min(lines_.find(row.index)->most, kMostLines);
    const bool counted = lines_.find(row.index)->most > kMostLines;
    for (int i = 0; i < most; ++i)
      write_line_name(canvas, scene, row, m.first + i * m.pitch + 10,
                      counted && i + 1 == most ? tr("more") : QString::number(i + 1));
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
  void write_places(Canvas& canvas, const Scene& scene, const RowBox& row) const;

  ByRow<Line> lines_;   // by mutex
  ByRow<Waits> waits_;  // by contender
};

// ---- fold

// Whoever stands behind moves up.
void Queue::leave(Line& line, std::size_t place, const Event& event, bool granted) {
  Stay& gone = line.stays[line.queue[place]];
  gone.to = event.hi;
  gone.moves = granted;
  line.put(line.queue[place]);
  line.queue.erase(line.queue.begin() + static_cast<std::ptrdiff_t>(place));
  for (std::size_t i = place; i < line.queue.size(); ++i) {
    Stay& before = line.stays[line.queue[i]];
    before.to = event.hi;
    before.moves = true;
    const int contender = before.contender;
    line.put(line.queue[i]);
    line.queue[i] = line.stays.size();
    line.add({event.hi, kOpenEnd, contender, static_cast<int>(i)});
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
    if (!queued && !waits_[who].list.empty()) waits_[who].list.back().to = event.hi;
  }
  if (queued) {
    const bool told = event.a > 0 && static_cast<std::size_t>(event.a) <= line.queue.size();
    const std::size_t to = told ? static_cast<std::size_t>(event.a) - 1 : line.queue.size();
    line.queue.insert(line.queue.begin() + static_cast<std::ptrdiff_t>(to), line.stays.size());
    line.add({event.hi, kOpenEnd, who, static_cast<int>(to)});
    Waits& waits = waits_[who];
    if (waits.list.empty() || waits.list.back().to != kOpenEnd) {
      waits.list.push_back({event.hi, kOpenEnd, static_cast<int>(to)});
      waits.asked.push_back(event.hi, 0);
    }
    at.wakes(who);
  }
  const int waiting = static_cast<int>(line.queue.size());
  line.steps.push_back({event.hi, waiting});
  if (waiting <= line.most) return;
  line.most = waiting;
  at.moves_rows();
}

// ---- paint

// Stays at a bar's place, drawn so that they say who moves where: a line in the hue up to where it goes on.
class StayBars {
 public:
  explicit StayBars(const Scene& scene) : scene_(scene), bars_(scene), ways_(scene) {}

  void add(const Stay& stay, const IdentityColours& id) {
    const int from = scene_.clipped_x(stay.from), to = scene_.clipped_x(scene_.until(stay.to));
    const int width = std::max(1, to - from);
    bars_.fill(from, from + width, width < kEdge ? id.ink : id.mid);
    if (scene_.shows(stay.from)) bars_.fill(from, from + std::min(kEdge, width), id.ink);
    if (stay.moves && scene_.shows(stay.to)) ways_.fill(to, to + 1, id.ink);
  }
  void put(Canvas& canvas, int y, int up) {
    bars_.put(canvas, y, measures().queue.height);
    ways_.put(canvas, up, std::max(0, y - up));
  }

 private:
  const Scene& scene_;
  Strip bars_, ways_;
};

void Queue::paint(Canvas& canvas, const Scene& scene) const {
  each_own_row(scene, LaneKind::kQueue, [&](const RowBox& row) {
    const Line& line = *lines_.find(row.index);
    const int y = scene.y(row), height = measures().queue.height;
    const RowBox* const header = scene.layout.mutex_row(row.index);
    const Band band = measures().mutex_band;
    StayBars bars(scene);
    for (int place = 0; place < line.lines(); ++place) {
      each_stay(scene, line, place, [&](const Stay& stay) { bars.add(stay, identity(canvas, scene, stay.contender)); });
      const int up = place > 0           ? y + line_y(place - 1) + height
                     : header != nullptr ? scene.y(*header) + band.y + band.height
                                         : y;
      bars.put(canvas, y + line_y(place), up);
    }
    if (!line.counted()) return;
    Strip more(scene);
    each_step(scene, line.steps, [&](std::size_t i, TrueTime end) {
      if (line.steps[i].waiting >= kMostLines)
        more.fill(scene.clipped_x(line.steps[i].at), scene.clipped_x(end), canvas.colours().grid_strong);
    });
    more.put(canvas, y + line_y(kMostLines - 1), height);
  });
  each_row(scene, RowKind::kContender, [&](const RowBox& row) { paint_waits(canvas, scene, row); });
}

void paint_asked(Canvas& canvas, int at, Band lane, const QColor& ground) {
  const Colours& c = canvas.colours();
  const bool full = lane.height >= 14;
  const int y = lane.y, base = y + lane.height - 1, head = full ? 9 : 6;
  const double w = full ? 4.5 : 3, x = at + 0.5;
  canvas.vline(at, y + head, base, c.attempt_lost);
  canvas.polygon({{x - w - 0.9, y + head + 1.1}, {x, y + 0.2}, {x + w + 0.9, y + head + 1.1}}, c.attempt_lost, true);
  canvas.polygon({{x - w + 1.1, y + head - 0.1}, {x, y + 2.6}, {x + w - 1.1, y + head - 0.1}}, ground, true);
}

// The won triangle, hollow, and a base line to the answer; when that is a grant, a filled triangle stands at its end.
void Queue::paint_waits(Canvas& canvas, const Scene& scene, const RowBox& row) const {
  const Waits* const waits = waits_.find(row.index);
  if (waits == nullptr) return;
  const Colours& c = canvas.colours();
  const Band lane{scene.y(row) + scene.layout.row.attempts.y, scene.layout.row.attempts.height};
  const int base = lane.y + lane.height - 1;
  Strip lines(scene), caps(scene), ticks(scene);
  each_wait(scene, waits->list, [&](const Wait& wait) {
    const int from = scene.clipped_x(wait.at), to = scene.clipped_x(scene.until(wait.to));
    if (to - from < kLeastWait) return;
    lines.fill(from, to + 1, c.wake_window);
    if (scene.shows(wait.at)) caps.fill(from, from + 1, c.wake_window);
    if (wait.to != kOpenEnd && scene.shows(wait.to)) caps.fill(to, to + 1, c.wake_window);
  });
  lines.put(canvas, base, 1);
  caps.put(canvas, base - 4, 5);
  int last = -100;
  each_rank(scene, waits->asked, kOneTick, [&](std::size_t, int x, int next) {
    if (x - last < kLeastGlyph || (next < scene.right() && next - x < kLeastGlyph))
      ticks.fill(x, x + 1, c.attempt_lost);
    else
      paint_asked(canvas, x, lane, ground_of(canvas, row));
    last = x;
  });
  ticks.put(canvas, lane.y + 1, base - lane.y - 1);
}

// On a bar, right of what stands there already. `least`: no words are narrower.
template <class Words>
void say_on(Canvas& canvas, PixelRange bar, int y, int least, const TextStyle& style, Words&& words) {
  if (bar.from + 8 + least + 6 > bar.to) return;
  const QString text = words();
  const int width = canvas.width_of(text, style);
  int x = bar.from + 8;
  if (const auto other = canvas.places().blocked({x, y, width, 12})) x = other->right() + 4;
  if (x + width + 6 <= bar.to && canvas.places().claim({x, y, width, 12})) canvas.text(x, y + 9, text, style);
}

void Queue::write(Canvas& canvas, const Scene& scene) const {
  const TextStyle style{canvas.colours().text, 10, 500};
  const QString waits = u' ' + tr("waits"), plus = QStringLiteral("+");
  const int least_waits = canvas.width_of(waits, style), least_plus = canvas.width_of(plus, style);
  each_own_row(scene, LaneKind::kQueue, [&](const RowBox& row) {
    const Line& line = *lines_.find(row.index);
    const auto bar = [&](TrueTime from, TrueTime to) { return PixelRange{scene.clipped_x(from), scene.clipped_x(to)}; };
    for (int place = 0; place < line.lines(); ++place)
      each_stay(scene, line, place, [&](const Stay& stay) {
        say_on(canvas, bar(stay.from, scene.until(stay.to)), scene.y(row) + line_y(place), least_waits, style,
               [&] { return QString::fromStdString(scene.data.letter(stay.contender)) + waits; });
      });
    if (!line.counted()) return;
    each_step(scene, line.steps, [&](std::size_t i, TrueTime end) {
      const int waiting = line.steps[i].waiting;
      if (waiting < kMostLines) return;
      say_on(canvas, bar(line.steps[i].at, end), scene.y(row) + line_y(kMostLines - 1), least_plus, style,
             [&] { return plus + QString::number(waiting - kMostLines + 1); });
    });
  });
  const Band lane = scene.layout.row.attempts;
  if (lane.height < 14) return;
  each_row(scene, RowKind::kContender, [&](const RowBox& row) { write_places(canvas, scene, row); });
}

void Queue::write_places(Canvas& canvas, const Scene& scene, const RowBox& row) const {
  const Waits* const waits = waits_.find(row.index);
  if (waits == nullptr) return;
  const TextStyle muted{canvas.colours().muted, 10};
  const Band lane = scene.layout.row.attempts;
  const QString place = tr("place %1");
  const int least = canvas.width_of(place.arg(QString()), muted);
  each_wait(scene, waits->list, [&](const Wait& wait) {
    if (!scene.shows(wait.at)) return;
    const int x = scene.x(wait.at) + 8;
    // Nor over the triangle of its grant.
    const int end = wait.to == kOpenEnd ? scene.right() : std::min(scene.right(), scene.x(wait.to) - 8);
    if (x + least >= end) return;
    const QString text = place.arg(wait.place + 1);
    const int width = canvas.width_of(text, muted);
    if (x + width < end && canvas.places().claim({x, scene.y(row) + lane.y, width, 12}))
      canvas.text(x, scene.y(row) + lane.y + 10, text, muted);
  });
}

// ---- hit, describe, legend

Hit Queue::hit(const Scene& scene, const RowBox& row, QPoint at) const {
  if (row.kind != RowKind::kOwn || row.lane != LaneKind::kQueue) return {};
  const Line& line = *lines_.find(row.index);
  const TrueTime time = scene.viewport.time(at.x() - scene.left());
  Hit found;  // the first of them
  for (int place = 0; place < kMostLines && !found; ++place) {
    const Band band{line_y(place), measures().queue.height};
    if (!inside(band, at.y() - scene.y(row))) continue;
    each_at(line.in_time[static_cast<std::size_t>(place)], time, [&](std::uint32_t i) {
      const Stay& stay = line.stays[i];
      const TrueTime to = scene.until(stay.to);
      if (found || time < stay.from || time > to) return;
      const QRect bar(scene.x(stay.from), scene.y(row) + band.y, std::max(1, scene.x(to) - scene.x(stay.from)),
                      band.height);
      found = {LaneKind::kQueue, row.kind, row.index, i, bar, stay.from, to, false, place};
    });
  }
  return found;
}

HoverText Queue::describe(const ChartData& data, const Hit& hit, TrueTime /*at*/) const {
  const Stay& stay = lines_.find(hit.row)->stays[hit.index];
  HoverText text;
  text.contender = stay.contender;
  text.title = tr("waits for %1").arg(QString::fromStdString(data.mutexes()[static_cast<std::size_t>(hit.row)].name));
  text.right = tr("place %1").arg(stay.place + 1);
  text.lines.emplace_back(tr("here"), data.axis().stretchText(stay.from, hit.to));
  return text;
}

std::vector<LegendMark> Queue::legend() const {
  return {{LegendGroup::kIs, tr("place in the queue"), tr("its begin in the hue, a line where it moves up"),
           [](Canvas& c, const QRect& at) {
             const IdentityColours& id = c.colours().id[1];
             c.fill(at.x(), at.y() + 2, at.width(), 12, id.mid);
             c.fill(at.x(), at.y() + 2, kEdge, 12, id.ink);
           }},
          {LegendGroup::kHappens, tr("asked, waits"), tr("hollow until it is granted"), [](Canvas& c, const QRect& at) {
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
