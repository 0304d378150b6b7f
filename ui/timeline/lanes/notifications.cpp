// Who was told of a release: from the release to the attempt it woke.
#include "core/store/port.h"
#include "ui/timeline/lanes/in_view.h"

namespace leasescope {
namespace {

class Notifications : public Lane {
 public:
  std::vector<EventKind> hears() const override { return {EventKind::kNotification}; }
  void fold(Folding& at, const Event& event) override;
  void paint(Canvas& canvas, const Scene& scene) const override;

 private:
  ByRow<IntervalTrack> to_;  // by who was told
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
  to_[mark.target].put(static_cast<std::uint32_t>(at.rows().notifications.size()), mark.sent, mark.at);
  at.rows().notifications.push_back(mark);
}

// From a dot at the release to an arrow head at the attempt it woke; elbowed when it took longer than 8 px.
void paint_arrow(Canvas& canvas, const Scene& scene, const NotificationMark& mark) {
  const RowBox* source = scene.layout.contender_row(mark.source);
  const RowBox* target = scene.layout.contender_row(mark.target);
  if (source == nullptr || target == nullptr) return;
  const Colours& c = canvas.colours();
  const RowMeasures& m = scene.layout.row;
  const int from = scene.y(*source) + m.held.y + m.held.height / 2;
  const bool down = target->y > source->y;
  const int to = scene.y(*target) + m.attempts.y + (down ? 0 : m.attempts.height + 3);
  const int turn = down ? to - 12 : to + 12;
  constexpr int kDot = 5;
  const int top = std::min({from, to, turn}) - kDot, bottom = std::max({from, to, turn}) + kDot;
  if (!scene.meets_rows({top, bottom - top})) return;
  const int x0 = scene.x(mark.sent), x1 = scene.x(mark.at) - x0 > 8 ? scene.x(mark.at) : x0;
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

// Those into one row that lie on each other are one; what is left is painted in the order in which it was told.
void Notifications::paint(Canvas& canvas, const Scene& scene) const {
  if (scene.on_top) return;
  const std::vector<NotificationMark>& marks = scene.data.notifications();
  const auto told = [&](int who) { return scene.layout.contender_row(who) != nullptr ? to_.find(who) : nullptr; };
  for (const std::uint32_t i : arrows_in_view(scene, told)) paint_arrow(canvas, scene, marks[i]);
}

}  // namespace

std::unique_ptr<Lane> notifications_lane() { return std::make_unique<Notifications>(); }

}  // namespace leasescope
