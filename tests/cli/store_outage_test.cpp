// A store that is away for a while, as a watch with rules tells of it: one alert that is over once, a gap in each
// mutex, and nobody is said to be gone. Its recording says the same.
#include <QElapsedTimer>
#include <QTemporaryDir>
#include <csignal>

#include "core/contend/driver/contention.h"
#include "core/store/redis/asker.h"
#include "core/store/redis/store_type.h"
#include "simulator/live/private_server.h"
#include "tests/cli/program.h"
#include "tests/store/rig.h"
#include "tests/support/stores.h"
#include "tests/support/suite.h"

using namespace leasescope;
using namespace leasescope::tests;
using nlohmann::json;

namespace {

// For so long a store is away, in ms: a few seconds, and a minute in tests/agreement_campaign.
int away_ms() {
  const int asked = qEnvironmentVariableIntValue("LEASESCOPE_OUTAGE_SECONDS");
  return (asked > 0 ? asked : 5) * 1000;
}

const char* const kAwayAndNobody =
    "schema = 1\n"
    "[[rule]]\nname = \"it is away\"\nkind = \"store_away\"\nfor = \"2s\"\n"
    "[[rule]]\nname = \"nobody owns\"\nkind = \"no_owner\"\nfor = \"100ms\"\n";

// Who owns "orders" all the time, and is in no trouble.
class Owner {
 public:
  Owner(Loop& loop, const StoreUrl& url) {
    Contention::Events events;
    events.acquired = [this](Token, TrueTime) {
      contention_->acquired_done();
      ++acquired;
    };
    events.confirmed = [](TrueTime) {};
    events.released = [this](DisbeliefReason) {
      contention_->work_done();
      ++lost;
    };
    events.others = [](const std::string&) {};
    events.trouble = [](const std::string&) {};
    events.stopped = [] {};
    contention_ = std::make_unique<Contention>(loop, url, "api-1", "orders", LeaseTerms{}, milliseconds(1000), events);
    contention_->start();
  }
  int acquired = 0, lost = 0;

 private:
  std::unique_ptr<Contention> contention_;
};

// A way to a store that can be closed.
class Road {
 public:
  Road(QtLoop& loop, const StoreUrl& to) : loop_(loop), to_(to) { open(); }
  void open() {
    proxy_ = std::make_unique<FaultProxy>(loop_, to_.endpoint, *to_.type, false);
    const auto listens = proxy_->listen(at_);
    if (!listens) qFatal("%s", listens.error().c_str());
    at_ = *listens;
  }
  void close() { proxy_.reset(); }
  QString url() const {
    StoreUrl out = to_;
    out.endpoint = at_;
    return QString::fromStdString(printable(out));
  }

 private:
  QtLoop& loop_;
  const StoreUrl to_;
  Endpoint at_;
  std::unique_ptr<FaultProxy> proxy_;
};

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
    return QTest::qWaitFor([&] { return read(), said.contains(words); }, 30'000);
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

  // One gap between the begin and the end that lasted so long at least, and one owner all the time.
  void hasOneGap(const QString& recording, const char* mutex) {
    const Ran ran = leasescopectl({"history", mutex, recording, "--json"});
    const json told = ran.json()["mutexes"][0];
    int gaps = 0;
    for (const json& each : told["unobserved"]) {
      if (each["begin_ns"].get<qint64>() <= 0 || each["end_ns"].is_null()) continue;
      ++gaps;
      // It begins with the last sign of life, or when that was missed, and ends when it answers again.
      const qint64 lasted = each["end_ns"].get<qint64>() - each["begin_ns"].get<qint64>();
      QVERIFY2(lasted >= (away_ms() - 500) * qint64{1'000'000}, ran.out);
    }
    QVERIFY2(gaps == 1, ran.out);
    QVERIFY2(told["owned"].size() == 1, ran.out);
    QVERIFY2(told["owned"][0]["ended"].is_null(), ran.out);
  }
  // Of a watch that has ended, during which its store was away once.
  void toldOfOneOutage(const Watching& watch, const QString& url, const QString& rules, const QString& recording,
                       const std::vector<const char*>& mutexes) {
    QCOMPARE(watch.said.count("  ALERT  "), 1);
    QCOMPARE(watch.said.count("  over  "), 1);
    for (const QByteArray mutex : mutexes) QCOMPARE(watch.out.count("  " + mutex + "  not observed"), 1);
    QCOMPARE(watch.out.count(url.toUtf8() + "  cannot be seen"), 1);
    QCOMPARE(watch.out.count(url.toUtf8() + "  is seen again"), 1);
    for (const char* gone : {"released", "is over", "free", "nobody"}) QVERIFY2(!watch.out.contains(gone), watch.out);

    const Ran found = leasescopectl({"alerts", "find", rules, recording, "--json"});
    const json alerts = found.json();
    QVERIFY2(alerts.size() == 1, found.out);
    QCOMPARE(alerts[0]["rule"].get<std::string>(), std::string("it is away"));
    QCOMPARE(alerts[0]["store"].get<std::string>(), url.toStdString());
    QVERIFY2(alerts[0]["to_ns"].is_number() && alerts[0]["to_ns"].get<qint64>() > alerts[0]["from_ns"].get<qint64>(),
             found.out);
    for (const char* mutex : mutexes) hasOneGap(recording, mutex);
  }
  // From when `watch` has told who owns them until what had to be said of the outage has been said.
  void goAwayAndComeBack(Watching& watch, const QString& url, const std::vector<const char*>& mutexes,
                         const std::function<void()>& away, const std::function<void()>& back) {
    for (const QByteArray mutex : mutexes)
      QVERIFY2(watch.tells("  " + mutex + "  granted to api-1"), watch.out + watch.said);
    QElapsedTimer since;
    since.start();
    away();
    const QByteArray alert = "  ALERT  it is away: " + url.toUtf8() + ": it has not been seen for more than 2s";
    QVERIFY2(watch.complains(alert), watch.said);
    QTest::qWait(std::max(2000, away_ms() - static_cast<int>(since.elapsed())));  // it goes on being away
    QCOMPARE(watch.said.count("  over  "), 0);
    back();
    QVERIFY2(watch.complains("  over  it is away: "), watch.said);
    for (const QByteArray mutex : mutexes)
      QVERIFY2(QTest::qWaitFor([&] { return watch.tells(" ") && watch.out.count("  " + mutex + "  observed") == 2; },
                               15'000),
               watch.out);
    QTest::qWait(4000);  // what had to be said of the gap would have been said by now
    QCOMPARE(watch.end(), 0);
  }

 private slots:
  void initTestCase() {
    const auto started = server_.start();
    QVERIFY2(started.has_value(), started ? "" : started.error().c_str());
    url_ = QString::fromStdString(printable(server_.url()));
  }

  // Its server is killed.
  void oneOutageIsOneAlertOneGapAndNobodyIsGone() {
    const std::vector<const char*> mutexes{"orders", "bills"};
    for (const char* mutex : mutexes) hold(mutex);
    const QString recording = folder_.filePath("night.recording");
    const QString rules = write_file(folder_, "rules.toml", kAwayAndNobody);
    Watching watch({url_, "--alerts", rules, "--record", recording});
    goAwayAndComeBack(
        watch, url_, mutexes, [&] { server_.kill(); },
        [&] {
          const auto again = server_.start_again();
          QVERIFY2(again.has_value(), again ? "" : again.error().c_str());
        });
    if (QTest::currentTestFailed()) return;
    toldOfOneOutage(watch, url_, rules, recording, mutexes);
  }

  // The way to it is gone, while its owner goes on renewing.
  void aStoreOutOfReachIsOneAlertOneGapAndNobodyIsGone_data() {
    QTest::addColumn<bool>("of no use");
    for (const StoreType* type : store_types()) QTest::newRow(type->name().data()) << true;
  }
  void aStoreOutOfReachIsOneAlertOneGapAndNobodyIsGone() {
    PrivateServer server(this_store());
    const auto started = server.start();
    QVERIFY2(started.has_value(), started ? "" : started.error().c_str());
    const auto looked = probe(server.url());
    QVERIFY2(looked.has_value(), looked ? "" : looked.error().c_str());
    QtLoop loop;
    Owner owner(loop, server.url());
    QVERIFY(QTest::qWaitFor([&] { return owner.acquired == 1; }, 10'000));
    Road way(loop, server.url());
    const QTemporaryDir folder;
    const QString recording = folder.filePath("night.recording");
    const QString rules = write_file(folder, "rules.toml", kAwayAndNobody);
    Watching watch({way.url(), "--alerts", rules, "--record", recording});
    goAwayAndComeBack(
        watch, way.url(), {"orders"}, [&] { way.close(); }, [&] { way.open(); });
    if (QTest::currentTestFailed()) return;
    QVERIFY(owner.acquired == 1 && owner.lost == 0);
    toldOfOneOutage(watch, way.url(), rules, recording, {"orders"});
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
