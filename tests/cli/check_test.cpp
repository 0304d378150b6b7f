// `check`: verdicts, exit codes, and what is said of files that are no histories.
#include "tests/cli/program.h"
#include "tests/support/suite.h"

using namespace leasescope::tests;
using nlohmann::json;

class CheckTest : public QObject {
  Q_OBJECT
 private slots:
  void aLegalHistoryIsZero();
  void anIllegalHistoryIsThreeAndShowsTheFewestCalls();
  void asJsonItIsOneObject();
  void withoutTimeItIsUndecidedAndOne();
  void theLongestTimeIsLongEnough();
  void badInputIsTwoAndSaysWhere_data();
  void badInputIsTwoAndSaysWhere();
  void aRunsHistoryIsCheckedByTheLeaseModel();
  void aRunWritesItsCallsForKnossos();
  void whatIsWrittenIsJudgedAlike();
  void helpAndCompletionKnowTheModels();

 private:
  QString file(const char* name, const QByteArray& text) { return write_file(folder_, name, text); }
  QTemporaryDir folder_;
};

namespace {

const char* const kOverlap =
    R"({"process":"c1","type":"ok","f":"lock","mutex":"orders","fence":5,"t_call":0,"t_return":"1s"}
{"process":"c2","type":"invoke","f":"try_lock","mutex":"orders","t_call":"3s"}
{"process":"c2","type":"ok","f":"try_lock","fence":6,"t_return":"4s"}
{"process":"c1","type":"ok","f":"unlock","mutex":"orders","t_call":"9s","t_return":"10s"}
)";
const char* const kLegal = R"({:process 0 :type :invoke :f :acquire :value nil :time 1}
{:process 0 :type :ok :f :acquire :value nil :time 2}
{:process 0 :type :invoke :f :release :value nil :time 3}
{:process 1 :type :invoke :f :acquire :value nil :time 4}
{:process 1 :type :ok :f :acquire :value nil :time 5}
{:process 0 :type :ok :f :release :value nil :time 6}
)";

}  // namespace

void CheckTest::aLegalHistoryIsZero() {
  const Ran ran = leasescopectl({"check", file("legal.edn", kLegal), "--model", "owner-aware"});
  QCOMPARE(ran.exit, 0);
  QCOMPARE(ran.out, QByteArray("the lock: ok by the model owner-aware: 3 calls\n"));
  QVERIFY(ran.err.isEmpty());
}

void CheckTest::anIllegalHistoryIsThreeAndShowsTheFewestCalls() {
  const Ran ran = leasescopectl({"check", file("overlap.jsonl", kOverlap), "--model", "fenced"});
  QCOMPARE(ran.exit, 3);
  QVERIFY2(ran.out.startsWith("orders: illegal by the model fenced: 3 calls\n  2 calls that no order allows"),
           ran.out.constData());
  QVERIFY2(ran.out.contains("0.000000 … 1.000000         c1 lock #5\n"), ran.out.constData());
  QVERIFY2(ran.out.contains("3.000000 … 4.000000         c2 try_lock #6   ← c1 holds it\n"), ran.out.constData());
  QVERIFY(!ran.out.contains("unlock"));
}

void CheckTest::asJsonItIsOneObject() {
  const Ran ran = leasescopectl({"check", file("overlap.jsonl", kOverlap), "--model", "fenced", "--json"});
  QCOMPARE(ran.exit, 3);
  const json told = ran.json();
  QVERIFY(told["verdict"] == "illegal");
  QCOMPARE(told["locks"].size(), std::size_t{1});
  QCOMPARE(told["locks"][0]["offence"].size(), std::size_t{2});
  QVERIFY(told["locks"][0]["offence"][1]["client"] == "c2");
  QVERIFY(told["locks"][0]["shortest"] == true);
  QVERIFY(told["locks"][0]["why"] == "c1 holds it");
}

void CheckTest::withoutTimeItIsUndecidedAndOne() {
  QByteArray many;
  for (int i = 0; i < 3'000; ++i)
    many += QStringLiteral("{\"process\":%1,\"type\":\"ok\",\"f\":\"%2\",\"t_call\":%3,\"t_return\":%4}\n")
                .arg(i % 2 == 0 ? i / 2 % 5 : (i - 1) / 2 % 5)
                .arg(i % 2 == 0 ? "lock" : "unlock")
                .arg(i * 10)
                .arg(i * 10 + 5)
                .toUtf8();
  const QString path = file("many.jsonl", many);
  QCOMPARE(leasescopectl({"check", path, "--model", "mutex"}).exit, 0);
  const Ran ran = leasescopectl({"check", path, "--model", "mutex", "--timeout", "0s"});
  QCOMPARE(ran.exit, 1);
  QVERIFY2(ran.err.contains("undecided after 0s: give it more with --timeout"), ran.err.constData());
  QVERIFY(ran.out.contains("undecided by the model mutex"));
}

void CheckTest::theLongestTimeIsLongEnough() {
  QByteArray many;
  for (int i = 0; i < 2'000; ++i)
    many += QStringLiteral("{\"process\":1,\"type\":\"ok\",\"f\":\"%1\",\"t_call\":%2,\"t_return\":%2}\n")
                .arg(i % 2 == 0 ? "lock" : "unlock")
                .arg(i)
                .toUtf8();
  const Ran ran = leasescopectl({"check", file("long.jsonl", many), "--model", "mutex", "--timeout", "9223372036s"});
  QCOMPARE(ran.exit, 0);
  QVERIFY2(ran.err.isEmpty(), ran.err.constData());
}

void CheckTest::badInputIsTwoAndSaysWhere_data() {
  QTest::addColumn<QByteArray>("text");
  QTest::addColumn<QStringList>("more");
  QTest::addColumn<QByteArray>("says");
  const QByteArray lock = R"({"process":1,"type":"ok","f":"lock","t_call":1,"t_return":2})";
  QTest::newRow("no history") << QByteArray("schema = 1\n") << QStringList{"--model", "mutex"}
                              << QByteArray("history:1:1: expected a map of a call, not schema");
  QTest::newRow("empty") << QByteArray() << QStringList{"--model", "mutex"}
                         << QByteArray("history:1:1: there is no call that took effect or may have: nothing to judge");
  QTest::newRow("a column") << lock + "\n" + R"({"process":1,"type":"ok","f":"lok"})" << QStringList{"--model", "mutex"}
                            << QByteArray("history:2:30: expected one of lock, ");
  const QByteArray unlock = R"({"process":1,"type":"ok","f":"unlock","t_call":0,"t_return":0})";
  QTest::newRow("no fences")
      << unlock + "\n " + lock << QStringList{"--model", "fenced"}
      << QByteArray(
             "history:2:2: no lock call was told a fence, which the model fenced judges: try --model "
             "owner-aware");
  QTest::newRow("no permits")
      << lock << QStringList{"--model", "semaphore"}
      << QByteArray(
             "history:1:1: the call lock of 1 at 1 ns is none that the model semaphore knows: try --model mutex");
  QTest::newRow("no ttl") << lock << QStringList{"--model", "lease"} << QByteArray("neither \"ttl\" nor \"deadline\"");
  const QByteArray run = R"({"format":"leasescope history","version":1})";
  QTest::newRow("no permits in a run")
      << run + "\n" +
             R"({"seq":1,"lo_ns":4,"hi_ns":4,"kind":"invoked","node":"a","mutex":"m","operation":"lock","uid":1})"
      << QStringList{"--model", "semaphore"} << QByteArray("history:2:1: the call lock of a at 4 ns is none");
  QTest::newRow("no such model") << lock << QStringList{"--model", "fence"}
                                 << QByteArray("--model fence: expected one of mutex, ");
  QTest::newRow("n of zero") << lock << QStringList{"--model", "reentrant", "--n", "0"}
                             << QByteArray("--n 0: expected 1");
  QTest::newRow("no length") << lock << QStringList{"--model", "lease", "--eps", "much"} << QByteArray("--eps: ");
  QTest::newRow("no time") << lock << QStringList{"--model", "mutex", "--timeout", "-1s"}
                           << QByteArray("--timeout -1s: expected 0s or more");
  QTest::newRow("no ending") << lock << QStringList{"--model", "mutex", "--out", "calls.csv"}
                             << QByteArray("calls.csv: expected a file ending in .edn or .jsonl");
}

void CheckTest::badInputIsTwoAndSaysWhere() {
  QFETCH(QByteArray, text);
  QFETCH(QStringList, more);
  QFETCH(QByteArray, says);
  const Ran ran = leasescopectl(QStringList{"check", file("history", text)} + more);
  QCOMPARE(ran.exit, 2);
  QVERIFY2(ran.err.contains(says), ran.err.constData());
  QVERIFY(ran.out.isEmpty());
}

void CheckTest::aRunsHistoryIsCheckedByTheLeaseModel() {
  const QString path = folder_.filePath("gc-pause.jsonl");
  QCOMPARE(leasescopectl({"run", "gc-pause", "--history", path}).exit, 0);
  QCOMPARE(leasescopectl({"check", path, "--model", "lease"}).exit, 0);
  const QString failover = folder_.filePath("failover.jsonl");
  QCOMPARE(leasescopectl({"run", "redis-failover", "--history", failover}).exit, 0);
  const Ran ran = leasescopectl({"check", failover, "--model", "lease"});
  QCOMPARE(ran.exit, 3);  // it forgets a lease before its end
  QVERIFY2(ran.out.contains("lasts until"), ran.out.constData());
}

void CheckTest::aRunWritesItsCallsForKnossos() {
  const QString path = folder_.filePath("gc-pause.edn");
  QCOMPARE(leasescopectl({"run", "gc-pause", "--history", path}).exit, 0);
  QFile written(path);
  QVERIFY(written.open(QIODevice::ReadOnly));
  const QByteArray text = written.readAll();
  QVERIFY2(text.startsWith("{:index 0, :time "), text.left(200).constData());
  QVERIFY(text.contains(":process :nemesis, :type :info, :f :fault, :value \"pause began at "));
  QCOMPARE(leasescopectl({"check", path, "--model", "lease"}).exit, 0);
}

void CheckTest::whatIsWrittenIsJudgedAlike() {
  const QString path = file("overlap.jsonl", kOverlap);
  for (const char* name : {"again.edn", "again.jsonl"}) {
    const QString again = folder_.filePath(name);
    QCOMPARE(leasescopectl({"check", path, "--model", "fenced", "--out", again}).exit, 3);
    const Ran ran = leasescopectl({"check", again, "--model", "fenced"});
    QCOMPARE(ran.exit, 3);
    QVERIFY2(ran.out.contains("← c1 holds it"), ran.out.constData());
  }
}

void CheckTest::helpAndCompletionKnowTheModels() {
  QVERIFY(leasescopectl({"check", "--help"}).out.contains("reentrant-fenced: both"));
  QVERIFY(leasescopectl({"completion", "bash"}).out.contains("--model) words=\"mutex owner-aware reentrant fenced"));
}

LEASESCOPE_SUITE(CheckTest)
#include "check_test.moc"
