// Which rows a large fleet has, that choosing scrolls to them, and that nothing takes long.
#include <ctime>

#include <QScrollBar>
#include <QSignalSpy>

#include "simulator/run/virtual_run.h"
#include "simulator/scenario/catalogue.h"
#include "tests/support/ui_suite.h"
#include "ui/timeline/paint/hit.h"
#include "ui/timeline/paint/marks.h"
#include "ui/timeline/timeline_view.h"

using namespace leasescope;

namespace {

std::unique_ptr<VirtualRun> fleet(int count) {
  const auto scenario = find_scenario("gc-pause", {"contender.0.count=" + std::to_string(count)});
  if (!scenario) qFatal("%s", scenario.error().text().c_str());
  auto run = std::make_unique<VirtualRun>(*scenario);
  run->advance(TrueTime::max());
  return run;
}

// The processor time of this thread: what other programs take is not the chart's doing.
class OwnTime {
 public:
  OwnTime() : begin_(now_ms()) {}
  double ms() const { return now_ms() - begin_; }

 private:
  static double now_ms() {
    timespec at{};
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &at);
    return static_cast<double>(at.tv_sec) * 1e3 + static_cast<double>(at.tv_nsec) / 1e6;
  }
  double begin_;
};

ChartData folded(const VirtualRun& run) {
  ChartData data;
  data.reset(run_facts(run.scenario()));
  data.append(run.history());
  return data;
}

int overlapOf(const ChartData& data) {
  for (std::size_t i = 0; i < data.incidents().size(); ++i)
    if (data.incidents()[i].kind == IncidentKind::kBeliefOverlap) return static_cast<int>(i);
  return -1;
}

int rowsOf(const ChartLayout& layout, RowKind kind) {
  return static_cast<int>(
      std::count_if(layout.rows.begin(), layout.rows.end(), [&](const RowBox& row) { return row.kind == kind; }));
}

}  // namespace

class RowsTest : public leasescope::tests::UiSuite {
  Q_OBJECT
 private slots:
  void idleContendersOfALargeFleetAreOneRowWithTheirNumber() {
    const auto run = fleet(1000);
    const ChartData data = folded(*run);
    const ChartLayout layout = layout_chart(data, 916);
    const int drawn = rowsOf(layout, RowKind::kContender);
    QVERIFY2(drawn >= 3 && drawn < 100, qPrintable(QString::number(drawn)));
    QCOMPARE(rowsOf(layout, RowKind::kFold), 1);
    for (const RowBox& row : layout.rows)
      if (row.kind == RowKind::kFold) QCOMPARE(row.count, 1000 - drawn);
    for (const int who : data.incidents()[static_cast<std::size_t>(overlapOf(data))].contenders)
      QVERIFY(layout.contender_row(who) != nullptr);
  }

  void aSmallFleetIsDrawnWhole() {
    const auto run = fleet(12);
    const ChartLayout layout = layout_chart(folded(*run), 916);
    QCOMPARE(rowsOf(layout, RowKind::kContender), 12);
    QCOMPARE(rowsOf(layout, RowKind::kFold), 0);
  }

  void byRelevanceTheBusiestAreOnTop() {
    const auto run = fleet(60);
    const ChartData data = folded(*run);
    const ChartLayout layout = layout_chart(data, 916, {true, true});
    std::uint64_t last = UINT64_MAX;
    for (const RowBox& row : layout.rows) {
      if (row.kind != RowKind::kContender) continue;
      QVERIFY(data.relevance(row.index) <= last);
      last = data.relevance(row.index);
    }
    QCOMPARE(rowsOf(layout, RowKind::kContender), 60);
  }

  void theHeaderOfTheMutexStaysWhileItsRowsAreScrolled() {
    const auto run = fleet(60);
    const ChartData data = folded(*run);
    const ChartLayout layout = layout_chart(data, 916, {false, true});
    Scene scene{data, layout, Viewport::fitting({}, data.end(), layout.plot_width()), 400, 500};
    scene.pinned = layout.pinned_row(scene.scroll);
    QVERIFY(scene.pinned != nullptr);
    QCOMPARE(scene.y(*scene.pinned), layout.top());
    QImage image(916, 400, QImage::Format_RGB32);
    QPainter painter(&image);
    TileCache tiles;
    paint_chart(painter, scene, Theme::kLight, tiles);
    const LeaseSpan& first = data.mutexes().front().held.front();
    const Band band = measures().mutex_band;
    QCOMPARE(
        image.pixelColor(scene.x(first.start.hi + Duration(1'000'000'000)), layout.top() + band.y + band.height - 3),
        colours(Theme::kLight).id[static_cast<std::size_t>(data.hue(first.contender))].ink);
    const Hit hit = hit_test(scene, {scene.x(first.start.hi + Duration(1'000'000'000)), layout.top() + band.y + 3});
    QCOMPARE(hit.lane, LaneKind::kHeld);
    QCOMPARE(hit.on, RowKind::kMutex);
  }

  void choosingAnIncidentScrollsToItsRows() {
    const auto run = fleet(60);
    TimelineView view;
    view.resize(1000, 420);
    view.show();
    view.setRun(run_facts(run->scenario()));
    view.appendHistory(run->history());
    view.setRowChoice({false, true});
    view.showRows({59});
    QVERIFY(view.verticalScrollBar()->value() > 0);
    view.goToIncident(1);
    const int incident = view.selectedIncident();
    QVERIFY(incident >= 0);
    const ChartLayout layout = layout_chart(view.data(), view.viewport()->width(), {false, true});
    const int top = view.verticalScrollBar()->value(), room = view.viewport()->height() - layout.top();
    const int first = view.data().incidents()[static_cast<std::size_t>(incident)].contenders.front();
    const RowBox* row = layout.contender_row(first);
    QVERIFY2(row->y >= top + measures().mutex_height && row->y + row->height <= top + room,
             qPrintable(QStringLiteral("row at %1, shown from %2").arg(row->y).arg(top)));
  }

  void aThousandContendersArePannedWithoutABlock() {
    const auto run = fleet(1000);
    const ChartData data = folded(*run);
    const ChartLayout layout = layout_chart(data, 1200);
    QImage image(1200, 800, QImage::Format_RGB32);
    QPainter painter(&image);
    TileCache tiles;
    QVERIFY(rowsOf(layout, RowKind::kContender) < 100);  // of a thousand: what is painted does not grow with them
    double worst = 0;
    for (int i = 0; i < 10; ++i) {
      const TrueTime from = TrueTime{} + Duration(1'000'000'000) * i;
      const Scene scene{data, layout, Viewport::fitting(from, from + Duration(20'000'000'000), layout.plot_width()),
                        800, 0};
      const OwnTime own;
      paint_chart(painter, scene, Theme::kLight, tiles);
      if (i > 0) worst = std::max(worst, own.ms());
    }
    QVERIFY2(worst < 100, qPrintable(QString::number(worst)));
  }

  // What a click cannot do is not offered.
  void aFoldThatCannotBeUnfoldedOffersNoClick() {
    for (const int count : {60, kMostRows + 1}) {
      const auto run = fleet(count);
      const ChartData data = folded(*run);
      const ChartLayout layout = layout_chart(data, 916);
      QCOMPARE(rowsOf(layout, RowKind::kFold), 1);
      const RowBox& fold = *std::find_if(layout.rows.begin(), layout.rows.end(),
                                         [](const RowBox& row) { return row.kind == RowKind::kFold; });
      const Scene scene{data, layout, Viewport::fitting({}, data.end(), layout.plot_width()), layout.height(), 0};
      const Hit hit = hit_test(scene, {scene.left() + 20, scene.y(fold) + 4});
      QCOMPARE(hit.lane, LaneKind::kFolds);
      bool offered = false;
      for (const auto& line : describe(data, hit, {}).lines) offered |= line.first == QStringLiteral("click");
      QCOMPARE(offered, count <= kMostRows);
    }
  }

  void aFoldThatCannotBeUnfoldedIsNotClicked() {
    for (const int count : {60, kMostRows + 1}) {
      const auto run = fleet(count);
      TimelineView view;
      view.resize(1000, 900);
      view.show();
      view.setRun(run_facts(run->scenario()));
      view.appendHistory(run->history());
      const ChartLayout layout = layout_chart(view.data(), view.viewport()->width());
      const RowBox& fold = *std::find_if(layout.rows.begin(), layout.rows.end(),
                                         [](const RowBox& row) { return row.kind == RowKind::kFold; });
      QSignalSpy clicked(&view, &TimelineView::rowChoiceChanged);
      QTest::mouseClick(view.viewport(), Qt::LeftButton, {}, {layout.head + 20, layout.top() + fold.y + 4});
      QCOMPARE(clicked.size(), count <= kMostRows ? 1 : 0);
    }
  }

  void aFleetTooLargeToDrawIsSaidSoAndItsBusiestRowsAreDrawn() {
    RunFacts facts;
    facts.length = std::chrono::seconds(60);
    facts.legend.mutexes.emplace_back().name = "orders";
    for (int i = 0; i < 100'000; ++i) facts.legend.contenders.push_back("c" + std::to_string(i));
    History history;
    const Name mutex = history.names.intern("orders");
    for (int i = 0; i < 1000; ++i) {
      Event event;
      event.kind = EventKind::kGranted;
      event.node = history.names.intern(facts.legend.contenders[static_cast<std::size_t>(i * 97)]);
      event.mutex = mutex;
      event.token = static_cast<Token>(i + 1);
      event.a = 10'000'000;
      event.lo = event.hi = TrueTime{} + Duration(50'000'000) * i;
      history.events.push_back(event);
      history.now = event.hi;
    }
    const OwnTime folding;
    ChartData data;
    data.reset(facts);
    data.append(history);
    const ChartLayout layout = layout_chart(data, 1200);
    QVERIFY(layout.cut);
    QCOMPARE(rowsOf(layout, RowKind::kContender), kMostRows);
    QVERIFY2(folding.ms() < 1000, qPrintable(QString::number(folding.ms())));
    QImage image(1200, 800, QImage::Format_RGB32);
    QPainter painter(&image);
    TileCache tiles;
    const OwnTime painting;
    paint_chart(painter, {data, layout, Viewport::fitting({}, data.end(), layout.plot_width()), 800, 0}, Theme::kLight,
                tiles);
    QVERIFY2(painting.ms() < 300, qPrintable(QString::number(painting.ms())));
  }
  // While both believe, the store knows of one: the one who waits longer and the one who slept are both blocked by it.
  void whoHoldsAMutexIsWhomTheOthersWaitFor() {
    const auto run = fleet(3);
    TimelineView view;
    view.setRun(run_facts(run->scenario()));
    view.appendHistory(run->history());
    const IncidentMark& overlap = view.data().incidents()[static_cast<std::size_t>(overlapOf(view.data()))];
    const TrueTime both = overlap.start + (overlap.end - overlap.start) / 2;
    int holder = -1;
    for (int who = 0; who < 3; ++who)
      if (view.blockerOf(who, both) < 0) holder = who;
    QVERIFY(std::count(overlap.contenders.begin(), overlap.contenders.end(), holder) == 1);
    for (int who = 0; who < 3; ++who) QCOMPARE(view.blockerOf(who, both), who == holder ? -1 : holder);
    QCOMPARE(view.blockerOf(0, TrueTime{}), -1);
  }
};

LEASESCOPE_SUITE(RowsTest)
#include "rows_test.moc"
