// Team history: several observers write to one PostgreSQL, several terminals read it meanwhile. One is killed, the
// database goes and comes again: no event is lost or there twice, and what nobody saw is said. A few seconds here;
// tests/team_campaign for minutes.
#include <QElapsedTimer>
#include <QTemporaryDir>
#include <algorithm>
#include <csignal>
#include <map>
#include <memory>
#include <set>

#include "core/history/team/connection.h"
#include "core/store/postgres/store_type.h"
#include "core/store/redis/asker.h"
#include "core/store/redis/store_type.h"
#include "simulator/live/private_server.h"
#include "tests/cli/program.h"
#include "tests/cli/team_watchers.h"
#include "tests/support/suite.h"

using namespace leasescope;
using namespace leasescope::tests;
using nlohmann::json;

namespace {

constexpr const char* kPassword = "hush-hush";

PrivateServerOptions of_the_team() {
  PrivateServerOptions out;
  out.password = kPassword;
  out.remembers = true;
  return out;
}

}  // namespace

class TeamTest : public QObject {
  Q_OBJECT

  PrivateServer redis_{redis::store_type()};
  PrivateServer postgres_{postgres::store_type(), of_the_team()};
  std::unique_ptr<Locks> locks_;
  QString store_;
  QTemporaryDir folder_;
  QByteArray said_;  // by all who were run

  // Each test has a database of its own.
  QString team(const char* database) {
    auto connection = team::Connection::open(postgres_.url(), {});
    if (!connection) qFatal("%s", connection.error().words.c_str());
    if (const auto made = (*connection)->say(fmt::format("create database {}", database)); !made)
      if (made.error().words.find("already exists") == std::string::npos) qFatal("%s", made.error().words.c_str());
    return QString("postgresql://leasescope:%1@/%2?host=%3&port=5432")
        .arg(kPassword, database, QString::fromStdString(postgres_.url().endpoint.host));
  }
  std::string by_hand(const char* database, const std::string& sql) {
    StoreUrl url = postgres_.url();
    url.database = database;
    auto connection = team::Connection::open(url, {});
    if (!connection) return connection.error().words;
    auto answer = (*connection)->say(sql);
    if (!answer) return answer.error().words;
    return answer->size() == 0 ? std::string() : std::string(answer->text(0, 0));
  }
  Ran ran(const QStringList& arguments) {
    Ran out = leasescopectl(arguments);
    said_ += out.out + out.err;
    return out;
  }
  json recordings_of(const QString& team, const QString& observer) {
    json out = json::array();
    const json info = ran({"recording", "info", team, "--json"}).json();
    for (const json& each : info["recordings"])
      if (each["observer"].get<std::string>() == observer.toStdString()) out.push_back(each);
    return out;
  }
  // Of all mutexes something is there.
  bool is_written(const QString& team, const char* observer) {
    return QTest::qWaitFor(
        [&] {
          const json all = recordings_of(team, observer);
          return !all.empty() && all.back()["mutexes"].get<int>() == kMutexes;
        },
        10'000);
  }
  // The events of an observer's account, a line each.
  QByteArrayList exported(const QString& team, const QString& observer) {
    const QString file = folder_.filePath(observer + ".jsonl");
    QFile::remove(file);
    const Ran ran = this->ran({"recording", "export", team, file, "--observer", observer});
    if (ran.exit != 0) qFatal("%s", ran.err.constData());
    const QByteArray all = read_whole(file);
    said_ += all;
    QByteArrayList lines = all.split('\n');
    lines.removeFirst();  // what it is of
    lines.removeLast();
    return lines;
  }
  // All that it told is there, in its order, and nothing else but that nobody looks any more.
  void recorded_is_told(Watching& observer, const QString& team) {
    const QByteArrayList told = observer.lines(), there = exported(team, observer.name());
    QVERIFY2(told.size() > 20 && there.size() >= told.size(), observer.err());
    for (int i = 0; i < told.size(); ++i) QCOMPARE(there[i], told[i]);
    for (int i = static_cast<int>(told.size()); i < there.size(); ++i)
      QVERIFY2(there[i].contains("\"unobserved_began\""), there[i]);
  }
  // Of one that was killed, and of the one that was begun after it.
  void both_are_there(const QByteArrayList& killed, Watching& again, const QString& team) {
    const json recordings = recordings_of(team, again.name());
    QCOMPARE(recordings.size(), std::size_t{2});
    QCOMPARE(recordings[0]["state"].get<std::string>(), std::string("broken off"));
    QCOMPARE(recordings[1]["state"].get<std::string>(), std::string("ended"));
    const QByteArrayList there = exported(team, again.name());
    const auto first = recordings[0]["events"].get<int>();
    // Of what it saw in its last second it may not have come to write.
    QVERIFY2(first > 20 && first <= killed.size() + 1, QByteArray::number(first));
    for (int i = 0; i < std::min<int>(first, static_cast<int>(killed.size())); ++i) QCOMPARE(there[i], killed[i]);
    int gaps = 0;
    while (first + gaps < there.size() && there[first + gaps].contains("\"unobserved_began\"")) ++gaps;
    QCOMPARE(gaps, kMutexes);
    // What it saw later is there too: all grants to new owners.
    QByteArrayList rest;
    for (int i = first + gaps; i < there.size(); ++i) rest << there[i];
    const auto owner_in = [](const QByteArray& line) { return json::parse(line.toStdString()).value("node", ""); };
    std::map<std::string, int> granted;
    for (const QByteArray& line : rest)
      if (line.contains("\"granted\"") || line.contains("\"renewed\"")) ++granted[owner_in(line)];
    for (const QByteArray& line : again.lines())
      if (line.contains("\"granted\"")) QVERIFY2(granted[owner_in(line)] > 0, line);
  }
  // The rows by which a moment is found, and a pass over all events, come to the same.
  void accounts_agree(const QString& team, const QString& observer) {
    const QString file = folder_.filePath(observer + ".recording");
    QFile::remove(file);
    const Ran made = ran({"recording", "export", team, file, "--observer", observer});
    QVERIFY2(made.exit == 0, made.err);
    for (int i = 0; i < 3; ++i) {
      const QString mutex = Locks::name(i) + " (Redisson)";
      const json by_rows = ran({"history", mutex, team, "--observer", observer, "--json"}).json();
      const json by_pass = ran({"history", mutex, file, "--json"}).json();
      const qint64 epoch = by_pass["epoch_unix_ns"].get<qint64>();
      const json &rows = by_rows["mutexes"][0]["owned"], &pass = by_pass["mutexes"][0]["owned"];
      QCOMPARE(rows.size(), pass.size());
      QVERIFY(rows.size() > 1);
      for (std::size_t k = 0; k < rows.size(); ++k) {
        for (const char* const word : {"owner", "token", "ended"}) QVERIFY(rows[k][word] == pass[k][word]);
        for (const char* const at : {"begin_from_ns", "begin_ns", "end_from_ns", "end_ns"}) {
          QCOMPARE(rows[k][at].is_null(), pass[k][at].is_null());
          if (!rows[k][at].is_null()) QCOMPARE(rows[k][at].get<qint64>(), pass[k][at].get<qint64>() + epoch);
        }
      }
    }
  }

 private slots:
  void initTestCase() {
    for (PrivateServer* const server : {&redis_, &postgres_}) {
      const auto started = server->start();
      QVERIFY2(started.has_value(), started ? "" : started.error().c_str());
    }
    store_ = QString::fromStdString(printable(redis_.url()));
    locks_ = std::make_unique<Locks>(redis_.url());
  }

  void init() { locks_->take_all(); }

  void threeObserversAndTwoReadersLoseNothing() {
    const int asked = qEnvironmentVariableIntValue("LEASESCOPE_TEAM_SECONDS");
    const qint64 most = (asked > 0 ? asked : 6) * 1000;
    const QString team = this->team("three");
    Watching a(store_, team, "api-1"), c(store_, team, "api-3");
    auto b = std::make_unique<Watching>(store_, team, "api-2");
    for (Watching* const each : {&a, b.get(), &c}) QVERIFY2(each->has_begun(), each->err());
    for (Watching* const each : {&a, b.get(), &c}) {
      const QByteArray line = read_whole(QString("/proc/%1/cmdline").arg(each->process()));
      QVERIFY2(line.contains("postgresql://leasescope:") && !line.contains(kPassword),
               QByteArray(line).replace('\0', ' '));
    }
    for (const char* const each : {"api-1", "api-2", "api-3"}) QVERIFY(is_written(team, each));
    Reader who({"history", "m-1 (Redisson)", team}), what({"recording", "info", team});
    QByteArrayList killed;
    QElapsedTimer since;
    for (since.start(); since.elapsed() < most;) {
      locks_->change();
      QTest::qWait(15);
      for (Reader* const each : {&who, &what}) {
        const QByteArray wrong = each->poll();
        QVERIFY2(wrong.isEmpty(), wrong);
      }
      if (killed.isEmpty() && since.elapsed() > most / 3) {
        b->kill();
        killed = b->lines();
        said_ += b->err();
        b = std::make_unique<Watching>(store_, team, "api-2");
      }
      QVERIFY2(a.running() && c.running() && b->running(), a.err() + b->err() + c.err());
    }
    QVERIFY2(who.answers > 3 && what.answers > 3, QByteArray::number(who.answers));
    QTest::qWait(500);
    for (Watching* const each : {&a, b.get(), &c}) QVERIFY2(each->end() == 0, each->err());
    recorded_is_told(a, team);
    recorded_is_told(c, team);
    if (QTest::currentTestFailed()) return;
    both_are_there(killed, *b, team);
    if (QTest::currentTestFailed()) return;
    accounts_agree(team, "api-1");
    accounts_agree(team, "api-3");
    // The account of several opens as any recording does, each observer's mutexes by themselves.
    const QString all = folder_.filePath("all.recording");
    const Ran made = ran({"recording", "export", team, all});
    QVERIFY2(made.exit == 0, made.err);
    const Ran told = ran({"history", "m-1 (Redisson)", all});
    for (const char* const observer : {"api-1", "api-2", "api-3"})
      QVERIFY2(told.out.contains(QByteArray("m-1 (Redisson) @ ") + observer + ":"), told.out + told.err);
    QCOMPARE(ran({"replay", all, "--quiet"}).exit, 0);
    said_ += a.err() + b->err() + c.err() + a.out();
  }

  void whoOwnedItThenIsToldByWhoHasSeenIt() {
    const QString team = this->team("moments");
    Watching a(store_, team, "api-1"), b(store_, team, "api-2");
    QVERIFY2(a.has_begun() && b.has_begun(), a.err() + b.err());
    QVERIFY(is_written(team, "api-2"));
    QTest::qWait(1500);
    b.kill();
    QTest::qWait(2000);
    QCOMPARE(a.end(), 0);
    const json rows = ran({"history", "m-2 (Redisson)", team, "--json"}).json();
    QCOMPARE(rows["mutexes"].size(), std::size_t{2});
    const json recordings = recordings_of(team, "api-2");
    const qint64 ended = recordings[0]["known_until_unix_ns"].get<qint64>();
    const auto at = [&](qint64 ns, const QStringList& more = {}) {
      return ran(QStringList{"history", "m-2 (Redisson)", team, "--at", utc_clock(ns)} + more);
    };
    const Ran both = at(ended - 500'000'000);
    QCOMPARE(both.exit, 0);
    QCOMPARE(both.out.count('\n'), 2);
    QVERIFY2(both.out.contains(" UTC, seen by api-1: ") && both.out.contains(" UTC, seen by api-2: "), both.out);
    const Ran gap = at(ended + 500'000'000);
    QVERIFY2(gap.out.contains(" UTC, seen by api-2: not observed from "), gap.out + gap.err);
    QVERIFY2(gap.out.contains(" UTC, seen by api-1: b9a1c2d3-"), gap.out);
    QCOMPARE(at(ended - 500'000'000, {"--observer", "api-2"}).out.count('\n'), 1);
    // Of each mutex, by each observer, where none is named.
    const json every = ran({"history", team, "--at", utc_clock(ended - 500'000'000), "--json"}).json();
    std::set<std::string> titles;
    for (const json& each : every["mutexes"]) titles.insert(each["mutex"].get<std::string>());
    QVERIFY2(titles.count("m-1 (Redisson)") == 1 && titles.count("m-2 (Redisson)") == 1, every.dump().c_str());
    QCOMPARE(every["mutexes"].size(), titles.size() * 2);
    const Ran years = ran({"history", "m-2 (Redisson)", team, "--at", "2001-01-01 03:12"});
    QCOMPARE(years.exit, 2);
    SAYS(years, "what is recorded of it is from ");
    const Ran after = ran({"history", "m-2 (Redisson)", team, "--at", "15s"});
    QCOMPARE(after.exit, 2);
    SAYS(after, "expected a moment, such as 03:12");
    const Ran other = ran({"history", "no-such", team});
    QCOMPARE(other.exit, 2);
    SAYS(other, "no mutex \"no-such\" is in it; there are: m-0 (Redisson)");
    const Ran nobody = ran({"recording", "export", team, folder_.filePath("x.recording"), "--observer", "api-9"});
    QCOMPARE(nobody.exit, 2);
    SAYS(nobody, "no observer api-9 is in it; there are: api-1, api-2");
    // A part of it begins with what was in force.
    const QString part = folder_.filePath("part.recording");
    const Ran made =
        ran({"recording", "export", team, part, "--observer", "api-1", "--from", utc_clock(ended - 300'000'000)});
    QVERIFY2(made.exit == 0, made.err);
    const Ran then = ran({"history", "m-2 (Redisson)", part});
    QVERIFY2(then.exit == 0, then.err);
    QCOMPARE(ran({"replay", part, "--quiet"}).exit, 0);
  }

  void aDatabaseThatGoesAndComesAgainHasAllOfIt() {
    const QString team = this->team("outage");
    Watching a(store_, team, "api-1");
    QVERIFY2(a.has_begun(), a.err());
    const auto go_on = [&](int ms) {
      QElapsedTimer since;
      for (since.start(); since.elapsed() < ms; QTest::qWait(20)) locks_->change();
    };
    go_on(800);
    postgres_.kill();
    QVERIFY2(a.says("what is seen is kept until it is there again"), a.err());
    go_on(1200);
    const auto again = postgres_.start_again();
    QVERIFY2(again.has_value(), again ? "" : again.error().c_str());
    QVERIFY2(a.says("is there again"), a.err());
    go_on(800);
    QTest::qWait(500);
    QVERIFY2(a.end() == 0, a.err());
    recorded_is_told(a, team);
    said_ += a.err();
  }

  // What was told of alerts is kept with all else, and found again in what is made of it.
  void whatWasToldOfAlertsIsThereToo() {
    const QString team = this->team("alerts");
    const QString rules = write_file(folder_, "team-rules.toml",
                                     "schema = 1\n[[rule]]\nname = \"nobody has it\"\nkind = \"no_owner\"\n"
                                     "mutex = \"m-1*\"\nfor = \"300ms\"\n");
    Watching a(store_, team, "api-1", {"--alerts", rules}), b(store_, team, "api-2");
    QVERIFY2(a.has_begun() && b.has_begun(), a.err() + b.err());
    QVERIFY(is_written(team, "api-1"));
    redis::Asker server(std::chrono::seconds(60));
    QVERIFY(server.connect(redis_.url()).has_value());
    for (const char* const lock : {"m-1", "m-10", "m-11"}) server.ask({"DEL", lock});
    QVERIFY2(a.says("  ALERT  nobody has it: m-1 (Redisson): "), a.err());
    locks_->take_all();
    QVERIFY2(a.says("  over  nobody has it: m-1 (Redisson): "), a.err());
    QTest::qWait(700);
    const QByteArray told = a.err();
    QCOMPARE(a.end(), 0);
    QCOMPARE(b.end(), 0);
    QCOMPARE(recordings_of(team, "api-1")[0]["alerts"].get<int>(), static_cast<int>(told.count("  ALERT  ")));
    QCOMPARE(recordings_of(team, "api-2")[0]["alerts"].get<int>(), 0);
    const Ran table = ran({"recording", "info", team});
    QVERIFY2(table.out.contains("  ALERTS  "), table.out);
    const QString all = folder_.filePath("alerts.recording"), page = folder_.filePath("alerts.html");
    QCOMPARE(ran({"recording", "export", team, all, "--observer", "api-1"}).exit, 0);
    QCOMPARE(ran({"recording", "info", all, "--json"}).json()["alerts"].get<int>(),
             static_cast<int>(told.count("  ALERT  ")));
    const Ran replay = ran({"replay", all, "--quiet", "--report", page});
    QVERIFY2(replay.exit == 0, replay.err);
    QVERIFY(read_whole(page).contains("nobody has it"));
    // Beside who owned it they are found in both, and are the same; who was given no rules has none.
    const Ran told_of = ran({"history", "m-1 (Redisson)", team, "--observer", "api-1", "--json"});
    const json of_team = told_of.json()["mutexes"][0]["alerts"];
    QVERIFY2(of_team.size() == 1 && of_team[0]["rule"] == "nobody has it" && of_team[0]["end_ns"].is_number(),
             told_of.out);
    const json of_file = ran({"history", "m-1 (Redisson)", all, "--json"}).json()["mutexes"][0]["alerts"];
    const qint64 begin = recordings_of(team, "api-1")[0]["begin_unix_ns"].get<qint64>();
    QCOMPARE(of_team[0]["begin_ns"].get<qint64>(), begin + of_file[0]["begin_ns"].get<qint64>());
    QVERIFY(ran({"history", "m-1 (Redisson)", team, "--observer", "api-2", "--json"})
                .json()["mutexes"][0]["alerts"]
                .empty());
    const QByteArray then = ran({"history", "m-1 (Redisson)", team, "--observer", "api-1", "--at",
                                 utc_clock(of_team[0]["begin_ns"].get<qint64>() + 1'000'000)})
                                .out;
    QVERIFY2(then.contains("; alert nobody has it since "), then);
    // Of a part those that were over before it are left out.
    const json fired = ran({"replay", all, "--json"}).json()["watched"]["fired"];
    QVERIFY2(fired.size() == static_cast<std::size_t>(told.count("  ALERT  ")), fired.dump().c_str());
    qint64 over = 0;
    for (const json& each : fired) over = std::max(over, each["to_ns"].get<qint64>());
    const qint64 began = recordings_of(team, "api-1")[0]["begin_unix_ns"].get<qint64>();
    const QString part = folder_.filePath("alerts-part.recording");
    const Ran made =
        ran({"recording", "export", team, part, "--observer", "api-1", "--from", utc_clock(began + over + 50'000'000)});
    QVERIFY2(made.exit == 0, made.err);
    QCOMPARE(ran({"recording", "info", part, "--json"}).json()["alerts"].get<int>(), 0);
  }

  void twoOfOneNameAreRefusedWithWhatToDo() {
    const QString team = this->team("names");
    Watching a(store_, team, "api-1");
    QVERIFY2(a.has_begun(), a.err());
    const Ran second = ran({"watch", store_, "--record", team, "--observer", "api-1"});
    QCOMPARE(second.exit, 2);
    SAYS(second, "an observer of the name api-1 records there already");
    SAYS(second, "give this one another with --observer NAME, or end that one");
    // Killed, it is out of the way at once.
    a.kill();
    Watching again(store_, team, "api-1");
    QVERIFY2(again.has_begun(), again.err());
    QCOMPARE(again.end(), 0);
    QCOMPARE(recordings_of(team, "api-1").size(), std::size_t{2});
  }

  void whatIsOldIsDropped() {
    const QString team = this->team("old");
    Watching a(store_, team, "api-1", {"--keep", "30d", "--keep-size", "1GB"});
    QVERIFY2(a.has_begun(), a.err());
    QCOMPARE(a.end(), 0);
    const Ran fits = ran({"recording", "retain", team, "--keep-size", "1GB"});
    QVERIFY2(fits.exit == 0 && fits.out.contains(": 0 days dropped"), fits.out + fits.err);
    const Ran none = ran({"recording", "retain", team, "--keep", "30d"});
    QCOMPARE(none.exit, 0);
    QVERIFY2(none.out.contains(": 0 days dropped, and 0 recordings of which nothing is left; what is from "), none.out);
    // As if it had been long ago.
    by_hand("old",
            "update leasescope_history.recording set epoch_ns = epoch_ns - 100 * 86400000000000, "
            "began = began - interval '100 days'");
    const Ran gone = ran({"recording", "retain", team, "--keep", "30d"});
    QVERIFY2(gone.out.contains("and 1 recording of which"), gone.out);
    const Ran empty = ran({"recording", "export", team, folder_.filePath("none.recording")});
    QCOMPARE(empty.exit, 2);
    SAYS(empty, "nothing has been recorded there yet");
  }

  // The days are gone in which it was owned, or was not.
  void ofDaysThatWereDroppedItIsNotSaidThatNobodyOwned() {
    const QString team = this->team("dropped");
    Watching a(store_, team, "api-1");
    QVERIFY2(a.has_begun(), a.err());
    QVERIFY(is_written(team, "api-1"));
    QCOMPARE(a.end(), 0);
    // As if it had been forty days long.
    by_hand("dropped",
            "update leasescope_history.recording set epoch_ns = epoch_ns - 40 * 86400000000000, "
            "now_ns = now_ns + 40 * 86400000000000; "
            "update leasescope_history.mutex set met_ns = met_ns - 40 * 86400000000000; "
            "insert into leasescope_history.day select min(day) - 40 from leasescope_history.day");
    const auto days_ago = [&](int days, const QStringList& more) {
      const QString clock = QDateTime::currentDateTimeUtc().addDays(-days).toString("yyyy-MM-dd HH:mm:ss.zzz");
      return ran(QStringList{"history", "m-2 (Redisson)", team} + more + QStringList{clock});
    };
    const Ran before = days_ago(35, {"--at"});
    QVERIFY2(before.out.contains(", seen by api-1: nobody"), before.out + before.err);
    const Ran gone = ran({"recording", "retain", team, "--keep", "30d"});
    QVERIFY2(gone.out.contains(": 1 day dropped"), gone.out + gone.err);
    const Ran then = days_ago(35, {"--at"});
    QVERIFY2(then.out.contains(", seen by api-1: not observed from "), then.out + then.err);
    const Ran since = days_ago(20, {"--at"});
    QVERIFY2(since.out.contains(", seen by api-1: nobody"), since.out + since.err);
    const Ran all = days_ago(35, {"--from"});
    const QString kept = QDateTime::currentDateTimeUtc().addDays(-30).toString("yyyy-MM-dd 00:00:00.000");
    QVERIFY2(all.out.contains(("  " + kept + "  ").toUtf8()), all.out + all.err);
  }

  // It goes on, and its last word is older than what is asked for.
  void whatAnObserverHasNotToldYetIsNotKnown() {
    const QString team = this->team("lags");
    Watching a(store_, team, "api-1"), b(store_, team, "api-2");
    QVERIFY2(a.has_begun() && b.has_begun(), a.err() + b.err());
    QVERIFY(is_written(team, "api-1") && is_written(team, "api-2"));
    ::kill(static_cast<pid_t>(b.process()), SIGSTOP);
    QTest::qWait(3'000);
    const json of = recordings_of(team, "api-2")[0];
    QCOMPARE(of["state"].get<std::string>(), std::string("goes on"));
    const qint64 at_ms = of["known_until_unix_ns"].get<qint64>() / 1'000'000 + 1'000;
    const QString clock = QDateTime::fromMSecsSinceEpoch(at_ms).toUTC().toString("yyyy-MM-dd HH:mm:ss.zzz");
    const Ran told = ran({"history", "m-2 (Redisson)", team, "--at", clock});
    ::kill(static_cast<pid_t>(b.process()), SIGCONT);
    QVERIFY2(told.out.contains(" UTC, seen by api-1: b9a1c2d3-"), told.out + told.err);
    QVERIFY2(told.out.contains(" UTC, seen by api-2: not observed from "), told.out + told.err);
    QCOMPARE(a.end(), 0);
    QCOMPARE(b.end(), 0);
  }

  // A service is started again after that, and after bad input it is not.
  void aDatabaseThatIsAwayWhenAWatchBeginsIsNoBadInput() {
    const Ran nobody = ran({"watch", store_, "--record", "postgresql://me:hush-hush@127.0.0.1:1/db"});
    QCOMPARE(nobody.exit, 1);
    SAYS(nobody, "is it running");
    const Ran other = ran({"watch", store_, "--record", this->team("empty").replace("/empty", "/no_such_database")});
    QCOMPARE(other.exit, 2);
    SAYS(other, "no_such_database");
  }

  void whatMakesNoSenseSaysWhatToDo_data() {
    QTest::addColumn<QStringList>("arguments");
    QTest::addColumn<QByteArray>("says");
    const QString nobody = "postgresql://me:hush-hush@127.0.0.1:1/db";
    QTest::newRow("nobody to read") << QStringList{"recording", "info", nobody} << QByteArray("is it running");
    QTest::newRow("nobody to ask") << QStringList{"history", "m", nobody} << QByteArray("is it running");
    QTest::newRow("a wrong password") << QStringList{"watch", "STORE", "--record", "WRONG"}
                                      << QByteArray("the user or the password is wrong");
    QTest::newRow("no history") << QStringList{"recording", "info", "TEAM"}
                                << QByteArray("expected a database that watch --record has written to");
    QTest::newRow("another store") << QStringList{"watch", "STORE", "--record", "redis://h"}
                                   << QByteArray("a team's history is kept in PostgreSQL");
    QTest::newRow("a name with blanks") << QStringList{"watch", "STORE", "--record", "TEAM", "--observer", "api 1"}
                                        << QByteArray("--observer api 1: expected a name of at most");
    QTest::newRow("a file has no observers")
        << QStringList{"watch", "STORE", "--record", "/tmp/x.recording", "--observer", "api-1"}
        << QByteArray("--observer: goes with a team's database");
    QTest::newRow("too short") << QStringList{"watch", "STORE", "--record", "TEAM", "--keep", "1h"}
                               << QByteArray("--keep 1h: expected a number of days, such as 30d");
    QTest::newRow("a file that is not there is not retained")
        << QStringList{"recording", "retain", "/nowhere/x", "--keep", "30d"} << QByteArray("/nowhere/x: No such file");
    QTest::newRow("no size of a team's") << QStringList{"watch", "STORE", "--record", "TEAM", "--keep-size", "2"}
                                         << QByteArray("--keep-size 2: expected a size such as 2GB");
    QTest::newRow("no size") << QStringList{"watch", "STORE", "--record", "/tmp/x.recording", "--keep-size", "2 apples"}
                             << QByteArray("--keep-size 2 apples: expected a size such as 2GB");
    QTest::newRow("nothing to keep") << QStringList{"recording", "retain", "/nowhere/x"}
                                     << QByteArray("expected --keep or --keep-size");
  }
  void whatMakesNoSenseSaysWhatToDo() {
    QFETCH(QStringList, arguments);
    QFETCH(QByteArray, says);
    const QString empty = this->team("empty");
    arguments.replaceInStrings("STORE", store_);
    arguments.replaceInStrings("TEAM", empty);
    arguments.replaceInStrings("WRONG", QString(empty).replace(kPassword, "hush-hush-wrong"));
    const Ran ran = this->ran(arguments);
    QCOMPARE(ran.exit, 2);
    SAYS(ran, says);
  }

  // After all the others: by anybody, to anybody, or in the database.
  void noPasswordIsRepeatedAnywhere() {
    QVERIFY(said_.size() > 10'000);
    QVERIFY(!said_.contains(kPassword));
    for (const char* const made : {"all.recording", "part.recording", "api-1.jsonl"})
      QVERIFY(QFile::exists(folder_.filePath(made)) && !read_whole(folder_.filePath(made)).contains(kPassword));
    const std::string tables = by_hand(
        "three",
        "select string_agg(format('select count(*) n from %s t where t::text like ''%%hush-hush%%'' or t::text like "
        "''%%' || encode('hush-hush', 'hex') || '%%''', c.oid::regclass), ' union all ') from pg_class c "
        "where c.relnamespace = 'leasescope_history'::regnamespace and c.relkind in ('r', 'p')");
    QVERIFY2(tables.find("recording") != std::string::npos, tables.c_str());
    QCOMPARE(by_hand("three", "select sum(n) from (" + tables + ") all_of_them"), std::string("0"));
  }
};

LEASESCOPE_SUITE(TeamTest)
#include "team_test.moc"
