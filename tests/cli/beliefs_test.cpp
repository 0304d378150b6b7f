// What `contend` believes, beside what its store tells, in a watch: at a socket of this machine, and by the store's
// messages.
#include <QTemporaryDir>

#include "core/store/redis/store_type.h"
#include "simulator/live/private_server.h"
#include "tests/cli/contend_process.h"
#include "tests/cli/program.h"
#include "tests/support/suite.h"

using namespace leasescope;
using namespace leasescope::tests;
using nlohmann::json;

class BeliefsTest : public QObject {
  Q_OBJECT

  PrivateServer server_{redis::store_type()};
  QString url_;
  QTemporaryDir folder_;

  QStringList terms(const QString& beliefs) const {
    return {"--ttl", "1s", "--transition", "1s", "--beliefs", beliefs};
  }

 private slots:
  void initTestCase() {
    QVERIFY(server_.start().has_value());
    url_ = QString::fromStdString(printable(server_.url()));
  }

  // One owns, the other waits: both say so.
  void twoSayWhatTheyBelieve_data() {
    QTest::addColumn<QString>("way");
    QTest::newRow("socket") << "unix:" + folder_.filePath("once");
    QTest::newRow("channel") << "channel";
  }
  void twoSayWhatTheyBelieve() {
    QFETCH(QString, way);
    Contend a(url_, terms(way), {"sleep", "60"}), b(url_, terms(way), {"sleep", "60"});
    QVERIFY(soon([&] { return leasescopectl({"who", "orders", url_}).out.contains("holds it"); }));
    const Ran object = leasescopectl({"watch", url_, "--once", "--json", "--beliefs", way, "--within", "5s"});
    QVERIFY2(object.exit == 0, object.err);
    const json all = object.json();
    const json& one = all["mutexes"][0];
    QCOMPARE(one["believers"].get<int>(), 1);
    QCOMPARE(one["beliefs"].size(), std::size_t{2});
    int waits = 0;
    for (const json& each : one["beliefs"]) {
      waits += each["believes"] == "waits";
      if (!each["owns"].get<bool>()) continue;
      QCOMPARE(each["owner"].get<std::string>(), one["owner"].get<std::string>());
      QCOMPARE(each["token"].get<int>(), one["token"].get<int>());
      const double left = each["left_seconds"].get<double>();
      QVERIFY2(left >= 0 && left <= 2, object.out);
      // Both clocks are this machine's.
      QVERIFY2(std::abs(each["clock_behind_ns"][1].get<double>()) < 0.5e9, object.out);
    }
    QCOMPARE(waits, 1);
    const Ran table = leasescopectl({"watch", url_, "--once", "--beliefs", way, "--within", "3s"});
    QVERIFY2(table.out.contains("BELIEVES") && table.out.contains(" owns #"), table.out);
    const Ran who = leasescopectl({"who", "orders", url_, "--beliefs", way, "--within", "5s"});
    QVERIFY2(who.out.contains("believes: owns #") && who.out.contains("believes: waits"), who.out);
    for (Contend* each : {&a, &b}) each->signal(SIGTERM);
    QVERIFY(a.ended() && b.ended());
  }
  // Each change as a line, beside the store's.
  void aWatchTellsThemAsTheyCome() {
    const QString way = "unix:" + folder_.filePath("lines");
    QProcess watch;
    watch.start(kLeasescopectl, {"watch", url_, "--lines", "--beliefs", way});
    QVERIFY(watch.waitForStarted());
    QVERIFY(soon([&] { return QFile::exists(folder_.filePath("lines")); }));
    Contend a(url_, terms(way), {"sleep", "1"});
    QByteArray out;
    QVERIFY2(soon([&] {
               out += watch.readAllStandardOutput();
               return out.contains("believed no more by ");
             }),
             out + watch.readAllStandardError());
    QVERIFY2(out.contains("  orders  believed by ") && out.contains(" until "), out);
    QVERIFY2(out.contains("  orders  granted to "), out);
    watch.terminate();
    QVERIFY(watch.waitForFinished());
    QCOMPARE(watch.exitCode(), 0);
    QVERIFY(!QFile::exists(folder_.filePath("lines")));
  }
  // Whether anybody listens or not, the command runs, and nothing is said of it.
  void whereNobodyListensNothingChanges() {
    Contend a(url_, terms("unix:" + folder_.filePath("nobody")), {"true"});
    QVERIFY(a.ended());
    QCOMPARE(a.exit(), 0);
    QCOMPARE(a.err(), QByteArray());
  }
  void whereNobodyTellsThatIsSaid() {
    Contend a(url_, {}, {"sleep", "60"});
    QVERIFY(soon([&] { return leasescopectl({"who", "orders", url_}).out.contains("holds it"); }));
    const QString way = "unix:" + folder_.filePath("silence");
    const Ran who = leasescopectl({"who", "orders", url_, "--beliefs", way, "--within", "1s"});
    QVERIFY2(who.out.contains("  No process tells what it believes.\n"), who.out);
    a.signal(SIGTERM);
    QVERIFY(a.ended());
  }
  void whatCannotBeAWayIsRefused() {
    for (const QStringList& words : {QStringList{"contend", url_, "orders", "--beliefs", "loud", "--", "true"},
                                     QStringList{"watch", url_, "--once", "--beliefs", "loud"}}) {
      const Ran ran = leasescopectl(words);
      QCOMPARE(ran.exit, 2);
      SAYS(ran, "--beliefs loud: expected channel, or unix:PATH");
    }
    for (const char* store : {"mysql://127.0.0.1:1/db", "zookeeper://127.0.0.1:1"}) {
      const Ran contend = leasescopectl({"contend", store, "orders", "--beliefs", "channel", "--", "true"});
      QCOMPARE(contend.exit, 2);
      SAYS(contend, "--beliefs channel: ");
      SAYS(contend, "expected unix:PATH");
      const Ran watch = leasescopectl({"watch", store, "--once", "--beliefs", "channel"});
      QCOMPARE(watch.exit, 2);
      SAYS(watch, "expected unix:PATH");
    }
    const Ran taken = leasescopectl({"watch", url_, "--once", "--beliefs", "unix:/dev/null"});
    QCOMPARE(taken.exit, 2);
    SAYS(taken, "a file lies there");
  }
};

LEASESCOPE_SUITE(BeliefsTest)
#include "beliefs_test.moc"
