// The operator's perspective at a moment that is past, over a Redis of its own: who owned what then, how one comes
// there, and back to now.
#include <QDateTime>
#include <QPushButton>

#include "tests/ui/watched_redis_suite.h"
#include "ui/timeline/timeline_view.h"
#include "ui/watch/mutex_detail.h"
#include "ui/watch/past_bar.h"

using namespace leasescope;
using namespace leasescope::tests;

class WatchPastTest : public WatchedRedisSuite {
  Q_OBJECT

  // orders is a's, and then b's; the middle of the time in which a surely owned it.
  TrueTime handOver(TestWindow& window) {
    own("orders", "a", 1, 60'000);
    watchIt(window);
    [&] { QTRY_COMPARE(cell(window, "orders", MutexesModel::kOwner), QString("a")); }();
    QTest::qWait(2'500);
    redis({"DEL", "simba:{orders}"});
    redis({"PUBLISH", "simba:{orders}", "released@@a"});
    own("orders", "b", 2, 60'000);
    [&] { QTRY_COMPARE(cell(window, "orders", MutexesModel::kOwner), QString("b")); }();
    PastWatch past;
    past.append(*watch(window).watched().history());
    const MutexOwnership* const of = past.of(*watch(window).mutexes()->chosen());
    if (of == nullptr || of->owned().size() < 2) return TrueTime{};
    const OwnedStretch& a = of->owned().front();
    return a.begin_hi + (a.end_lo - a.begin_hi) / 2;
  }
  static void type(TestWindow& window, const QString& moment) {
    QTest::keyClick(&window, Qt::Key_G, Qt::ControlModifier);
    QTRY_VERIFY(watch(window).past()->field()->hasFocus());
    watch(window).past()->field()->clear();
    QTest::keyClicks(watch(window).past()->field(), moment);
    QTest::keyClick(watch(window).past()->field(), Qt::Key_Return);
  }
  static QString after(TrueTime at) { return QString::number(at.time_since_epoch().count()) + "ns"; }

 private slots:
  void initTestCase() { WatchedRedisSuite::initTestCase(); }
  void init() { WatchedRedisSuite::init(); }

  void theTableShowsWhoOwnedWhatThen() {
    TestWindow window;
    const TrueTime then = handOver(window);
    QVERIFY(then > TrueTime{});
    PastBar& bar = *watch(window).past();
    QVERIFY(bar.isHidden());
    type(window, after(then));
    QVERIFY2(bar.error().isEmpty(), qPrintable(bar.error()));
    QVERIFY(watch(window).watched().playhead() == then);
    QVERIFY(watch(window).view()->timeline()->cursorTime() == then);
    QVERIFY(bar.isVisible());
    QVERIFY2(bar.text().startsWith("As at "), qPrintable(bar.text()));
    QTRY_VERIFY(watch(window).mutexes()->table()->hasFocus());
    QCOMPARE(cell(window, "orders", MutexesModel::kOwner), QString("a"));
    QTest::qWait(600);  // what goes on meanwhile does not take the table along
    QCOMPARE(cell(window, "orders", MutexesModel::kOwner), QString("a"));
    QCOMPARE(cell(window, "orders", MutexesModel::kToken), QString("1"));
    QCOMPARE(cell(window, "orders", MutexesModel::kState), QString("held"));
    QCOMPARE(cell(window, "orders", MutexesModel::kLease), QString("?"));
    QVERIFY(cell(window, "orders", MutexesModel::kHeldFor).startsWith(QStringLiteral("≥ ")));
    QCOMPARE(watch(window).detail()->text(), QString("orders, held, a, token 1"));
    watch(window).mutexes()->table()->grab();  // a lease of which nothing is kept is painted
    QTest::keyClick(&window, Qt::Key_End, Qt::ControlModifier);
    QCOMPARE(cell(window, "orders", MutexesModel::kOwner), QString("b"));
    QVERIFY(bar.isHidden());
    QVERIFY(watch(window).detail()->text().startsWith("orders, held, b"));
  }

  // The chart's cursor is a moment too, and so is the event before.
  void theChartsCursorTakesTheTableAlong() {
    TestWindow window;
    const TrueTime then = handOver(window);
    QVERIFY(then > TrueTime{});
    watch(window).view()->timeline()->setCursorTime(then);
    QCOMPARE(cell(window, "orders", MutexesModel::kOwner), QString("a"));
    QVERIFY(watch(window).past()->isVisible());
    QTest::mouseClick(watch(window).past()->back(), Qt::LeftButton);
    QCOMPARE(cell(window, "orders", MutexesModel::kOwner), QString("b"));
    watch(window).action(WatchAction::kStepBack)->trigger();
    QVERIFY(!watch(window).watched().follows());
    QVERIFY(watch(window).view()->timeline()->cursorTime() == watch(window).watched().playhead());
    QVERIFY(watch(window).past()->isVisible());
  }

  void beforeTheFirstLookNothingIsGuessed() {
    TestWindow window;
    handOver(window);
    type(window, "0s");
    QCOMPARE(cell(window, "orders", MutexesModel::kState), QString("not observed"));
    QCOMPARE(cell(window, "orders", MutexesModel::kOwner), QStringLiteral("–"));
    QVERIFY(watch(window).mutexes()->chip(WatchState::kNotObserved)->text().endsWith(" 1"));
    QVERIFY(watch(window).detail()->text().startsWith("orders, not observed"));
  }

  // By the clock that the ruler counts, and in UTC where it says so.
  void aMomentIsNamedByTheClockOnTheWall() {
    TestWindow window;
    const TrueTime then = handOver(window);
    QVERIFY(then > TrueTime{});
    const std::int64_t ns = *watch(window).watched().epochNs() + then.time_since_epoch().count();
    const QDateTime here = QDateTime::fromMSecsSinceEpoch(ns / 1'000'000);
    const auto near = [&] {
      const Duration off = watch(window).watched().playhead() - then;
      return off > -std::chrono::milliseconds(2) && off < std::chrono::milliseconds(2);
    };
    type(window, here.toString("HH:mm:ss.zzz"));
    QVERIFY2(near(), qPrintable(watch(window).past()->error()));
    watch(window).action(WatchAction::kLive)->trigger();
    type(window, here.toUTC().toString("yyyy-MM-dd HH:mm:ss.zzz") + "Z");
    QVERIFY2(near(), qPrintable(watch(window).past()->error()));
  }

  void whatIsNoMomentIsRefused() {
    TestWindow window;
    own("orders", "a", 1, 60'000);
    watchIt(window);
    PastBar& bar = *watch(window).past();
    type(window, "noon");
    QVERIFY2(bar.error().contains("noon: expected a moment, such as 03:12"), qPrintable(bar.error()));
    QVERIFY(watch(window).watched().follows());
    type(window, "23h");
    QVERIFY2(bar.error().contains("23h: what was seen is from "), qPrintable(bar.error()));
    QVERIFY(bar.isVisible());
    QTest::keyClick(bar.field(), Qt::Key_Escape);
    QVERIFY(bar.isHidden());
    QVERIFY(bar.error().isEmpty());
  }

  // Nobody takes the past for now, by day or by night.
  void theBarIsSeenInBothThemes() {
    TestWindow window;
    const TrueTime then = handOver(window);
    QVERIFY(then > TrueTime{});
    type(window, after(then));
    for (const ThemeChoice theme : {ThemeChoice::kLight, ThemeChoice::kDark}) {
      Look::instance().choose(theme);
      const QImage image = watch(window).past()->grab().toImage();
      QCOMPARE(image.pixelColor(1, image.height() / 2), ink().accent);
    }
    Look::instance().choose(ThemeChoice::kLight);
  }

  // Another watch begins at now, and knows nothing of the one before.
  void aWatchThatEndsLeavesNoPast() {
    TestWindow window;
    const TrueTime then = handOver(window);
    QVERIFY(then > TrueTime{});
    type(window, after(then));
    watch(window).action(WatchAction::kClose)->trigger();
    QVERIFY(watch(window).past()->isHidden());
    QVERIFY(watch(window).stores()->add(url_));
    QTRY_COMPARE_WITH_TIMEOUT(cell(window, "orders", MutexesModel::kOwner), QString("b"), kSeen);
    QVERIFY(watch(window).watched().past() == nullptr);
  }
};

LEASESCOPE_SUITE(WatchPastTest)
#include "watch_past_test.moc"
