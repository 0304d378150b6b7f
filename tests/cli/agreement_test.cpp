// What a watch tells afterwards of who owned a mutex, beside what its owners wrote down themselves: each begin and each
// end. Twenty contend; an owner ends its work, is killed, or stands still for longer than its lease. A few seconds
// here; tests/agreement_campaign for minutes.
#include <QElapsedTimer>
#include <QTemporaryDir>
#include <array>
#include <memory>
#include <random>

#include "simulator/live/private_server.h"
#include "tests/cli/contend_process.h"
#include "tests/cli/owners_log.h"
#include "tests/cli/program.h"
#include "tests/support/stores.h"
#include "tests/support/suite.h"

using namespace leasescope;
using namespace leasescope::tests;
using nlohmann::json;

namespace {

constexpr int kContenders = 20;
constexpr int kLeastHandoffs = 200;  // in ten minutes

// Of a session the ttl is its time-out, which a server gives in steps of its own.
AskedTerms asked_of(const StoreType& type) {
  if (type.carries(Family::kLease)) return {700 * kMs, 1100 * kMs, false};
  return {4000 * kMs, 4600 * kMs, true};
}

// One that contends again and again, and writes that down.
class Logging {
 public:
  Logging(const QString& url, const QString& log, const AskedTerms& asked, unsigned seed) {
    process_.setProcessChannelMode(QProcess::ForwardedErrorChannel);
    process_.start(QString::fromUtf8(kBuildFolder) + "/tests/leasescope_logging_contender",
                   {url, "orders", log, QString::number(asked.ttl / kMs),
                    QString::number((asked.lease - asked.ttl) / kMs), QString::number(seed)});
    if (!process_.waitForStarted()) qFatal("leasescope_logging_contender does not start");
  }
  ~Logging() { kill(); }
  qint64 number() const { return process_.processId(); }
  bool running() const { return process_.state() == QProcess::Running; }
  void kill() {
    process_.kill();
    process_.waitForFinished();
  }
  void signal(int which) const { ::kill(static_cast<pid_t>(number()), which); }
  // None of its instructions is carried out any more.
  bool stands_still() const {
    const QByteArray stat = content("/proc/" + QString::number(number()) + "/stat");
    return stat.mid(stat.lastIndexOf(')') + 2).startsWith('T');
  }

 private:
  QProcess process_;
};

// The contenders, and what is done to them.
class Fleet {
 public:
  Fleet(QString url, QString log, const AskedTerms& asked) : url_(std::move(url)), log_(std::move(log)), asked_(asked) {
    for (auto& each : all_) each = another();
  }

  bool all_run() const {
    return std::all_of(all_.begin(), all_.end(), [](const auto& each) { return each->running(); });
  }
  void kill_or_stop_the_owner() {
    const qint64 owner = OwnersLog(content(log_), {}, asked_).owner();
    const auto victim =
        std::find_if(all_.begin(), all_.end(), [&](const auto& each) { return owner != 0 && each->number() == owner; });
    if (victim == all_.end()) return;
    draw_() % 2 == 0 ? kill(*victim) : stop(*victim);
  }

  std::vector<OwnerFault> faults;
  int killed() const {
    return static_cast<int>(std::count_if(faults.begin(), faults.end(), [](const auto& each) { return each.killed; }));
  }
  int stopped() const { return static_cast<int>(faults.size()) - killed(); }

 private:
  void kill(std::unique_ptr<Logging>& victim) {
    OwnerFault fault{victim->number(), true, boot_ns(), 0};
    victim->kill();
    fault.sure = boot_ns();
    faults.push_back(fault);
    victim = another();
  }
  // For longer than its lease, or its session.
  void stop(const std::unique_ptr<Logging>& victim) {
    OwnerFault fault{victim->number(), false, boot_ns(), 0};
    victim->signal(SIGSTOP);
    QVERIFY(soon([&] { return victim->stands_still(); }));
    fault.sure = boot_ns();
    faults.push_back(fault);
    QTest::qWait(asked_.sessions ? 5000 : 1800);
    victim->signal(SIGCONT);
  }
  std::unique_ptr<Logging> another() { return std::make_unique<Logging>(url_, log_, asked_, ++seed_); }

  const QString url_, log_;
  const AskedTerms asked_;
  unsigned seed_ = 100;
  std::mt19937 draw_{11};
  std::array<std::unique_ptr<Logging>, kContenders> all_;
};

// ---- made up: what one owner wrote down, and what is told of it

constexpr AskedTerms kMadeUp{700 * kMs, 1100 * kMs, false};
const Term kFirst{"a", 1};

// It owned from 1000 to 1500 ms, and gave it back.
const char* const kGaveBack =
    "7 a -1 contends 900000000 -1\n7 a 1 owns 1001000000 999000000\n"
    "7 a 1 gives 1500000000 -1\n7 a 1 gave 1502000000 -1\n";
// It owned from 1000 ms on.
const char* const kOwned = "7 a -1 contends 900000000 -1\n7 a 1 owns 1001000000 999000000\n";

Span ms(qint64 from, qint64 to) { return {from * kMs, to * kMs}; }

Agreement compared(const QByteArray& log, const ToldHistory& told, const std::vector<OwnerFault>& faults = {},
                   const AskedTerms& asked = kMadeUp) {
  return Comparison(told, OwnersLog(log, faults, asked), faults, asked).result();
}
ToldHistory told_of(const Span& begin, const Span& end, const char* ended, const std::vector<Span>& gaps = {}) {
  ToldHistory out;
  out.owned = {{kFirst, begin, end, ended}};
  out.gaps = gaps;
  return out;
}

}  // namespace

class AgreementTest : public QObject {
  Q_OBJECT

  // What a watch of a store tells after so many seconds, and what was written down meanwhile.
  void contendAndWatch(int seconds) {
    const AskedTerms asked = asked_of(this_store());
    const QTemporaryDir folder;
    const QString log = folder.filePath("log"), recording = folder.filePath("night.recording");
    PrivateServer server(this_store());
    const auto started = server.start();
    QVERIFY2(started.has_value(), started ? "" : started.error().c_str());
    const QString url = QString::fromStdString(printable(server.url()));
    // So that there is something to watch.
    QCOMPARE(leasescopectl({"contend", url, "orders", "--", "true"}).exit, 0);
    const qint64 clocks = wall_less_boot();
    QProcess watching;
    watching.start(kLeasescopectl, {"watch", url, "--mutex", "orders", "--poll", "250ms", "--record", recording});
    QVERIFY(watching.waitForStarted());
    QVERIFY(soon([&] { return QFile::exists(recording); }));
    QTest::qWait(1500);

    Fleet fleet(url, log, asked);
    std::mt19937 draw(5);
    QElapsedTimer since;
    for (since.start(); since.elapsed() < seconds * 1000;) {
      QTest::qWait(300);
      QVERIFY(fleet.all_run());
      // Once soon, then now and then.
      if (fleet.faults.empty() || draw() % 12 == 0) fleet.kill_or_stop_the_owner();
      if (QTest::currentTestFailed()) return;
    }
    ::kill(static_cast<pid_t>(watching.processId()), SIGINT);
    QVERIFY(watching.waitForFinished(5000));
    QCOMPARE(watching.exitCode(), 0);

    const OwnersLog wrote(content(log), fleet.faults, asked);
    const Ran ran = leasescopectl({"history", "orders", recording, "--json"});
    QVERIFY2(ran.exit == 0, ran.err);
    judge(ToldHistory(ran.json(), clocks), wrote, fleet, asked, seconds);
  }
  void judge(const ToldHistory& told, const OwnersLog& wrote, const Fleet& fleet, const AskedTerms& asked,
             int seconds) {
    const Agreement found = Comparison(told, wrote, fleet.faults, asked).result();
    const auto terms = static_cast<int>(wrote.terms().size());
    qInfo("%d s: %d terms written down, %d hand-offs, %d killed, %d stood still, %d expired; %d told of, %d gaps",
          seconds, terms, wrote.handoffs(), fleet.killed(), fleet.stopped(), wrote.expiries(),
          static_cast<int>(told.owned.size()), static_cast<int>(told.gaps.size()));
    qInfo(
        "%d begins and %d ends agree; otherwise in a gap %d, unseen between two looks %d, killed before it could "
        "write %d; outside: %d",
        found.begins, found.ends, found.in_gaps, found.unseen, found.untold, static_cast<int>(found.outside.size()));
    QVERIFY2(found.outside.isEmpty(), found.outside.mid(0, 20).join("\n"));
    QVERIFY(fleet.killed() + fleet.stopped() > 0 && wrote.expiries() > 0);
    const int least = kLeastHandoffs * seconds / 600;
    QVERIFY2(wrote.handoffs() >= least, QByteArray::number(wrote.handoffs()));
    QVERIFY(found.begins > terms / 2 && found.ends > terms / 2);
  }

 private slots:
  void aWatchTellsWhatTheOwnersWroteDown_data() {
    QTest::addColumn<bool>("of no use");
    for (const StoreType* type : store_types()) QTest::newRow(type->name().data()) << true;
  }
  void aWatchTellsWhatTheOwnersWroteDown() {
    const int asked = qEnvironmentVariableIntValue("LEASESCOPE_AGREEMENT_SECONDS");
    contendAndWatch(asked > 0 ? asked : 8);
  }

  // ---- that a history which is wrong would be found

  void whatIsToldWithinItsBoundsAgrees() {
    const Agreement found = compared(kGaveBack, told_of(ms(990, 1000), ms(1450, 1501), "released"));
    QVERIFY2(found.outside.isEmpty(), found.outside.join("\n"));
    QCOMPARE(found.begins + found.ends, 2);
  }
  void anEndOrABeginElsewhereDoesNot_data() {
    QTest::addColumn<qint64>("begins");
    QTest::addColumn<qint64>("ends");
    QTest::newRow("begun too soon") << qint64{998} << qint64{1501};
    QTest::newRow("begun too late") << qint64{1012} << qint64{1501};
    QTest::newRow("ended too soon") << qint64{1000} << qint64{1499};
    QTest::newRow("ended too late") << qint64{1000} << qint64{1513};
  }
  void anEndOrABeginElsewhereDoesNot() {
    QFETCH(const qint64, begins);
    QFETCH(const qint64, ends);
    const Span begin = ms(begins - 10, begins), end = ms(ends - 10, ends);
    const Agreement found = compared(kGaveBack, told_of(begin, end, "released"));
    QCOMPARE(found.outside.size(), 1);
    QCOMPARE(found.begins + found.ends, 1);
    // Unless it says itself that it saw nothing then.
    const Agreement excused = compared(kGaveBack, told_of(begin, end, "released", {ms(900, 1600)}));
    QVERIFY(excused.outside.isEmpty());
    QCOMPARE(excused.in_gaps, 1);
  }
  void whatLastsThoughItWasGivenBackDoesNot() {
    QCOMPARE(compared(kGaveBack, told_of(ms(990, 1000), {kNever, kNever}, "")).outside.size(), 1);
  }
  // Killed at 1300 ms, before a renewal was due: its lease was over 1100 ms after it was granted.
  void aDeadOwnersLeaseIsToEndInItsTime_data() {
    QTest::addColumn<qint64>("ends");
    QTest::addColumn<QByteArray>("ended");
    QTest::addColumn<int>("outside");
    QTest::newRow("in its time") << qint64{2101} << QByteArray("expired") << 0;
    QTest::newRow("too soon") << qint64{2090} << QByteArray("expired") << 1;
    QTest::newRow("too late") << qint64{2210} << QByteArray("expired") << 1;
    QTest::newRow("by a release that nobody made") << qint64{2101} << QByteArray("released") << 1;
  }
  void aDeadOwnersLeaseIsToEndInItsTime() {
    QFETCH(const qint64, ends);
    QFETCH(const QByteArray, ended);
    const std::vector<OwnerFault> faults{{7, true, 1300 * kMs, 1301 * kMs}};
    const Agreement found = compared(kOwned, told_of(ms(990, 1000), ms(ends - 5, ends), ended.constData()), faults);
    QTEST(static_cast<int>(found.outside.size()), "outside");
  }
  // A renewal may have been under way then, and that it was answered nobody has written down.
  void whoWasKilledWhenARenewalWasDueMayHaveOwnedForLonger() {
    const std::vector<OwnerFault> faults{{7, true, 1700 * kMs, 1701 * kMs}};
    const auto ended = [&](qint64 at) {
      return compared(kOwned, told_of(ms(990, 1000), ms(at - 5, at), "expired"), faults).outside.size();
    };
    QCOMPARE(ended(2101), 0);
    QCOMPARE(ended(2800), 0);
    QCOMPARE(ended(2900), 1);
  }
  void aTermThatIsNotToldOfIsToHaveHadRoomBetweenTwoBounds() {
    ToldHistory told;
    QCOMPARE(compared(kGaveBack, told).outside.size(), 1);
    told.owned = {{{"b", 0}, ms(500, 510), ms(950, 1200), "released"},
                  {{"c", 2}, ms(1200, 1700), {kNever, kNever}, ""}};
    QVERIFY(told.leaves_open(1000 * kMs, 1500 * kMs));
    const QByteArray others = QByteArray(kGaveBack) +
                              "8 b -1 contends 400000000 -1\n8 b 0 owns 506000000 501000000\n"
                              "8 b 0 gives 960000000 -1\n8 b 0 gave 961000000 -1\n"
                              "9 c -1 contends 400000000 -1\n9 c 2 owns 1600000000 1590000000\n";
    const Agreement found = compared(others, told);
    QVERIFY2(found.outside.isEmpty(), found.outside.join("\n"));
    QCOMPARE(found.unseen, 1);
  }
  // By a session that stood still, and lasted.
  void whoTakesUpItsOwnTermAgainHadOne() {
    const QByteArray log = QByteArray(kOwned) +
                           "7 a 1 lost 1300000000 -1\n7 a 1 owns 1350000000 -1\n"
                           "7 a 1 gives 1500000000 -1\n7 a 1 gave 1502000000 -1\n";
    const Agreement found = compared(log, told_of(ms(990, 1000), ms(1450, 1501), "released"));
    QVERIFY2(found.outside.isEmpty(), found.outside.join("\n"));
    QCOMPARE(found.begins + found.ends, 2);
  }
  // It stood still at 1200 ms and lost its session, and a later one by another pause at 10 s.
  void whoStoodStillTwiceLostEachTermByItsOwnPause() {
    const QByteArray log = QByteArray(kOwned) +
                           "7 a 1 lost 7000000000 -1\n8 b -1 contends 900000000 -1\n8 b 2 owns 5600000000 -1\n"
                           "8 b 2 gives 8000000000 -1\n8 b 2 gave 8001000000 -1\n"
                           "7 a -1 contends 7000000000 -1\n7 a 3 owns 9000000000 -1\n7 a 3 lost 15000000000 -1\n";
    ToldHistory told;
    told.owned = {{{"a", 1}, ms(990, 1000), ms(5500, 5600), "expired"},
                  {{"b", 2}, ms(5500, 5600), ms(7990, 8001), "released"},
                  {{"a", 3}, ms(8000, 9000), ms(14000, 14100), "expired"}};
    const std::vector<OwnerFault> faults{{7, false, 1200 * kMs, 1201 * kMs}, {7, false, 10000 * kMs, 10001 * kMs}};
    const Agreement found = compared(log, told, faults, {4000 * kMs, 4600 * kMs, true});
    QVERIFY2(found.outside.isEmpty(), found.outside.join("\n"));
    QCOMPARE(found.begins + found.ends, 6);
    // Before its own pause it had not lost it.
    told.owned[2].end = ms(9400, 9500);
    QCOMPARE(compared(log, told, faults, {4000 * kMs, 4600 * kMs, true}).outside.size(), 1);
  }
  void whoIsToldOfAndWroteNothingDidNotOwn() {
    QCOMPARE(
        compared("7 a -1 contends 900000000 -1\n", told_of(ms(990, 1000), ms(1450, 1501), "released")).outside.size(),
        1);
  }
};

LEASESCOPE_SUITE(AgreementTest)
#include "agreement_test.moc"
