// Who owns what on a store that is in use: a table, a line, JSON, a recording; and what is said where that cannot be
// told.
#include <QFile>
#include <QTemporaryDir>
#include <csignal>

#include "core/store/redis/store_type.h"
#include "simulator/live/private_server.h"
#include "tests/cli/program.h"
#include "tests/support/places.h"
#include "tests/support/suite.h"

using namespace leasescope;
using namespace leasescope::tests;
using nlohmann::json;

class WatchTest : public QObject {
  Q_OBJECT

  PrivateServer server_{redis::store_type()};
  QString url_;
  QProcess owner_;

 private slots:
  // Somebody else owns a mutex meanwhile.
  void initTestCase() {
    QVERIFY(server_.start().has_value());
    url_ = QString::fromStdString(printable(server_.url()));
    owner_.start(kLeasescopectl,
                 {"contend", url_, "orders", "--ttl", "5s", "--transition", "2s", "--", "sleep", "120"});
    QVERIFY(owner_.waitForStarted());
    QTRY_VERIFY_WITH_TIMEOUT(leasescopectl({"who", "orders", url_}).out.contains("holds it"), 8000);
  }
  void cleanupTestCase() {
    owner_.terminate();
    owner_.waitForFinished();
  }

  void whoSaysItInOneLine() {
    const Ran ran = leasescopectl({"who", "orders", url_});
    QCOMPARE(ran.exit, 0);
    QCOMPARE(ran.out.count('\n'), 1);
    QVERIFY2(ran.out.startsWith("orders: ") && ran.out.contains(" holds it, for ≥ ") && ran.out.contains(", #1, ") &&
                 ran.out.contains(" s left"),
             ran.out);
  }
  void ofOneThatNobodyHoldsItSaysSo() {
    const Ran ran = leasescopectl({"who", "bills", url_});
    QCOMPARE(ran.exit, 0);
    QVERIFY2(ran.out.startsWith("bills: nobody holds it"), ran.out);
  }
  void onceIsATableOrAnObject() {
    const Ran table = leasescopectl({"watch", url_, "--once"});
    QCOMPARE(table.exit, 0);
    QVERIFY2(table.out.startsWith("MUTEX") && table.out.contains("\norders ") && table.out.contains(" held\n"),
             table.out);
    const Ran object = leasescopectl({"watch", url_, "--once", "--json"});
    const json all = object.json();
    QCOMPARE(all["mutexes"].size(), std::size_t{1});
    const json& one = all["mutexes"][0];
    QCOMPARE(one["mutex"].get<std::string>(), std::string("orders"));
    QCOMPARE(one["state"].get<std::string>(), std::string("held"));
    QCOMPARE(one["token"].get<int>(), 1);
    QVERIFY(one["lease_left_seconds"].get<double>() > 0 && one["lease_left_seconds"].get<double>() <= 7);
    QVERIFY(one["raw"].contains("simba:{orders}"));
  }
  void aPatternLeavesOthersOut() {
    QVERIFY(!leasescopectl({"watch", url_, "--once", "--mutex", "b*"}).out.contains("orders"));
    QVERIFY(leasescopectl({"watch", url_, "--once", "--mutex", "or*"}).out.contains("orders"));
  }
  // A hand-off while it is watched: as lines, and in a recording that can be replayed.
  void whatIsSeenIsToldAndRecorded() {
    const QTemporaryDir folder;
    const QString recording = folder.filePath("night.recording");
    QProcess watching;
    watching.start(kLeasescopectl, {"watch", url_, "--record", recording});
    QVERIFY(watching.waitForStarted());
    QByteArray said;
    const auto hears = [&](const char* words) {
      return QTest::qWaitFor(
          [&] {
            said += watching.readAllStandardOutput();
            return said.contains(words);
          },
          8000);
    };
    QVERIFY2(hears("orders  granted to "), said);
    QCOMPARE(leasescopectl({"contend", url_, "bills", "--ttl", "2s", "--transition", "1s", "--", "true"}).exit, 0);
    QVERIFY2(hears("bills  granted to ") && hears("bills  released by "), said);
    ::kill(static_cast<pid_t>(watching.processId()), SIGINT);
    QVERIFY(watching.waitForFinished(5000));
    QCOMPARE(watching.exitCode(), 0);
    const Ran info = leasescopectl({"recording", "info", recording});
    QVERIFY2(info.exit == 0 && info.out.contains("watch"), info.out + info.err);
    const Ran replayed = leasescopectl({"replay", recording});
    QVERIFY2(replayed.exit == 0, replayed.err);
    const QString lines = folder.filePath("night.jsonl");
    QCOMPARE(leasescopectl({"recording", "export", recording, lines}).exit, 0);
    const QByteArray events = read_whole(lines);
    QVERIFY2(events.contains("\"kind\":\"granted\"") && events.contains("bills"), events);
  }
  void whatCannotBeWatchedSaysWhatToDo() {
    const Ran word = leasescopectl({"watch", "redis", "--once"});
    QCOMPARE(word.exit, 2);
    SAYS(word, "the URL of a store that is in use, such as redis://");
    const Ran nobody = leasescopectl({"who", "orders", "redis://127.0.0.1:1", "--within", "2s"});
    QCOMPARE(nobody.exit, 2);
    SAYS(nobody, "refused");
    const Ran poll = leasescopectl({"watch", url_, "--poll", "1ms"});
    QCOMPARE(poll.exit, 2);
    SAYS(poll, "expected 50ms or more");
    const Ran within = leasescopectl({"watch", url_, "--once", "--within", "soon"});
    QCOMPARE(within.exit, 2);
    SAYS(within, "expected a length of time");
  }
};

LEASESCOPE_SUITE(WatchTest)
#include "watch_test.moc"
