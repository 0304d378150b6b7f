// Whatever is wrong with the input ends with exit 2 and a message that says where, what was expected and what to do.
#include <QTcpServer>

#include "tests/cli/program.h"
#include "tests/support/suite.h"

using namespace leasescope::tests;

class BadInputTest : public QObject {
  Q_OBJECT
 private slots:
  void aLongInputIsNotRepeatedWhole();
  void aWrongFileIsAnsweredWithItsPlace_data();
  void aWrongFileIsAnsweredWithItsPlace();
  void aWrongSetIsAnsweredWithItself_data();
  void aWrongSetIsAnsweredWithItself();
  void anUnknownScenarioIsAnsweredWithTheKnownOnes();
  void wrongUsageIsBadInput_data();
  void wrongUsageIsBadInput();
  void anUnreachableStoreIsBadInput_data();
  void anUnreachableStoreIsBadInput();
  void aStoreThatIsNoUrlIsBadInput_data();
  void aStoreThatIsNoUrlIsBadInput();
  void aStoreThatIsOnlyWatchedIsBadInputForARun_data();
  void aStoreThatIsOnlyWatchedIsBadInputForARun();
  void aFaultThatTheWorldCannotProduceIsBadInput();
  void aFileThatCannotBeWrittenIsKnownBeforeTheRun_data();
  void aFileThatCannotBeWrittenIsKnownBeforeTheRun();
  void nothingIsPrintedOnStandardOutput();

 private:
  QTemporaryDir folder_;
};

namespace {

#define REFUSED(ran)                                                                      \
  QVERIFY2((ran).exit == 2, "exit " + QByteArray::number((ran).exit) + ": " + (ran).err); \
  QVERIFY2(!(ran).err.isEmpty(), "no message")

}  // namespace

void BadInputTest::aLongInputIsNotRepeatedWhole() {
  const Ran ran = leasescopectl({"run", "healthy", "--store", "redis://" + QString(9000, 'a') + ":1"});
  REFUSED(ran);
  QVERIFY2(ran.err.size() < 4000, ran.err);
  SAYS(ran, "leasescopectl: ");
}

void BadInputTest::aWrongFileIsAnsweredWithItsPlace_data() {
  QTest::addColumn<QByteArray>("before");
  QTest::addColumn<QByteArray>("after");
  QTest::addColumn<QByteArray>("place");
  QTest::addColumn<QByteArray>("words");
  const auto row = [](const char* name, const char* before, const char* after, const char* place, const char* words) {
    QTest::newRow(name) << QByteArray(before) << QByteArray(after) << QByteArray(place) << QByteArray(words);
  };
  row("unknown key", "seed = ", "sede = ", ":3:1:", "sede is not a key");
  row("a key is missing", "title = ", "# title = ", ":1:1:", "title is missing");
  row("unknown key in a table", "\n[[contender]]", "jiter = 1\n\n[[contender]]", ":10:1:", "jiter is not a key");
  row("wrong unit", "\"2s\"", "\"2 secs\"", ":8:7:", "expected a duration");
  row("no unit", "\"2s\"", "2", ":8:7:", "unit");
  row("negative ttl", "\"2s\"", "\"-2s\"", ":8:7:", "expected 1ms or more");
  row("ttl of zero", "\"2s\"", "\"0s\"", ":8:7:", "expected 1ms or more");
  row("blank mutex", "\"orders\"", "\"  \"", ":7:8:", "mutex must not be blank!");
  row("blank id", "\"a\"", "\" \"", ":12:8:", "contenderId must not be blank!");
  row("id with @@", "\"a\"", "\"a@@b\"", ":12:8:", "@@");
  row("id ending in @", "\"a\"", "\"a@\"", ":12:8:", "@");
  row("an escape code in the title", "\"mine\"", "\"\\u001b[2J\"", ":2:9:", "title has a control code");
  row("not TOML", "title = ", "title = = ", ":2:", "");
}

void BadInputTest::aWrongFileIsAnsweredWithItsPlace() {
  QFETCH(QByteArray, before);
  QFETCH(QByteArray, after);
  QFETCH(QByteArray, place);
  QFETCH(QByteArray, words);
  QByteArray text = good_scenario();
  QVERIFY(text.contains(before));
  text.replace(text.indexOf(before), before.size(), after);
  const QString file = write_file(folder_, "wrong.toml", text);
  const Ran ran = leasescopectl({"run", file, "--json"});
  REFUSED(ran);
  SAYS(ran, file.toUtf8() + place);
  SAYS(ran, words);
}

void BadInputTest::aWrongSetIsAnsweredWithItself_data() {
  QTest::addColumn<QString>("set");
  QTest::addColumn<QByteArray>("words");
  QTest::newRow("unknown key") << "mutex.tlt=1s" << QByteArray("mutex.tlt");
  QTest::newRow("wrong unit") << "mutex.ttl=1x" << QByteArray("expected a duration");
  QTest::newRow("negative ttl") << "mutex.ttl=-1s" << QByteArray("expected 1ms or more");
  QTest::newRow("blank mutex") << "mutex.name= " << QByteArray("mutex must not be blank!");
  QTest::newRow("id of 129 characters") << "contender.0.name=" + QString(129, 'x') << QByteArray("at most 128");
  QTest::newRow("id with @@") << "contender.0.name=a@@b" << QByteArray("@@");
  QTest::newRow("no value") << "mutex.ttl" << QByteArray("KEY=VALUE");
  QTest::newRow("beyond the list") << "fault.9.at=1s" << QByteArray("fault");
}

void BadInputTest::aWrongSetIsAnsweredWithItself() {
  QFETCH(QString, set);
  QFETCH(QByteArray, words);
  const Ran ran = leasescopectl({"run", "gc-pause", "--set", set});
  REFUSED(ran);
  SAYS(ran, "--set");
  SAYS(ran, words);
}

void BadInputTest::anUnknownScenarioIsAnsweredWithTheKnownOnes() {
  const Ran ran = leasescopectl({"run", "gc-paws"});
  REFUSED(ran);
  for (const char* known : {"gc-paws", "gc-pause", "healthy", "owner-partition"}) SAYS(ran, known);
}

void BadInputTest::wrongUsageIsBadInput_data() {
  QTest::addColumn<QStringList>("arguments");
  QTest::newRow("no command") << QStringList{};
  QTest::newRow("unknown command") << QStringList{"fly"};
  QTest::newRow("no scenario") << QStringList{"run"};
  QTest::newRow("unknown option") << QStringList{"run", "healthy", "--fast"};
  QTest::newRow("seed in words") << QStringList{"run", "healthy", "--seed", "seven"};
  QTest::newRow("until without unit") << QStringList{"run", "healthy", "--until", "20"};
  QTest::newRow("until zero") << QStringList{"run", "healthy", "--until", "0s"};
}

void BadInputTest::wrongUsageIsBadInput() {
  QFETCH(QStringList, arguments);
  const Ran ran = leasescopectl(arguments);
  REFUSED(ran);
}

void BadInputTest::anUnreachableStoreIsBadInput_data() {
  QTest::addColumn<QString>("scheme");
  QTest::newRow("redis") << "redis://127.0.0.1:%1";
  QTest::newRow("redis over TLS") << "rediss://127.0.0.1:%1";
  QTest::newRow("postgresql") << "postgresql://postgres@127.0.0.1:%1/postgres";
}

void BadInputTest::anUnreachableStoreIsBadInput() {
  QFETCH(QString, scheme);
  quint16 port = 0;
  {
    QTcpServer server;  // a port that was free a moment ago
    QVERIFY(server.listen(QHostAddress::LocalHost));
    port = server.serverPort();
  }
  const QString url = scheme.arg(port);
  const Ran ran = leasescopectl({"run", "healthy", "--store", url});
  REFUSED(ran);
  SAYS(ran, QByteArray::number(port));
}

void BadInputTest::aStoreThatIsNoUrlIsBadInput_data() {
  QTest::addColumn<QString>("store");
  for (const char* store :
       {"rediss", "consul://localhost", "redis://", "redis://host:port", "zookeeper?servers=2", "redis?servers=3", ""})
    QTest::newRow(*store ? store : "nothing") << QString(store);
}

void BadInputTest::aStoreThatIsNoUrlIsBadInput() {
  QFETCH(QString, store);
  const Ran ran = leasescopectl({"run", "healthy", "--store", store});
  REFUSED(ran);
}

void BadInputTest::aStoreThatIsOnlyWatchedIsBadInputForARun_data() {
  QTest::addColumn<QStringList>("arguments");
  QTest::newRow("its word") << QStringList{"run", "healthy", "--store", "etcd"};
  QTest::newRow("its URL") << QStringList{"run", "healthy", "--store", "etcd://127.0.0.1:2379"};
  QTest::newRow("a command") << QStringList{"contend", "etcd://127.0.0.1:2379", "orders", "--", "true"};
  QTest::newRow("many runs") << QStringList{"fidelity", "healthy", "--store", "etcd"};
}

void BadInputTest::aStoreThatIsOnlyWatchedIsBadInputForARun() {
  QFETCH(QStringList, arguments);
  const Ran ran = leasescopectl(arguments);
  REFUSED(ran);
  SAYS(ran, "etcd is only watched");
}

void BadInputTest::aFaultThatTheWorldCannotProduceIsBadInput() {
  const Ran ran = leasescopectl({"run", "owner-id-reuse", "--store", "redis"});
  REFUSED(ran);
  SAYS(ran, "restart_as");
}

void BadInputTest::aFileThatCannotBeWrittenIsKnownBeforeTheRun_data() {
  QTest::addColumn<QStringList>("arguments");
  QTest::newRow("no such folder") << QStringList{"--report", "%1/no/such/folder/chart.svg"};
  QTest::newRow("no such folder for a page") << QStringList{"--html", "%1/no/such/folder/report.html"};
  QTest::newRow("no page") << QStringList{"--html", "%1/report.pdf"};
  QTest::newRow("a folder") << QStringList{"--history", "%1/folder.jsonl"};
  QTest::newRow("unknown picture") << QStringList{"--report", "%1/chart.bmp"};
  QTest::newRow("unknown history") << QStringList{"--history", "%1/history.csv"};
}

void BadInputTest::aFileThatCannotBeWrittenIsKnownBeforeTheRun() {
  QFETCH(QStringList, arguments);
  QDir(folder_.path()).mkdir("folder.jsonl");
  const Ran ran = leasescopectl(QStringList{"run", "healthy"} + arguments.replaceInStrings("%1", folder_.path()));
  REFUSED(ran);
  QVERIFY2(ran.out.isEmpty(), "the run took place");
}

void BadInputTest::nothingIsPrintedOnStandardOutput() {
  for (const QStringList& arguments : {QStringList{"run", "gc-paws", "--json"}, QStringList{"fly"}}) {
    const Ran ran = leasescopectl(arguments);
    REFUSED(ran);
    QCOMPARE(ran.out, QByteArray());
  }
}

LEASESCOPE_SUITE(BadInputTest)
#include "bad_input_test.moc"
