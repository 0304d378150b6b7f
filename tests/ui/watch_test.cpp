// The operator's perspective, over a Redis of its own: who owns what, as it changes, and what is said where that cannot
// be told.
#include <QAbstractItemModelTester>
#include <QDockWidget>
#include <QSettings>

#include "core/store/redis/store_type.h"
#include "simulator/live/private_server.h"
#include "tests/store/free_port.h"
#include "tests/ui/watched_redis_suite.h"
#include "ui/models/words.h"
#include "ui/panels/rows_bar.h"
#include "ui/panels/summary_bar.h"
#include "ui/panels/timeline_page.h"
#include "ui/timeline/paint/row_pick.h"
#include "ui/timeline/timeline_view.h"
#include "ui/watch/mutex_detail.h"
#include "ui/watch/mutexes_panel.h"
#include "ui/watch/stores_panel.h"
#include "ui/watch/watch_perspective.h"
#include "ui/watch/watched_stores_model.h"

using namespace leasescope;
using namespace leasescope::tests;

class WatchTest : public WatchedRedisSuite {
  Q_OBJECT

 private slots:
  void initTestCase() { WatchedRedisSuite::initTestCase(); }
  void init() { WatchedRedisSuite::init(); }

  void withoutAStoreItSaysWhatToDo() {
    TestWindow window;
    show(window);
    window.turnTo(watch(window));
    QVERIFY(watch(window).mutexes()->isHidden());
    QVERIFY(!watch(window).action(WatchAction::kRecord)->isEnabled());
    watch(window).action(WatchAction::kAddStore)->trigger();
    QTRY_VERIFY(watch(window).stores()->field()->hasFocus());
  }

  void whatIsNoStoreInUseIsRefusedWithAReason_data() {
    QTest::addColumn<QString>("typed");
    QTest::addColumn<QString>("said");
    QTest::newRow("a word alone") << "redis"
                                  << "in use";
    QTest::newRow("a scheme with a typo") << "rediss//127.0.0.1"
                                          << "expected";
    QTest::newRow("nothing") << ""
                             << "expected";
  }
  void whatIsNoStoreInUseIsRefusedWithAReason() {
    QFETCH(const QString, typed);
    QFETCH(const QString, said);
    TestWindow window;
    show(window);
    window.turnTo(watch(window));
    QVERIFY(!watch(window).stores()->add(typed));
    QVERIFY2(watch(window).stores()->error().contains(said), qPrintable(watch(window).stores()->error()));
    QVERIFY(watch(window).watched().watch() == nullptr);
  }

  // One that answers and one that does not; changed, left, and back again.
  void theListOfStoresKeepsTheRulesOfModels() {
    WatchSession session;
    WatchedStoresModel list(session);
    QAbstractItemModelTester tester(&list, QAbstractItemModelTester::FailureReportingMode::Fatal);
    const auto nowhere = [] { return QStringLiteral("redis://127.0.0.1:%1").arg(free_port()); };
    const auto names = [&] {
      QStringList out;
      for (int row = 0; row < list.rowCount(); ++row) out << list.index(row).data().toString();
      return out;
    };
    QCOMPARE(list.rowCount(), 0);
    QVERIFY(session.add(url_, {}).has_value());
    QCOMPARE(names(), QStringList(url_));
    QTRY_VERIFY_WITH_TIMEOUT(!list.index(0).data(WatchedStoresModel::kBlindRole).toBool(), kSeen);
    const QString one = nowhere();
    QVERIFY(session.add(one, {}).has_value());
    QCOMPARE(names(), QStringList({url_, one}));
    QTRY_VERIFY_WITH_TIMEOUT(!list.index(1).data(WatchedStoresModel::kErrorRole).toString().isEmpty(), kSeen);
    QVERIFY(list.index(1).data(WatchedStoresModel::kAboutRole).toString().startsWith(QStringLiteral("not observed")));
    QString other = nowhere();
    while (other == one) other = nowhere();
    const auto place = list.index(1).data(WatchedStoresModel::kPlaceRole).toULongLong();
    QVERIFY(session.replace(static_cast<std::size_t>(place), other, {}).has_value());
    QCOMPARE(names(), QStringList({url_, other}));
    session.remove(0);
    QCOMPARE(names(), QStringList(other));
    while (session.undo().canUndo()) session.undo().undo();
    QCOMPARE(names(), QStringList({url_, one}));
    session.close();
    QCOMPARE(list.rowCount(), 0);
    QVERIFY(session.add(url_, {}).has_value());
    QCOMPARE(names(), QStringList(url_));
  }

  void whoOwnsWhatStandsInTheTable() {
    own("orders", "api-2:873", 8812, 20'000);
    own("bills", "fin-1:3001", 12, 20'000);
    TestWindow window;
    QAbstractItemModelTester tester(watch(window).mutexes()->model(),
                                    QAbstractItemModelTester::FailureReportingMode::Fatal);
    watchIt(window);
    QTRY_COMPARE(watch(window).mutexes()->model()->rowCount(), 2);
    QCOMPARE(cell(window, "orders", MutexesModel::kOwner), QString("api-2:873"));
    QCOMPARE(cell(window, "orders", MutexesModel::kToken), QString("8812"));
    QCOMPARE(cell(window, "orders", MutexesModel::kState), QString("held"));
    QVERIFY(cell(window, "orders", MutexesModel::kHeldFor).startsWith(QStringLiteral("≥ ")));
    const QString left = cell(window, "orders", MutexesModel::kLease);
    QVERIFY2(left.endsWith(" s") && left.chopped(2).toDouble() > 10 && left.chopped(2).toDouble() <= 20,
             qPrintable(left));
    // The first is chosen: the mutex beside the table, and alone on the chart.
    QVERIFY2(watch(window).detail()->text().startsWith("bills, held, fin-1:3001"),
             qPrintable(watch(window).detail()->text()));
    QCOMPARE(watch(window).notebook().rows().filter.mutex, std::string("bills"));
    // That the chart is of the chosen mutex nobody asked of the rows: their line is not there for it.
    QVERIFY(watch(window).view()->rows()->isHidden());
    QVERIFY(watch(window).summary()->text().contains(QStringLiteral("read only")));
  }

  // Whose lock it is stands beside its name, as soon as there is one of another maker; what only looks like one is
  // shown where that was asked for.
  void locksOfOtherMakersStandInTheTableWithTheirMaker() {
    own("orders", "api-2:873", 8812, 20'000);
    const QString owner = QStringLiteral("b9a1c2d3-0f1e-4a5b-8c7d-112233445566:1");
    redis({"HSET", "cart", owner, "1"});
    redis({"PEXPIRE", "cart", "30000"});
    redis({"SET", "job", "0f1e2d3c4b5a49788796a5b4c3d2e1f0", "PX", "20000"});
    TestWindow window;
    QAbstractItemModelTester tester(watch(window).mutexes()->model(),
                                    QAbstractItemModelTester::FailureReportingMode::Fatal);
    show(window);
    watch(window).stores()->likely()->setChecked(true);
    watchIt(window);
    QTRY_COMPARE(watch(window).mutexes()->model()->rowCount(), 3);
    QCOMPARE(cell(window, "cart", MutexesModel::kSystem), QString("Redisson lock"));
    QCOMPARE(cell(window, "cart", MutexesModel::kOwner), owner);
    QCOMPARE(cell(window, "job", MutexesModel::kSystem), QString("node-redlock lock, likely"));
    QCOMPARE(cell(window, "orders", MutexesModel::kSystem), QString("simba"));
    QVERIFY(watch(window).mutexes()->table()->columnWidth(MutexesModel::kSystem) > 0);
  }

  // Readers have a place each under their mutex, and whoever looks for one of them finds it.
  void whoHoldsBesideOthersIsNamedBesideThem() {
    const QString one = QStringLiteral("b9a1c2d3-0f1e-4a5b-8c7d-112233445566:1");
    const QString two = QStringLiteral("b9a1c2d3-0f1e-4a5b-8c7d-112233445566:2");
    redis({"HSET", "docs", "mode", "read", one, "1", two, "1"});
    redis({"PEXPIRE", "docs", "30000"});
    redis({"HSET", "cart", two, "1"});
    redis({"PEXPIRE", "cart", "30000"});
    TestWindow window;
    show(window);
    watchIt(window);
    QTRY_COMPARE(watch(window).mutexes()->model()->rowCount(), 2);
    QTRY_COMPARE(cell(window, "docs", MutexesModel::kOwner), "2: " + one + ", " + two);
    const auto& rows = watch(window).view()->timeline()->data().mutexes();
    const auto docs = [&] {
      return std::find_if(rows.begin(), rows.end(), [](const MutexRow& row) { return row.places.size() == 2; });
    };
    QTRY_VERIFY(docs() != rows.end());
    QVERIFY(docs()->readers);
    QTRY_VERIFY(watch(window).watched().history()->incidents.empty());
  }

  // A hand-off by somebody else is on the screen a moment later.
  void aHandOffIsShownWithin100Ms() {
    own("orders", "a", 1, 20'000);
    TestWindow window;
    watchIt(window);
    QTRY_COMPARE(cell(window, "orders", MutexesModel::kOwner), QString("a"));
    redis({"DEL", "simba:{orders}"});
    redis({"PUBLISH", "simba:{orders}", "released@@a"});
    QTRY_COMPARE_WITH_TIMEOUT(cell(window, "orders", MutexesModel::kState), QString("free"), 1000);
    // From when the watch knows of it to when the table shows it.
    const WatchSession& session = watch(window).watched();
    std::optional<TrueTime> shown;
    connect(&session, &WatchSession::lookedAt, this, [&] {
      if (!shown && cell(window, "orders", MutexesModel::kOwner) == "b") shown = session.liveNow();
    });
    own("orders", "b", 2, 20'000);
    QTRY_VERIFY_WITH_TIMEOUT(shown.has_value(), 1000);
    const std::vector<Event>& events = session.history()->events;
    const auto granted = std::find_if(events.rbegin(), events.rend(),
                                      [](const Event& event) { return event.kind == EventKind::kGranted; });
    QVERIFY(granted != events.rend());
    QVERIFY2(*shown - granted->hi <= std::chrono::milliseconds(100), qPrintable(spanText(*shown - granted->hi)));
    const std::vector<WatchedTerm>& terms = watch(window).mutexes()->chosen()->terms;
    const NameTable& names = session.history()->names;
    QCOMPARE(terms.size(), std::size_t{3});
    QCOMPARE(names.text(terms[0].owner), std::string_view("a"));
    QVERIFY(terms[1].owner.empty());
    QCOMPARE(names.text(terms[2].owner), std::string_view("b"));
    // The chart has both, under its mutex.
    QTRY_COMPARE(watch(window).view()->timeline()->data().mutexes().front().held.size(), std::size_t{2});
  }

  // Whoever owns several mutexes stands in the rows of one: what the store says of the chosen one is there all the
  // same.
  void theChosenMutexIsOnTheChartThoughItsOwnerOwnsOthersToo() {
    for (const char* mutex : {"bills", "orders", "stock"}) own(QString::fromUtf8(mutex), "api-2:873", 1, 20'000);
    TestWindow window;
    watchIt(window);
    QTRY_COMPARE(watch(window).mutexes()->model()->rowCount(), 3);
    for (int row = 0; row < 3; ++row) {
      watch(window).mutexes()->table()->selectRow(row);
      const std::string chosen = watch(window).mutexes()->chosen()->name;
      const ChartData& data = watch(window).view()->timeline()->data();
      QTRY_COMPARE(watch(window).notebook().rows().filter.mutex, chosen);
      const RowPick pick = pick_rows(data, watch(window).notebook().rows());
      for (std::size_t i = 0; i < data.mutexes().size(); ++i)
        QCOMPARE(bool(pick.mutex_left_out[i]), data.mutexes()[i].name != chosen);
    }
  }

  // The tables of a run are not shown here, so that there is nothing beside which a legend had room.
  void aWideWindowGivesItsRoomToTheMutexes() {
    own("orders", "a", 1, 60'000);
    TestWindow window;
    watchIt(window, {2560, 1440});
    QTRY_VERIFY(watch(window).mutexes()->chosen() != nullptr);
    auto* legend = watch(window).findChild<QDockWidget*>(QStringLiteral("legendDock"));
    QVERIFY(!legend->isVisible());
    QTest::keyClick(&window, Qt::Key_F1);
    QTRY_VERIFY(legend->isVisible());
    QString named;
    for (const QWidget* part : legend->findChildren<QWidget*>()) named += part->accessibleDescription();
    QVERIFY(named.contains(QStringLiteral("Name a store")) && !named.contains(QStringLiteral("Space")));
  }

  void aDeadOwnersLeaseIsShownToEnd() {
    own("orders", "a", 1, 60'000);
    TestWindow window;
    watchIt(window);
    QTRY_COMPARE(cell(window, "orders", MutexesModel::kOwner), QString("a"));
    redis({"PEXPIRE", "simba:{orders}", "500"});
    own("bills", "b", 1, 60'000);
    redis({"PUBLISH", "simba:{orders}", "acquired@@a"});  // so that it is looked at
    QTRY_COMPARE_WITH_TIMEOUT(cell(window, "orders", MutexesModel::kState), QString("free"), 2000);
    QTRY_COMPARE(watch(window).view()->timeline()->data().mutexes().front().held.back().ending, SpanEnd::kExpired);
  }

  void wordsAndChipsLeaveRowsOut() {
    own("orders", "a", 1, 20'000);
    own("bills", "b", 2, 20'000);
    own("taxes", "a", 3, 400);
    TestWindow window;
    QAbstractItemModelTester tester(watch(window).mutexes()->model(),
                                    QAbstractItemModelTester::FailureReportingMode::Fatal);
    watchIt(window);
    MutexesPanel& panel = *watch(window).mutexes();
    QTRY_COMPARE_WITH_TIMEOUT(cell(window, "taxes", MutexesModel::kState), QString("free"), kSeen);
    QTRY_COMPARE(panel.chip({})->text(), QString("all 3"));
    QTest::mouseClick(panel.chip(WatchState::kFree), Qt::LeftButton);
    QCOMPARE(panel.model()->rowCount(), 1);
    QTest::mouseClick(panel.chip({}), Qt::LeftButton);
    QCOMPARE(panel.model()->rowCount(), 3);
    QTest::keyClick(&window, Qt::Key_K, Qt::ControlModifier);
    QTRY_VERIFY(panel.search()->hasFocus());
    QTest::keyClicks(panel.search(), "BIL");
    QCOMPARE(panel.model()->rowCount(), 1);
    QCOMPARE(panel.model()->mutex(0)->name, std::string("bills"));
    QCOMPARE(panel.chip({})->text(), QString("all 1"));
    panel.search()->setText("nothing like it");
    QVERIFY(panel.table()->emptyText().contains("None of the 3"));
    panel.search()->clear();
    panel.table()->sortByColumn(MutexesModel::kOwner, Qt::DescendingOrder);
    QCOMPARE(panel.model()->mutex(0)->name, std::string("bills"));
  }

  void whatIsChosenStaysChosenWhileRowsMove() {
    own("b", "x", 1, 20'000);
    TestWindow window;
    watchIt(window);
    MutexesPanel& panel = *watch(window).mutexes();
    QTRY_COMPARE(panel.model()->rowCount(), 1);
    QTRY_VERIFY(panel.chosen() != nullptr);
    own("a", "y", 2, 20'000);
    QTRY_COMPARE_WITH_TIMEOUT(panel.model()->rowCount(), 2, 35'000);
    QCOMPARE(panel.chosen()->name, std::string("b"));
    QCOMPARE(panel.table()->currentIndex().row(), 1);
  }

  // Before the others in every order, and the next time too.
  void aFavouriteStandsBeforeTheOthers() {
    for (const char* name : {"billing", "orders", "taxes"}) own(name, "a", 1, 60'000);
    const auto names = [](TestWindow& window) {
      const MutexesModel& model = *watch(window).mutexes()->model();
      QStringList out;
      for (int row = 0; row < model.rowCount(); ++row) out << model.index(row, MutexesModel::kMutex).data().toString();
      return out;
    };
    {
      TestWindow window;
      watchIt(window);
      QTRY_COMPARE_WITH_TIMEOUT(names(window), QStringList({"billing", "orders", "taxes"}), kSeen);
      QAction* const favourite = watch(window).action(WatchAction::kFavourite);
      watch(window).mutexes()->choose(watch(window).mutexes()->model()->mutex(1));
      QVERIFY(!favourite->isChecked());
      QTest::keyClick(&window, Qt::Key_K, Qt::ControlModifier | Qt::ShiftModifier);
      QCOMPARE(names(window), QStringList({"★ orders", "billing", "taxes"}));
      QVERIFY(favourite->isChecked());
      watch(window).mutexes()->table()->sortByColumn(MutexesModel::kMutex, Qt::DescendingOrder);
      QCOMPARE(names(window), QStringList({"★ orders", "taxes", "billing"}));
      window.close();
    }
    TestWindow window;
    window.restore();
    watchIt(window);
    QTRY_COMPARE_WITH_TIMEOUT(names(window), QStringList({"★ orders", "billing", "taxes"}), kSeen);
    watch(window).mutexes()->choose(watch(window).mutexes()->model()->mutex(0));
    watch(window).action(WatchAction::kFavourite)->trigger();
    QCOMPARE(names(window), QStringList({"billing", "orders", "taxes"}));
  }

  // By keys as by the mouse; how it is divided is remembered.
  void theTableIsDividedAndFolded() {
    for (const char* name : {"billing", "orders"}) own(name, "a", 1, 60'000);
    own("taxes", "a", 1, 400);
    {
      TestWindow window;
      QAbstractItemModelTester tester(watch(window).mutexes()->model(),
                                      QAbstractItemModelTester::FailureReportingMode::Fatal);
      watchIt(window);
      MutexesPanel& panel = *watch(window).mutexes();
      QTRY_COMPARE_WITH_TIMEOUT(cell(window, "taxes", MutexesModel::kState), QString("free"), kSeen);
      panel.choose(panel.model()->mutex(1));
      QTest::keyClick(&window, Qt::Key_8, Qt::ControlModifier | Qt::AltModifier);
      QCOMPARE(panel.model()->grouping(), Grouping::kState);
      QCOMPARE(panel.model()->rowCount(), 5);
      QCOMPARE(panel.groupButton()->text(), QString("By state"));
      QCOMPARE(panel.table()->currentIndex().row(), 2);  // what was chosen stays so
      panel.table()->setFocus();
      QTest::keyClick(panel.table(), Qt::Key_Left);
      QCOMPARE(panel.table()->currentIndex().row(), 0);
      QCOMPARE(panel.chosen()->name, std::string("orders"));
      QTest::keyClick(panel.table(), Qt::Key_Left);
      QCOMPARE(panel.model()->rowCount(), 3);
      QTest::qWait(600);  // ticks do not take the keys away from the group
      QCOMPARE(panel.table()->currentIndex().row(), 0);
      QTest::keyClick(panel.table(), Qt::Key_Right);
      QCOMPARE(panel.model()->rowCount(), 5);
      QTest::keyClick(panel.table(), Qt::Key_Return);
      QCOMPARE(panel.model()->rowCount(), 3);
      const QRect group = panel.table()->visualRect(panel.model()->index(0, MutexesModel::kMutex));
      QTest::mouseClick(panel.table()->viewport(), Qt::LeftButton, {}, group.center());
      QCOMPARE(panel.model()->rowCount(), 5);
      panel.table()->grab();  // its groups are painted
      window.close();
    }
    TestWindow window;
    window.restore();
    QCOMPARE(watch(window).mutexes()->model()->grouping(), Grouping::kState);
    QVERIFY(watch(window).action(WatchAction::kGroupByState)->isChecked());
    watch(window).action(WatchAction::kGroupByNothing)->trigger();
    QCOMPARE(watch(window).mutexes()->model()->grouping(), Grouping::kNone);
  }

  // A store that is gone is not observed, and nothing of it is free.
  void aStoreThatDoesNotAnswerIsNotObserved() {
    own("orders", "a", 1, 60'000);
    TestWindow window;
    watchIt(window);
    QTRY_COMPARE(cell(window, "orders", MutexesModel::kState), QString("held"));
    server_->kill();
    QTRY_COMPARE_WITH_TIMEOUT(cell(window, "orders", MutexesModel::kState), QString("not observed"), 6000);
    QCOMPARE(cell(window, "orders", MutexesModel::kLease), QStringLiteral("–"));
    QVERIFY(watch(window)
                .stores()
                ->list()
                ->model()
                ->index(0, 0)
                .data(Qt::AccessibleTextRole)
                .toString()
                .contains("not observed for"));
    QTRY_VERIFY(watch(window).summary()->text().contains("not observed"));
    QVERIFY(server_->start_again().has_value());
    QTRY_COMPARE_WITH_TIMEOUT(cell(window, "orders", MutexesModel::kState), QString("free"), 15'000);
    QCOMPARE(watch(window).view()->timeline()->data().mutexes().front().unobserved.size(), std::size_t{2});
  }

  void aStoreIsAddedAndTakenAwayWhileOthersAreWatched() {
    own("orders", "a", 1, 60'000);
    PrivateServer second(redis::store_type());
    QVERIFY(second.start().has_value());
    TestWindow window;
    watchIt(window);
    QTRY_COMPARE(watch(window).mutexes()->model()->rowCount(), 1);
    QVERIFY(!watch(window).stores()->add(url_));
    QVERIFY(watch(window).stores()->error().contains("already"));
    QVERIFY(watch(window).stores()->add(fromText(printable(second.url()))));
    QTRY_COMPARE_WITH_TIMEOUT(watch(window).watched().watch()->stores()[1]->known, true, kSeen);
    QCOMPARE(watch(window).document(), QString("2 stores · read only"));
    const std::string both = url_.toStdString() + ", " + printable(second.url());
    QCOMPARE(watch(window).view()->timeline()->data().facts().store, both);
    QListView& list = *watch(window).stores()->list();
    list.setFocus();
    list.setCurrentIndex(list.model()->index(0, 0));
    QTest::keyClick(&list, Qt::Key_Delete);
    QCOMPARE(list.model()->rowCount(), 1);
    QTRY_COMPARE(cell(window, "orders", MutexesModel::kState), QString("not observed"));
    QVERIFY(cell(window, "orders", MutexesModel::kHeldFor).startsWith(QStringLiteral("≥ ")));
    // Added again it is seen again; what is gone meanwhile is free.
    redis({"DEL", "simba:{orders}"});
    redis({"DEL", "simba:{orders}:token"});
    redis({"DEL", "simba:{orders}:fence"});
    QVERIFY(watch(window).stores()->add(url_));
    QTRY_COMPARE_WITH_TIMEOUT(cell(window, "orders", MutexesModel::kState), QString("free"), kSeen);
    QCOMPARE(watch(window).watched().watch()->stores().size(), std::size_t{2});
  }

  // The watch ends, and begins anew with nothing of the one before.
  void aWatchEndsAndBeginsAnew() {
    own("orders", "a", 1, 20'000);
    TestWindow window;
    watchIt(window);
    QTRY_COMPARE(watch(window).mutexes()->model()->rowCount(), 1);
    watch(window).action(WatchAction::kClose)->trigger();
    QVERIFY(watch(window).mutexes()->isHidden());
    QCOMPARE(watch(window).mutexes()->model()->rowCount(), 0);
    QCOMPARE(watch(window).stores()->list()->model()->rowCount(), 0);
    QVERIFY(watch(window).stores()->add(url_));
    QTRY_COMPARE_WITH_TIMEOUT(watch(window).mutexes()->model()->rowCount(), 1, kSeen);
  }

  // An address is remembered; a password is in no file.
  void aPasswordIsNotRemembered() {
    const QString secret = QStringLiteral("s3cret-of-the-operator");
    PrivateServerOptions options;
    options.password = secret.toStdString();
    PrivateServer guarded(redis::store_type(), options);
    QVERIFY(guarded.start().has_value());
    StoreUrl bare = guarded.url();
    bare.password.clear();
    const QString address = fromText(printable(bare));
    TestWindow window;
    show(window);
    window.turnTo(watch(window));
    QVERIFY(watch(window).stores()->add(address, secret));
    QTRY_VERIFY_WITH_TIMEOUT(watch(window).watched().watch()->complete(), kSeen);
    QVERIFY(watch(window).stores()->password()->text().isEmpty());
    QCOMPARE(watch(window).stores()->known(), QStringList{address});
    QSettings settings;
    watch(window).remember(settings);
    settings.sync();
    QFile file(settings.fileName());
    QVERIFY(file.open(QIODevice::ReadOnly));
    const QByteArray written = file.readAll();
    QVERIFY(written.contains("stores="));
    QVERIFY(!written.contains(secret.toUtf8()));
  }

  void anAddressWithASecretInItIsNotRemembered() {
    TestWindow window;
    show(window);
    for (const char* text : {"redis://:s3cret@127.0.0.1:1/0", "postgresql://127.0.0.1:1/db?sslpassword=s3cret"})
      QVERIFY(watch(window).stores()->add(QString::fromLatin1(text)));
    QVERIFY(watch(window).stores()->known().isEmpty());
  }
};

LEASESCOPE_SUITE(WatchTest)
#include "watch_test.moc"
