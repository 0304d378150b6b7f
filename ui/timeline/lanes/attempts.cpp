// When a contender asked for the mutex and what came of it, with the windows that its wake-ups were drawn from.
#include <map>

#include "core/store/port.h"
#include "ui/models/words.h"
#include "ui/timeline/lanes/pointing.h"
#include "ui/timeline/paint/strip.h"

namespace leasescope {
namespace {

class Attempts : public Lane {
 public:
  std::vector<EventKind> hears() const override {
    return {EventKind::kAttempt, EventKind::kWakeupPlanned, EventKind::kNotification};
  }
  void fold(Folding& at, const Event& event) override {
    const int who = at.contender(event.node);
    if (who == kNoContender) return;
    if (event.kind == EventKind::kAttempt) return on_attempt(at, event, who);
    if (event.kind == EventKind::kWakeupPlanned) return on_wakeup(at, event, who);
    const auto kind = static_cast<StoreEventKind>(event.a);
    if (static_cast<NotificationStep>(event.detail) == NotificationStep::kReceived &&
        (kind == StoreEventKind::kReleased || kind == StoreEventKind::kHandedOver))
      rows_[who].notified = event.hi;
  }

  void paint(Canvas& canvas, const Scene& scene) const override;
  Says says() const override { return Says::kAttempts; }
  void write(Canvas& canvas, const Scene& scene) const override;
  void head(Canvas& canvas, const Scene& scene, const RowBox& row) const override {
    write_lane_name(canvas, scene, row, scene.layout.row.attempts, QT_TRANSLATE_NOOP("Lane", "attempts"));
  }
  Hit hit(const Scene& scene, const RowBox& row, QPoint at) const override {
    if (row.kind != RowKind::kContender || !inside(scene.layout.row.attempts, at.y() - scene.y(row))) return {};
    return hit_mark(scene, contender_of(scene, row).attempts, LaneKind::kAttempts, row, scene.layout.row.attempts,
                    at.x());
  }
  std::optional<Band> place(const Scene& scene, const RowBox& row, const Hit& hit) const override {
    if (row.kind != hit.on || row.index != hit.row) return {};
    return scene.layout.row.attempts;
  }
  HoverText describe(const ChartData& data, const Hit& hit, TrueTime at) const override;
  std::vector<LegendMark> legend() const override;

 private:
  void on_attempt(Folding& at, const Event& event, int who);
  void on_wakeup(Folding& at, const Event& event, int who);

  // What is asked of a contender's marks beside their columns.
  struct Row {
    TrueTime notified = TrueTime::min();
    MarkTrack attempts;
    IntervalTrack windows;  // by their places
  };
  ByRow<Row> rows_;
  std::map<std::uint32_t, std::string> words_;  // of a store that refused, by handle
};

// Of those that lie on each other the one that says most is seen.
constexpr std::size_t kRanks = 4;
std::uint8_t rank(AttemptResult result) {
  switch (result) {
    case AttemptResult::kLost:
      return 1;
    case AttemptResult::kWon:
      return 2;
    case AttemptResult::kFailed:
    case AttemptResult::kUnknown:
      break;
  }
  return 3;
}

// ---- fold

void Attempts::on_attempt(Folding& at, const Event& event, int who) {
  ContenderRow& row = at.contender_row(who);
  const auto result = static_cast<AttemptResult>(event.detail);
  const auto kind = static_cast<RequestKind>(event.b);
  if (!asks_for_it(event)) return;
  if (kind == RequestKind::kGuard && result == AttemptResult::kWon) return;
  AttemptMark mark;
  mark.at = event.hi;
  mark.result = result;
  if (result == AttemptResult::kFailed && event.a > 0) {
    mark.words = static_cast<std::uint32_t>(event.a);
    words_.emplace(mark.words, at.text(Name{mark.words}));
  }
  if (kind == RequestKind::kGuard) {
    mark.cause = AttemptCause::kRenewal;
  } else if (!row.windows.empty()) {
    WakeWindow& window = row.windows.back();
    const bool notified = rows_[who].notified > window.planned && event.hi < window.drawn;
    mark.cause = notified ? AttemptCause::kNotified : AttemptCause::kTimer;
    mark.jitter = window.drawn - window.lease_end;
    window.overtaken = window.overtaken || notified;
    // A retry after a failure is not what was drawn.
    if (!row.attempts.empty() && row.attempts.back().at > window.planned) mark.cause = AttemptCause::kStart;
  }
  row.attempts.push_back(mark);
  rows_[who].attempts.push_back(mark.at, rank(mark.result));
}

void Attempts::on_wakeup(Folding& at, const Event& event, int who) {
  WakeWindow window;
  window.planned = event.hi;
  window.drawn = event.hi + Duration(event.a);
  window.lease_end = window.drawn - Duration(event.b);
  window.from = window.lease_end + at.facts().terms.jitter.min;
  window.to = window.lease_end + at.facts().terms.jitter.max;
  Column<WakeWindow>& windows = at.contender_row(who).windows;
  rows_[who].windows.put(static_cast<std::uint32_t>(windows.size()), window.from, window.to);
  windows.push_back(window);
}

// ---- paint

// The marks of a lane shrink with it: full size from 17 px on.
struct LaneSize {
  int y = 0, height = 0;
  bool full() const { return height >= 14; }
  int base() const { return y + height - 1; }
};

// The windows of a row: a line each from cap to cap, and a mark where the lease ends.
class Windows {
 public:
  Windows(Canvas& canvas, const Scene& scene, LaneSize lane)
      : canvas_(canvas), scene_(scene), lane_(lane), caps_(scene), lines_(scene), ends_(scene) {}

  void add_block(int from, int to) { caps_.fill(from, to, colour()); }
  void add(const WakeWindow& window) {
    const int from = scene_.clipped_x(window.from), to = scene_.clipped_x(window.to);
    if (window.overtaken) {
      canvas_.hdash(lane_.base(), from, to + 1, colour(), 1, 2);
    } else {
      lines_.fill(from, to + 1, colour());
      if (scene_.shows(window.from)) caps_.fill(from, from + 1, colour());
      if (scene_.shows(window.to)) caps_.fill(to, to + 1, colour());
    }
    const int end = scene_.x(window.lease_end);
    if (scene_.shows(window.lease_end)) ends_.fill(end, end + 1, colour());
  }
  void put() {
    lines_.put(canvas_, lane_.base(), 1);
    caps_.put(canvas_, lane_.base() - 4, 5);
    ends_.put(canvas_, lane_.base() - 2, 4);
  }

 private:
  const QColor& colour() const { return canvas_.colours().wake_window; }

  Canvas& canvas_;
  const Scene& scene_;
  LaneSize lane_;
  Strip caps_, lines_, ends_;
};

constexpr int kCaps = 3;           // px, of a window that is nothing but its end caps
constexpr int kBetweenBlocks = 3;  // px

// Where they are no wider than their end caps they become one block each, and blocks beside each other one.
void paint_windows(Canvas& canvas, const Scene& scene, const ContenderRow& contender, const IntervalTrack& windows,
                   LaneSize lane) {
  Windows seen(canvas, scene, lane);
  int from = 0, to = 0;  // of the block so far
  const auto flush = [&] {
    seen.add_block(from, to);
    from = to = 0;
  };
  windows.each_run(scene.viewport.from, scene.viewport.to() - Duration(1), scene.time_of(kCaps - 1),
                   [&](std::size_t first, std::size_t end) {
                     const TrueTime begin = windows.begin(first);
                     const int left = scene.clipped_x(begin), right = scene.clipped_x(windows.end(end - 1)) + 1;
                     if (end == first + 1 && right - left > kCaps) {
                       flush();
                       seen.add(contender.windows[windows.of(first)]);
                       return begin;
                     }
                     if (left > to + kBetweenBlocks || left < from) flush();
                     if (to == from) from = left;
                     to = std::max(to, right);
                     return scene.first_of(right + kBetweenBlocks) - Duration(1);
                   });
  flush();
  seen.put();
}

void paint_attempt(Canvas& canvas, const AttemptMark& attempt, int x, LaneSize lane, const QColor& ground) {
  const Colours& c = canvas.colours();
  const double centre = x + 0.5;
  const int head = lane.full() ? 9 : 6;
  switch (attempt.result) {
    case AttemptResult::kWon: {
      const double w = lane.full() ? 5 : 3.5;
      canvas.vline(x, lane.y + head, lane.base(), c.attempt_won);
      canvas.polygon({{centre - w, lane.y + head + 1.0}, {centre, lane.y + 1.0}, {centre + w, lane.y + head + 1.0}},
                     c.attempt_won, true);
      return;
    }
    case AttemptResult::kLost:
      canvas.vline(x, lane.y + head, lane.base(), c.attempt_lost);
      canvas.ring(centre, lane.y + head / 2.0 + 1, lane.full() ? 3.5 : 2.2, 1.5, c.attempt_lost, ground);
      return;
    case AttemptResult::kFailed:
    case AttemptResult::kUnknown:
      break;
  }
  canvas.vline(x, lane.y + head + 1, lane.base(), c.attempt_failed);
  canvas.cross(centre, lane.y + head / 2.0 + 1, lane.full() ? 3.5 : 2.2, c.attempt_failed);
}

struct Words {
  QString no_answer = Lane::tr("no answer"), notified = Lane::tr("notified");
  QString renewal_refused = Lane::tr("renewal refused"), renewal_failed = Lane::tr("renewal failed");
  QString renewal_unanswered = Lane::tr("renewal: no answer");
};

// `draws`: a waiter wakes at a drawn moment; where it does not, how late it woke says nothing.
QString label_of(const AttemptMark& attempt, bool draws, const Words& words) {
  const bool unanswered = attempt.result == AttemptResult::kUnknown;
  switch (attempt.cause) {
    case AttemptCause::kTimer:
      return unanswered ? words.no_answer : draws ? signedText(attempt.jitter) : QString();
    case AttemptCause::kNotified:
      return words.notified;
    case AttemptCause::kRenewal:
      return attempt.result == AttemptResult::kLost ? words.renewal_refused
             : unanswered                           ? words.renewal_unanswered
                                                    : words.renewal_failed;
    case AttemptCause::kStart:
      break;
  }
  return unanswered ? words.no_answer : QString();
}

constexpr int kLeastApart = 6;  // px; between nearer ones there is no room for words

void paint_labels(Canvas& canvas, const Scene& scene, const ContenderRow& contender, LaneSize lane,
                  const Words& words) {
  const Column<AttemptMark>& attempts = contender.attempts;
  const JitterRange& jitter = scene.data.facts().terms.jitter;
  const bool draws = jitter.min != jitter.max;
  int free_from = scene.left() + 2;
  // Of those that are close to each other the last has room on its right.
  std::size_t group = first_at(attempts, scene.viewport.from);
  while (group < attempts.size() && attempts[group].at < scene.viewport.to()) {
    group = first_at(attempts, scene.first_of(scene.x(attempts[group].at) + kLeastApart), group + 1);
    const std::size_t i = group - 1;
    const int x = scene.x(attempts[i].at);
    const int next = i + 1 < attempts.size() ? scene.x(attempts[i + 1].at) : scene.right() + 8;
    const QString label = label_of(attempts[i], draws, words);
    const bool word = attempts[i].cause != AttemptCause::kTimer;
    const TextStyle style{canvas.colours().muted, 10, 400, word ? Face::kText : Face::kMono};
    const int width = canvas.width_of(label, style);
    const int baseline = lane.y + 10;
    const auto free = [&](int at) { return !canvas.places().blocked({at, lane.y, width, 12}); };
    const bool right = x + 8 + width <= next - 7 && x + 8 + width < scene.right() && free(x + 8);
    const bool left = !right && !word && x - 8 - width >= free_from && free(x - 8 - width);
    if (!label.isEmpty() && (right || left)) {
      canvas.places().reserve({right ? x + 8 : x - 8 - width, lane.y, width, 12});
      const int at = right ? x + 8 : x - 8 - width;
      if (over_band(scene, contender, at, at + width))
        canvas.fill(at - 2, lane.y, width + 4, 14, canvas.colours().chart);
      canvas.text(at, baseline, label, style);
    }
    free_from = right ? x + 8 + width + 6 : x + 8;
  }
}

constexpr int kOneTick = 3;     // px; nearer ones are one
constexpr int kLeastGlyph = 7;  // ... and nearer than this a tick each: glyphs would hide each other

void Attempts::paint(Canvas& canvas, const Scene& scene) const {
  const Band band = scene.layout.row.attempts;
  each_row(scene, RowKind::kContender, [&](const RowBox& row) {
    const ContenderRow& contender = contender_of(scene, row);
    const Row* const known = rows_.find(row.index);
    if (known == nullptr) return;
    const LaneSize lane{scene.y(row) + band.y, band.height};
    paint_windows(canvas, scene, contender, known->windows, lane);
    const QColor ground = ground_of(canvas, row);
    const Column<AttemptMark>& attempts = contender.attempts;
    const Colours& c = canvas.colours();
    const std::array<QColor, kRanks> colours{QColor(), c.attempt_lost, c.attempt_won, c.attempt_failed};
    Strip ticks(scene);
    int last = -100;
    each_rank(scene, known->attempts, kOneTick, [&](std::size_t i, int x, int next) {
      if (x - last < kLeastGlyph || next - x < kLeastGlyph)
        ticks.fill(x, x + 1, colours[known->attempts.rank(i)]);
      else
        paint_attempt(canvas, attempts[i], x, lane, ground);
      last = x;
    });
    ticks.put(canvas, lane.y + 1, lane.base() - lane.y - 1);
  });
}

void Attempts::write(Canvas& canvas, const Scene& scene) const {
  const Band band = scene.layout.row.attempts;
  if (!LaneSize{0, band.height}.full()) return;
  const Words words;
  each_row(scene, RowKind::kContender, [&](const RowBox& row) {
    const ContenderRow& contender = contender_of(scene, row);
    paint_labels(canvas, scene, contender, {scene.y(row) + band.y, band.height}, words);
  });
}

// ---- describe, legend

HoverText Attempts::describe(const ChartData& data, const Hit& hit, TrueTime /*at*/) const {
  const ContenderRow& contender = data.contenders()[static_cast<std::size_t>(hit.row)];
  const AttemptMark& attempt = contender.attempts[hit.index];
  HoverText text;
  text.contender = hit.row;
  const QString result = QString::fromLatin1(leasescope::text(attempt.result).data());
  text.title = (attempt.cause == AttemptCause::kRenewal ? tr("renewal %1") : tr("attempt %1")).arg(result);
  text.lines.emplace_back(tr("at"), data.axis().text(attempt.at));
  if (const auto words = words_.find(attempt.words); words != words_.end())
    text.lines.emplace_back(tr("store says"), QString::fromStdString(words->second));
  if (attempt.cause == AttemptCause::kTimer) text.lines.emplace_back(tr("jitter"), signedText(attempt.jitter));
  if (attempt.cause == AttemptCause::kNotified) text.lines.emplace_back(tr("woken"), tr("by a notification"));
  // The last that was planned before it.
  const auto later = std::lower_bound(contender.windows.begin(), contender.windows.end(), attempt.at,
                                      [](const WakeWindow& each, TrueTime t) { return each.planned < t; });
  for (auto window = later - std::min<std::ptrdiff_t>(later - contender.windows.begin(), 3); window != later; ++window)
    if (attempt.at <= window->to + std::chrono::seconds(1))
      text.lines.emplace_back(tr("window"), data.axis().rangeText(window->from, window->to));
  if (text.lines.size() > 3) text.lines.resize(3);
  return text;
}

// Beside the chart each stands on its base line.
LegendMark mark_of(const QString& name, const QString& note, void (*draw)(Canvas&, int x, int y)) {
  return {LegendGroup::kHappens, name, note, [draw](Canvas& c, const QRect& at) {
            c.hline(at.y() + 15, at.x() + 8, at.x() + 48, c.colours().wake_window);
            draw(c, at.x(), at.y());
          }};
}

std::vector<LegendMark> Attempts::legend() const {
  return {mark_of(tr("attempt won"), tr("filled triangle"),
                  [](Canvas& c, int x, int y) {
                    c.polygon({QPointF(x + 23, y + 10), QPointF(x + 33, y + 10), QPointF(x + 28, y + 1)},
                              c.colours().attempt_won);
                  }),
          mark_of(tr("attempt lost"), tr("ring; beside it how early or late it woke"),
                  [](Canvas& c, int x, int y) {
                    c.vline(x + 28, y + 8, y + 15, c.colours().attempt_lost);
                    c.ring(x + 28, y + 5, 3.5, 1.5, c.colours().attempt_lost, c.colours().panel);
                  }),
          mark_of(tr("attempt failed"), tr("error or time-out"),
                  [](Canvas& c, int x, int y) { c.cross(x + 28, y + 6, 4, c.colours().attempt_failed); }),
          {LegendGroup::kHappens,
           {},
           {},
           [](Canvas& c, const QRect& at) {
             c.polygon({{at.x() + 1.0, at.y() + 9.5}, {at.x() + 6.0, at.y() + 0.5}, {at.x() + 11.0, at.y() + 9.5}},
                       c.colours().attempt_won, true);
             c.ring(at.x() + 20, at.y() + 5.5, 3.5, 1.5, c.colours().attempt_lost, c.colours().window);
           },
           tr("attempt won, lost")}};
}

}  // namespace

std::unique_ptr<Lane> attempts_lane() { return std::make_unique<Attempts>(); }

}  // namespace leasescope
