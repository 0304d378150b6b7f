// What was under way: the store's answer, from when it granted to when that was heard, with the call of the application
// before it where there was one; and a write, from the check before it to when it arrived. Only what the history has
// the moments of; when a request or a write left it never has.
#include "core/history/legend.h"
#include "ui/models/words.h"
#include "ui/timeline/lanes/in_view.h"
#include "ui/timeline/lanes/pointing.h"

namespace leasescope {
namespace {

constexpr int kLeast = 24;  // px from end to end: a shorter one is not seen

enum class Kind : std::uint8_t { kGrant, kRenewal, kWrite };
struct Message {
  Token token = kNoToken;
  std::int32_t resource = 0;  // of a write: where it went
  Kind kind = Kind::kGrant;
  EventKind result = EventKind::kAttempt;  // of a write: what became of it
  TrueTime at{};                           // of an answer: when it was granted; of a write: no earlier it left
};

// What led to an event, of the same contender and at a moment that is known to the point; null: none of which that can
// be said.
const Event* cause_of(const History& history, const Event& event) {
  if (!history.holds(event.cause)) return nullptr;
  const Event& cause = history.event(event.cause);
  const bool same = cause.node == event.node && cause.mutex == event.mutex;
  return same && cause.lo == cause.hi && cause.hi <= event.hi ? &cause : nullptr;
}

// In a contender's row between what the store held and what comes below it.
Band message_lane(const RowMeasures& row) {
  const int above = row.held.y + row.held.height;
  const int below = row.session.height > 0 ? row.session.y : row.attempts.y;
  return {(above + below) / 2 - 2, 5};
}

// One worker alone is known by its contender: where several work, whose check it was is not told.
bool one_resource_each(const Legend& legend) {
  return legend.resources.size() == std::max<std::size_t>(1, legend.mutexes.size());
}

class Messages : public Lane {
 public:
  std::vector<EventKind> hears() const override {
    return {EventKind::kChecked, EventKind::kAttempt, EventKind::kWriteAccepted, EventKind::kWriteRejected,
            EventKind::kWriteStaleAccepted};
  }
  void fold(Folding& at, const Event& event) override;
  void paint(Canvas& canvas, const Scene& scene) const override;
  Hit hit(const Scene& scene, const RowBox& row, QPoint at) const override;
  std::optional<Band> place(const Scene& scene, const RowBox& row, const Hit& hit) const override {
    if (row.kind != hit.on || row.index != hit.row) return {};
    return message_lane(scene.layout.row);
  }
  HoverText describe(const ChartData& data, const Hit& hit, TrueTime at) const override;
  std::vector<LegendMark> legend() const override;

 private:
  struct Row {
    IntervalTrack answers, writes;  // by their places in `messages_`
    std::vector<TrueTime> checks;   // that a write has come of, in order: there is one of each
    TrueTime checked = TrueTime::max();
    Token token = kNoToken;  // as it was read then
  };
  static std::optional<TrueTime> check_of(const Event& write, const Event& cause, const Row& row);
  void on_answer(const History& history, const Event& event, Row& row);
  void on_write(Folding& at, const Event& event, Row& row);
  // Where its other end lies; null: that row is not shown.
  const RowBox* end_of(const Scene& scene, const Message& message) const;
  void paint_answer(Canvas& canvas, const Scene& scene, const RowBox& row, const Message& answer, TrueTime from,
                    TrueTime to) const;
  void paint_write(Canvas& canvas, const Scene& scene, const RowBox& row, const Message& write, TrueTime from,
                   TrueTime to) const;

  Column<Message> messages_;
  ByRow<Row> rows_;  // by contender
};

// ---- fold

void Messages::fold(Folding& at, const Event& event) {
  const int who = at.contender(event.node);
  if (who == kNoContender || event.lo != event.hi) return;
  Row& row = rows_[who];
  if (event.kind == EventKind::kAttempt) return on_answer(at.history, event, row);
  if (event.kind != EventKind::kChecked) return on_write(at, event, row);
  row.checked = event.hi;
  row.token = event.token;
}

// A refusal changes nothing at the store, so that no event is told of it there.
void Messages::on_answer(const History& history, const Event& event, Row& row) {
  if (static_cast<AttemptResult>(event.detail) != AttemptResult::kWon) return;
  const Event* grant = cause_of(history, event);
  if (grant != nullptr && grant->kind == EventKind::kReturned) grant = cause_of(history, *grant);
  if (grant == nullptr || grant->token != event.token) return;
  if (grant->kind != EventKind::kGranted && grant->kind != EventKind::kRenewed) return;
  const Event* const call = cause_of(history, *grant);
  const bool called = call != nullptr && call->kind == EventKind::kInvoked;
  Message answer;
  answer.token = event.token;
  answer.kind = grant->kind == EventKind::kRenewed ? Kind::kRenewal : Kind::kGrant;
  answer.at = grant->hi;
  row.answers.put(static_cast<std::uint32_t>(messages_.size()), called ? call->hi : grant->hi, event.hi);
  messages_.push_back(answer);
}

// A write's cause is the last thing that its writer had heard or done when it left. That is its check; or came after
// the last check before it arrived, which then is its own, as a worker makes no other until it has written. A late
// write whose cause is neither may be of any.
std::optional<TrueTime> Messages::check_of(const Event& write, const Event& cause, const Row& row) {
  const bool own = cause.kind == EventKind::kChecked;
  if (!own && row.checked >= cause.hi) return {};
  if ((own ? cause.token : row.token) != write.token) return {};
  return own ? cause.hi : row.checked;
}

// A check that another write has come of is not this one's, whatever its cause says.
void Messages::on_write(Folding& at, const Event& event, Row& row) {
  const Event* const cause = cause_of(at.history, event);
  if (cause == nullptr || !one_resource_each(at.facts().legend)) return;
  const std::optional<TrueTime> check = check_of(event, *cause, row);
  if (!check) return;
  const auto place = std::lower_bound(row.checks.begin(), row.checks.end(), *check);
  if (place != row.checks.end() && *place == *check) return;
  row.checks.insert(place, *check);
  Message write;
  write.token = event.token;
  write.resource = at.resource(Name{static_cast<std::uint32_t>(event.a)});
  write.kind = Kind::kWrite;
  write.result = event.kind;
  write.at = cause->hi;
  row.writes.put(static_cast<std::uint32_t>(messages_.size()), *check, event.hi);
  messages_.push_back(write);
}

// ---- paint

// Calls with each that is in view and long enough, with its ends.
template <class Do>
void each_long(const Scene& scene, const IntervalTrack& track, TrueTime from, TrueTime to, Do&& action) {
  track.each_long(from, to, scene.time_of(kLeast), action);
}

const RowBox* Messages::end_of(const Scene& scene, const Message& message) const {
  const bool write = message.kind == Kind::kWrite;
  for (const RowBox& row : scene.layout.rows)
    if (write ? row.kind == RowKind::kResource && row.index == message.resource : row.kind == RowKind::kStore)
      return &row;
  return nullptr;
}

bool meets(const Scene& scene, int a, int b) {
  constexpr int kHead = 6;
  return scene.meets_rows({std::min(a, b) - kHead, std::abs(a - b) + 2 * kHead});
}

// Dashed from the call, where there was one; up from the square of the grant, and on to the moment in which it was
// heard.
void Messages::paint_answer(Canvas& canvas, const Scene& scene, const RowBox& row, const Message& answer, TrueTime from,
                            TrueTime to) const {
  const RowBox* const store = end_of(scene, answer);
  if (store == nullptr) return;
  constexpr int kSquare = 4;
  const QColor& ink = canvas.colours().arrow;
  const int line = scene.y(row) + message_lane(scene.layout.row).y + 2;
  const int axis = scene.y(*store) + measures().store_axis, granted = scene.x(answer.at), x1 = scene.x(to);
  if (!meets(scene, line, axis)) return;
  const int start = axis > line ? axis - kSquare : axis + kSquare + 1;
  if (from < answer.at) canvas.hdash(line, scene.x(from), granted, ink, 2, 2);
  if (from < answer.at && scene.shows(from)) canvas.circle(scene.x(from) + 0.5, line + 0.5, 2.8, ink);
  if (scene.shows(answer.at)) canvas.vline(granted, std::min(line, start), std::max(line, start), ink);
  canvas.hline(line, granted, x1, ink);
  const double tip = x1 + 0.5, y = line + 0.5;
  if (scene.shows(to)) canvas.polygon({{tip - 6, y - 4}, {tip - 6, y + 4}, {tip, y}}, ink, true);
}

// In no contender's hue: on its way it crosses the rows of others, where it would be taken for a lease.
const QColor& ink_of(const Colours& c, EventKind result) {
  if (result == EventKind::kWriteRejected) return c.write_rejected;
  return result == EventKind::kWriteStaleAccepted ? c.write_stale : c.write_accepted;
}

// Dashed from the check on, as somewhere there it left; then down to what became of it.
void Messages::paint_write(Canvas& canvas, const Scene& scene, const RowBox& row, const Message& write, TrueTime from,
                           TrueTime to) const {
  const RowBox* const resource = end_of(scene, write);
  if (resource == nullptr) return;
  constexpr int kTick = 10;
  const QColor& ink = ink_of(canvas.colours(), write.result);
  const int line = scene.y(row) + message_lane(scene.layout.row).y + 2, x0 = scene.x(from), x1 = scene.x(to);
  const bool down = resource->y > row.y;
  const int tip = axis_of(scene, *resource) + (down ? -kTick : kTick), back = down ? tip - 6 : tip + 6;
  if (!meets(scene, line, tip)) return;
  canvas.hdash(line, x0, x1, ink, 2, 2);
  if (scene.shows(from)) canvas.circle(x0 + 0.5, line + 0.5, 2.8, ink);
  if (!scene.shows(to)) return;
  canvas.vline(x1, std::min(line, back), std::max(line, back), ink);
  const double x = x1 + 0.5;
  canvas.polygon(
      {{x - 4, static_cast<double>(back)}, {x + 4, static_cast<double>(back)}, {x, static_cast<double>(tip)}}, ink,
      true);
}

// Whether what goes from this row to another may cross those that are painted.
bool may_cross(const Scene& scene, const RowBox& row) {
  int top = scene.y(row), bottom = top + row.height;
  for (const RowBox& end : scene.layout.rows) {
    if (end.kind != RowKind::kStore && end.kind != RowKind::kResource) continue;
    top = std::min(top, scene.y(end));
    bottom = std::max(bottom, scene.y(end) + end.height);
  }
  return scene.meets_rows({top, bottom - top});
}

// Writes of one fate that lie on each other are one; answers follow each other.
void Messages::paint(Canvas& canvas, const Scene& scene) const {
  if (scene.on_top) return;
  const TrueTime from = scene.viewport.from, to = scene.viewport.to() - Duration(1);
  for (const RowBox& row : scene.layout.rows) {
    const Row* const of = row.kind == RowKind::kContender ? rows_.find(row.index) : nullptr;
    if (of == nullptr || !may_cross(scene, row)) continue;
    each_long(scene, of->answers, from, to, [&](std::uint32_t i, TrueTime begin, TrueTime end) {
      paint_answer(canvas, scene, row, messages_[i], begin, end);
    });
    const Message* last = nullptr;
    int x0 = 0, x1 = 0;  // of the last
    each_long(scene, of->writes, from, to, [&](std::uint32_t i, TrueTime begin, TrueTime end) {
      const Message& write = messages_[i];
      const bool near = std::abs(scene.x(begin) - x0) < kOneArrow && std::abs(scene.x(end) - x1) < kOneArrow;
      if (last != nullptr && near && last->result == write.result) return;
      paint_write(canvas, scene, row, write, begin, end);
      last = &write;
      x0 = scene.x(begin);
      x1 = scene.x(end);
    });
  }
}

// ---- hit, describe, legend

// The last that had begun by then.
Hit Messages::hit(const Scene& scene, const RowBox& row, QPoint at) const {
  const Band lane = message_lane(scene.layout.row);
  const Row* const of = row.kind == RowKind::kContender ? rows_.find(row.index) : nullptr;
  if (of == nullptr || !inside(lane, at.y() - scene.y(row))) return {};
  const TrueTime time = scene.viewport.time(at.x() - scene.left());
  Hit found;
  for (const IntervalTrack* const track : {&of->answers, &of->writes})
    each_long(scene, *track, time, time, [&](std::uint32_t i, TrueTime begin, TrueTime end) {
      if (begin > time || end < time || (found && begin < found.from) || end_of(scene, messages_[i]) == nullptr) return;
      const QRect bar(scene.x(begin), scene.y(row) + lane.y, scene.x(end) - scene.x(begin), lane.height);
      found = {LaneKind::kMessages, row.kind, row.index, i, bar, begin, end};
    });
  return found;
}

HoverText Messages::describe(const ChartData& data, const Hit& hit, TrueTime /*at*/) const {
  const Message& message = messages_[hit.index];
  const QString unknown = tr("not in the history");
  HoverText text;
  text.contender = hit.row;
  text.right = tokenText(message.token);
  if (message.kind == Kind::kWrite) {
    text.title = writeTitle(writeFate(message.result, message.token));
    text.lines.emplace_back(tr("checked"), data.axis().text(hit.from));
    const bool later = message.at > hit.from;
    text.lines.emplace_back(tr("left"), later ? tr("not before %1").arg(data.axis().text(message.at)) : unknown);
    text.lines.emplace_back(tr("arrived"), data.axis().text(hit.to));
    const ResourceRow& resource = data.resources()[static_cast<std::size_t>(message.resource)];
    text.lines.emplace_back(tr("resource"), QString::fromStdString(resource.name));
  } else {
    const bool renewal = message.kind == Kind::kRenewal;
    text.title = renewal ? tr("renewal answered") : tr("grant answered");
    if (hit.from < message.at) text.lines.emplace_back(tr("called"), data.axis().text(hit.from));
    text.lines.emplace_back(tr("sent"), unknown);
    text.lines.emplace_back(tr("applied"), data.axis().text(message.at));
    text.lines.emplace_back(tr("answered"), data.axis().text(hit.to));
  }
  text.lines.emplace_back(tr("after"), spanText(hit.to - hit.from));
  return text;
}

std::vector<LegendMark> Messages::legend() const {
  return {{LegendGroup::kHappens, tr("answer on its way"), tr("from the call, if any; when sent is not known"),
           [](Canvas& c, const QRect& at) {
             const double tip = at.x() + 44.5, y = at.y() + 5.5;
             c.vline(at.x() + 8, at.y() + 5, at.y() + 15, c.colours().arrow);
             c.hline(at.y() + 5, at.x() + 8, at.x() + 44, c.colours().arrow);
             c.polygon({{tip - 6, y - 4}, {tip - 6, y + 4}, {tip, y}}, c.colours().arrow, true);
           }},
          {LegendGroup::kHappens, tr("write on its way"), tr("from its check; when it left is not known"),
           [](Canvas& c, const QRect& at) {
             const QColor& ink = c.colours().write_accepted;
             const double x = at.x() + 44.5, back = at.y() + 10.0;
             c.circle(at.x() + 8.5, at.y() + 4.5, 2.8, ink);
             c.hdash(at.y() + 4, at.x() + 8, at.x() + 44, ink, 2, 2);
             c.vline(at.x() + 44, at.y() + 4, at.y() + 10, ink);
             c.polygon({{x - 4, back}, {x + 4, back}, {x, back + 6}}, ink, true);
           }}};
}

}  // namespace

std::unique_ptr<Lane> messages_lane() { return std::make_unique<Messages>(); }

}  // namespace leasescope
