// What holds of the picture of every built-in scenario, of nights whose leases and incidents are folded and of a fleet
// of a thousand, however it is looked at (random_looks.h): no two labels lie over each other, no incident is without
// its mark in the rail (rail_seen.h) and in its rows, and a bar stands in exactly the columns that a lease covers
// (rows_seen.h). tests/viewport_campaign asks it of ten thousand looks.
#include <cmath>
#include <optional>
#include <tuple>

#include <QImage>
#include <QtMath>

#include "tests/support/ink_recorder.h"
#include "tests/support/ui_suite.h"
#include "tests/ui/gc_pause_history.h"
#include "tests/ui/rail_seen.h"
#include "tests/ui/random_looks.h"
#include "tests/ui/rows_seen.h"
#include "ui/timeline/paint/marks.h"

using namespace leasescope;
using namespace leasescope::tests;

namespace {

// `overlay` null: what moves is left out.
QImage painted(const Scene& scene, Theme theme, double ratio, const Overlay* overlay) {
  static TileCache tiles;
  QImage image(static_cast<int>(std::ceil(scene.layout.width * ratio)),
               static_cast<int>(std::ceil(scene.height * ratio)), QImage::Format_RGB32);
  image.setDevicePixelRatio(ratio);
  image.fill(Qt::magenta);
  QPainter painter(&image);
  paint_chart(painter, scene, theme, tiles);
  if (overlay != nullptr) paint_overlay(painter, scene, theme, tiles, *overlay);
  return image;
}

// ---- labels

// Two of these lie over each other; none: they do not.
std::optional<QString> first_meeting(std::vector<Written> words) {
  std::sort(words.begin(), words.end(),
            [](const Written& a, const Written& b) { return a.seen.left() < b.seen.left(); });
  for (std::size_t a = 0; a < words.size(); ++a)
    for (std::size_t b = a + 1; b < words.size() && words[b].seen.left() < words[a].seen.right(); ++b) {
      const QRectF both = words[a].seen & words[b].seen;
      if (both.width() > 1 && both.height() > 1)
        return QStringLiteral("\"%1\" over \"%2\"").arg(words[a].words, words[b].words);
    }
  return {};
}

// Labels of the chart: axis, rail, headers, all rows, the store's among them. None is cut, but by what lies on top of
// it: lines and plates of the cursor, of forks, of flags and of what is measured. Where no plate hides them their words
// are none over the others either. Words stand at whole pixels whatever a device makes of these.
std::optional<QString> wrong_words(const Scene& scene, Theme theme, const Overlay& overlay, std::size_t& read) {
  TileCache tiles;
  InkRecorder recorder(QSize(scene.layout.width, scene.height));
  QPainter painter(&recorder);
  paint_chart(painter, scene, theme, tiles);
  const std::vector<Written> chart = recorder.seen();
  const std::size_t below = recorder.written().size();
  for (const Written& each : chart)
    if (each.cut) return QStringLiteral("\"%1\" is cut").arg(each.words);
  if (const auto wrong = first_meeting(chart)) return wrong;
  paint_overlay(painter, scene, theme, tiles, overlay);
  painter.end();
  std::vector<Written> seen;
  for (std::size_t i = 0; i < recorder.written().size(); ++i) {
    const Written& each = recorder.written()[i];
    if (!each.seen.isEmpty() && (i >= below || !each.cut)) seen.push_back(each);
  }
  read += chart.size() + recorder.written().size() - below;
  const auto wrong = first_meeting(std::move(seen));
  return wrong ? std::optional(QStringLiteral("with what lies on top, ") + *wrong) : std::nullopt;
}

// The frame and the playhead lie over the minimap's words, as they may be anywhere.
std::optional<QString> wrong_words(const Minimap& minimap, Theme theme, std::size_t& read) {
  TileCache tiles;
  InkRecorder recorder(minimap.area.size());
  QPainter painter(&recorder);
  paint_minimap(painter, minimap, theme, tiles);
  painter.end();
  const std::vector<Written> words = recorder.seen();
  read += words.size();
  const auto wrong = first_meeting(words);
  return wrong ? std::optional(QStringLiteral("in the minimap, ") + *wrong) : std::nullopt;
}

// ---- incidents

// Of every kind one after the other, `turns` times; without the one of a place in the list.
struct Crowd {
  int turns = 40, apart_ms = 3, lasts_ms = 9;
  std::size_t without = SIZE_MAX;

  ChartData data() const {
    HistoryWriter writer;
    std::size_t place = 0;
    for (int turn = 0; turn < turns; ++turn) {
      int nth = 0;
      for (const IncidentKind kind : kAllIncidentKinds) {
        Incident incident;
        incident.kind = kind;
        incident.mutex = writer.mutex;
        incident.start = at_ms(100 + 310 * turn + apart_ms * ++nth);
        incident.end = incident.start + (lasts(kind) ? std::chrono::milliseconds(lasts_ms) : Duration{});
        incident.contenders = {writer.a, writer.b};
        if (place++ != without) writer.history.incidents.push_back(incident);
      }
    }
    writer.add(400'000, writer.a, EventKind::kStarted);
    ChartData data;
    data.reset(gc_pause_facts());
    data.append(writer.history);
    return data;
  }
};

Scene from_the_begin(const ChartData& data, const ChartLayout& layout, int ms) {
  return {data, layout, Viewport::fitting(at_ms(0), at_ms(ms), layout.plot_width()), 400};
}

// The picture as it were had the mark of one incident in the rail not been painted: beside it all is as it is. Where
// its glyph would be is the rail's ground, where it would lie as a span what there is without it.
QImage without_mark(const Scene& scene, Theme theme, double ratio, std::size_t incident, const ChartData& others) {
  QImage image = painted(scene, theme, ratio, nullptr);
  const QRect glyph = rail_glyphs(scene)[incident], mark = rail_plan(scene)[incident];
  const QImage rest = painted({others, scene.layout, scene.viewport, scene.height}, theme, ratio, nullptr);
  const QRect place = glyph.isEmpty() ? mark : glyph;
  for (int y = qFloor(place.top() * ratio); y < qCeil((place.bottom() + 1) * ratio); ++y)
    for (int x = qFloor(place.left() * ratio); x < qCeil((place.right() + 1) * ratio); ++x)
      image.setPixel(x, y, glyph.isEmpty() ? rest.pixel(x, y) : colours(theme).chart_alt.rgb());
  return image;
}

// Brackets without a glyph are of one colour: where they lie over each other nobody can tell whose it is.
bool is_alone(const Scene& scene, std::size_t incident) {
  const auto is_bracket = [&](std::size_t i) {
    const IncidentKind kind = scene.data.incidents()[i].kind;
    return kind == IncidentKind::kLeaderless || kind == IncidentKind::kFlapping;
  };
  const RailPlan marks = rail_plan(scene);
  for (std::size_t i = 0; i < marks.size(); ++i)
    if (i != incident && is_bracket(i) && is_bracket(incident) && marks[i].intersects(marks[incident])) return false;
  return true;
}

// How many marks are missed that are not painted; -1 and which: one that is not.
int missed_marks(Crowd crowd, int ms, Theme theme, double ratio, QString& found) {
  const ChartData data = crowd.data();
  const ChartLayout layout = layout_chart(data, 750);
  const Scene scene = from_the_begin(data, layout, ms);
  int missed = 0;
  for (std::size_t i = 0; i < data.incidents().size(); ++i) {
    if (!is_alone(scene, i)) continue;
    crowd.without = i;
    const RailSeen seen = rail_seen(scene, theme, without_mark(scene, theme, ratio, i, crowd.data()));
    found = QStringLiteral("%1 in %2 ms at %3, %4")
                .arg(QString::fromUtf8(text(data.incidents()[i].kind).data()))
                .arg(ms)
                .arg(ratio)
                .arg(theme == Theme::kLight ? "light" : "dark");
    if (std::none_of(seen.unseen.begin(), seen.unseen.end(), [&](const auto& each) { return each.incident == i; }))
      return -1;
    ++missed;
  }
  return missed;
}

ChartData gc_pause(bool with_incidents = true) {
  HistoryWriter writer = gc_pause_history();
  if (!with_incidents) writer.history.incidents = {};
  ChartData data;
  data.reset(gc_pause_facts());
  data.append(writer.history);
  return data;
}

// Variables as they were, again at the end.
class EnvironmentKept {
 public:
  explicit EnvironmentKept(std::vector<const char*> names) {
    for (const char* name : names)
      values_.emplace_back(name, qEnvironmentVariableIsSet(name) ? std::optional(qgetenv(name)) : std::nullopt);
  }
  ~EnvironmentKept() {
    for (const auto& [name, value] : values_) value ? qputenv(name, *value) : qunsetenv(name);
  }
  EnvironmentKept(const EnvironmentKept&) = delete;
  EnvironmentKept& operator=(const EnvironmentKept&) = delete;

 private:
  std::vector<std::pair<const char*, std::optional<QByteArray>>> values_;
};

}  // namespace

class AnyViewportTest : public UiSuite {
  Q_OBJECT
  // A few looks may have little to be seen.
  static bool many() { return look_count() >= 100; }
  static QByteArray wrongLabel(std::size_t& read) {
    return first_wrong_look("noLabelLiesOverAnotherOrIsCut", [&](const Look& look) {
      const Shown shown(look);
      const auto of_chart = wrong_words(shown.scene(), shown.theme(), shown.overlay(), read);
      return of_chart ? of_chart : wrong_words(shown.minimap(), shown.theme(), read);
    });
  }

 private slots:
  void noLabelLiesOverAnotherOrIsCut() {
    std::size_t read = 0;
    const QByteArray wrong = wrongLabel(read);
    QVERIFY2(wrong.isEmpty(), wrong);
    QVERIFY(!many() || read > 10 * static_cast<std::size_t>(look_count()));
  }

  // A block's count under the edges of an incident; a row's words under the ruler, and its state over it.
  void thoseThatWereWrongOnceAreNot() {
    const EnvironmentKept kept({"LEASESCOPE_VIEWPORT_SEED", "LEASESCOPE_VIEWPORT_FIRST", "LEASESCOPE_VIEWPORTS"});
    qputenv("LEASESCOPE_VIEWPORT_SEED", "1");
    qputenv("LEASESCOPE_VIEWPORTS", "1");
    for (const char* first : {"5", "184", "377"}) {
      qputenv("LEASESCOPE_VIEWPORT_FIRST", first);
      std::size_t read = 0;
      const QByteArray wrong = wrongLabel(read);
      QVERIFY2(wrong.isEmpty(), wrong);
      QVERIFY(read > 0);
    }
  }

  void everyIncidentHasItsMarkInTheRail() {
    int marks = 0, stood_for = 0;
    const QByteArray wrong =
        first_wrong_look("everyIncidentHasItsMarkInTheRail", [&](const Look& look) -> std::optional<QString> {
          const Shown shown(look);
          const Overlay overlay = shown.overlay();
          const QImage image = painted(shown.scene(), shown.theme(), shown.ratio(), &overlay);
          const RailSeen seen = rail_seen(shown.scene(), shown.theme(), image, overlay.cursor);
          marks += seen.marks;
          stood_for += seen.stood_for;
          return seen.unseen.empty() ? std::nullopt : std::optional(seen.unseen.front().why);
        });
    QVERIFY2(wrong.isEmpty(), wrong);
    qInfo("%d marks, %d incidents that another stands for", marks, stood_for);
    QVERIFY(!many() || (marks > look_count() && stood_for > look_count()));
  }

  // As narrow as a double grant may be, and all kinds at once in a place that is too narrow for their glyphs.
  void everyKindIsSeenInACrowdOfAll() {
    const ChartData data = Crowd().data();
    int under = 0;
    for (const Theme theme : {Theme::kLight, Theme::kDark})
      for (const double ratio : {1.0, 1.5, 2.0})
        for (const int width : {420, 750, 1'900})
          for (const int seconds : {1, 7, 60, 400}) {
            const ChartLayout layout = layout_chart(data, width);
            const Scene scene = from_the_begin(data, layout, 1'000 * seconds);
            const RailSeen rail = rail_seen(scene, theme, painted(scene, theme, ratio, nullptr));
            QVERIFY2(rail.unseen.empty(), QStringLiteral("%1 on %2 px in %3 s at %4, %5")
                                              .arg(rail.unseen.empty() ? QString() : rail.unseen.front().why)
                                              .arg(width)
                                              .arg(seconds)
                                              .arg(ratio)
                                              .arg(theme == Theme::kLight ? "light" : "dark")
                                              .toUtf8());
            QVERIFY(rail.marks + rail.under >= kIncidentKinds);
            under += rail.under;
          }
    QVERIFY(under > 0);
  }

  // A grant lies on one of a row of beliefs, the last of which lies on a bracket and is that much less high.
  void aBeliefUnderAGrantIsSeenHoweverFarTheBracketIs() {
    HistoryWriter writer;
    const std::vector<Name> both{writer.a, writer.b};
    for (int i = 0; i < 30; ++i)
      writer.incident(IncidentKind::kBeliefOverlap, 1'000 + 30 * i, 1'005 + 30 * i, both, {1});
    writer.incident(IncidentKind::kDoubleGrant, 1'300, 1'305, both, {1});
    writer.incident(IncidentKind::kLeaderless, 1'880, 1'990, both, {1});
    writer.history.now = at_ms(10'000);
    ChartData data;
    data.reset(gc_pause_facts());
    data.append(writer.history);
    const ChartLayout layout = layout_chart(data, 900);
    const Scene scene = from_the_begin(data, layout, 10'000);
    for (const Theme theme : {Theme::kLight, Theme::kDark}) {
      const RailSeen seen = rail_seen(scene, theme, painted(scene, theme, 1, nullptr));
      QVERIFY2(seen.unseen.empty(), qPrintable(seen.unseen.empty() ? QString() : seen.unseen.front().why));
      QVERIFY(seen.under > 0);
    }
  }

  // Of every kind, apart and in a crowd, wide and narrow: whatever else of its colour stands beside it.
  void aMarkThatIsNotPaintedIsMissed() {
    const Crowd close{1}, apart{1, 200, 150};
    for (const Theme theme : {Theme::kLight, Theme::kDark})
      for (const double ratio : {1.0, 1.5, 2.0})
        for (const auto& [crowd, ms, marks] : {std::tuple{close, 200, kIncidentKinds - 2},
                                               {close, 1'000, kIncidentKinds - 2},
                                               {close, 20'000, kIncidentKinds - 2},
                                               {apart, 4'000, kIncidentKinds},
                                               {apart, 20'000, kIncidentKinds}}) {
          QString one;
          const int missed = missed_marks(crowd, ms, theme, ratio, one);
          QVERIFY2(missed >= 0, qPrintable(one));
          QCOMPARE(missed, marks);
        }
  }

  // Each has a plate where its line stands; where there is no room for another it is a line alone.
  void forksAndWhatIsMeasuredKeepTheirWords() {
    const ChartData data = Crowd().data();
    const ChartLayout layout = layout_chart(data, 1'200);
    const Scene scene{data, layout, Viewport::fitting(at_ms(0), at_ms(60'000), layout.plot_width()), 500};
    Overlay overlay;
    overlay.forks = {at_ms(20'000), at_ms(20'400), at_ms(30'000), at_ms(50'000)};
    overlay.measured = {at_ms(25'000), at_ms(35'000)};
    InkRecorder recorder(QSize(layout.width, scene.height));
    QPainter painter(&recorder);
    TileCache tiles;
    paint_overlay(painter, scene, Theme::kLight, tiles, overlay);
    painter.end();
    const auto wrong = first_meeting(recorder.seen());
    QVERIFY2(!wrong, qPrintable(wrong.value_or(QString())));
    QStringList words;
    for (const Written& each : recorder.seen()) words << each.words;
    QCOMPARE(words.count(QStringLiteral("fork")), 2);
    QVERIFY2(words.filter(QStringLiteral("Δ 10.000")).size() == 1, qPrintable(words.join(u'|')));
  }

  void aBarStandsInExactlyTheColumnsOfItsLease() {
    RowsSeen all;
    const QByteArray wrong = first_wrong_look("aBarStandsInExactlyTheColumnsOfItsLease", [&](const Look& look) {
      const Shown shown(look);
      const RowsSeen seen =
          bars_seen(shown.scene(), shown.theme(), painted(shown.scene(), shown.theme(), shown.ratio(), nullptr));
      all.add(seen);
      return seen.wrong;
    });
    QVERIFY2(wrong.isEmpty(), wrong);
    qInfo("%zu lanes, %zu columns of leases, nothing on %zu of them", all.lanes, all.leases, all.open);
    QVERIFY(!many() || (all.lanes > static_cast<std::size_t>(look_count()) && 2 * all.open > all.leases));
  }

  void aBarThatIsAPixelOffIsNoticed() {
    const ChartData data = gc_pause();
    const ChartLayout layout = layout_chart(data, 900);
    const Scene scene = from_the_begin(data, layout, 40'000);
    const QImage right = painted(scene, Theme::kLight, 1, nullptr);
    QVERIFY(!bars_seen(scene, Theme::kLight, right).wrong);
    QVERIFY(bars_seen(scene, Theme::kLight, right).leases > 1'000);
    Scene panned = scene;
    panned.viewport = ClockView(scene.viewport.shown.panned(1));
    QVERIFY(bars_seen(scene, Theme::kLight, painted(panned, Theme::kLight, 1, nullptr)).wrong);
    // One column of one bar alone.
    const RowBox& row = *layout.contender_row(0);
    const int y = scene.y(row) + layout.row.held.y, x = scene.x(at_ms(2'000));
    QCOMPARE(right.pixelColor(x, y), colours(Theme::kLight).id[0].ink);
    QImage holed = right;
    holed.setPixelColor(x, y, colours(Theme::kLight).chart);
    QVERIFY(bars_seen(scene, Theme::kLight, holed).wrong);
  }

  void whoIsWrongHasTheTapeInEachRow() {
    RowsSeen all;
    const QByteArray wrong = first_wrong_look("whoIsWrongHasTheTapeInEachRow", [&](const Look& look) {
      const Shown shown(look);
      const RowsSeen seen =
          tapes_seen(shown.scene(), shown.theme(), painted(shown.scene(), shown.theme(), shown.ratio(), nullptr));
      all.add(seen);
      return seen.wrong;
    });
    QVERIFY2(wrong.isEmpty(), wrong);
    qInfo("%zu tapes", all.tapes);
    QVERIFY(!many() || all.tapes > static_cast<std::size_t>(look_count()));
  }

  void aTapeThatIsNotPaintedIsMissed() {
    const ChartData data = gc_pause(), others = gc_pause(false);
    const ChartLayout layout = layout_chart(data, 900);
    for (const int ms : {40'000, 4'000'000}) {
      const Scene scene = from_the_begin(data, layout, ms);
      const RowsSeen seen = tapes_seen(scene, Theme::kLight, painted(scene, Theme::kLight, 1, nullptr));
      QVERIFY2(!seen.wrong, qPrintable(seen.wrong.value_or(QString())));
      QCOMPARE(seen.tapes, std::size_t{2});
      const Scene rest{others, layout, scene.viewport, scene.height};
      QVERIFY(tapes_seen(scene, Theme::kLight, painted(rest, Theme::kLight, 1, nullptr)).wrong);
    }
  }

  // Else what is asked of the looks at it says less than it seems to.
  void oneNightHasTenThousandIncidents() {
    QVERIFY2(crowded_night().incidents().size() >= 10'000,
             qPrintable(QString::number(crowded_night().incidents().size())));
    int looks = 0;
    for (int i = 0; i < 300; ++i) looks += is_of_crowded_night(nth_look(i));
    QVERIFY2(looks >= 5, qPrintable(QString::number(looks)));
  }
};

LEASESCOPE_SUITE(AnyViewportTest)
#include "any_viewport_test.moc"
