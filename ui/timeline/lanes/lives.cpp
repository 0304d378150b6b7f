// When a contender was started, stopped, crashed; and what it was asked for that its state forbids.
#include <array>

#include "ui/models/words.h"
#include "ui/timeline/lanes/pointing.h"
#include "ui/timeline/paint/strip.h"

namespace leasescope {
namespace {

std::optional<LifeMark> mark_of(const Event& event) {
  switch (event.kind) {
    case EventKind::kStarted:
      return LifeMark{event.hi, LifeKind::kStarted};
    case EventKind::kStopped:
      return LifeMark{event.hi, LifeKind::kStopped};
    case EventKind::kCrashed:
      return LifeMark{event.hi, LifeKind::kCrashed};
    case EventKind::kRestarted:
      return LifeMark{event.hi, LifeKind::kRestarted};
    case EventKind::kRefused: {
      const bool stop = static_cast<LifecycleError>(event.detail) == LifecycleError::kCannotStop;
      return LifeMark{event.hi, stop ? LifeKind::kStopRefused : LifeKind::kStartRefused, event.a};
    }
    default:
      return {};
  }
}

// By kind.
struct Words {
  std::array<QString, 6> words{Lane::tr("started"),   Lane::tr("stopped"),       Lane::tr("crashed"),
                               Lane::tr("restarted"), Lane::tr("start refused"), Lane::tr("stop refused")};
  QString refused = Lane::tr("%1: %2");  // ... and why

  const QString& of(LifeKind kind) const { return words[static_cast<std::size_t>(kind)]; }
};

// A start that was refused is a hollow triangle, a stop a hollow square, both struck out; the reason beside them.
void paint_refused(Canvas& canvas, bool stop, int x, int y, const QColor& ground) {
  const Colours& c = canvas.colours();
  const double left = x - 4.0, top = y, right = left + 9, bottom = top + (stop ? 9 : 10);
  const auto stroke = [&](QPointF a, QPointF b, double w) {
    QPainter& painter = canvas.painter();
    painter.setRenderHint(QPainter::Antialiasing, true);
    painter.setPen(QPen(c.text, w, Qt::SolidLine, Qt::SquareCap));
    painter.drawLine(a, b);
    painter.setRenderHint(QPainter::Antialiasing, false);
  };
  canvas.fill(x - 6, y - 2, 14, 14, ground);
  if (stop) {
    canvas.frame(static_cast<int>(left), y, 9, 9, c.text);
  } else {
    stroke({left, top}, {left, bottom}, 1.2);
    stroke({left, top}, {right, (top + bottom) / 2}, 1.2);
    stroke({left, bottom}, {right, (top + bottom) / 2}, 1.2);
  }
  stroke({left - 1.5, bottom + 1.5}, {right + 1.5, top - 1.5}, 1.5);
}

constexpr int kLeastApart = 24;  // px; no word is narrower
constexpr int kOneRefused = 3;   // px; of nearer ones the last is seen: it lies on the others
constexpr int kBesideLine = 2;   // px that a pointer may be off: under a line lies what was held

// What everybody begins with is no news.
bool is_first(const LifeMark& mark) { return mark.at <= TrueTime{} && mark.kind == LifeKind::kStarted; }

// Calls with those in view that stand within `px` pixels of the first of them: its place and that behind the last.
template <class Do>
void each_group(const Scene& scene, const std::vector<LifeMark>& marks, int px, Do&& action) {
  std::size_t first = first_at(marks, scene.viewport.from);
  const std::size_t stop = first_at(marks, scene.viewport.to());
  while (first < stop && is_first(marks[first])) ++first;
  while (first < stop) {
    const TrueTime after = scene.first_of(scene.x(marks[first].at) + px);
    const std::size_t end = std::min(first_at(marks, after, first + 1), stop);
    action(first, end);
    first = end;
  }
}

bool told_by_release(const Scene& scene, const ContenderRow& contender, const LifeMark& mark, int x) {
  if (mark.kind != LifeKind::kStopped) return false;
  // The release is the last or the next thing that it does, or nearly.
  constexpr std::size_t kAround = 4;
  const SpanTrack& held = contender.held;
  const std::size_t next = held.first_ending_after(mark.at);
  for (std::size_t i = next - std::min(next, kAround); i < std::min(held.size(), next + kAround); ++i)
    if (held.ending(i) == SpanEnd::kReleased && std::abs(scene.x(held.end_of(i)) - x) < 60) return true;
  return false;
}

// Whether it has a line, whatever lies around it.
constexpr std::uint8_t kNoLine = 0, kPerhaps = 1, kHasLine = 2;
std::uint8_t line_of(const LifeMark& mark) {
  if (mark.refused() || is_first(mark)) return kNoLine;
  return mark.kind == LifeKind::kStopped ? kPerhaps : kHasLine;
}

bool has_line(const Scene& scene, const ContenderRow& contender, const LifeMark& mark, int x) {
  return line_of(mark) != kNoLine && !told_by_release(scene, contender, mark, x);
}

bool on_a_bar(const Scene& scene, const ContenderRow& contender, int from, int to) {
  const std::size_t next = contender.held.first_ending_after(scene.first_of(from + 1) - Duration(1));
  return next < contender.held.size() && scene.x(contender.held[next].start.lo) < to;
}

// Of those on one pixel a line is as much as all their lines. Of many stops the first few tell whether all of them
// follow releases.
bool has_line(const Scene& scene, const ContenderRow& contender, const MarkTrack& lines, std::size_t first,
              std::size_t end, int x) {
  constexpr int kFew = 8;
  if (lines.first_above(first, kPerhaps) < end) return true;
  std::size_t stop = lines.first_above(first, kNoLine);
  for (int looked = 0; stop < end && looked < kFew; ++looked, stop = lines.first_above(stop + 1, kNoLine))
    if (!told_by_release(scene, contender, contender.life[stop], x)) return true;
  return false;
}

// What is looked for among many, of a contender.
struct Row {
  MarkTrack lines;  // all its marks, in the same order
  std::vector<LifeMark> refused;
};

void paint_lives(Canvas& canvas, const Scene& scene, const RowBox& row, const ContenderRow& contender,
                 const Row& known) {
  const RowMeasures& m = scene.layout.row;
  Strip lines(scene);
  each_group(scene, contender.life, 1, [&](std::size_t first, std::size_t end) {
    const int x = scene.x(contender.life[first].at);
    if (has_line(scene, contender, known.lines, first, end, x)) lines.fill(x, x + 1, canvas.colours().text);
  });
  each_group(scene, known.refused, kOneRefused, [&](std::size_t, std::size_t end) {
    const LifeMark& mark = known.refused[end - 1];
    paint_refused(canvas, mark.kind == LifeKind::kStopRefused, scene.x(mark.at), scene.y(row) + m.attempts.y + 1,
                  canvas.colours().chart);
  });
  lines.put(canvas, scene.y(row) + m.held.y, m.held.height);
}

// Those that have room for a word up to the next one, and where that stands; the last first. Of those that are close to
// each other only the last may be one.
std::vector<std::pair<const LifeMark*, int>> with_room(const Scene& scene, const std::vector<LifeMark>& life) {
  std::vector<std::pair<const LifeMark*, int>> marks;
  each_group(scene, life, kLeastApart, [&](std::size_t, std::size_t end) {
    const bool last = end == life.size() || life[end].at >= scene.viewport.to();
    const int next = last ? scene.right() + kLeastApart : scene.x(life[end].at);
    if (next - scene.x(life[end - 1].at) >= kLeastApart) marks.emplace_back(&life[end - 1], next);
  });
  std::reverse(marks.begin(), marks.end());
  return marks;
}

// The word never stands on a bar: there it could not be read, and the row's header says the same.
void paint_life_labels(Canvas& canvas, const Scene& scene, const RowBox& row, const ContenderRow& contender,
                       const Words& words) {
  const RowMeasures& m = scene.layout.row;
  const TextStyle style{canvas.colours().muted, 10};
  for (const auto& [mark, next] : with_room(scene, contender.life)) {
    const int x = scene.x(mark->at);
    if (told_by_release(scene, contender, *mark, x)) continue;
    QString label = words.of(mark->kind);
    if (mark->refused()) label = words.refused.arg(label, statusText(mark->status));
    const Band lane = mark->refused() ? m.attempts : m.held;
    const int width = canvas.width_of(label, style);
    const int base = scene.y(row) + lane.y + (mark->refused() ? 10 : lane.height / 2 + 4);
    for (const int left : {x + (mark->refused() ? 12 : 7), x + 14}) {
      if (left + width >= std::min(next, scene.right()) ||
          (!mark->refused() && on_a_bar(scene, contender, left, left + width)))
        continue;
      if (!canvas.places().claim({left, base - 10, width, 12})) continue;
      canvas.text(left, base, label, style);
      break;
    }
  }
}

class Lives : public Lane {
 public:
  std::vector<EventKind> hears() const override {
    return {EventKind::kStarted, EventKind::kStopped, EventKind::kCrashed, EventKind::kRestarted, EventKind::kRefused};
  }
  void fold(Folding& at, const Event& event) override {
    ContenderRow* const row = at.contender_row(event.node);
    if (row == nullptr) return;
    if (event.kind != EventKind::kRefused && !event.mutex.empty()) row->mutex = at.mutex(event.mutex);
    const LifeMark mark = *mark_of(event);
    row->life.push_back(mark);
    Row& known = rows_[at.contender(event.node)];
    known.lines.push_back(mark.at, line_of(mark));
    if (mark.refused()) known.refused.push_back(mark);
  }

  void paint(Canvas& canvas, const Scene& scene) const override {
    each_row(scene, RowKind::kContender, [&](const RowBox& row) {
      if (const Row* const known = rows_.find(row.index))
        paint_lives(canvas, scene, row, contender_of(scene, row), *known);
    });
  }
  Says says() const override { return Says::kLives; }
  void write(Canvas& canvas, const Scene& scene) const override {
    const Words words;
    each_row(scene, RowKind::kContender,
             [&](const RowBox& row) { paint_life_labels(canvas, scene, row, contender_of(scene, row), words); });
  }
  Hit hit(const Scene& scene, const RowBox& row, QPoint at) const override {
    if (row.kind != RowKind::kContender) return {};
    const ContenderRow& contender = contender_of(scene, row);
    const RowMeasures& m = scene.layout.row;
    const int y = at.y() - scene.y(row);
    if (inside(m.attempts, y))
      return hit_mark(scene, contender.life, LaneKind::kLives, row, m.attempts, at.x(),
                      [](const LifeMark& mark) { return mark.refused(); });
    if (!inside(m.held, y)) return {};
    return hit_mark(scene, contender.life, LaneKind::kLives, row, m.held, at.x(), [&](const LifeMark& mark) {
      const int x = scene.x(mark.at);
      return std::abs(x - at.x()) <= kBesideLine && has_line(scene, contender, mark, x);
    });
  }
  std::optional<Band> place(const Scene& scene, const RowBox& row, const Hit& hit) const override {
    if (row.kind != hit.on || row.index != hit.row) return {};
    const bool refused = contender_of(scene, row).life[hit.index].refused();
    return refused ? scene.layout.row.attempts : scene.layout.row.held;
  }
  HoverText describe(const ChartData& data, const Hit& hit, TrueTime /*at*/) const override {
    const LifeMark& mark = data.contenders()[static_cast<std::size_t>(hit.row)].life[hit.index];
    HoverText text;
    text.contender = hit.row;
    text.title = Words().of(mark.kind);
    text.lines.emplace_back(tr("at"), data.axis().text(mark.at));
    if (mark.refused()) text.lines.emplace_back(tr("because"), statusText(mark.status));
    return text;
  }
  std::vector<LegendMark> legend() const override {
    return {{LegendGroup::kHappens, tr("started, stopped, crashed"), tr("a line over what it held"),
             [](Canvas& c, const QRect& at) {
               c.fill(at.x(), at.y() + 2, 28, 12, c.colours().id.front().ink);
               c.vline(at.x() + 28, at.y(), at.y() + at.height(), c.colours().text);
             }},
            {LegendGroup::kHappens, tr("start or stop refused"), tr("its state forbids it: hollow, struck out"),
             [](Canvas& c, const QRect& at) {
               paint_refused(c, false, at.x() + 18, at.y() + 3, c.colours().panel);
               paint_refused(c, true, at.x() + 38, at.y() + 3, c.colours().panel);
             }}};
  }

 private:
  ByRow<Row> rows_;  // by contender
};

}  // namespace

std::unique_ptr<Lane> lives_lane() { return std::make_unique<Lives>(); }

}  // namespace leasescope
