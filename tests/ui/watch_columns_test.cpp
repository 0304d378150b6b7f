// The columns of the table of watched mutexes: as many as there is room for, or as their reader has chosen.
#include <QHeaderView>
#include <QMenu>

#include "tests/ui/watched_redis_suite.h"
#include "ui/watch/mutex_columns.h"

using namespace leasescope;
using namespace leasescope::tests;

using Column = MutexesModel::Column;

class WatchColumnsTest : public WatchedRedisSuite {
  Q_OBJECT

  static QAction* entry(TestWindow& window, Column column) {
    for (QAction* each : watch(window).mutexes()->columnsMenu()->actions())
      if (each->isCheckable() && each->data().toInt() == column) return each;
    return nullptr;
  }
  static bool isShown(TestWindow& window, Column column) {
    return !watch(window).mutexes()->table()->isColumnHidden(column);
  }

 private slots:
  void initTestCase() { WatchedRedisSuite::initTestCase(); }
  void init() { WatchedRedisSuite::init(); }

  void whatTellsLeastGoesFirst() {
    const MutexColumns columns;
    const auto shown = [&](int room, Column column) {
      return columns.widths({room, false, false})[static_cast<std::size_t>(column)] != 0;
    };
    QVERIFY(!shown(500, MutexesModel::kToken) && !shown(500, MutexesModel::kWaiters));
    QVERIFY(shown(700, MutexesModel::kToken) && !shown(700, MutexesModel::kHandoffs));
    QVERIFY(shown(900, MutexesModel::kHandoffs) && !shown(900, MutexesModel::kChanged));
    QVERIFY(shown(1200, MutexesModel::kChanged) && !shown(1200, MutexesModel::kTransition));
    QVERIFY(shown(1400, MutexesModel::kTransition) && !shown(1400, MutexesModel::kStore));
    QCOMPARE(columns.widths({1400, true, true})[MutexesModel::kMutex], -1);
  }
  // Whatever else is chosen, a mutex has its name.
  void aChoiceHoldsInAnyRoom() {
    MutexColumns columns;
    for (int i = 0; i < MutexesModel::kColumns; ++i) columns.choose(static_cast<Column>(i), true);
    const std::vector<int> narrow = columns.widths({400, false, false});
    for (const int each : narrow) QVERIFY(each > 0);
    QVERIFY(narrow[MutexesModel::kMutex] >= 100);
    columns.choose(MutexesModel::kMutex, false);
    columns.choose(MutexesModel::kOwner, false);
    QVERIFY(columns.widths({400, false, false})[MutexesModel::kMutex] != 0);
    QCOMPARE(columns.widths({2000, false, false})[MutexesModel::kOwner], 0);
    MutexColumns again;
    again.take(columns.words() + QStringList{"nonsense=on", "token"});
    QCOMPARE(again.words(), columns.words());
    again.forget();
    QVERIFY(!again.isChosen() && again.words().isEmpty());
  }

  // By keys as by the mouse, and the next time too.
  void columnsAreChosenAndRemembered() {
    own("orders", "a", 1, 60'000);
    {
      TestWindow window;
      watchIt(window);
      QVERIFY(!isShown(window, MutexesModel::kChanged));
      QVERIFY(isShown(window, MutexesModel::kWaiters));
      QTest::keyClick(&window, Qt::Key_9, Qt::ControlModifier | Qt::AltModifier);
      QMenu& menu = *watch(window).mutexes()->columnsMenu();
      QTRY_VERIFY(menu.isVisible());
      QVERIFY(!entry(window, MutexesModel::kChanged)->isChecked());
      QVERIFY(entry(window, MutexesModel::kWaiters)->isChecked());
      QVERIFY(entry(window, MutexesModel::kMutex) == nullptr);
      menu.setActiveAction(entry(window, MutexesModel::kChanged));
      QTest::keyClick(&menu, Qt::Key_Return);
      QVERIFY(isShown(window, MutexesModel::kChanged));
      entry(window, MutexesModel::kWaiters)->trigger();
      QVERIFY(!isShown(window, MutexesModel::kWaiters));
      window.resize(1024, 640);
      QTest::qWait(300);
      QVERIFY(isShown(window, MutexesModel::kChanged));
      window.close();
    }
    TestWindow window;
    window.restore();
    watchIt(window);
    QTRY_VERIFY(isShown(window, MutexesModel::kChanged));
    QVERIFY(!isShown(window, MutexesModel::kWaiters));
    for (QAction* each : watch(window).mutexes()->columnsMenu()->actions())
      if (each->text() == "As there is room") each->trigger();
    QVERIFY(!isShown(window, MutexesModel::kChanged));
    QVERIFY(isShown(window, MutexesModel::kWaiters));
  }

  // When it changed last is told by the clock of the ruler, and that it was so before it was looked at.
  void theLastChangeAndTheTransitionAreTold() {
    own("orders", "a", 1, 60'000);
    TestWindow window;
    watchIt(window);
    QTRY_VERIFY(cell(window, "orders", MutexesModel::kChanged).startsWith(QStringLiteral("≤ ")));
    own("orders", "b", 2, 60'000);
    QTRY_COMPARE(cell(window, "orders", MutexesModel::kOwner), QString("b"));
    const TrueTime since = watch(window).mutexes()->chosen()->book.since_hi();
    QTRY_COMPARE(cell(window, "orders", MutexesModel::kChanged), watch(window).watched().time().figure(since));
    // A key of Redis has one end alone.
    QCOMPARE(cell(window, "orders", MutexesModel::kTransition), QStringLiteral("–"));
    watch(window).action(ChartAction::kTimeOfRun)->trigger();
    QCOMPARE(cell(window, "orders", MutexesModel::kChanged), watch(window).watched().time().figure(since));
  }
};

LEASESCOPE_SUITE(WatchColumnsTest)
#include "watch_columns_test.moc"
