// What the operator's perspective has seen of a Redis of its own is kept: as a recording, whatever becomes of the disk
// and the window, and as a scenario that is simulated.
#include <QElapsedTimer>
#include <QFileInfo>

#include "core/history/recording/recording_reader.h"
#include "tests/support/size_limit.h"
#include "tests/ui/watched_redis_suite.h"
#include "ui/recordings/recordings_perspective.h"
#include "ui/timeline/timeline_view.h"
#include "ui/watch/mutexes_panel.h"
#include "ui/watch/watch_perspective.h"

using namespace leasescope;
using namespace leasescope::tests;

class WatchRecordedTest : public WatchedRedisSuite {
  Q_OBJECT

 private slots:
  void initTestCase() { WatchedRedisSuite::initTestCase(); }
  void init() { WatchedRedisSuite::init(); }

  // What was seen is in a file that opens, and what is looked back at is the same.
  void whatIsSeenIsRecorded() {
    own("orders", "a", 1, 20'000);
    const QString path = home_.filePath("seen.recording");
    TestWindow window;
    watchIt(window);
    QTRY_COMPARE(cell(window, "orders", MutexesModel::kOwner), QString("a"));
    watch(window).choosePathWith([path] { return path; });
    watch(window).action(WatchAction::kRecord)->trigger();
    QVERIFY(watch(window).action(WatchAction::kRecord)->isChecked());
    own("orders", "b", 2, 20'000);
    QTRY_COMPARE(cell(window, "orders", MutexesModel::kOwner), QString("b"));
    watch(window).action(WatchAction::kRecord)->trigger();
    QVERIFY(!watch(window).action(WatchAction::kRecord)->isChecked());
    // The watch goes on; of what comes the recording knows nothing, and says from when on.
    const std::vector<Event>& seen = watch(window).session().history()->events;
    QVERIFY(seen.back().kind != EventKind::kUnobservedBegan);
    auto reader = RecordingReader::open(path.toStdString());
    QVERIFY2(reader, reader ? "" : reader.error().c_str());
    const auto recorded = reader->read();
    QVERIFY2(recorded, recorded ? "" : recorded.error().c_str());
    QCOMPARE(recorded->events.back().kind, EventKind::kUnobservedBegan);
    QCOMPARE(recorded->names.text(recorded->events.back().mutex), std::string_view("orders"));
    QVERIFY(recorded->events.back().hi >= seen.back().hi && recorded->events.back().hi <= recorded->now);
    window.open(path);
    auto& recordings = *static_cast<RecordingsPerspective*>(window.perspective(QStringLiteral("recordings")));
    QTRY_COMPARE_WITH_TIMEOUT(recordings.recording().state(), RunState::kFinished, kPatience);
    QTRY_COMPARE(recordings.view()->timeline()->data().mutexes().back().held.size(), std::size_t{2});
  }

  // The disk is full: it is said, the watch goes on, and what was written before is there.
  void aFullDiskEndsTheRecordingAlone() {
    own("orders", "a", 1, 60'000);
    const QString path = home_.filePath("full.recording");
    TestWindow window;
    watchIt(window);
    watch(window).choosePathWith([path] { return path; });
    watch(window).action(WatchAction::kRecord)->trigger();
    QTRY_VERIFY(QFileInfo(path + "-wal").size() > 0);
    QTest::qWait(700);  // what was seen by now is written
    const bool told = with_room_for(1024, [&] {
      own("orders", "b", 2, 60'000);
      return QTest::qWaitFor([&] { return !watch(window).view()->problem()->problem().empty(); }, 8000);
    });
    QVERIFY(told);
    QCOMPARE(watch(window).view()->problem()->problem().title, QString("Nothing is recorded any more"));
    QVERIFY(!watch(window).action(WatchAction::kRecord)->isChecked());
    own("orders", "c", 3, 60'000);
    QTRY_COMPARE(cell(window, "orders", MutexesModel::kOwner), QString("c"));
    const auto recorded = RecordingReader::open(path.toStdString());
    QVERIFY2(recorded, recorded ? "" : recorded.error().c_str());
    QVERIFY(recorded->events() > 0);
  }

  void whereNothingCanBeWrittenItSaysSo() {
    TestWindow window;
    watchIt(window);
    watch(window).choosePathWith([] { return QStringLiteral("/proc/no/such.recording"); });
    watch(window).action(WatchAction::kRecord)->trigger();
    QVERIFY(!watch(window).action(WatchAction::kRecord)->isChecked());
    QVERIFY(watch(window).view()->problem()->problem().message.contains("/proc/no/such.recording"));
  }

  // From who owns it to what may go wrong with it.
  void whatIsSeenIsSimulated() {
    QElapsedTimer since;
    since.start();
    own("orders", "a", 1, 9'000);
    TestWindow window;
    watchIt(window);
    QTRY_VERIFY(watch(window).mutexes()->chosen() != nullptr);
    const std::chrono::milliseconds passed(since.elapsed());
    const QString path = home_.filePath("orders.toml");
    watch(window).chooseScenarioWith(
        [path](const QString& proposed) { return proposed == QStringLiteral("orders.toml") ? path : QString(); });
    watch(window).action(WatchAction::kSimulate)->trigger();
    QVERIFY(QFileInfo::exists(path));
    QCOMPARE(window.current().word(), QString("lab"));
    QTRY_VERIFY(window.lab().runScenario() != nullptr);
    const Scenario& scenario = *window.lab().runScenario();
    QCOMPARE(scenario.mutex_names(), std::vector<std::string>{"orders"});
    // What was left of it when it was first seen.
    const Duration lease = scenario.terms().ttl + scenario.terms().transition;
    QVERIFY(lease <= std::chrono::seconds(9));
    QVERIFY2(lease >= std::chrono::milliseconds(8990) - passed,
             QByteArray::number(static_cast<qint64>(passed.count())));
    QTRY_COMPARE_WITH_TIMEOUT(window.lab().state(), RunState::kFinished, kPatience);
  }

  void aWindowIsClosedInTheMiddleOfIt() {
    own("orders", "a", 1, 20'000);
    TestWindow window;
    watchIt(window);
    watch(window).choosePathWith([this] { return home_.filePath("cut.recording"); });
    watch(window).action(WatchAction::kRecord)->trigger();
    window.close();
    const auto recorded = RecordingReader::open(home_.filePath("cut.recording").toStdString());
    QVERIFY(recorded && recorded->outcome());
  }
};

LEASESCOPE_SUITE(WatchRecordedTest)
#include "watch_recorded_test.moc"
