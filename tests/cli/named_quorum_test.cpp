// `leasescopectl run quorum-… --store redis://h1,h2,h3`: a quorum lock on a user's own servers, as a user runs it.
#include <QFile>
#include <QTemporaryDir>
#include <set>

#include "tests/cli/program.h"
#include "tests/store/redis_fleet.h"
#include "tests/support/places.h"
#include "tests/support/suite.h"

using namespace leasescope;
using namespace leasescope::tests;
using nlohmann::json;

class NamedQuorumCommandTest : public QObject {
  Q_OBJECT

  static constexpr std::size_t kServers = 3;
  static constexpr const char* kPassword = "hush-hush";

  RedisFleet fleet_;
  QTemporaryDir folder_;

  // The first of them.
  QString hosts(std::size_t count = kServers) const {
    QStringList out;
    for (std::size_t i = 0; i < count; ++i) out << QString("127.0.0.1:%1").arg(fleet_.port(i));
    return out.join(u',');
  }
  QString url(std::size_t count = kServers) const { return "redis://:" + QString(kPassword) + "@" + hosts(count); }
  static QStringList quick(const QString& store) {
    return {"run",   "quorum-healthy",   "--store", store,          "--set", "mutex.name=orders",
            "--set", "quorum.servers=3", "--set",   "mutex.ttl=1s", "--set", "duration=4s",
            "--json"};
  }
  std::set<std::string> keys(std::size_t server) const {
    StoreUrl url = fleet_.url(server);
    url.password = kPassword;
    redis::Asker asker(milliseconds(2000));
    std::set<std::string> out;
    if (!asker.connect(url) || !asker.greet(url)) return out;
    const auto answer = asker.ask({"KEYS", "*"});
    for (const redis::RespValue& item : answer ? answer->items : std::vector<redis::RespValue>()) out.insert(item.text);
    return out;
  }
  // Of the terms that a history tells of.
  std::multiset<std::int64_t> tokens(const QString& path) const {
    std::multiset<std::int64_t> out;
    QFile file(path);
    if (!file.open(QIODevice::ReadOnly)) return out;
    for (const QByteArray& text : file.readAll().split('\n')) {
      const json line = json::parse(text.toStdString(), nullptr, false);
      if (line.is_object() && line.value("kind", "") == "granted") out.insert(line["token"].get<std::int64_t>());
    }
    return out;
  }

 private slots:
  void initTestCase() {
    for (std::size_t i = 0; i < kServers; ++i) {
      fleet_.add({});
      QCOMPARE(fleet_.ask(i, {"CONFIG", "SET", "requirepass", kPassword}), std::string("OK"));
    }
  }

  void aQuorumLockIsRunOnThreeServersOfOnesOwn() {
    const Ran ran = leasescopectl(quick(url()));
    QVERIFY2(ran.exit == 0, ran.err + ran.out);
    const json out = ran.json();
    QCOMPARE(out["world"].get<std::string>(), std::string("live"));
    QCOMPARE(out["store"].get<std::string>(), "redis://" + hosts().toStdString());
    QVERIFY(out["acquisitions"].get<int>() >= 4);
    QCOMPARE(out["double_grants"].get<int>(), 0);
    QCOMPARE(out["belief_overlap_seconds"].get<double>(), 0.0);
    QVERIFY2(!ran.err.contains(kPassword) && !ran.out.contains(kPassword), "a password is not repeated");
    for (std::size_t i = 0; i < kServers; ++i) QCOMPARE(keys(i), std::set<std::string>{"simba:{orders}:quorum:fence"});
  }
  void thePasswordMayStandInAFile() {
    const QString file = write_file(folder_, "password", QByteArray(kPassword) + "\n");
    const Ran ran = leasescopectl(quick("redis://" + hosts()) << "--until"
                                                              << "1s"
                                                              << "--password-file" << file);
    QVERIFY2(ran.exit == 0, ran.err + ran.out);
  }

  // They know of each other only by the servers, and run the same scenario by the same seed: no two terms have the same
  // fence.
  void twoProcessesTakeTurnsOnTheSameServers() {
    QProcess processes[2];
    QString histories[2];
    for (int i = 0; i < 2; ++i) {
      histories[i] = folder_.filePath(QString("history-%1.jsonl").arg(i));
      processes[i].start(kLeasescopectl, quick(url()) << "--history" << histories[i]);
    }
    std::multiset<std::int64_t> all;
    for (int i = 0; i < 2; ++i) {
      QVERIFY(processes[i].waitForFinished(60'000));
      QCOMPARE(processes[i].exitCode(), 0);
      const json out = json::parse(processes[i].readAllStandardOutput().toStdString(), nullptr, false);
      QCOMPARE(out["double_grants"].get<int>(), 0);
      QCOMPARE(out["stale_writes_accepted"].get<int>(), 0);
      const auto own = tokens(histories[i]);
      QVERIFY(own.size() >= 2);
      all.insert(own.begin(), own.end());
    }
    QCOMPARE(std::set<std::int64_t>(all.begin(), all.end()).size(), all.size());
  }

  void whatCannotBeIsBadInput_data() {
    QTest::addColumn<QStringList>("arguments");
    QTest::addColumn<QByteArray>("says");
    QTest::newRow("other than the scenario's number")
        << QStringList{"run", "quorum-healthy", "--store", url()} << QByteArray("--set quorum.servers=3");
    QTest::newRow("one that is down") << quick(url(2) + ",127.0.0.1:1")
                                      << QByteArray("cannot use redis://127.0.0.1:1: ");
    QTest::newRow("one twice") << quick(url(2) + "," + hosts(1)) << QByteArray("are one server");
    QTest::newRow("a wrong password") << quick("redis://:wrong-one@" + hosts())
                                      << QByteArray("the user or the password is wrong");
    QTest::newRow("leases on several") << QStringList{"run", "healthy", "--store", url()} << QByteArray("quorum lock");
    QTest::newRow("a command under one of them")
        << QStringList{"contend", url(), "orders", "--", "true"} << QByteArray("quorum lock");
  }
  void whatCannotBeIsBadInput() {
    QFETCH(QStringList, arguments);
    QFETCH(QByteArray, says);
    const Ran ran = leasescopectl(arguments);
    QVERIFY2(ran.exit == 2, ran.err + ran.out);
    QVERIFY2(ran.err.contains(says), ran.err);
    QVERIFY2(!ran.err.contains(kPassword) && !ran.err.contains("wrong-one"), "a password is not repeated");
    QCOMPARE(ran.err.count('\n'), 1);
  }
};

LEASESCOPE_SUITE(NamedQuorumCommandTest)
#include "named_quorum_test.moc"
