#include "ui/models/words.h"
#include "ui/timeline/paint/marks.h"

namespace leasescope {
namespace {

// The marks of a lane shrink with it: full size from 17 px on.
struct LaneSize {
  int y = 0, height = 0;
  bool full() const { return height >= 14; }
  int base() const { return y + height - 1; }
};

void paint_window(Canvas& canvas, const Scene& scene, const WakeWindow& window, LaneSize lane) {
  const QColor colour = canvas.colours().wake_window;
  const int from = scene.clipped_x(window.from), to = scene.clipped_x(window.to);
  const int y = lane.base();
  if (window.overtaken) {
    canvas.hdash(y, from, to + 1, colour, 1, 2);
  } else {
    canvas.hline(y, from, to + 1, colour);
    if (scene.shows(window.from)) canvas.vline(from, y - 4, y + 1, colour);
    if (scene.shows(window.to)) canvas.vline(to, y - 4, y + 1, colour);
  }
  if (scene.shows(window.lease_end)) canvas.vline(scene.x(window.lease_end), y - 2, y + 2, colour);
}

// Where they are no wider than their end caps they become one block each, and blocks beside each other one.
void paint_windows(Canvas& canvas, const Scene& scene, const ContenderRow& contender, LaneSize lane) {
  int from = 0, to = 0;  // of the block so far
  const auto flush = [&] {
    if (to > from) canvas.fill(from, lane.base() - 4, to - from, 5, canvas.colours().wake_window);
    from = to = 0;
  };
  for (const WakeWindow& window : contender.windows) {
    if (!scene.shows(window.from, window.to)) continue;
    const int left = scene.clipped_x(window.from), right = scene.clipped_x(window.to) + 1;
    if (right - left > 3) {
      flush();
      paint_window(canvas, scene, window, lane);
      continue;
    }
    if (left > to || left < from) flush();
    if (to == from) from = left;
    to = std::max(to, right);
  }
  flush();
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

QString label_of(const AttemptMark& attempt) {
  const bool unanswered = attempt.result == AttemptResult::kUnknown;
  switch (attempt.cause) {
    case AttemptCause::kTimer:
      return unanswered ? QStringLiteral("no answer") : signedText(attempt.jitter);
    case AttemptCause::kNotified:
      return QStringLiteral("notified");
    case AttemptCause::kRenewal:
      return attempt.result == AttemptResult::kLost ? QStringLiteral("renewal refused")
             : unanswered                           ? QStringLiteral("renewal: no answer")
                                                    : QStringLiteral("renewal failed");
    case AttemptCause::kStart:
      break;
  }
  return unanswered ? QStringLiteral("no answer") : QString();
}

bool over_band(const Scene& scene, const ContenderRow& contender, int from, int to) {
  return std::any_of(contender.bands.begin(), contender.bands.end(), [&](const BandSpan& band) {
    return scene.x(band.begin) < to && scene.x(scene.until(band.end)) > from;
  });
}

void paint_labels(Canvas& canvas, const Scene& scene, const ContenderRow& contender, std::size_t first, LaneSize lane) {
  const std::vector<AttemptMark>& attempts = contender.attempts;
  int free_from = scene.left() + 2;
  for (std::size_t i = first; i < attempts.size() && attempts[i].at < scene.viewport.to(); ++i) {
    const int x = scene.x(attempts[i].at);
    if (x < scene.left()) continue;
    const int next = i + 1 < attempts.size() ? scene.x(attempts[i + 1].at) : scene.right() + 8;
    const QString label = label_of(attempts[i]);
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

template <class Marks>
std::size_t first_at(const Marks& marks, TrueTime at) {
  const auto found =
      std::lower_bound(marks.begin(), marks.end(), at, [](const auto& mark, TrueTime t) { return mark.at < t; });
  return static_cast<std::size_t>(found - marks.begin());
}

const char* word_of(LifeKind kind) {
  switch (kind) {
    case LifeKind::kStarted:
      return "started";
    case LifeKind::kStopped:
      return "stopped";
    case LifeKind::kCrashed:
      return "crashed";
    case LifeKind::kRestarted:
      return "restarted";
    case LifeKind::kStartRefused:
      return "start refused";
    case LifeKind::kStopRefused:
      return "stop refused";
  }
  return "";
}

// A start that was refused is a hollow triangle, a stop a hollow square, both struck out; the reason beside them.
void paint_refused(Canvas& canvas, bool stop, int x, int y) {
  const Colours& c = canvas.colours();
  const double left = x - 4.0, top = y, right = left + 9, bottom = top + (stop ? 9 : 10);
  const auto stroke = [&](QPointF a, QPointF b, double w) {
    QPainter& painter = canvas.painter();
    painter.setRenderHint(QPainter::Antialiasing, true);
    painter.setPen(QPen(c.text, w, Qt::SolidLine, Qt::SquareCap));
    painter.drawLine(a, b);
    painter.setRenderHint(QPainter::Antialiasing, false);
  };
  canvas.fill(x - 6, y - 2, 14, 14, c.chart);
  if (stop) {
    canvas.frame(static_cast<int>(left), y, 9, 9, c.text);
  } else {
    stroke({left, top}, {left, bottom}, 1.2);
    stroke({left, top}, {right, (top + bottom) / 2}, 1.2);
    stroke({left, bottom}, {right, (top + bottom) / 2}, 1.2);
  }
  stroke({left - 1.5, bottom + 1.5}, {right + 1.5, top - 1.5}, 1.5);
}

bool told_by_release(const Scene& scene, const ContenderRow& contender, const LifeMark& mark, int x) {
  return mark.kind == LifeKind::kStopped &&
         std::any_of(contender.held.rbegin(), contender.held.rend(), [&](const LeaseSpan& span) {
           return span.ending == SpanEnd::kReleased && std::abs(scene.x(span.end.hi) - x) < 60;
         });
}

bool on_a_bar(const Scene& scene, const ContenderRow& contender, int from, int to) {
  return std::any_of(contender.held.begin(), contender.held.end(), [&](const LeaseSpan& span) {
    return scene.x(span.start.lo) < to && scene.x(held_until(scene.data, span)) > from;
  });
}

void paint_life(Canvas& canvas, const Scene& scene, const RowBox& row, const ContenderRow& contender) {
  const RowMeasures& m = scene.layout.row;
  for (const LifeMark& mark : contender.life) {
    const bool first = mark.at <= TrueTime{} && mark.kind == LifeKind::kStarted;
    if (first || !scene.shows(mark.at)) continue;
    const int x = scene.x(mark.at);
    if (mark.refused())
      paint_refused(canvas, mark.kind == LifeKind::kStopRefused, x, scene.y(row) + m.attempts.y + 1);
    else if (!told_by_release(scene, contender, mark, x))
      canvas.vline(x, scene.y(row) + m.held.y, scene.y(row) + m.held.y + m.held.height, canvas.colours().text);
  }
}

// The word never stands on a bar: there it could not be read, and the row's header says the same.
void paint_life_labels(Canvas& canvas, const Scene& scene, const RowBox& row, const ContenderRow& contender) {
  const RowMeasures& m = scene.layout.row;
  const TextStyle style{canvas.colours().muted, 10};
  for (auto mark = contender.life.rbegin(); mark != contender.life.rend(); ++mark) {
    const bool first = mark->at <= TrueTime{} && mark->kind == LifeKind::kStarted;
    if (first || !scene.shows(mark->at)) continue;
    const int x = scene.x(mark->at);
    if (told_by_release(scene, contender, *mark, x)) continue;
    QString label = QString::fromLatin1(word_of(mark->kind));
    if (mark->refused()) label += QStringLiteral(": ") + statusText(mark->status);
    const Band lane = mark->refused() ? m.attempts : m.held;
    const int width = canvas.width_of(label, style);
    const int base = scene.y(row) + lane.y + (mark->refused() ? 10 : lane.height / 2 + 4);
    for (const int left : {x + (mark->refused() ? 12 : 7), x + 14}) {
      if (left + width >= scene.right() || (!mark->refused() && on_a_bar(scene, contender, left, left + width)))
        continue;
      if (!canvas.places().claim({left, base - 10, width, 12})) continue;
      canvas.text(left, base, label, style);
      break;
    }
  }
}

void paint_released(Canvas& canvas, const Scene& scene, const RowBox& row, const ContenderRow& contender) {
  const Band held = scene.layout.row.held;
  const TextStyle style{canvas.colours().muted, 10};
  for (std::size_t i = first_ending_after(contender.held, scene.viewport.from); i < contender.held.size(); ++i) {
    const LeaseSpan& span = contender.held[i];
    if (span.start.lo >= scene.viewport.to()) break;
    if (span.ending != SpanEnd::kReleased || !scene.shows(span.end.hi)) continue;
    const int x = scene.x(span.end.hi) + 7;
    const bool room = i + 1 >= contender.held.size() || scene.x(contender.held[i + 1].start.hi) > x + 50;
    const int base = scene.y(row) + held.y + held.height / 2 + 4;
    if (room && x + 44 < scene.right() && canvas.places().claim({x, base - 10, 44, 12}))
      canvas.text(x, base, QStringLiteral("released"), style);
  }
}

}  // namespace

void paint_attempts(Canvas& canvas, const Scene& scene) {
  const Band band = scene.layout.row.attempts;
  for (const RowBox& row : scene.layout.rows) {
    if (row.kind != RowKind::kContender || !scene.visible(row)) continue;
    const ContenderRow& contender = scene.data.contenders()[static_cast<std::size_t>(row.index)];
    const LaneSize lane{scene.y(row) + band.y, band.height};
    paint_windows(canvas, scene, contender, lane);
    const std::size_t first = first_at(contender.attempts, scene.viewport.from);
    const QColor ground = row.alternate ? canvas.colours().chart_alt : canvas.colours().chart;
    int last = -100;
    for (std::size_t i = first; i < contender.attempts.size() && contender.attempts[i].at < scene.viewport.to(); ++i) {
      const int x = scene.x(contender.attempts[i].at);
      if (x - last < 3 && contender.attempts[i].result == AttemptResult::kLost) continue;
      paint_attempt(canvas, contender.attempts[i], x, lane, ground);
      last = x;
    }
    paint_life(canvas, scene, row, contender);
  }
}

void paint_attempt_labels(Canvas& canvas, const Scene& scene) {
  const Band band = scene.layout.row.attempts;
  for (const RowBox& row : scene.layout.rows) {
    if (row.kind != RowKind::kContender || !scene.visible(row)) continue;
    const ContenderRow& contender = scene.data.contenders()[static_cast<std::size_t>(row.index)];
    paint_released(canvas, scene, row, contender);
    paint_life_labels(canvas, scene, row, contender);
    const LaneSize lane{scene.y(row) + band.y, band.height};
    if (lane.full()) paint_labels(canvas, scene, contender, first_at(contender.attempts, scene.viewport.from), lane);
  }
}

// From a dot at the release to an arrow head at the attempt it woke; elbowed when it took longer than 8 px.
void paint_notifications(Canvas& canvas, const Scene& scene) {
  const Colours& c = canvas.colours();
  const RowMeasures& m = scene.layout.row;
  for (const NotificationMark& mark : scene.data.notifications()) {
    if (!scene.shows(mark.sent, mark.at)) continue;
    const RowBox* source = scene.layout.contender_row(mark.source);
    const RowBox* target = scene.layout.contender_row(mark.target);
    if (source == nullptr || target == nullptr) continue;
    const int from = scene.y(*source) + m.held.y + m.held.height / 2;
    const bool down = target->y > source->y;
    const int to = scene.y(*target) + m.attempts.y + (down ? 0 : m.attempts.height + 3);
    const int x0 = scene.x(mark.sent), x1 = scene.x(mark.at) - x0 > 8 ? scene.x(mark.at) : x0;
    const int turn = down ? to - 12 : to + 12;
    if (x1 != x0) {
      canvas.vdash(x0, std::min(from, turn), std::max(from, turn), c.arrow, 2, 2);
      canvas.hdash(turn, x0, x1, c.arrow, 2, 2);
      canvas.vdash(x1, std::min(turn, to), std::max(turn, to), c.arrow, 2, 2);
    } else {
      canvas.vdash(x0, std::min(from, to), std::max(from, to), c.arrow, 2, 2);
    }
    canvas.circle(x0 + 0.5, from, 3.5, c.chart);
    canvas.circle(x0 + 0.5, from, 2.8, c.arrow);
    const double tip = x1 + 0.5, back = down ? to - 6.0 : to + 6.0;
    canvas.polygon({{tip - 4, back}, {tip + 4, back}, {tip, static_cast<double>(to)}}, c.arrow, true);
  }
}

}  // namespace leasescope
