// Events as they come, beneath the stores: the newest first, of what kind and mutex is wanted, and none comes in
// between while its reader looks back.
#include <QAbstractItemModelTester>
#include <QDockWidget>
#include <QScrollBar>

#include "tests/ui/watched_redis_suite.h"
#include "ui/watch/event_feed.h"

using namespace leasescope;
using namespace leasescope::tests;

class EventFeedTest : public WatchedRedisSuite {
  Q_OBJECT

  static EventFeed& feed(TestWindow& window) { return *watch(window).feed(); }
  static QString head(TestWindow& window, int row) { return feed(window).model()->index(row, 0).data().toString(); }
  static QString about(TestWindow& window, int row) {
    return feed(window).model()->index(row, 0).data(EventFeedModel::kAboutRole).toString();
  }
  void handOver(const QString& mutex, const QString& from, const QString& to, int token) {
    redis({"DEL", "simba:{" + mutex + "}"});
    redis({"PUBLISH", "simba:{" + mutex + "}", "released@@" + from});
    own(mutex, to, token, 60'000);
  }
  // Rows enough to be scrolled.
  void fill(TestWindow& window) {
    for (int i = 0; i < 30; ++i) own(QStringLiteral("m%1").arg(i), QStringLiteral("a"), i + 1, 60'000);
    watchIt(window);
    QTRY_COMPARE_WITH_TIMEOUT(feed(window).model()->rowCount(), 30, kSeen);
    QTRY_VERIFY(feed(window).list()->verticalScrollBar()->maximum() > 0);
  }

 private slots:
  void initTestCase() { WatchedRedisSuite::initTestCase(); }
  void init() { WatchedRedisSuite::init(); }

  void theNewestChangeOfOwnerStandsFirst() {
    own("orders", "a", 1, 60'000);
    TestWindow window;
    QAbstractItemModelTester tester(feed(window).model(), QAbstractItemModelTester::FailureReportingMode::Fatal);
    watchIt(window);
    QVERIFY(feed(window).isVisible() && feed(window).list()->isVisible());
    QTRY_COMPARE(feed(window).model()->rowCount(), 1);
    handOver("orders", "a", "b", 2);
    QTRY_VERIFY_WITH_TIMEOUT(about(window, 0).contains(QStringLiteral("#2")), kSeen);
    QVERIFY2(head(window, 0).endsWith(QStringLiteral(" orders")), qPrintable(head(window, 0)));
    QVERIFY2(about(window, 0).endsWith(QStringLiteral(" · b")), qPrintable(about(window, 0)));  // as the table has it
    QVERIFY(feed(window).model()->rowCount() >= 2);
  }

  void onlyWhatIsWantedIsListed() {
    own("orders", "a", 1, 60'000);
    own("bills", "b", 1, 60'000);
    TestWindow window;
    QAbstractItemModelTester tester(feed(window).model(), QAbstractItemModelTester::FailureReportingMode::Fatal);
    watchIt(window);
    QTRY_COMPARE(feed(window).model()->rowCount(), 2);
    feed(window).filter()->setFocus();
    QTest::keyClicks(feed(window).filter(), QStringLiteral("BILL"));
    QCOMPARE(feed(window).model()->rowCount(), 1);
    QVERIFY(head(window, 0).endsWith(QStringLiteral(" bills")));
    // What comes is looked at too.
    handOver("orders", "a", "c", 2);
    handOver("bills", "b", "d", 2);
    QTRY_VERIFY_WITH_TIMEOUT(about(window, 0).contains(QStringLiteral("#2")), kSeen);
    for (int row = 0; row < feed(window).model()->rowCount(); ++row)
      QVERIFY2(head(window, row).endsWith(QStringLiteral(" bills")), qPrintable(head(window, row)));
    feed(window).filter()->clear();
    feed(window).kind()->setCurrentIndex(static_cast<int>(FeedKind::kSight));
    QCOMPARE(feed(window).model()->rowCount(), 0);
    server_->kill();
    QTRY_VERIFY_WITH_TIMEOUT(feed(window).model()->rowCount() > 0, 6000);
  }

  void whoeverLooksBackIsNotDisturbed() {
    TestWindow window;
    fill(window);
    QListView& list = *feed(window).list();
    list.verticalScrollBar()->setValue(list.verticalScrollBar()->maximum());
    const QString first = head(window, 0);
    QVERIFY(feed(window).newest()->isHidden());
    own("late", "z", 99, 60'000);
    QTRY_VERIFY_WITH_TIMEOUT(!feed(window).newest()->isHidden(), kSeen);
    QVERIFY(feed(window).newest()->text().startsWith(QStringLiteral("1 new")));
    QCOMPARE(feed(window).model()->rowCount(), 30);
    QCOMPARE(head(window, 0), first);
    QTest::mouseClick(feed(window).newest(), Qt::LeftButton);
    QTRY_VERIFY(head(window, 0).endsWith(QStringLiteral(" late")));
    QVERIFY(feed(window).newest()->isHidden());
    QCOMPARE(list.verticalScrollBar()->value(), 0);
  }

  void aChoiceLeadsTableAndChartThere_data() {
    QTest::addColumn<bool>("byKeys");
    QTest::newRow("by mouse") << false;
    QTest::newRow("by keys") << true;
  }
  void aChoiceLeadsTableAndChartThere() {
    QFETCH(const bool, byKeys);
    own("orders", "a", 1, 60'000);
    own("bills", "b", 1, 60'000);
    TestWindow window;
    watchIt(window);
    QTRY_COMPARE(feed(window).model()->rowCount(), 2);
    handOver("orders", "a", "c", 2);
    QTRY_VERIFY_WITH_TIMEOUT(about(window, 0).contains(QStringLiteral("#2")), kSeen);
    QTest::qWait(400);  // the event is past
    QVERIFY(watch(window).mutexes()->chosen()->shown != "orders");
    QListView& list = *feed(window).list();
    const QModelIndex row = list.model()->index(0, 0);
    const auto at = TrueTime(Duration(row.data(EventFeedModel::kAtRole).toLongLong()));
    if (byKeys) {
      watch(window).action(WatchAction::kFeed)->trigger();
      QTRY_VERIFY(list.hasFocus());
      QTest::keyClick(&list, Qt::Key_Return);
    } else {
      QTest::mouseClick(list.viewport(), Qt::LeftButton, {}, list.visualRect(row).center());
    }
    QCOMPARE(watch(window).mutexes()->chosen()->shown, std::string("orders"));
    QVERIFY(!watch(window).watched().follows());
    QCOMPARE(watch(window).watched().playhead(), at);
  }

  void inASmallWindowItIsAKeyAway() {
    own("orders", "a", 1, 60'000);
    TestWindow window;
    watchIt(window, {1024, 640});
    QTRY_COMPARE(feed(window).model()->rowCount(), 1);
    watch(window).action(WatchAction::kFeed)->trigger();
    QTRY_VERIFY(feed(window).list()->hasFocus());
    QVERIFY(feed(window).list()->visualRect(feed(window).model()->index(0)).height() > 0);
    QVERIFY(!feed(window).list()->viewport()->visibleRegion().isEmpty());
  }

  // However long the watch lasts, so many are kept.
  void theOldestGo() {
    TestWindow window;
    QAbstractItemModelTester tester(feed(window).model(), QAbstractItemModelTester::FailureReportingMode::Fatal);
    const auto many = static_cast<int>(EventFeedModel::kMost);
    QStringList script{
        "for i=1,tonumber(ARGV[1]) do local k='simba:{m'..i..'}' redis.call('SET',k,'a','PX',60000) "
        "redis.call('SET',k..':token',i,'PX',60000) redis.call('SET',k..':fence',i) end return 1"};
    redis({"EVAL", script.front(), "0", QString::number(many + 50)});
    watchIt(window);
    QTRY_COMPARE_WITH_TIMEOUT(watch(window).mutexes()->model()->rowCount(), many + 50, 15'000);
    QTRY_COMPARE(feed(window).model()->rowCount(), many);
  }
};

LEASESCOPE_SUITE(EventFeedTest)
#include "event_feed_test.moc"
