// A store that is away for a while, as a watch with rules tells of it: one alert that is over once, a gap in each
// mutex, and nobody is said to be gone. Its recording says the same.
#include <QTemporaryDir>
#include <csignal>

#include "core/store/redis/asker.h"
#include "core/store/redis/store_type.h"
#include "simulator/live/private_server.h"
#include "tests/cli/program.h"
#include "tests/support/suite.h"

using namespace leasescope;
using namespace leasescope::tests;
using nlohmann::json;

namespace {

PrivateServerOptions with_memory() {
  PrivateServerOptions out;
  out.remembers = true;
  return out;
}

// A watch that goes on, and what it has said.
class Watching {
 public:
  explicit Watching(const QStringList& arguments) {
    process_.start(kLeasescopectl, QStringList{"watch"} + arguments);
    if (!process_.waitForStarted()) qFatal("it does not start");
  }
  ~Watching() {
    process_.kill();
    process_.waitForFinished();
  }
  bool tells(const QByteArray& words) {
    return QTest::qWaitFor([&] { return read(), out.contains(words); }, 15'000);
  }
  bool complains(const QByteArray& words) {
    return QTest::qWaitFor([&] { return read(), said.contains(words); }, 20'000);
  }
  int end() {
    ::kill(static_cast<pid_t>(process_.processId()), SIGINT);
    if (!process_.waitForFinished(10'000)) return -1;
    read();
    return process_.exitCode();
  }

  QByteArray out, said;

 private:
  void read() {
    out += process_.readAllStandardOutput();
    said += process_.readAllStandardError();
  }

  QProcess process_;
};

}  // namespace

class StoreOutageTest : public QObject {
  Q_OBJECT

  PrivateServer server_{redis::store_type(), with_memory()};
  QTemporaryDir folder_;
  QString url_;

  void hold(const std::string& mutex) {
    redis::Asker server(std::chrono::milliseconds(5000));
    QVERIFY(server.connect(server_.url()).has_value());
    QVERIFY(server.ask({"SET", "simba:{" + mutex + "}", "api-1", "PX", "600000"}).has_value());
  }

  // One gap between the begin and the end, and one owner all the time.
  void hasOneGap(const QString& recording, const char* mutex) {
    const Ran ran = leasescopectl({"history", mutex, recording, "--json"});
    const json told = ran.json()["mutexes"][0];
    int gaps = 0;
    for (const json& each : told["unobserved"]) gaps += each["begin_ns"].get<qint64>() > 0 && !each["end_ns"].is_null();
    QVERIFY2(gaps == 1, ran.out);
    QVERIFY2(told["owned"].size() == 1, ran.out);
  }

 private slots:
  void initTestCase() {
    const auto started = server_.start();
    QVERIFY2(started.has_value(), started ? "" : started.error().c_str());
    url_ = QString::fromStdString(printable(server_.url()));
  }

  void oneOutageIsOneAlertOneGapAndNobodyIsGone() {
    for (const char* mutex : {"orders", "bills"}) hold(mutex);
    const QString recording = folder_.filePath("night.recording");
    const QString rules = write_file(folder_, "rules.toml",
                                     "schema = 1\n"
                                     "[[rule]]\nname = \"redis is away\"\nkind = \"store_away\"\nfor = \"2s\"\n"
                                     "[[rule]]\nname = \"nobody owns\"\nkind = \"no_owner\"\nfor = \"100ms\"\n");
    Watching watch({url_, "--alerts", rules, "--record", recording});
    QVERIFY2(watch.tells("orders  granted to api-1") && watch.tells("bills  granted to api-1"), watch.said);
    server_.kill();
    const QByteArray alert = "  ALERT  redis is away: " + url_.toUtf8() + ": it has not been seen for more than 2s";
    QVERIFY2(watch.complains(alert), watch.said);
    QTest::qWait(2000);  // it goes on being away
    const auto again = server_.start_again();
    QVERIFY2(again.has_value(), again ? "" : again.error().c_str());
    QVERIFY2(watch.complains("  over  redis is away: "), watch.said);
    for (const QByteArray mutex : {"orders", "bills"})
      QVERIFY2(QTest::qWaitFor([&] { return watch.tells(" ") && watch.out.count("  " + mutex + "  observed") == 2; },
                               15'000),
               watch.out);
    QTest::qWait(4000);  // what had to be said of the gap would have been said by now
    QCOMPARE(watch.end(), 0);
    QCOMPARE(watch.said.count("  ALERT  "), 1);
    QCOMPARE(watch.said.count("  over  "), 1);
    for (const QByteArray mutex : {"orders", "bills"}) QCOMPARE(watch.out.count("  " + mutex + "  not observed"), 1);
    QCOMPARE(watch.out.count(url_.toUtf8() + "  cannot be seen"), 1);
    QCOMPARE(watch.out.count(url_.toUtf8() + "  is seen again"), 1);
    for (const char* gone : {"released", "is over", "free", "nobody"}) QVERIFY2(!watch.out.contains(gone), watch.out);

    const Ran found = leasescopectl({"alerts", "find", rules, recording, "--json"});
    const json alerts = found.json();
    QVERIFY2(alerts.size() == 1, found.out);
    QCOMPARE(alerts[0]["rule"].get<std::string>(), std::string("redis is away"));
    QCOMPARE(alerts[0]["store"].get<std::string>(), url_.toStdString());
    QVERIFY2(alerts[0]["to_ns"].is_number() && alerts[0]["to_ns"].get<qint64>() > alerts[0]["from_ns"].get<qint64>(),
             found.out);
    for (const char* mutex : {"orders", "bills"}) hasOneGap(recording, mutex);
  }
  // Nothing was ever seen there, and no mutex is known.
  void aStoreThatWasNeverReachedIsAwayToo() {
    const QString rules = write_file(folder_, "never.toml",
                                     "schema = 1\n[[rule]]\nname = \"away\"\nkind = \"store_away\"\n"
                                     "store = \"redis://127.*\"\nfor = \"1s\"\n");
    Watching watch({"redis://127.0.0.1:1", "--alerts", rules});
    QVERIFY2(watch.complains("  ALERT  away: redis://127.0.0.1:1: it has not been seen for more than 1s"), watch.said);
    QTest::qWait(2000);
    QCOMPARE(watch.end(), 0);
    QCOMPARE(watch.said.count("  ALERT  "), 1);
  }
};

LEASESCOPE_SUITE(StoreOutageTest)
#include "store_outage_test.moc"
