#include "tests/ui/random_looks.h"

#include <algorithm>
#include <cmath>
#include <random>
#include <string>

#include <QtGlobal>

#include "simulator/run/virtual_run.h"
#include "simulator/scenario/catalogue.h"
#include "tests/bench/timeline/night.h"
#include "ui/timeline/paint/hit.h"

namespace leasescope::tests {
namespace {

constexpr int kNarrowest = 420, kWidest = 1'900, kLowest = 260, kHighest = 1'000;
constexpr std::size_t kLarge = 2;                                     // of the runs, behind the built-in ones
constexpr const char* kCrowdedNight = "a night of 10 000 incidents";  // the last

int asked(const char* variable, int otherwise) {
  return qEnvironmentVariableIsSet(variable) ? qEnvironmentVariableIntValue(variable) : otherwise;
}
int seed() { return asked("LEASESCOPE_VIEWPORT_SEED", 20'261'127); }

struct Run {
  std::string name;
  ChartData data;
  std::vector<Axis> axes;  // by seconds, by the wall clock, by each contender's clock that is not right
};

void find_axes(Run& run, const History& history) {
  constexpr std::int64_t kSomeNight = 1'795'918'327'250'000'000;  // ns since 1970, in November 2026
  for (const Counts counts : {Counts::kRun, Counts::kUtc, Counts::kLocal})
    run.axes.push_back(Axis{{counts, counts == Counts::kRun ? 0 : kSomeNight, {}}});
  Cast cast;
  cast.reset(history.legend.contenders);
  cast.sync(history);
  for (int place = 0; place < cast.size(); ++place)
    if (const OffsetCourse* const course = cast.wallClock(history, place))
      run.axes.push_back(
          Axis{{Counts::kContender, 0, std::make_shared<ShownClock>(ShownClock{Cast::letter(place), *course})}});
}

std::unique_ptr<Run> folded(const Scenario& scenario, const std::string& name) {
  VirtualRun virtual_run(scenario);
  virtual_run.advance(TrueTime::max());
  auto run = std::make_unique<Run>();
  run->name = name;
  run->data.reset(run_facts(scenario));
  run->data.append(virtual_run.history());
  find_axes(*run, virtual_run.history());
  return run;
}

Scenario built_in(std::string_view name, const std::vector<std::string>& sets = {}) {
  const auto scenario = find_scenario(std::string(name), sets);
  if (!scenario) qFatal("%s", scenario.error().text().c_str());
  return *scenario;
}

// Those of all built-in scenarios, so of every lock system; a night whose leases are folded to pixels; a fleet of which
// most have no row; a night whose incidents are folded, too. Each is made once.
const std::vector<std::unique_ptr<Run>>& runs() {
  static const std::vector<std::unique_ptr<Run>> all = [] {
    std::vector<std::unique_ptr<Run>> made;
    for (const BuiltIn& each : built_in_scenarios())
      made.push_back(folded(built_in(each.name), std::string(each.name)));
    made.push_back(folded(bench::night(20'000, 400), "a night of 20 000 leases"));
    made.push_back(folded(built_in("gc-pause", {"contender.0.count=1000"}), "gc-pause with 1 000 contenders"));
    made.push_back(folded(bench::night(360'000, 20'000), kCrowdedNight));
    return made;
  }();
  return all;
}

class Draw {
 public:
  explicit Draw(int number) {
    std::seed_seq of{seed(), number};
    random_.seed(of);
  }
  int number(int least, int most) { return std::uniform_int_distribution<>(least, most)(random_); }
  bool one_in(int n) { return number(1, n) == 1; }
  std::size_t below(std::size_t end) { return static_cast<std::size_t>(number(0, static_cast<int>(end) - 1)); }
  double share() { return std::uniform_real_distribution<>(0, 1)(random_); }
  TrueTime within(TrueTime from, Duration span) {
    return from + Duration(static_cast<std::int64_t>(share() * static_cast<double>(span.count())));
  }

 private:
  std::mt19937_64 random_;
};

// From a microsecond to more than all, those of any size as likely. A short stretch of a long run shows nothing mostly:
// every second one is at an incident.
void draw_stretch(Draw& draw, const ChartData& data, Look& look) {
  const auto whole = static_cast<double>(std::max<std::int64_t>(1, data.now().time_since_epoch().count()));
  const double least = 1e3;
  look.span = Duration(static_cast<std::int64_t>(least * std::pow(1.3 * whole / least, draw.share())));
  const auto& incidents = data.incidents();
  const TrueTime near = !incidents.empty() && draw.one_in(2) ? incidents[draw.below(incidents.size())].start
                                                             : draw.within(TrueTime{}, data.now() - TrueTime{});
  look.from = near - look.span * draw.number(0, 1'000) / 1'000;
}

void draw_rows(Draw& draw, const ChartData& data, RowChoice& rows) {
  rows.by_relevance = draw.one_in(2);
  rows.unfolded = draw.one_in(2);
  if (data.contenders().empty() || draw.one_in(2)) return;
  const auto some = [&] { return data.contenders()[draw.below(data.contenders().size())].name; };
  for (int i = draw.number(0, 2); i > 0; --i)
    if (const std::string name = some(); !has_name(rows.pinned, name)) rows.pinned.push_back(name);
  if (draw.one_in(3)) rows.hidden.push_back(some());
  if (draw.one_in(3)) rows.order.push_back(some());
  if (draw.one_in(6)) rows.filter.kind = IncidentKind::kBeliefOverlap;
}

void draw_markers(Draw& draw, const Look& look, MarkerFlags& markers) {
  for (int i = draw.number(0, 5); i > 0; --i)
    markers.push_back({draw.within(look.from, look.span),
                       QString(QStringLiteral("where it began, and what then came of it")).left(draw.number(0, 40)),
                       {}});
  std::sort(markers.begin(), markers.end(), [](const MarkerFlag& a, const MarkerFlag& b) { return a.at < b.at; });
}

OnTop draw_on_top(Draw& draw, const ChartData& data, const Look& look) {
  OnTop top;
  const auto somewhere = [&] { return draw.within(look.from - look.span / 8, look.span * 5 / 4); };
  const auto some_point = [&] { return QPoint(draw.number(0, look.width), draw.number(0, look.height)); };
  if (!draw.one_in(3)) top.cursor = somewhere();
  if (draw.one_in(3)) top.veil = somewhere();
  for (int i = draw.one_in(2) ? draw.number(1, 3) : 0; i > 0; --i) top.forks.push_back(somewhere());
  if (draw.one_in(2)) top.measured = {somewhere(), somewhere()};
  if (draw.one_in(2)) draw_markers(draw, look, top.markers);
  if (!top.markers.empty() && draw.one_in(2)) top.over_marker = static_cast<int>(draw.below(top.markers.size()));
  const std::size_t incidents = data.incidents().size(), contenders = data.contenders().size();
  if (incidents > 0 && draw.one_in(2)) top.selected_incident = static_cast<int>(draw.below(incidents));
  if (contenders > 0 && draw.one_in(2)) top.current_row = static_cast<int>(draw.below(contenders));
  if (draw.one_in(2)) top.pointer = some_point();
  if (draw.one_in(2)) top.chosen = some_point();
  return top;
}

QString rows_text(const RowChoice& rows) {
  QString out;
  const auto add = [&](bool is, const QString& what) { out += is ? QStringLiteral(", ") + what : QString(); };
  const auto names = [](const std::vector<std::string>& of) {
    QStringList all;
    for (const std::string& each : of) all << QString::fromStdString(each);
    return all.join(u' ');
  };
  add(rows.by_relevance, QStringLiteral("busiest first"));
  add(rows.unfolded, QStringLiteral("idle rows too"));
  add(!rows.pinned.empty(), QStringLiteral("pinned ") + names(rows.pinned));
  add(!rows.hidden.empty(), QStringLiteral("hidden ") + names(rows.hidden));
  add(!rows.order.empty(), QStringLiteral("first ") + names(rows.order));
  add(rows.filter.any(), QStringLiteral("filtered"));
  return out;
}

QString top_text(const OnTop& top) {
  QString out;
  const auto ns = [](TrueTime at) { return QString::number(at.time_since_epoch().count()); };
  const auto add = [&](const QString& what) { out += QStringLiteral(", ") + what; };
  if (top.cursor) add(QStringLiteral("cursor at ") + ns(*top.cursor));
  if (top.veil) add(QStringLiteral("veil from ") + ns(*top.veil));
  for (const TrueTime at : top.forks) add(QStringLiteral("fork at ") + ns(at));
  if (top.measured) add(QStringLiteral("measured %1 to %2").arg(ns(top.measured->first), ns(top.measured->second)));
  for (const MarkerFlag& each : top.markers) add(QStringLiteral("marker \"%1\" at %2").arg(each.name, ns(each.at)));
  if (top.over_marker >= 0) add(QStringLiteral("pointer over marker %1").arg(top.over_marker));
  if (top.selected_incident >= 0) add(QStringLiteral("incident %1 selected").arg(top.selected_incident));
  if (top.current_row >= 0) add(QStringLiteral("row %1 current").arg(top.current_row));
  if (top.pointer) add(QStringLiteral("pointer at %1,%2").arg(top.pointer->x()).arg(top.pointer->y()));
  if (top.chosen) add(QStringLiteral("chosen at %1,%2").arg(top.chosen->x()).arg(top.chosen->y()));
  return out;
}

// Looks that have less to them, those that take away most first.
std::vector<Look> simpler(const Look& look) {
  std::vector<Look> out;
  const auto with = [&](auto change) {
    Look next = look;
    change(next);
    if (next.text() != look.text()) out.push_back(std::move(next));
  };
  with([](Look& next) { next.top = {}; });
  with([](Look& next) { next.rows = {}; });
  with([](Look& next) { next.axis = {}; });
  with([](Look& next) { next.theme = Theme::kLight; });
  with([](Look& next) { next.ratio = 1; });
  with([](Look& next) { next.density = Density::kComfortable; });
  with([](Look& next) { next.scroll = 0; });
  with([](Look& next) { next.top.cursor.reset(); });
  with([](Look& next) { next.top.veil.reset(); });
  with([](Look& next) { next.top.measured.reset(); });
  with([](Look& next) { next.top.pointer.reset(); });
  with([](Look& next) { next.top.chosen.reset(); });
  with([](Look& next) { next.top.selected_incident = next.top.current_row = -1; });
  for (std::size_t i = 0; i < look.top.forks.size(); ++i)
    with([&](Look& next) { next.top.forks.erase(next.top.forks.begin() + static_cast<std::ptrdiff_t>(i)); });
  with([](Look& next) { next.top.over_marker = -1; });
  for (std::size_t i = 0; look.top.over_marker < 0 && i < look.top.markers.size(); ++i)
    with([&](Look& next) { next.top.markers.erase(next.top.markers.begin() + static_cast<std::ptrdiff_t>(i)); });
  with([](Look& next) { next.height = std::max(kLowest, next.height / 2); });
  with([](Look& next) { next.width = std::max(kNarrowest, next.width / 2); });
  if (look.span > Duration(2'000)) {
    with([](Look& next) { next.span /= 2; });
    with([](Look& next) {
      next.from += next.span / 2;
      next.span /= 2;
    });
  }
  return out;
}

// Each step is a few pictures: as many as are done in some seconds.
Look shrunk(Look look, const WhatIsWrong& what) {
  constexpr int kMostTries = 300;
  for (int tries = 0; tries < kMostTries;) {
    const std::vector<Look> next = simpler(look);
    const auto found = std::find_if(next.begin(), next.end(),
                                    [&](const Look& each) { return tries++ < kMostTries && what(each).has_value(); });
    if (found == next.end()) break;
    look = *found;
  }
  return look;
}

}  // namespace

QByteArray Look::text() const {
  static constexpr const char* kDensities[] = {"comfortable", "regular", "compact"};
  return QStringLiteral("%1, %2 to %3 ns, %4x%5 at %6, scrolled %7, %8, %9")
             .arg(QString::fromStdString(runs()[run]->name))
             .arg(from.time_since_epoch().count())
             .arg((from + span).time_since_epoch().count())
             .arg(width)
             .arg(height)
             .arg(ratio)
             .arg(scroll)
             .arg(theme == Theme::kLight ? QStringLiteral("light") : QStringLiteral("dark"))
             .arg(QLatin1String(kDensities[static_cast<std::size_t>(density)]))
             .toUtf8() +
         (axis.counts == Counts::kRun ? QString() : QStringLiteral(", counting in ") + axis.unit()).toUtf8() +
         rows_text(rows).toUtf8() + top_text(top).toUtf8();
}

Shown::Shown(const Look& look) : look_(look) {
  ChartData& data = runs()[look.run]->data;
  data.setAxis(look.axis);
  const Measures& m = measures();
  layout_ = layout_chart(data, look.width, look.rows, look.height - m.ruler - m.incident_rail, look.density);
  look_.scroll = std::clamp(look.scroll, 0, std::max(0, layout_.height() - look.height));
  scene_.emplace(Scene{data, layout_, Viewport::fitting(look.from, look.from + look.span, layout_.plot_width()),
                       look.height, look_.scroll});
}

Overlay Shown::overlay() const {
  const OnTop& top = look_.top;
  Overlay out;
  out.cursor = top.cursor;
  out.veil_from = top.veil;
  out.forks = top.forks;
  out.measured = top.measured;
  out.markers = &top.markers;
  out.over_marker = top.over_marker;
  out.states_at = top.cursor.value_or(data().now());
  out.selected_incident = top.selected_incident;
  out.current_row = top.current_row;
  const auto bar_at = [&](const std::optional<QPoint>& at, bool incident_too) -> std::optional<QRect> {
    const Hit hit = at ? hit_test(scene(), *at) : Hit{};
    const bool framed = hit && (incident_too || hit.lane != LaneKind::kIncidents);
    const QRect bar = framed ? bar_of(scene(), hit) : QRect();
    return bar.isEmpty() ? std::nullopt : std::optional<QRect>(bar);
  };
  out.hovered = bar_at(top.pointer, true);
  // An incident that is chosen is marked in the rail instead.
  if (top.selected_incident < 0) out.selected = bar_at(top.chosen, false);
  return out;
}

Minimap Shown::minimap() const {
  const Viewport& view = scene().viewport.shown;
  return {data(),
          QRect(0, 0, layout_.width, measures().minimap),
          layout_.head,
          view.from,
          view.to(),
          look_.top.cursor,
          layout_.first_mutex()};
}

const ChartData& crowded_night() { return runs().back()->data; }
bool is_of_crowded_night(const Look& look) { return look.run + 1 == runs().size(); }

int look_count() { return std::max(1, asked("LEASESCOPE_VIEWPORTS", 300)); }

Look nth_look(int number) {
  Draw draw(number);
  Look look;
  // In turns, and each fourth one of the large ones.
  const std::size_t small = runs().size() - kLarge - 1;
  look.run = draw.one_in(4) ? small + draw.below(kLarge) : static_cast<std::size_t>(number) % small;
  // A third of the large ones, by nothing that is drawn: those of other numbers are what they were without that night.
  if (look.run >= small && number % 3 == 0) look.run = small + kLarge;
  const Run& run = *runs()[look.run];
  draw_stretch(draw, run.data, look);
  look.width = draw.number(kNarrowest, kWidest);
  look.height = draw.number(kLowest, kHighest);
  look.theme = draw.one_in(2) ? Theme::kDark : Theme::kLight;
  constexpr double kRatios[] = {1, 1, 1.5, 2};
  look.ratio = kRatios[draw.below(std::size(kRatios))];
  look.density = static_cast<Density>(draw.number(0, 2));
  draw_rows(draw, run.data, look.rows);
  look.axis = run.axes[draw.below(run.axes.size())];
  if (!draw.one_in(4)) look.top = draw_on_top(draw, run.data, look);
  look.scroll = draw.one_in(3) ? 0 : draw.number(0, 6'000);
  // As it is shown, so that it is told so: most charts have fewer rows than that.
  const int most = std::max(0, Shown(look).scene().layout.height() - look.height);
  look.scroll = most == 0 ? 0 : look.scroll % (most + 1);
  return look;
}

QByteArray first_wrong_look(const char* slot, const WhatIsWrong& what) {
  const int first = asked("LEASESCOPE_VIEWPORT_FIRST", 0);
  qInfo("viewports %d to %d of seed %d", first, first + look_count() - 1, seed());
  for (int i = first; i < first + look_count(); ++i) {
    const Look look = nth_look(i);
    if (!what(look)) continue;
    const Look least = shrunk(look, what);
    const QString why = what(least).value_or(QStringLiteral("not wrong any more"));
    return why.toUtf8() + "\n  in:      " + least.text() + "\n  made of: " + look.text() +
           QStringLiteral(
               "\n  again:   LEASESCOPE_VIEWPORT_SEED=%1 LEASESCOPE_VIEWPORT_FIRST=%2 LEASESCOPE_VIEWPORTS=1 "
               "leasescope_ui_tests any_viewport %3")
               .arg(seed())
               .arg(i)
               .arg(QLatin1String(slot))
               .toUtf8();
  }
  return {};
}

}  // namespace leasescope::tests
