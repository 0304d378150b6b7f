// Every lane of the z-order is whole: it folds, paints, is met by a pointer, tells what it is and explains its marks in
// the legend; or it is said here why it does not. And each says it in the reader's language, as cheaply as it can.
#include <QCoreApplication>
#include <QImage>
#include <QTranslator>

#include <set>

#include "tests/support/ui_suite.h"
#include "tests/ui/lane_histories.h"
#include "ui/timeline/lanes/lane.h"
#include "ui/timeline/paint/figure.h"

using namespace leasescope;
using namespace leasescope::tests;
using namespace std::chrono_literals;

namespace {

enum class Part { kFolds, kPaints, kHits, kDescribes, kExplains };
constexpr std::array kParts{Part::kFolds, Part::kPaints, Part::kHits, Part::kDescribes, Part::kExplains};
constexpr std::array kPartNames{"fold", "paint", "hit", "describe", "legend"};

// What a lane does without, and why.
struct Without {
  LaneKind lane;
  std::vector<Part> parts;
  const char* why;
};

const std::vector<Without>& declared() {
  static const std::vector<Without> all{
      {LaneKind::kGround,
       {Part::kFolds, Part::kHits, Part::kDescribes, Part::kExplains},
       "the paper: rows and grid, of which the ruler tells"},
      {LaneKind::kNotSeen, {Part::kFolds}, "the pauses of whose clock it is are folded as bands"},
      {LaneKind::kIncidentTints,
       {Part::kFolds, Part::kHits, Part::kDescribes, Part::kExplains},
       "the ground of an incident, whose own lane has all that"},
      {LaneKind::kClockSeams, {Part::kFolds}, "the clock comes with the axis, not with an event"},
      {LaneKind::kRims,
       {Part::kFolds, Part::kHits, Part::kDescribes},
       "where rows and the run end: there is nothing to tell of what has not happened"},
      {LaneKind::kBeside, {Part::kFolds}, "the places of a mutex are folded with what was held"},
      {LaneKind::kRefusals,
       {Part::kFolds, Part::kHits, Part::kDescribes},
       "a write that went wrong is one of the writes, whose lane folds them all and tells of them"},
      {LaneKind::kIncidents, {Part::kFolds}, "no event: the list is taken over when all events are in"},
      {LaneKind::kFolds, {Part::kFolds}, "who has no row is the layout's word"}};
  return all;
}

bool is_without(LaneKind lane, Part part) {
  return std::any_of(declared().begin(), declared().end(), [&](const Without& each) {
    return each.lane == lane && std::find(each.parts.begin(), each.parts.end(), part) != each.parts.end();
  });
}

// Of a clock that is set, forward or back.
Axis by_a(Duration step) {
  OffsetCourse course;
  course.change(TrueTime(15s), step, 0);
  return {Counts::kContender, 0, std::make_shared<ShownClock>(ShownClock{QStringLiteral("A"), course})};
}

struct Chart {
  ChartData data;
  ChartLayout layout;

  Chart(const RunFacts& facts, const History& history, const Axis& axis = {}) {
    data.reset(facts);
    data.append(history);
    data.setAxis(axis);
    layout = layout_chart(data, 916);
  }
  Scene scene(TrueTime from, TrueTime to) const {
    return {data, layout, view_of(data, {from, to, {}}, layout.plot_width()), layout.height(), 0};
  }
  Scene scene() const { return scene({}, data.end()); }
  const Lane& lane(LaneKind kind) const { return data.lane(kind); }
  HoverText told(const Hit& hit) const { return describe(data, hit, hit.from); }
};

// An answer that was heard three seconds after it was given.
HistoryWriter late_answer() {
  HistoryWriter w;
  w.add(2000, w.a, EventKind::kGranted, 1, ms(7000));
  const Sequence grant = w.history.last();
  w.add(5000, w.a, EventKind::kAttempt, 1, ms(7000), static_cast<std::int64_t>(RequestKind::kAcquire)).cause = grant;
  w.history.now = at_ms(20'000);
  return w;
}

RunFacts fleet_facts() {
  RunFacts facts = gc_pause_facts();
  for (int i = 0; i < kFoldFrom; ++i) facts.legend.contenders.push_back("idle-" + std::to_string(i));
  return facts;
}

// Whatever any lane shows.
std::vector<std::unique_ptr<Chart>> make_charts() {
  std::vector<std::unique_ptr<Chart>> all;
  const auto add = [&](const RunFacts& facts, const HistoryWriter& w, const Axis& axis = {}) {
    all.push_back(std::make_unique<Chart>(facts, w.history, axis));
  };
  add(gc_pause_facts(), gc_pause_history());
  add(gc_pause_facts(), gc_pause_history(), by_a(5s));
  add(gc_pause_facts(), late_answer());
  add(fenced_facts(), fenced_history());
  add(quorum_facts(), quorum_history());
  add(pool_facts(), pool_history());
  add(bank_facts(), bank_history());
  add(fleet_facts(), gc_pause_history());
  return all;
}
const std::vector<std::unique_ptr<Chart>>& charts() {
  static const std::vector<std::unique_ptr<Chart>> all = make_charts();
  return all;
}

// Where a pointer meets the lane, whatever lies over it.
Hit found_in(const Chart& chart, LaneKind lane) {
  const Scene scene = chart.scene();
  for (const RowBox& row : chart.layout.rows)
    for (int y = scene.y(row) + 1; y < scene.y(row) + row.height; y += 3)
      for (int x = scene.left(); x < scene.right(); x += 3)
        if (const Hit hit = chart.lane(lane).hit(scene, row, {x, y})) return hit;
  return {};
}
struct Found {
  const Chart* chart = nullptr;
  Hit hit;
};
Found found_in(const std::vector<std::unique_ptr<Chart>>& all, LaneKind lane) {
  for (const std::unique_ptr<Chart>& chart : all)
    if (const Hit hit = found_in(*chart, lane)) return {chart.get(), hit};
  return {};
}

int count(const QImage& image, const QRect& area, const QColor& colour) {
  int found = 0;
  const QRect within = area.intersected(image.rect());
  for (int y = within.top(); y <= within.bottom(); ++y)
    for (int x = within.left(); x <= within.right(); ++x) found += image.pixelColor(x, y) == colour;
  return found;
}

bool paints(const Chart& chart, LaneKind kind) {
  const Scene scene = chart.scene();
  QImage image(chart.layout.width, chart.layout.height(), QImage::Format_RGB32);
  image.fill(Qt::magenta);
  QPainter painter(&image);
  TileCache tiles;
  Canvas canvas(painter, Theme::kLight, tiles);
  const Lane& lane = chart.lane(kind);
  lane.paint(canvas, scene);
  lane.write(canvas, scene);
  for (const RowBox& row : chart.layout.rows) lane.head(canvas, scene, row);
  return count(image, image.rect(), Qt::magenta) < image.width() * image.height();
}

bool has(LaneKind kind, Part part) {
  const Lane& lane = charts().front()->lane(kind);
  switch (part) {
    case Part::kFolds:
      return !lane.hears().empty();
    case Part::kPaints:
      return std::any_of(charts().begin(), charts().end(), [&](const auto& chart) { return paints(*chart, kind); });
    case Part::kHits:
      return found_in(charts(), kind).chart != nullptr;
    case Part::kDescribes: {
      const Found found = found_in(charts(), kind);
      if (found.chart == nullptr) return false;
      const HoverText text = found.chart->told(found.hit);
      return !text.title.isEmpty() && !text.lines.empty();
    }
    case Part::kExplains: {
      const std::vector<LegendMark> marks = lane.legend();
      return std::any_of(marks.begin(), marks.end(), [](const LegendMark& mark) { return !mark.name.isEmpty(); });
    }
  }
  return false;
}

QImage painted(const Scene& scene) {
  QImage image(scene.layout.width, scene.layout.height(), QImage::Format_RGB32);
  image.fill(Qt::magenta);
  QPainter painter(&image);
  TileCache tiles;
  paint_chart(painter, scene, Theme::kLight, tiles, Painters::kOne);
  return image;
}

QString line_of(const HoverText& text, const char* label) {
  for (const auto& [name, value] : text.lines)
    if (name == QLatin1String(label)) return value;
  return {};
}

// Puts each text of the lanes between marks, and counts how often it is asked.
class Marking : public QTranslator {
 public:
  Marking() { QCoreApplication::installTranslator(this); }
  ~Marking() override { QCoreApplication::removeTranslator(this); }
  bool isEmpty() const override { return false; }
  QString translate(const char* context, const char* text, const char*, int) const override {
    if (qstrcmp(context, "Lane") != 0) return {};
    ++asked;
    return u'«' + QString::fromUtf8(text) + u'»';
  }

  mutable int asked = 0;
};

bool marked(const QString& text) { return text.contains(u'«') && text.contains(u'»'); }

// All kinds of things in one row after the other, so many times.
Chart busy(int turns) {
  constexpr std::int64_t kLength = 60'000;
  const RunFacts facts = lane_facts(kLength, {{"orders", 1, "fenced"}});
  LaneWriter w(facts);
  for (const Name who : {w.a, w.b, w.c}) w.add(0, who, EventKind::kStarted);
  for (int i = 0; i < turns; ++i) {
    const std::int64_t at = 100 + (kLength - 200) * i / turns, part = (kLength - 200) / turns / 8;
    const Name who = i % 2 == 0 ? w.a : w.b, other = i % 2 == 0 ? w.b : w.a;
    const Token token = static_cast<Token>(i + 1);
    w.session(at, who, EventKind::kSessionOpened, i + 1);
    w.granted(at, who, token, 2000);
    w.attempted(at, who, AttemptResult::kWon, token);
    w.believed(at, who, token, 2000);
    w.add(at + part, who, EventKind::kReentered, token, 0, 2);
    w.attempted(at + part, other, AttemptResult::kUnknown);
    w.add(at + 2 * part, who, EventKind::kRenewed, token, ms(2000));
    w.disbelieved(at + 4 * part, who, token, DisbeliefReason::kStop);
    w.add(at + 4 * part, who, EventKind::kReleased, token);
    w.add(at + 4 * part + 1, other, EventKind::kNotification, kNoToken,
          static_cast<std::int64_t>(StoreEventKind::kReleased), who.handle, detail(NotificationStep::kReceived));
    w.session(at + 5 * part, who, EventKind::kSessionEnded, i + 1, SessionEnd::kExpired);
    w.add(at + 6 * part, who, EventKind::kCrashed);
    w.add(at + 7 * part, who, EventKind::kRestarted);
    w.incident(IncidentKind::kBeliefOverlap, at + part, at + 2 * part, {w.a, w.b}, {token});
  }
  w.finish(kLength);
  return {facts, w.history};
}

}  // namespace

class WholeLanesTest : public UiSuite {
  Q_OBJECT
 private slots:
  void everyLaneIsWholeOrSaysWhyNot_data() {
    QTest::addColumn<int>("lane");
    for (std::size_t i = 0; i < kLaneNames.size(); ++i)
      QTest::newRow(std::string(kLaneNames[i]).c_str()) << static_cast<int>(i);
  }
  void everyLaneIsWholeOrSaysWhyNot() {
    QFETCH(int, lane);
    const auto kind = static_cast<LaneKind>(lane);
    for (std::size_t i = 0; i < kParts.size(); ++i) {
      const bool needs = !is_without(kind, kParts[i]);
      QVERIFY2(has(kind, kParts[i]) == needs, needs ? qPrintable(QStringLiteral("no %1").arg(kPartNames[i]))
                                                    : qPrintable(QStringLiteral("has a %1").arg(kPartNames[i])));
    }
  }
  // ... which is what hovering outlines.
  void whatIsMetHasAPlaceInThePicture() {
    for (std::size_t i = 0; i < kLaneNames.size(); ++i) {
      const Found found = found_in(charts(), static_cast<LaneKind>(i));
      if (found.chart == nullptr) continue;
      QCOMPARE(found.hit.lane, static_cast<LaneKind>(i));
      const Scene scene = found.chart->scene();
      const QRect place = bar_of(scene, found.hit);
      QVERIFY2(QRect(0, 0, scene.right(), scene.height).intersects(place), std::string(kLaneNames[i]).c_str());
    }
  }
  void everySampleOfTheLegendIsAPicture() {
    const QColor& ground = colours(Theme::kLight).panel;
    for (const LegendMark& mark : chart_legend()) {
      QImage image(56, 16, QImage::Format_RGB32);
      image.fill(ground);
      QPainter painter(&image);
      TileCache tiles;
      Canvas canvas(painter, Theme::kLight, tiles);
      mark.sample(canvas, image.rect());
      QVERIFY2(count(image, image.rect(), ground) < 56 * 16 - 8, qPrintable(mark.name + mark.brief));
    }
  }
  // What is said of a seam, and of what its clock did not see, is a name in the legend.
  void theLegendExplainsWhatOneClockShows() {
    QStringList names;
    for (const LegendMark& mark : chart_legend()) names << mark.name;
    for (const Duration step : {5s, -5s}) {
      const Chart chart(gc_pause_facts(), gc_pause_history().history, by_a(step));
      for (const LaneKind kind : {LaneKind::kClockSeams, LaneKind::kNotSeen}) {
        const Hit hit = found_in(chart, kind);
        QVERIFY(hit);
        QVERIFY2(names.contains(chart.told(hit).title), qPrintable(chart.told(hit).title));
      }
    }
  }

  // ---- what lanes tell

  void aReleaseSaysToWhomItWasToldAndTheyOfWhose() {
    const Chart chart(gc_pause_facts(), gc_pause_history().history);
    const Scene scene = chart.scene(at_ms(28'900), at_ms(29'100));
    const QImage image = painted(scene);
    const RowMeasures& m = chart.layout.row;
    const int x = scene.x(at_ms(29'000));
    const auto met = [&](int below, int contender) {
      const QPoint at(x, scene.y(*chart.layout.contender_row(contender)) + below);
      // Something of the arrow is painted there.
      return count(image, QRect(at.x() - 2, at.y() - 2, 5, 5), colours(Theme::kLight).arrow) > 3 ? hit_test(scene, at)
                                                                                                 : Hit{};
    };
    const Hit released = met(m.held.y + m.held.height / 2, 1);
    QCOMPARE(released.lane, LaneKind::kNotifications);
    QCOMPARE(chart.told(released).title, QStringLiteral("its release was told"));
    QCOMPARE(chart.told(released).contender, 1);
    QCOMPARE(line_of(chart.told(released), "to"), QStringLiteral("A, C"));
    // Down to C, and up to A.
    for (const auto& [below, contender] :
         {std::pair{m.attempts.y - 3, 2}, std::pair{m.attempts.y + m.attempts.height + 5, 0}}) {
      const Hit told = met(below, contender);
      QCOMPARE(told.lane, LaneKind::kNotifications);
      const HoverText text = chart.told(told);
      QCOMPARE(text.title, QStringLiteral("told of a release"));
      QCOMPARE(text.contender, contender);
      QCOMPARE(line_of(text, "of"), QStringLiteral("B"));
      QCOMPARE(line_of(text, "after"), spanText(1ms));
    }
    // Where its way crosses what another believes, that is meant.
    const QPoint between(x, scene.y(*chart.layout.contender_row(2)) + m.believed.y + 4);
    QVERIFY(hit_test(scene, between).lane != LaneKind::kNotifications);
  }
  void oneThatWasToldLateIsMetAllAlongItsElbow() {
    HistoryWriter w;
    w.acquire(0, w.a, 1);
    w.add(5000, w.a, EventKind::kReleased, 1);
    w.add(9000, w.c, EventKind::kNotification, kNoToken, static_cast<std::int64_t>(StoreEventKind::kReleased),
          w.a.handle, detail(NotificationStep::kReceived));
    w.history.now = at_ms(20'000);
    const Chart chart(gc_pause_facts(), w.history);
    const Scene scene = chart.scene({}, at_ms(20'000));
    const int y = scene.y(*chart.layout.contender_row(2)) + chart.layout.row.attempts.y - 12;
    QVERIFY(count(painted(scene), {scene.x(at_ms(7000)) - 4, y, 8, 1}, colours(Theme::kLight).arrow) > 2);
    const Hit hit = hit_test(scene, {scene.x(at_ms(7000)), y});
    QCOMPARE(hit.lane, LaneKind::kNotifications);
    QCOMPARE(hit.from, at_ms(5000));
    QCOMPARE(hit.to, at_ms(9000));
    QCOMPARE(line_of(chart.told(hit), "after"), spanText(4s));
    QVERIFY(bar_of(scene, hit).contains(scene.x(at_ms(7000)), y));
    QVERIFY(hit_test(scene, {scene.x(at_ms(7000)), y - 6}).lane != LaneKind::kNotifications);
  }
  void aGapSaysForHowLongNobodyHeld() {
    const Chart chart(gc_pause_facts(), gc_pause_history().history);
    const Scene scene = chart.scene(at_ms(9500), at_ms(32'000));
    const Band band = measures().mutex_band;
    const int x = scene.x(at_ms(17'095)), y = scene.y(*chart.layout.mutex_row(0)) + band.y;
    QVERIFY(count(painted(scene), {x - 2, y + band.height - 1, 3, 1}, colours(Theme::kLight).gap_line) > 1);
    const Hit hit = hit_test(scene, {x, y + band.height / 2});
    QCOMPARE(hit.lane, LaneKind::kLeaderless);
    QCOMPARE(chart.told(hit).title, QStringLiteral("nobody holds orders"));
    QCOMPARE(chart.told(hit).right, QStringLiteral("leaderless"));
    QCOMPARE(line_of(chart.told(hit), "for"), spanText(189ms));
    QCOMPARE(hit_test(scene, {scene.x(at_ms(16'000)), y + band.height / 2}).lane, LaneKind::kHeld);
  }
  // Of a crowd of gaps nobody could tell which one a label is of.
  void ofACrowdOfGapsOnlyThoseThatAreSeenAsWideAsTheyAreSayForHowLong() {
    constexpr int kGaps = 400, kApart = 1'000, kWide = 200;
    HistoryWriter w;
    Token token = 1;
    for (int i = 0; i < kGaps; ++i) {
      if (i > kWide && i < kWide + 10) continue;  // and there is a wide one among them
      w.acquire(i * kApart, w.a, token);
      w.add(i * kApart + kApart - 10, w.a, EventKind::kReleased, token++);
    }
    w.history.now = at_ms(kGaps * kApart);
    const Chart chart(gc_pause_facts(), w.history);
    const int y = measures().mutex_band.y - 13;
    const auto written = [&](const Scene& scene, std::int64_t from, std::int64_t to) {
      const int left = scene.x(at_ms(from)), top = scene.y(*chart.layout.mutex_row(0)) + y;
      return count(painted(scene), {left, top, scene.x(at_ms(to)) - left, 10}, colours(Theme::kLight).text) > 5;
    };
    const Scene whole = chart.scene({}, w.history.now);
    QVERIFY(!written(whole, 0, (kWide - 40) * kApart));
    QVERIFY(written(whole, (kWide - 40) * kApart, (kWide + 40) * kApart));
    QVERIFY(!written(whole, (kWide + 40) * kApart, (kGaps - 60) * kApart));
    QVERIFY(written(whole, (kGaps - 60) * kApart, kGaps * kApart));  // the one that lasts
    QVERIFY(written(chart.scene({}, at_ms(10 * kApart)), 0, 10 * kApart));
  }
  void aGapThatIsKnownWithinBoundsSaysBoth() {
    HistoryWriter w;
    w.acquire(0, w.a, 1);
    w.add(5000, w.a, EventKind::kReleased, 1).lo = at_ms(4000);
    w.add(8000, w.b, EventKind::kGranted, 2, ms(7000)).lo = at_ms(7000);
    w.history.now = at_ms(20'000);
    const Chart chart(gc_pause_facts(), w.history);
    const Scene scene = chart.scene({}, at_ms(20'000));
    const int y = scene.y(*chart.layout.mutex_row(0)) + measures().mutex_band.y + 4;
    const Hit hit = hit_test(scene, {scene.x(at_ms(6000)), y});
    QCOMPARE(hit.lane, LaneKind::kLeaderless);
    QCOMPARE(line_of(chart.told(hit), "for"), spanText(2s) + QStringLiteral(" … ") + spanText(4s));
  }
  void whatIsInUseSaysHowManyOfHowMany() {
    const Chart chart(pool_facts(), pool_history().history);
    const Scene scene = chart.scene();
    const RowBox& row = *chart.layout.own_row(LaneKind::kInUse, 0);
    const int axis = scene.y(row) + measures().in_use_axis;
    const QImage image = painted(scene);
    const auto told = [&](std::int64_t at) {
      const Hit hit = hit_test(scene, {scene.x(at_ms(at)), axis - 5});
      return hit.lane == LaneKind::kInUse ? chart.told(hit) : HoverText{};
    };
    QCOMPARE(image.pixelColor(scene.x(at_ms(10'000)), axis - 5), colours(Theme::kLight).grid_strong);
    QCOMPARE(told(10'000).right, QStringLiteral("3 of 3"));
    QVERIFY(told(10'000).warning.isEmpty());
    QCOMPARE(told(16'000).right, QStringLiteral("4 of 3"));
    QCOMPARE(told(16'000).warning, QStringLiteral("1 more believe than may"));
    // Before the first holds there is nothing.
    QVERIFY(told(200).title.isEmpty());
    QVERIFY(!hit_test(scene, {scene.x(at_ms(10'000)), axis + 4}));
  }
  void aSecondHoldSaysHowOftenItWasEntered() {
    const Chart chart(fenced_facts(), fenced_history().history);
    const Scene scene = chart.scene();
    const RowBox &row = *chart.layout.contender_row(0), &header = *chart.layout.mutex_row(0);
    const RowMeasures& m = chart.layout.row;
    const QImage image = painted(scene);
    const int x = scene.x(at_ms(4300));
    for (const auto& [of, band] : {std::pair{&row, m.held}, std::pair{&header, measures().mutex_band}}) {
      const int y = scene.y(*of) + band.y + band.height - 5;
      QCOMPARE(image.pixelColor(x, y), colours(Theme::kLight).id[0].on);
      const Hit hit = hit_test(scene, {x, y});
      QCOMPARE(hit.lane, LaneKind::kHoldCounts);
      QCOMPARE(hit.from, at_ms(2950));
      QCOMPARE(hit.to, at_ms(5650));
      QCOMPARE(chart.told(hit).title, QStringLiteral("entered orders more than once"));
      QCOMPARE(chart.told(hit).right, QStringLiteral("×2"));
      QVERIFY(bar_of(scene, hit).contains(x, y));
      // Above the bracket it is the bar.
      QCOMPARE(hit_test(scene, {x, scene.y(*of) + band.y + 2}).lane, LaneKind::kHeld);
    }
    const int believed = scene.y(row) + m.believed.y + m.believed.height - 5;
    QCOMPARE(hit_test(scene, {x, believed}).lane, LaneKind::kHoldCounts);
    QVERIFY(hit_test(scene, {scene.x(at_ms(7000)), believed}).lane != LaneKind::kHoldCounts);
  }
  // Narrower than three pixels no bracket is drawn.
  void aSecondHoldThatHasNoRoomIsStillSaid() {
    const Chart chart(fenced_facts(), fenced_history().history);
    const Scene scene = chart.scene({}, at_ms(1'000'000));
    const int y = scene.y(*chart.layout.contender_row(0)) + chart.layout.row.held.y + chart.layout.row.held.height - 5;
    const Hit hit = hit_test(scene, {scene.x(at_ms(2950)) + 1, y});
    QCOMPARE(hit.lane, LaneKind::kHoldCounts);
    QVERIFY(scene.x(hit.to) - scene.x(hit.from) < 3);
    QCOMPARE(chart.told(hit).right, QStringLiteral("×2"));
  }
  void aCrashIsToldWhereItsLineIs() {
    const Chart chart(quorum_facts(), quorum_history().history);
    const Scene scene = chart.scene();
    const int x = scene.x(at_ms(3080));
    const int y = scene.y(*chart.layout.contender_row(1)) + chart.layout.row.held.y + 5;
    QCOMPARE(painted(scene).pixelColor(x, y), colours(Theme::kLight).text);
    const Hit hit = hit_test(scene, {x, y});
    QCOMPARE(hit.lane, LaneKind::kLives);
    QCOMPARE(chart.told(hit).title, QStringLiteral("crashed"));
    QCOMPARE(line_of(chart.told(hit), "at"), chart.data.axis().text(at_ms(3080)));
    QVERIFY(bar_of(scene, hit).contains(x, y));
    QCOMPARE(hit_test(scene, {x + 5, y}).lane, LaneKind::kHeld);
  }

  // ---- in the reader's language

  void everyLaneSpeaksTheReadersLanguage() {
    const Marking marking;
    for (const LegendMark& mark : chart_legend()) {
      const bool of_kind = mark.group == LegendGroup::kWentWrong;  // an incident's own name, of the core
      QVERIFY2(of_kind || mark.name.isEmpty() || marked(mark.name), qPrintable(mark.name));
      for (const QString& text : {mark.note, mark.brief}) QVERIFY2(text.isEmpty() || marked(text), qPrintable(text));
    }
    const std::vector<std::unique_ptr<Chart>> all = make_charts();
    const std::set<LaneKind> named_elsewhere{LaneKind::kBands, LaneKind::kIncidents, LaneKind::kWrites};
    for (std::size_t i = 0; i < kLaneNames.size(); ++i) {
      const Found found = found_in(all, static_cast<LaneKind>(i));
      if (found.chart == nullptr) continue;
      const HoverText text = found.chart->told(found.hit);
      QVERIFY2(named_elsewhere.count(found.hit.lane) == 1 || marked(text.title), qPrintable(text.title));
      for (const auto& line : text.lines) QVERIFY2(marked(line.first), qPrintable(line.first));
    }
  }
  // A hundred times as much to be seen asks for no more of it.
  void wordsAreAskedForByPictureNotByMark() {
    Marking marking;
    const Chart few = busy(4), many = busy(400);
    QCOMPARE(many.layout.rows.size(), few.layout.rows.size());
    const auto asked = [&](const Chart& chart) {
      marking.asked = 0;
      painted(chart.scene());
      return marking.asked;
    };
    const int of_few = asked(few), of_many = asked(many);
    QVERIFY(of_few > 0);
    QCOMPARE(of_many, of_few);
  }
  // A line that goes up again ends its band, whatever that is called.
  void aLineThatIsUpAgainEndsItsBandInAnyLanguage() {
    const Marking marking;
    HistoryWriter w;
    w.add(2000, w.a, EventKind::kDisconnected);
    w.add(4000, w.a, EventKind::kConnected);
    w.history.now = at_ms(20'000);
    const Chart chart(gc_pause_facts(), w.history);
    const BandTrack& bands = chart.data.contenders().front().bands;
    QCOMPARE(bands.size(), std::size_t{1});
    QCOMPARE(bands.front().label, std::string("«disconnected»"));
    QCOMPARE(bands.front().end, at_ms(4000));
  }
};

LEASESCOPE_SUITE(WholeLanesTest)
#include "whole_lanes_test.moc"
