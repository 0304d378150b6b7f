// Who was told of a release: from the release to the attempt it woke.
#include "core/store/port.h"
#include "ui/models/words.h"
#include "ui/timeline/lanes/in_view.h"
#include "ui/timeline/lanes/pointing.h"

namespace leasescope {
namespace {

// What of an arrow a pointer may lie on: the line of a hit.
enum End : int { kTold, kReleased };

class Notifications : public Lane {
 public:
  std::vector<EventKind> hears() const override { return {EventKind::kNotification}; }
  void fold(Folding& at, const Event& event) override;
  void paint(Canvas& canvas, const Scene& scene) const override;
  Hit hit(const Scene& scene, const RowBox& row, QPoint at) const override;
  std::optional<Band> place(const Scene& scene, const RowBox& row, const Hit& hit) const override;
  HoverText describe(const ChartData& data, const Hit& hit, TrueTime at) const override;
  std::vector<LegendMark> legend() const override;

 private:
  // The places of those that are drawn, in order.
  std::vector<std::uint32_t> drawn(const Scene& scene) const;
  // Whether one of those of a row lies near, which may be drawn as another one.
  bool near(const Scene& scene, int who, End end, QPoint at) const;

  ByRow<IntervalTrack> to_;    // by who was told
  ByRow<IntervalTrack> from_;  // by who released
};

void Notifications::fold(Folding& at, const Event& event) {
  const auto step = static_cast<NotificationStep>(event.detail);
  const auto kind = static_cast<StoreEventKind>(event.a);
  const bool handed_over = kind == StoreEventKind::kHandedOver;  // it names whom to, and not from whom
  if (step != NotificationStep::kReceived || (kind != StoreEventKind::kReleased && !handed_over)) return;
  NotificationMark mark;
  mark.at = event.hi;
  mark.target = at.contender(event.node);
  if (mark.target == kNoContender) return;
  mark.sent = event.hi;
  mark.source = event.b > 0 && !handed_over ? at.contender(Name{static_cast<std::uint32_t>(event.b)}) : kNoContender;
  if (at.history.holds(event.cause) && at.history.event(event.cause).hi <= event.hi)
    mark.sent = at.history.event(event.cause).hi;
  const SpanTrack& held = at.mutex_row(at.mutex(event.mutex)).held;
  constexpr std::size_t kLookedAt = 4;
  for (std::size_t i = held.size(); i > 0 && i + kLookedAt > held.size(); --i) {
    const LeaseSpan span = held[i - 1];
    if (span.ending != SpanEnd::kReleased) continue;
    if (mark.source == kNoContender) mark.source = span.contender;
    if (mark.source == span.contender) mark.sent = std::min(mark.sent, span.end.hi);
    break;
  }
  if (mark.source == mark.target) return;
  const auto place = static_cast<std::uint32_t>(at.rows().notifications.size());
  to_[mark.target].put(place, mark.sent, mark.at);
  if (mark.source != kNoContender) from_[mark.source].put(place, mark.sent, mark.at);
  at.rows().notifications.push_back(mark);
}

// From a dot at the release to an arrow head at the attempt it woke; elbowed when it took longer than 8 px.
struct Way {
  int x0 = 0, x1 = 0;
  int from = 0, turn = 0, to = 0;  // heights
  bool down = false;
  bool elbowed() const { return x1 != x0; }
};

constexpr int kDot = 5, kHead = 6, kTurn = 12;  // px

// None where one of the two has no row.
std::optional<Way> way_of(const Scene& scene, const NotificationMark& mark) {
  const RowBox* source = scene.layout.contender_row(mark.source);
  const RowBox* target = scene.layout.contender_row(mark.target);
  if (source == nullptr || target == nullptr) return {};
  const RowMeasures& m = scene.layout.row;
  Way way;
  way.from = scene.y(*source) + m.held.y + m.held.height / 2;
  way.down = target->y > source->y;
  way.to = scene.y(*target) + m.attempts.y + (way.down ? 0 : m.attempts.height + 3);
  way.turn = way.down ? way.to - kTurn : way.to + kTurn;
  way.x0 = scene.x(mark.sent);
  way.x1 = scene.x(mark.at) - way.x0 > 8 ? scene.x(mark.at) : way.x0;
  return way;
}

void paint_arrow(Canvas& canvas, const Scene& scene, const NotificationMark& mark) {
  const std::optional<Way> way = way_of(scene, mark);
  if (!way) return;
  const Colours& c = canvas.colours();
  const auto [x0, x1, from, turn, to, down] = *way;
  const int top = std::min({from, to, turn}) - kDot, bottom = std::max({from, to, turn}) + kDot;
  if (!scene.meets_rows({top, bottom - top})) return;
  if (x1 != x0) {
    canvas.vdash(x0, std::min(from, turn), std::max(from, turn), c.arrow, 2, 2);
    canvas.hdash(turn, x0, x1, c.arrow, 2, 2);
    canvas.vdash(x1, std::min(turn, to), std::max(turn, to), c.arrow, 2, 2);
  } else {
    canvas.vdash(x0, std::min(from, to), std::max(from, to), c.arrow, 2, 2);
  }
  canvas.circle(x0 + 0.5, from, 3.5, c.chart);
  canvas.circle(x0 + 0.5, from, 2.8, c.arrow);
  const double tip = x1 + 0.5, back = down ? to - kHead : to + kHead;
  canvas.polygon({{tip - 4, back}, {tip + 4, back}, {tip, static_cast<double>(to)}}, c.arrow, true);
}

// Those into one row that lie on each other are one; what is left is painted in the order in which it was told.
void Notifications::paint(Canvas& canvas, const Scene& scene) const {
  if (scene.on_top) return;
  for (const std::uint32_t i : drawn(scene)) paint_arrow(canvas, scene, scene.data.notifications()[i]);
}

std::vector<std::uint32_t> Notifications::drawn(const Scene& scene) const {
  return arrows_in_view(scene,
                        [&](int who) { return scene.layout.contender_row(who) != nullptr ? to_.find(who) : nullptr; });
}

// ---- hit, describe, legend

// An end with what is drawn around it. On its way between it crosses the rows of others, and there these are meant.
QRect area_of(const Way& way, End end) {
  if (end == kReleased) return {way.x0 - kDot + 1, way.from - kDot + 1, 2 * kDot - 1, 2 * kDot - 1};
  const int length = way.elbowed() ? kTurn + 2 : kHead + 1, top = way.down ? way.to - length : way.to;
  return {way.x0 - kDot, top, way.x1 - way.x0 + 2 * kDot + 1, length};
}
// ... where it is drawn within that: the head, and the line that leads there from the release.
bool lies_on(const Way& way, End end, QPoint at) {
  if (!area_of(way, end).contains(at)) return false;
  constexpr int kBesideLine = 2;
  return end == kReleased || at.x() >= way.x1 - kDot || std::abs(at.y() - way.turn) <= kBesideLine;
}

bool Notifications::near(const Scene& scene, int who, End end, QPoint at) const {
  const IntervalTrack* const track = (end == kTold ? to_ : from_).find(who);
  if (track == nullptr) return false;
  bool found = false;
  std::size_t looked = 0;
  constexpr int kReachOfAll = 8 + kDot;  // px: an arrow's head may lie so far from when it was told
  track->each(scene.first_of(at.x() - kReachOfAll), scene.first_of(at.x() + kReachOfAll),
              [&](std::uint32_t i, TrueTime sent, TrueTime told) {
                const std::optional<Way> way = way_of(scene, scene.data.notifications()[i]);
                found = way && lies_on(*way, end, at);
                if (found || ++looked > kMostArrows) return TrueTime::max();
                const int x0 = scene.x(sent);
                return scene.x(told) - x0 < kOneArrow ? last_before(scene, x0 + kOneArrow) : sent;
              });
  return found;
}

// The last that is drawn there. A head that comes from below lies under its row.
Hit Notifications::hit(const Scene& scene, const RowBox& row, QPoint at) const {
  if (scene.stays(row)) return {};
  for (const RowBox& of : scene.layout.rows) {
    if (of.kind != RowKind::kContender || at.y() < scene.y(of) || at.y() >= scene.y(of) + of.height + kTurn) continue;
    for (const End end : {kReleased, kTold}) {
      if (!near(scene, of.index, end, at)) continue;
      const std::vector<std::uint32_t> all = drawn(scene);
      for (auto i = all.rbegin(); i != all.rend(); ++i) {
        const NotificationMark& mark = scene.data.notifications()[*i];
        if ((end == kTold ? mark.target : mark.source) != of.index) continue;
        const std::optional<Way> way = way_of(scene, mark);
        if (!way || !lies_on(*way, end, at)) continue;
        const bool lasts = end == kTold && way->elbowed();
        return {LaneKind::kNotifications,
                RowKind::kContender,
                of.index,
                *i,
                area_of(*way, end),
                mark.sent,
                lasts ? mark.at : mark.sent,
                !lasts,
                end};
      }
    }
  }
  return {};
}

std::optional<Band> Notifications::place(const Scene& scene, const RowBox& row, const Hit& hit) const {
  if (row.kind != hit.on || row.index != hit.row) return {};
  const std::optional<Way> way = way_of(scene, scene.data.notifications()[hit.index]);
  if (!way) return {};
  const QRect area = area_of(*way, static_cast<End>(hit.line));
  return Band{area.y() - scene.y(row), area.height()};
}

// The dots of one release lie on each other: to whom they all lead.
QStringList told_of(const ChartData& data, std::size_t one) {
  constexpr std::size_t kMost = 8;
  const std::vector<NotificationMark>& all = data.notifications();
  const auto same = [&](std::size_t i) { return all[i].source == all[one].source && all[i].sent == all[one].sent; };
  std::size_t first = one;
  while (first > 0 && same(first - 1)) --first;
  QStringList letters;
  for (std::size_t i = first; i < all.size() && same(i); ++i) {
    if (letters.size() == kMost) return letters << QStringLiteral("…");
    letters << QString::fromStdString(data.letter(all[i].target));
  }
  return letters;
}

HoverText Notifications::describe(const ChartData& data, const Hit& hit, TrueTime /*at*/) const {
  const NotificationMark& mark = data.notifications()[hit.index];
  const auto letter = [&](int who) { return QString::fromStdString(data.letter(who)); };
  HoverText text;
  text.contender = hit.row;
  text.title = hit.line == kTold ? tr("told of a release") : tr("its release was told");
  if (hit.line == kTold)
    text.lines.emplace_back(tr("of"), letter(mark.source));
  else
    text.lines.emplace_back(tr("to"), told_of(data, hit.index).join(QStringLiteral(", ")));
  text.lines.emplace_back(tr("released"), data.axis().text(mark.sent));
  if (hit.line != kTold) return text;
  text.lines.emplace_back(tr("told"), data.axis().text(mark.at));
  text.lines.emplace_back(tr("after"), spanText(mark.at - mark.sent));
  return text;
}

std::vector<LegendMark> Notifications::legend() const {
  return {{LegendGroup::kHappens, tr("notification"), tr("from the release to who was told of it"),
           [](Canvas& c, const QRect& at) {
             const QColor& ink = c.colours().arrow;
             const double x = at.x() + 44.5, back = at.y() + 9.0;
             c.hdash(at.y() + 4, at.x() + 10, at.x() + 44, ink, 2, 2);
             c.vdash(at.x() + 44, at.y() + 4, at.y() + 9, ink, 2, 2);
             c.circle(at.x() + 10.5, at.y() + 4.5, 2.8, ink);
             c.polygon({{x - 4, back}, {x + 4, back}, {x, back + kHead}}, ink, true);
           }}};
}

}  // namespace

std::unique_ptr<Lane> notifications_lane() { return std::make_unique<Notifications>(); }

}  // namespace leasescope
