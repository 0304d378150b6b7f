// Who owns what on a store that is in use: a table, a line, JSON, a recording; and what is said where that cannot be
// told.
#include <QFile>
#include <QTemporaryDir>
#include <cmath>
#include <csignal>

#include "core/store/redis/asker.h"
#include "core/store/redis/store_type.h"
#include "core/store/zookeeper/asker.h"
#include "core/store/zookeeper/store_type.h"
#include "simulator/live/private_server.h"
#include "tests/cli/program.h"
#include "tests/store/node_keeper.h"
#include "tests/support/etcd_server.h"
#include "tests/support/impostor.h"
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

  void put(const redis::Asker::Words& words) {
    redis::Asker server(std::chrono::milliseconds(5000));
    QVERIFY(server.connect(server_.url()).has_value() && server.ask(words).has_value());
  }

  // Of the recording of a hand-off of "bills".
  void whoOwnedItIsToldLater(const QString& recording) {
    const Ran all = leasescopectl({"history", "bills", recording});
    QVERIFY2(all.exit == 0 && all.out.startsWith("bills:\n") && all.out.contains(", released\n"), all.out + all.err);
    const json told = leasescopectl({"history", "bills", recording, "--json"}).json();
    const json& stretch = told["mutexes"][0]["owned"][0];
    QCOMPARE(stretch["ended"].get<std::string>(), std::string("released"));
    const json& unobserved = told["mutexes"][0]["unobserved"];  // from the end of the watch on
    QVERIFY2(!unobserved.empty() && unobserved.back()["end_ns"].is_null(), all.out);
    // In the middle of it somebody owned it, and after it nobody.
    const qint64 begin = stretch["begin_ns"].get<qint64>(), end = stretch["end_from_ns"].get<qint64>();
    const auto at = [&](qint64 ns) {
      return leasescopectl({"history", "bills", recording, "--at", QString::number(ns) + "ns"}).out;
    };
    if (end > begin) QVERIFY2(at((begin + end) / 2).contains(" #1, from "), at((begin + end) / 2));
    QVERIFY2(at(stretch["end_ns"].get<qint64>()).endsWith(": nobody\n"), at(stretch["end_ns"].get<qint64>()));
    const Ran night = leasescopectl({"history", "bills", recording, "--at", "2001-01-01 03:12"});
    QCOMPARE(night.exit, 2);
    SAYS(night, "the recording is from ");
  }

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
    QVERIFY2(one["waiters"].is_number() && one["waiters_age_seconds"].is_number(), one.dump().c_str());
    QVERIFY(one["waiters_age_seconds"].get<double>() >= 0 && one["waiters_age_seconds"].get<double>() < 20);
    // The server's clock is this machine's.
    QCOMPARE(all["stores"].size(), std::size_t{1});
    const json& store = all["stores"][0];
    QVERIFY2(store["clock_offset_ms"].is_number() && store["clock_offset_bound_ms"].is_number(), store.dump().c_str());
    const double off = store["clock_offset_ms"].get<double>(), bound = store["clock_offset_bound_ms"].get<double>();
    QVERIFY2(bound > 0 && std::abs(off) <= bound + 50, store.dump().c_str());
    QVERIFY(store["clock_offset_age_ms"].get<double>() >= 0);
  }
  void lettersThatTakeTwoCellsShiftNoColumn() {
    put({"SET", "simba:{例え}", "o", "PX", "30000"});
    const Ran table = leasescopectl({"watch", url_, "--once"});
    put({"DEL", "simba:{例え}"});
    QVERIFY2(table.out.contains("\norders  unix:") && table.out.contains("\n例え    unix:"), table.out);
  }
  // A lock of Redisson's, as it lies there; beside it one of ours that nobody holds.
  void aLockOfAnotherMakerIsToldWithItsMaker() {
    const std::string owner = "b9a1c2d3-0f1e-4a5b-8c7d-112233445566:1";
    put({"HSET", "cart", owner, "1"});
    put({"PEXPIRE", "cart", "30000"});
    const Ran who = leasescopectl({"who", "cart", url_});
    QVERIFY2(who.out.startsWith(QByteArray::fromStdString("cart (Redisson lock): " + owner + " holds it")), who.out);
    QCOMPARE(who.out.count('\n'), 1);
    const json all = leasescopectl({"watch", url_, "--once", "--json", "--mutex", "cart"}).json();
    QCOMPARE(all["mutexes"].size(), std::size_t{1});
    QCOMPARE(all["mutexes"][0]["maker"].get<std::string>(), std::string("Redisson"));
    QVERIFY(!leasescopectl({"watch", url_, "--once", "--foreign", "none"}).out.contains("cart"));
    const Ran wrong = leasescopectl({"watch", url_, "--foreign", "all"});
    QCOMPARE(wrong.exit, 2);
    QVERIFY2(wrong.err.contains("--foreign all: expected none, certain or likely"), wrong.err);
    put({"DEL", "cart"});
  }
  void whoKnowsASemaphoreOfCuratorsByItsOwnPathToo() {
    PrivateServer server(zookeeper::store_type());
    const auto started = server.start();
    QVERIFY2(started.has_value(), started ? "" : started.error().c_str());
    const QString url = QString::fromStdString(printable(server.url()));
    using Kind = zookeeper::Session::Kind;
    zookeeper::Asker owner(std::chrono::milliseconds(60'000));
    QVERIFY(owner.connect(server.url()).has_value());
    for (const char* folder : {"/pool", "/pool/leases"})
      QVERIFY(owner.create(folder, "", Kind::kContainer).has_value());
    const std::string node = "/pool/leases/_c_b9a1c2d3-0f1e-4a5b-8c7d-112233445566-lease-";
    QVERIFY(owner.create(node, "10.0.0.1", Kind::kNumbered).has_value());
    for (const char* path : {"/pool", "/pool/leases"}) {
      const Ran who = leasescopectl({"who", path, url});
      QCOMPARE(who.exit, 0);
      QVERIFY2(who.out.startsWith("/pool (Curator semaphore): 10.0.0.1 (session 0x") && who.err.isEmpty(),
               who.out + who.err);
      QCOMPARE(who.out.count('\n'), 1);
    }
    const Ran nothing = leasescopectl({"who", "/pools", url});
    QCOMPARE(nothing.exit, 0);
    QCOMPARE(nothing.out, QByteArray("/pools: no mutex of that name is seen\n"));
  }
  // What there is may not be listed: that is said, the rest is told, and without any rest it has failed.
  void whereASimbaFolderMayNotBeReadTheRestIsTold() {
    PrivateServer server(zookeeper::store_type());
    const auto started = server.start();
    QVERIFY2(started.has_value(), started ? "" : started.error().c_str());
    NodeKeeper keeper(server.url());
    keeper.folder("/simba", Readers::kNobody);
    const QString url = QString::fromStdString(printable(server.url()));
    const QByteArray said = "/simba: not authenticated: what is in it is not observed";
    const Ran nothing = leasescopectl({"watch", url, "--once", "--within", "20s"});
    QCOMPARE(nothing.exit, 2);
    SAYS(nothing, said);
    QCOMPARE(nothing.err.count(said), 1);
    for (const char* folder : {"/app", "/app/lock"}) keeper.folder(folder, Readers::kEverybody);
    keeper.in_line("/app/lock/_c_b9a1c2d3-0f1e-4a5b-8c7d-112233445566-lock-", "10.0.0.1", Readers::kEverybody);
    const Ran rest = leasescopectl({"watch", url, "--once", "--within", "20s"});
    QVERIFY2(rest.exit == 0 && rest.out.contains("\n/app/lock "), rest.out + rest.err);
    SAYS(rest, said);
    // Another store's are told too.
    const Ran both = leasescopectl({"watch", url_, url, "--once", "--within", "20s", "--foreign", "none"});
    QVERIFY2(both.exit == 0 && both.out.contains("\norders "), both.out + both.err);
    SAYS(both, said);
  }
  void aLockOnAnEtcdIsToldOf() {
    PrivateServer server(private_etcd());
    const auto started = server.start();
    QVERIFY2(started.has_value(), started ? "" : started.error().c_str());
    const EtcdByHand hand(server.url().endpoint.port);
    const std::int64_t lease = hand.grant(60);
    QVERIFY(lease > 0 && hand.stand_in_line("app/orders", lease) && hand.stand_in_line("app/boss", lease, "ann"));
    const QString url = QString::fromStdString(printable(server.url()));
    const Ran who = leasescopectl({"who", "app/orders", url});
    const QByteArray holds =
        QByteArray::fromStdString(fmt::format("app/orders (etcd mutex): lease {:x} holds it", lease));
    QVERIFY2(who.exit == 0 && who.out.startsWith(holds) && who.err.isEmpty(), who.out + who.err);
    QVERIFY2(leasescopectl({"watch", url + "/app/", "--once"}).out.contains("ann"), "an election");
    const Ran other = leasescopectl({"watch", url + "/other/", "--once"});
    QVERIFY2(other.exit == 0 && !other.out.contains("ann"), other.out + other.err);
  }
  void whatIsNoEtcdIsBadInput() {
    const Impostor impostor([](Peer& peer, int) {
      peer.hear();
      peer.say("HTTP/1.1 404 Not Found\r\nContent-Length: 4\r\nConnection: close\r\n\r\nnone");
    });
    const Ran ran =
        leasescopectl({"watch", QString("etcd://127.0.0.1:%1").arg(impostor.port()), "--once", "--within", "1s"});
    QCOMPARE(ran.exit, 2);
    QVERIFY2(ran.err.contains("not as etcd does: HTTP 404") && ran.err.count('\n') == 1, ran.err);
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
    QTest::qWait(1000);  // for so long nothing more happens, and it knows that
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
    whoOwnedItIsToldLater(recording);
  }
  void whatCannotBeToldOfAPastSaysWhy() {
    const QTemporaryDir folder;
    const QString run = folder.filePath("run.recording");
    QCOMPARE(leasescopectl({"run", "gc-pause", "--record", run}).exit, 0);
    const Ran clock = leasescopectl({"history", "orders", run, "--at", "03:12"});
    QCOMPARE(clock.exit, 2);
    SAYS(clock, "no wall clock");
    const Ran late = leasescopectl({"history", "orders", run, "--at", "10h"});
    QCOMPARE(late.exit, 2);
    SAYS(late, "the recording is from 0.000 s to ");
    const Ran noon = leasescopectl({"history", "orders", run, "--at", "noon"});
    QCOMPARE(noon.exit, 2);
    SAYS(noon, "such as 03:12");
    const Ran other = leasescopectl({"history", "no-such", run});
    QCOMPARE(other.exit, 2);
    SAYS(other, "no mutex \"no-such\" is in it; there is: ");
    QCOMPARE(leasescopectl({"history", "orders", folder.filePath("none")}).exit, 2);
  }
  // A rule is told of once when it comes to hold and once when it does no more, and found again in the recording.
  void anAlertIsToldAndFoundAgain() {
    const QTemporaryDir folder;
    const QString rules = folder.filePath("rules.toml"), recording = folder.filePath("night.recording");
    QFile file(rules);
    QVERIFY(file.open(QIODevice::WriteOnly));
    file.write("schema = 1\n[[rule]]\nname = \"nobody pays\"\nkind = \"no_owner\"\nmutex = \"bill*\"\nfor = \"1s\"\n");
    file.close();
    const Ran checked = leasescopectl({"alerts", "check", rules});
    QCOMPARE(checked.exit, 0);
    QCOMPARE(checked.out, QByteArray("nobody pays: no_owner of bill*, for 1s\n"));
    QProcess watching;
    // A command hears of it too, and is not waited for; that it failed is said.
    const QString heard = folder.filePath("heard");
    const QString command =
        "sleep 0.2; echo \"$LEASESCOPE_ALERT $LEASESCOPE_ALERT_RULE of $LEASESCOPE_ALERT_MUTEX, "
        "$LEASESCOPE_ALERT_SINCE\" >> '" +
        heard + "'; test $LEASESCOPE_ALERT = begins";
    watching.start(kLeasescopectl, {"watch", url_, "--alerts", rules, "--on-alert", command, "--record", recording});
    QVERIFY(watching.waitForStarted());
    QByteArray out, said;
    const auto comes = [](const std::function<bool()>& is) { return QTest::qWaitFor(is, 15'000); };
    QVERIFY(comes([&] { return (out += watching.readAllStandardOutput()).contains("orders  granted to "); }));
    const auto pay = [&] {
      return leasescopectl({"contend", url_, "bills", "--ttl", "2s", "--transition", "1s", "--", "sleep", "0.5"}).exit;
    };
    QCOMPARE(pay(), 0);
    const auto hears = [&](const char* words) {
      return comes([&] { return (said += watching.readAllStandardError()).contains(words); });
    };
    QVERIFY2(hears("  ALERT  nobody pays: bills: nobody has owned it for more than 1s"), said);
    QCOMPARE(pay(), 0);
    QVERIFY2(hears("  over  nobody pays: bills: "), said);
    QCOMPARE(said.count("ALERT"), 1);
    QVERIFY2(hears("--on-alert: it ended with the exit code 1"), said);
    const QList<QByteArray> told = read_whole(heard).split('\n');
    QCOMPARE(told.size(), 3);
    QVERIFY2(told[0].startsWith("begins nobody pays of bills, 20"), told[0]);
    QCOMPARE(told[1].mid(4), told[0].mid(6));  // "over", and the rest is the same
    ::kill(static_cast<pid_t>(watching.processId()), SIGINT);
    QVERIFY(watching.waitForFinished(5000));
    const json found = leasescopectl({"alerts", "find", rules, recording, "--json"}).json();
    QVERIFY2(!found.empty(), found.dump().c_str());
    QCOMPARE(found[0]["mutex"].get<std::string>(), std::string("bills"));
    QVERIFY(found[0]["to_ns"].get<qint64>() > found[0]["from_ns"].get<qint64>());
    // What was told is in it, whatever rules it is read by.
    const json info = leasescopectl({"recording", "info", recording, "--json"}).json();
    QVERIFY2(info["alerts"].is_number() && info["alerts"].get<int>() >= 1, info.dump().c_str());
    const Ran words = leasescopectl({"alerts", "find", rules, recording});
    QVERIFY2(words.out.contains("nobody pays: bills: nobody has owned it"), words.out);
  }
  void rulesThatAreWrongAreRefusedWithTheirPlace() {
    const QTemporaryDir folder;
    const QString rules = folder.filePath("rules.toml");
    QFile file(rules);
    QVERIFY(file.open(QIODevice::WriteOnly));
    file.write("schema = 1\n[[rule]]\nname = \"a\"\nkind = \"no_ownr\"\n");
    file.close();
    const Ran checked = leasescopectl({"alerts", "check", rules});
    QCOMPARE(checked.exit, 2);
    SAYS(checked, "rules.toml:4:8: rule.0.kind is \"no_ownr\"");
    const Ran watched = leasescopectl({"watch", url_, "--alerts", rules});
    QCOMPARE(watched.exit, 2);
    SAYS(watched, "rules.toml:4:8");
    QCOMPARE(leasescopectl({"alerts", "find", rules, "/no/such"}).exit, 2);
    // What is no text at all is told what is wanted.
    QVERIFY(overwrite(rules, QByteArray("\x8f\x00\xff[[[\x1b[2J\xfe", 11)));
    for (const QStringList& asked :
         {QStringList{"alerts", "check", rules}, QStringList{"watch", url_, "--alerts", rules}}) {
      const Ran noise = leasescopectl(asked);
      QCOMPARE(noise.exit, 2);
      SAYS(noise, "rules.toml:1:");
      SAYS(noise, ": expected rules of alerts as TOML: schema = 1, then a table [[rule]] for each");
      QVERIFY(!noise.err.contains('\x1b'));
    }
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
