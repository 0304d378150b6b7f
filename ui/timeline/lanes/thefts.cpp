// Who stole the mutex from whom: the notice to the victim, its acknowledgement, and the wait of the thief between.
#include "ui/models/words.h"
#include "ui/timeline/lanes/in_view.h"
#include "ui/timeline/lanes/pointing.h"
#include "ui/timeline/lanes/told.h"
#include "ui/timeline/paint/strip.h"
#include "ui/timeline/paint/tape.h"

namespace leasescope {
namespace {

// From the grant to the moment at which the thief uses what it has, or loses it.
struct Theft {
  TrueTime at{}, to = kOpenEnd;
  TrueTime limit = kOpenEnd;  // of what it was granted
  int thief = kNoContender, victim = kNoContender;
  bool owns = false;  // ... in the end
  TrueTime told = kOpenEnd;
  TrueTime next = kOpenEnd;  // when its thief steals again

  // Until when there is something of its rule: to where it is used or lost, or to the limit if that is shown.
  TrueTime limit_seen() const { return owns || limit == kOpenEnd ? to : std::min(limit, next); }
  TrueTime seen_until() const { return std::max(to, limit_seen()); }
};
struct Acknowledgement {
  TrueTime sent{}, at = kOpenEnd;
  int victim = kNoContender, thief = kNoContender;
  bool heard = false;
};

// Of a contender: its thefts, those that it suffered, and what may be seen of them in its row, by their places in the
// lists of all.
struct Part {
  std::vector<std::uint32_t> thefts, suffered;  // in order
  IntervalTrack rules;    // as a thief: from the theft until it is used, or to the limit of what was granted
  IntervalTrack notices;  // as a thief, from the theft until its victim was told
  IntervalTrack answers;  // to it as a thief
};

struct Words {
  QString waits = Lane::tr("waits for %1"), briefly = Lane::tr("for %1"), told = Lane::tr("told: stolen");
};

constexpr int kCap = 10;   // px of the rule's ends
constexpr int kElbow = 8;  // px after an arrow's begin
constexpr int kLeastRule = 4;

class Thefts : public Lane {
 public:
  std::vector<EventKind> hears() const override {
    return {EventKind::kGranted,  EventKind::kBelieved, EventKind::kDisbelieved, EventKind::kAcknowledged,
            EventKind::kReleased, EventKind::kExpired,  EventKind::kCrashed,     EventKind::kStopped};
  }
  void fold(Folding& at, const Event& event) override;

  void paint(Canvas& canvas, const Scene& scene) const override;
  Says says() const override { return Says::kLives; }
  void write(Canvas& canvas, const Scene& scene) const override;
  Hit hit(const Scene& scene, const RowBox& row, QPoint at) const override;
  std::optional<Band> place(const Scene& scene, const RowBox& row, const Hit& hit) const override {
    if (row.kind != hit.on || row.index != hit.row) return {};
    return scene.layout.row.believed;
  }
  HoverText describe(const ChartData& data, const Hit& hit, TrueTime at) const override;
  std::vector<LegendMark> legend() const override;

 private:
  Theft* waiting(int thief);
  bool robbed(const Theft& theft) const;
  void put(const Theft& theft);
  void put(const Acknowledgement& sent);
  void on_stolen(Folding& at, const Event& event, int thief);
  void on_acknowledged(Folding& at, const Event& event, int victim);
  TrueTime shown_limit(const Scene& scene, const Theft& theft) const;
  void paint_rules(Canvas& canvas, const Scene& scene, const RowBox& row, const Part& part, Strip& narrow) const;
  void paint_rule(Canvas& canvas, const Scene& scene, const RowBox& row, const Theft& theft) const;
  bool beside_bars(const Scene& scene, const Theft& theft, int from, int to) const;
  void write_wait(Canvas& canvas, const Scene& scene, const Theft& theft, const Words& words) const;
  // Places of what is seen as arrows, in order.
  std::vector<std::uint32_t> arrows(const Scene& scene, IntervalTrack Part::*track) const;
  std::vector<std::uint32_t> told_or_waiting(const Scene& scene) const;

  std::vector<Theft> thefts_;  // in order
  std::vector<Acknowledgement> acknowledgements_;
  ByRow<Part> parts_;  // by contender
};

// ---- fold

// A contender's last theft, while it waits for the acknowledgement.
Theft* Thefts::waiting(int thief) {
  const Part* const part = parts_.find(thief);
  if (part == nullptr || part->thefts.empty()) return nullptr;
  Theft& last = thefts_[part->thefts.back()];
  return last.to == kOpenEnd ? &last : nullptr;
}

// By another thief, since then.
bool Thefts::robbed(const Theft& theft) const {
  const Part* const part = parts_.find(theft.thief);
  return part != nullptr && !part->suffered.empty() && thefts_[part->suffered.back()].at >= theft.at;
}

// It is new, or more is known of it.
void Thefts::put(const Theft& theft) {
  const auto place = static_cast<std::uint32_t>(&theft - thefts_.data());
  Part& part = parts_[theft.thief];
  part.rules.put(place, theft.at, theft.seen_until());
  if (theft.told != kOpenEnd) part.notices.put(place, theft.at, theft.told);
}

void Thefts::put(const Acknowledgement& sent) {
  if (sent.thief == kNoContender) return;
  parts_[sent.thief].answers.put(static_cast<std::uint32_t>(&sent - acknowledgements_.data()), sent.sent,
                                 sent.heard ? sent.at : sent.sent);
}

void Thefts::on_stolen(Folding& at, const Event& event, int thief) {
  if (const Part* const part = parts_.find(thief); part != nullptr && !part->thefts.empty()) {
    Theft& before = thefts_[part->thefts.back()];
    before.to = std::min(before.to, event.hi);
    before.next = event.hi;
    put(before);
  }
  Theft theft;
  theft.at = event.hi;
  theft.thief = thief;
  if (event.a > 0 && event.a != kNoDeadline) theft.limit = event.hi + Duration(event.a);
  for (const std::uint32_t place : at.standing.displaced())
    theft.victim = at.contender(at.standing.contender(place).name);
  const auto place = static_cast<std::uint32_t>(thefts_.size());
  thefts_.push_back(theft);
  parts_[thief].thefts.push_back(place);
  if (theft.victim != kNoContender) parts_[theft.victim].suffered.push_back(place);
  put(thefts_.back());
}

// Who was robbed meanwhile has nothing to wait for any more: it is told, and uses nothing.
void Thefts::on_acknowledged(Folding& at, const Event& event, int victim) {
  acknowledgements_.push_back({event.hi, kOpenEnd, victim, at.contender(Name{static_cast<std::uint32_t>(event.b)})});
  Acknowledgement& sent = acknowledgements_.back();
  if (Theft* const theft = waiting(sent.thief); theft != nullptr && robbed(*theft)) {
    theft->to = sent.at = event.hi;
    sent.heard = true;
    put(*theft);
  }
  put(sent);
}

void Thefts::fold(Folding& at, const Event& event) {
  const int who = at.contender(event.node);
  if (who == kNoContender) return;
  if (event.kind == EventKind::kGranted && is_theft(static_cast<GrantKind>(event.detail)))
    return on_stolen(at, event, who);
  if (event.kind == EventKind::kAcknowledged) return on_acknowledged(at, event, who);
  if (event.kind == EventKind::kDisbelieved && static_cast<DisbeliefReason>(event.detail) == DisbeliefReason::kStolen) {
    const std::vector<std::uint32_t>& suffered = parts_[who].suffered;
    const auto last = std::find_if(suffered.rbegin(), suffered.rend(),
                                   [&](std::uint32_t each) { return thefts_[each].told == kOpenEnd; });
    if (last != suffered.rend()) {
      thefts_[*last].told = event.hi;
      put(thefts_[*last]);
    }
  }
  Theft* const own = waiting(who);
  const bool owns = event.kind == EventKind::kBelieved;
  if (own == nullptr || event.kind == EventKind::kGranted) return;
  own->to = event.hi;
  own->owns = owns;
  put(*own);
  for (auto each = acknowledgements_.rbegin(); each != acknowledgements_.rend() && each->sent >= own->at; ++each)
    if (each->thief == who && each->at == kOpenEnd) {
      each->at = event.hi;
      each->heard = owns;
      put(*each);
    }
}

// ---- paint

// The way from one row to another: along the first's time, then across, then along the second's.
struct Way {
  int x0 = 0, y0 = 0, x1 = 0, y1 = 0;
  int turn() const { return y0 + (y1 > y0 ? kElbow : -kElbow); }
  bool down() const { return y1 > y0; }
};

void paint_way(Canvas& canvas, const Way& way, bool dotted) {
  const Colours& c = canvas.colours();
  const auto vertical = [&](int x, int from, int to) {
    const int top = std::min(from, to), bottom = std::max(from, to);
    canvas.fill(x - 1, top, 3, bottom - top, c.chart);
    if (dotted)
      canvas.vdash(x, top, bottom, c.arrow, 2, 2);
    else
      canvas.vline(x, top, bottom, c.arrow);
  };
  if (std::abs(way.x1 - way.x0) <= 2) return vertical(way.x0, way.y0, way.y1);
  vertical(way.x0, way.y0, way.turn());
  vertical(way.x1, way.turn(), way.y1);
  const int left = std::min(way.x0, way.x1), right = std::max(way.x0, way.x1) + 1;
  canvas.fill(left, way.turn() - 1, right - left, 3, c.chart);
  if (dotted)
    canvas.hdash(way.turn(), left, right, c.arrow, 2, 2);
  else
    canvas.hline(way.turn(), left, right, c.arrow);
}

// From a dot at the theft to a filled head at the victim.
void paint_notice(Canvas& canvas, const Way& way) {
  const Colours& c = canvas.colours();
  paint_way(canvas, way, true);
  canvas.circle(way.x0 + 0.5, way.y0, 4, c.chart);
  canvas.circle(way.x0 + 0.5, way.y0, 3, c.arrow);
  const double x = way.x1 + 0.5, back = way.y1 + (way.down() ? -7.0 : 7.0);
  canvas.polygon({{x - 4, back}, {x + 4, back}, {x, static_cast<double>(way.y1)}}, c.arrow, true);
}

// From a ring at the victim to an open head at the thief; a cross where nobody is there any more.
void paint_acknowledgement(Canvas& canvas, const Way& way, bool heard) {
  const Colours& c = canvas.colours();
  paint_way(canvas, way, false);
  canvas.circle(way.x0 + 0.5, way.y0, 3.6, c.arrow);
  canvas.circle(way.x0 + 0.5, way.y0, 2.4, c.chart);
  const double x = way.x1 + 0.5, tip = way.y1, back = tip + (way.down() ? -7.0 : 7.0), in = way.down() ? 1.2 : -1.2;
  if (!heard) return canvas.cross(x, back, 3.5, c.text);
  canvas.polygon({{x - 4.6, back - in * 0.6}, {x + 4.6, back - in * 0.6}, {x, tip + in * 0.6}}, c.arrow, true);
  canvas.polygon({{x - 2.6, back + in * 0.4}, {x + 2.6, back + in * 0.4}, {x, tip - in * 1.4}}, c.chart, true);
}

// What is no wider than its own end is put down with the others of the row at once.
void Thefts::paint_rules(Canvas& canvas, const Scene& scene, const RowBox& row, const Part& part, Strip& narrow) const {
  const Band lane = scene.layout.row.believed;
  const int cap = std::min(kCap, lane.height);
  each_seen(scene, part.rules, [&](std::uint32_t i) {
    const Theft& theft = thefts_[i];
    const TrueTime until = std::max(scene.until(theft.to), scene.until(theft.limit_seen()));
    if (!scene.shows(theft.at, until)) return;
    const int from = scene.clipped_x(theft.at);
    if (scene.clipped_x(until) > from + 1) return paint_rule(canvas, scene, row, theft);
    narrow.fill(from, from + 1, identity(canvas, scene, theft.thief).ink);
  });
  narrow.put(canvas, scene.y(row) + lane.y + lane.height / 2 - cap / 2, cap);
}

// Has it, and may not use it: a rule in the middle of the lane instead of a bar, dotted to its limit.
void Thefts::paint_rule(Canvas& canvas, const Scene& scene, const RowBox& row, const Theft& theft) const {
  const IdentityColours& id = identity(canvas, scene, theft.thief);
  const Band lane = scene.layout.row.believed;
  const int middle = scene.y(row) + lane.y + lane.height / 2;
  const int from = scene.clipped_x(theft.at), to = scene.clipped_x(scene.until(theft.to));
  if (to - from >= kLeastRule) canvas.fill(from, middle - 1, to - from, 2, id.ink);
  const int cap = std::min(kCap, lane.height);
  for (const int x : {from, std::max(to - 1, from)}) canvas.fill(x, middle - cap / 2, 1, cap, id.ink);
  if (theft.limit == kOpenEnd || theft.limit <= scene.until(theft.to) || theft.owns) return;
  const TrueTime shown = shown_limit(scene, theft);
  const int limit = scene.clipped_x(shown);
  canvas.hdash(middle, to + 2, limit, id.ink, 2, 2);
  if (shown == theft.limit && scene.shows(shown)) canvas.fill(limit, middle - cap / 2, 1, cap, canvas.colours().text);
}

// The limit of what it was granted, or before it where it has or steals the mutex again.
TrueTime Thefts::shown_limit(const Scene& scene, const Theft& theft) const {
  TrueTime shown = theft.limit;
  const std::vector<std::uint32_t>& own = parts_.find(theft.thief)->thefts;
  const auto later = std::upper_bound(own.begin(), own.end(), theft.at,
                                      [&](TrueTime at, std::uint32_t each) { return at < thefts_[each].at; });
  if (later != own.end()) shown = std::min(shown, thefts_[*later].at);
  const SpanTrack& bars = scene.data.contenders()[static_cast<std::size_t>(theft.thief)].believed;
  const std::size_t next = bars.first_ending_after(theft.to);
  if (next < bars.size()) shown = std::min(shown, bars.start(next));
  return std::max(shown, theft.to);
}

std::optional<Way> way_between(const Scene& scene, int from, int to, TrueTime sent, TrueTime at, bool notice) {
  const RowBox* const source = scene.layout.contender_row(from);
  const RowBox* const target = scene.layout.contender_row(to);
  if (source == nullptr || target == nullptr || source == target || !scene.shows(sent, at)) return {};
  const Band lane = scene.layout.row.believed;
  const bool down = target->y > source->y;
  const int begin = scene.y(*source) + lane.y + (notice ? lane.height / 2 : down ? lane.height : 0);
  const int end = scene.y(*target) + lane.y + (down ? 0 : lane.height);
  return Way{scene.x(sent), begin, scene.x(at), end};
}

std::vector<std::uint32_t> Thefts::arrows(const Scene& scene, IntervalTrack Part::*track) const {
  return arrows_in_view(scene, [&](int who) {
    const Part* const part = parts_.find(who);
    return part != nullptr ? &(part->*track) : nullptr;
  });
}

void Thefts::paint(Canvas& canvas, const Scene& scene) const {
  if (scene.on_top) return;
  Strip narrow(scene);
  each_row(scene, RowKind::kContender, [&](const RowBox& row) {
    if (const Part* const part = parts_.find(row.index)) paint_rules(canvas, scene, row, *part, narrow);
  });
  for (const std::uint32_t i : arrows(scene, &Part::notices)) {
    const Theft& theft = thefts_[i];
    if (const auto way = way_between(scene, theft.thief, theft.victim, theft.at, theft.told, true))
      paint_notice(canvas, *way);
  }
  for (const std::uint32_t i : arrows(scene, &Part::answers)) {
    const Acknowledgement& each = acknowledgements_[i];
    if (const auto way =
            way_between(scene, each.victim, each.thief, each.sent, each.heard ? each.at : each.sent, false))
      paint_acknowledgement(canvas, *way, each.heard);
  }
}

// Whether no bar and no other rule of the thief's lane lies there. Only the first that goes on behind its first pixel
// can be in the way, or, of rules, the one after it.
bool Thefts::beside_bars(const Scene& scene, const Theft& theft, int from, int to) const {
  const auto meets = [&](TrueTime begin, TrueTime end) { return scene.x(begin) < to && scene.x(end) > from; };
  const TrueTime behind = scene.first_of(from + 1);
  const SpanTrack& bars = scene.data.contenders()[static_cast<std::size_t>(theft.thief)].believed;
  for (std::size_t i = bars.first_ending_after(behind - Duration(1)); i < bars.size(); ++i) {
    if (scene.x(bars.start(i)) >= to) break;
    if (meets(bars.start(i), scene.until(bars.end_of(i)))) return false;
  }
  const std::vector<std::uint32_t>& own = parts_.find(theft.thief)->thefts;
  auto each = std::lower_bound(own.begin(), own.end(), behind,
                               [&](std::uint32_t i, TrueTime at) { return thefts_[i].to < at; });
  for (; each != own.end() && scene.x(thefts_[*each].at) < to; ++each)
    if (&thefts_[*each] != &theft && meets(thefts_[*each].at, scene.until(thefts_[*each].to))) return false;
  return true;
}

// For whom the thief waits: right of where it begins to, else left of it; in fewer words where there is no room.
void Thefts::write_wait(Canvas& canvas, const Scene& scene, const Theft& theft, const Words& words) const {
  const RowBox* const row = scene.layout.contender_row(theft.thief);
  if (row == nullptr || !scene.visible(*row) || !scene.shows(theft.at, scene.until(theft.to))) return;
  const TextStyle style{canvas.colours().text, 10};
  const Band lane = scene.layout.row.believed;
  // Above the rule, unless the notice crosses there.
  const bool crossed = theft.told != kOpenEnd && scene.x(theft.told) - scene.x(theft.at) > 2;
  const int middle = scene.y(*row) + lane.y + lane.height / 2, y = crossed ? middle + 10 : middle - 4;
  const int from = scene.clipped_x(theft.at);
  const auto room = [&](int x, int width) {
    return x >= scene.left() && x + width < scene.right() && beside_bars(scene, theft, x, x + width) &&
           !canvas.places().blocked({x, y - 9, width, 11});
  };
  const int least = canvas.width_of(words.briefly.arg(QString()), style);  // nothing is narrower
  if (!room(from + 5, least) && !room(from - 4 - least, least)) return;
  const QString victim = QString::fromStdString(scene.data.letter(theft.victim));
  for (const QString& text : {words.waits.arg(victim), words.briefly.arg(victim)}) {
    const int width = canvas.width_of(text, style);
    for (const int x : {from + 5, from - 4 - width}) {
      if (!room(x, width)) continue;
      canvas.places().reserve({x, y - 9, width, 11});
      return canvas.text(x, y, text, style);
    }
  }
}

// Nothing is written over an arrow.
void reserve_way(Canvas& canvas, const Way& way) {
  const auto vertical = [&](int x, int from, int to) {
    canvas.places().reserve({x - 4, std::min(from, to), 9, std::abs(to - from) + 1});
  };
  const bool straight = std::abs(way.x1 - way.x0) <= 2;
  vertical(way.x0, way.y0, straight ? way.y1 : way.turn());
  if (!straight) vertical(way.x1, way.turn(), way.y1);
}

// Those of which something may be written: of who waits in a row that is seen, and of whom was told.
std::vector<std::uint32_t> Thefts::told_or_waiting(const Scene& scene) const {
  std::vector<std::uint32_t> found = arrows(scene, &Part::notices);
  each_row(scene, RowKind::kContender, [&](const RowBox& row) {
    if (const Part* const part = parts_.find(row.index))
      each_seen(scene, part->rules, [&](std::uint32_t i) { found.push_back(i); });
  });
  std::sort(found.begin(), found.end());
  found.erase(std::unique(found.begin(), found.end()), found.end());
  return found;
}

// Beside the rule for whom the thief waits; at the victim that it was told.
void Thefts::write(Canvas& canvas, const Scene& scene) const {
  if (scene.layout.row.believed.height < 14) return;
  if (!scene.on_top)
    for (const std::uint32_t i : arrows(scene, &Part::answers)) {
      const Acknowledgement& each = acknowledgements_[i];
      if (const auto way =
              way_between(scene, each.victim, each.thief, each.sent, each.heard ? each.at : each.sent, false))
        reserve_way(canvas, *way);
    }
  const Words words;
  for (const std::uint32_t i : told_or_waiting(scene)) {
    const Theft& theft = thefts_[i];
    write_wait(canvas, scene, theft, words);
    if (theft.told != kOpenEnd) write_told(canvas, scene, theft.victim, theft.told, words.told);
  }
}

// ---- hit, describe, legend

Hit Thefts::hit(const Scene& scene, const RowBox& row, QPoint at) const {
  if (row.kind != RowKind::kContender || !inside(scene.layout.row.believed, at.y() - scene.y(row))) return {};
  const TrueTime time = scene.viewport.time(at.x() - scene.left());
  const Part* const part = parts_.find(row.index);
  if (part == nullptr) return {};
  // One is over when the next begins: the last that had begun by then.
  const auto later = std::upper_bound(part->thefts.begin(), part->thefts.end(), time,
                                      [&](TrueTime t, std::uint32_t i) { return t < thefts_[i].at; });
  if (later == part->thefts.begin()) return {};
  const std::size_t i = *std::prev(later);
  const Theft& theft = thefts_[i];
  const TrueTime to = scene.until(theft.to);
  if (time >= to) return {};
  const Band lane = scene.layout.row.believed;
  const QRect bar(scene.x(theft.at), scene.y(row) + lane.y, std::max(1, scene.x(to) - scene.x(theft.at)), lane.height);
  return {LaneKind::kThefts, row.kind, row.index, i, bar, theft.at, to};
}

HoverText Thefts::describe(const ChartData& data, const Hit& hit, TrueTime /*at*/) const {
  const Theft& theft = thefts_[hit.index];
  HoverText text;
  text.contender = theft.thief;
  text.title = tr("stole it, and may not use it yet");
  text.lines.emplace_back(tr("from"), QString::fromStdString(data.letter(theft.victim)));
  text.lines.emplace_back(tr("waits"), data.axis().stretchText(theft.at, hit.to));
  text.lines.emplace_back(tr("then"), theft.to == kOpenEnd ? tr("not ended yet")
                                      : theft.owns         ? tr("it owns")
                                                           : tr("it has it no more"));
  return text;
}

std::vector<LegendMark> Thefts::legend() const {
  return {{LegendGroup::kHappens, tr("has it, unconfirmed"), tr("a rule until the victim has answered"),
           [](Canvas& c, const QRect& at) {
             const QColor& ink = c.colours().id[1].ink;
             c.fill(at.x(), at.y() + 7, 36, 2, ink);
             for (const int x : {at.x(), at.x() + 35}) c.fill(x, at.y() + 3, 1, kCap, ink);
             c.hdash(at.y() + 8, at.x() + 38, at.x() + at.width(), ink, 2, 2);
           }},
          {LegendGroup::kHappens, tr("steal notice"), tr("to whom it was stolen from"),
           [](Canvas& c, const QRect& at) {
             c.hdash(at.y() + 8, at.x() + 4, at.x() + 46, c.colours().arrow, 2, 2);
             c.circle(at.x() + 4, at.y() + 8.5, 3, c.colours().arrow);
             c.polygon({{at.x() + 46.0, at.y() + 4.5}, {at.x() + 46.0, at.y() + 12.5}, {at.x() + 53.0, at.y() + 8.5}},
                       c.colours().arrow, true);
           }},
          {LegendGroup::kHappens, tr("acknowledgement"), tr("that it let go; a cross where nobody is there"),
           [](Canvas& c, const QRect& at) {
             c.hline(at.y() + 8, at.x() + 4, at.x() + 46, c.colours().arrow);
             c.circle(at.x() + 4, at.y() + 8.5, 3.6, c.colours().arrow);
             c.circle(at.x() + 4, at.y() + 8.5, 2.4, c.colours().panel);
             c.polygon({{at.x() + 46.0, at.y() + 4.0}, {at.x() + 46.0, at.y() + 13.0}, {at.x() + 53.0, at.y() + 8.5}},
                       c.colours().arrow, true);
             c.polygon({{at.x() + 47.2, at.y() + 6.0}, {at.x() + 47.2, at.y() + 11.0}, {at.x() + 50.8, at.y() + 8.5}},
                       c.colours().panel, true);
           }}};
}

}  // namespace

std::unique_ptr<Lane> thefts_lane() { return std::make_unique<Thefts>(); }

}  // namespace leasescope
