// Our own fenced locks, as whoever watches sees them on every live store that keeps them: taken, waited for, handed on,
// and left behind by a client that stands still.
#include <map>

#include "core/observe/watched_row.h"
#include "core/store/postgres/asker.h"
#include "core/store/postgres/store_type.h"
#include "core/store/zookeeper/store_type.h"
#include "tests/store/administration.h"
#include "tests/store/session_client.h"
#include "tests/store/watching.h"
#include "tests/support/suite.h"

using namespace leasescope;
using namespace leasescope::tests;

class FencedWatchedTest : public QObject {
  Q_OBJECT

  std::map<std::string, std::unique_ptr<PrivateServer>> servers_;
  QtLoop loop_;
  PlainNames names_;

  static void rows() {
    QTest::addColumn<bool>("of no use");
    for (const StoreType* type : {&postgres::store_type(), &zookeeper::store_type()})
      QTest::newRow(type->name().data()) << true;
  }
  const StoreUrl& url() const { return servers_.at(QTest::currentDataTag())->url(); }
  bool has_ends() const { return url().type->rows; }  // else no session's end is told
  std::unique_ptr<SessionClient> client(const std::string& id, const std::string& mutex,
                                        Duration ttl = milliseconds(10'000)) {
    auto out = std::make_unique<SessionClient>(loop_, names_, url(), id, mutex);
    if (!out->connects() || !out->open(ttl).error.empty()) qFatal("no session");
    return out;
  }
  static bool waits_in(const Watching& watch, const std::string& mutex, const std::vector<std::string>& queue) {
    return wait_until(
        [&] {
          const WatchedMutex* const of = watch.find(mutex);
          return of != nullptr && of->book.last().queue == queue && of->book.last().waiters == queue.size();
        },
        milliseconds(3000));
  }
  WatchedRow row(const Watching& watch, const std::string& mutex) const {
    return row_of(*watch.find(mutex), loop_.now());
  }

 private slots:
  void initTestCase() {
    for (const StoreType* type : {&postgres::store_type(), &zookeeper::store_type()}) {
      auto& server = servers_[std::string(type->name())];
      server = std::make_unique<PrivateServer>(*type);
      const auto started = server->start();
      QVERIFY2(started.has_value(), started ? "" : started.error().c_str());
      for (const Family family : {type->first_family(), Family::kSession})
        QVERIFY(probe(server->url(), {"orders"}, family).has_value());
    }
  }

  void itIsSeenFromGrantToGrant_data() { rows(); }
  void itIsSeenFromGrantToGrant() {
    const std::string mutex = "handed on";
    Watching watch(loop_, url());
    QVERIFY(wait_until([&] { return watch.watch.complete(); }, milliseconds(5000)));
    const auto a = client("a", mutex), b = client("b", mutex), c = client("c", mutex);
    const Token of_a = a->lock(1).reply.token;
    QVERIFY(watch.sees(mutex, "a"));
    const Sighting first = watch.find(mutex)->book.last();
    QCOMPARE(system_text(first), std::string("fenced lock (leasescope)"));
    QCOMPARE(first.token, of_a);
    QCOMPARE(first.left.has_value(), has_ends());
    if (has_ends()) QVERIFY(*first.left > milliseconds(5'000) && *first.left <= milliseconds(10'000));
    QCOMPARE(row(watch, mutex).state, WatchState::kHeld);
    const std::uint64_t by_b = b->waits(1), by_c = c->waits(1);
    QVERIFY(waits_in(watch, mutex, {"b", "c"}));
    a->unlock(2);
    const Told to_b = b->ending_of(by_b);
    QVERIFY(watch.sees(mutex, "b") && waits_in(watch, mutex, {"c"}));
    QCOMPARE(watch.find(mutex)->book.last().token, to_b.reply.token);
    b->unlock(2);
    QVERIFY(answer_in(c->ending_of(by_c)) == SessionAnswer::kDone);
    QVERIFY(watch.sees(mutex, "c") && waits_in(watch, mutex, {}));
    c->unlock(2);
    QVERIFY(watch.sees(mutex, "-"));
    QCOMPARE(state_text(row(watch, mutex)), std::string("free"));
    QCOMPARE(watch.told(mutex + " (leasescope)"),
             (QStringList{"granted", "released", "granted", "released", "granted", "released"}));
    QCOMPARE(watch.find(mutex)->handoffs.size(), std::size_t{2});
  }

  // A re-entry and another thread of its session are no other owner; that thread has a name of its own.
  void aThreadThatIsNotTheFirstIsNamed_data() { rows(); }
  void aThreadThatIsNotTheFirstIsNamed() {
    const std::string mutex = "by threads";
    const auto a = client("a", mutex);
    a->lock(1);
    a->lock(2);
    const Watching watch(loop_, url());
    QVERIFY(watch.sees(mutex, "a"));
    a->thread = 2;
    a->waits(3);
    QVERIFY(waits_in(watch, mutex, {"a, thread 2"}));
    QCOMPARE(watch.owner(mutex), std::string("a"));
  }

  // Whoever waits has it when the holder's session is over.
  void aHolderThatStandsStillLosesItToWhoeverWaits_data() { rows(); }
  void aHolderThatStandsStillLosesItToWhoeverWaits() {
    const std::string mutex = "stood still";
    const auto a = client("a", mutex, milliseconds(1500)), b = client("b", mutex);
    const Token of_a = a->lock(1).reply.token;
    Watching watch(loop_, url());
    QVERIFY(watch.sees(mutex, "a"));
    b->waits(1);
    QVERIFY(waits_in(watch, mutex, {"b"}));
    a->store().stand_still(true);
    QVERIFY(watch.sees(mutex, "b", milliseconds(6000)));
    QVERIFY(watch.find(mutex)->book.last().token > of_a);
    const QStringList told = watch.told(mutex + " (leasescope)");
    QVERIFY2(told.count(QStringLiteral("granted")) == 2, qPrintable(told.join(u' ')));
    // Where its end is known it is told that it ran out.
    QCOMPARE(told.contains(QStringLiteral("expired")), has_ends());
  }

  // On PostgreSQL nobody ends a session but whoever calls next: until then nobody holds, and what lies there is said.
  void aSessionThatIsOverAndNotEndedYetIsSaidToBe() {
    const StoreUrl& server = servers_.at(std::string(postgres::store_type().name()))->url();
    SessionClient a(loop_, names_, server, "a", "left"), b(loop_, names_, server, "b", "left");
    QVERIFY(a.connects() && a.open(milliseconds(1500)).error.empty());
    a.lock(1);
    Watching watch(loop_, server);
    QVERIFY(watch.sees("left", "a"));
    QVERIFY(watch.sees("left", "-"));
    QCOMPARE(state_text(row(watch, "left")), std::string("free; the session of a is over, and not ended yet"));
    QCOMPARE(watch.told("left (leasescope)"), (QStringList{"granted", "expired"}));
    QVERIFY(b.connects() && b.open(milliseconds(10'000)).error.empty());
    b.lock(1);
    QVERIFY(watch.sees("left", "b"));
    QCOMPARE(state_text(row(watch, "left")), std::string("held"));
  }

  // They are ours: whoever looks for none of other makers sees them, also by name, and nothing where none was.
  void theyAreSeenWhereNoOtherMakersLocksAreLookedFor_data() { rows(); }
  void theyAreSeenWhereNoOtherMakersLocksAreLookedFor() {
    const auto a = client("a", "by name");
    a->lock(1);
    WatchTerms terms;
    terms.look.foreign = Foreign::kNone;
    terms.look.mutexes = {"by name", "never there"};
    const Watching watch(loop_, url(), terms);
    const auto of = [&](const std::string& name) {
      for (const auto& each : watch.watch.mutexes())
        if (each->name == name && each->maker == kOwnMaker) return each->book.last().owner;
      return std::string("not seen");
    };
    QVERIFY(wait_until([&] { return watch.watch.complete(); }, milliseconds(5000)));
    QVERIFY(wait_until([&] { return of("by name") == "a"; }, milliseconds(3000)));
    QCOMPARE(of("never there"), std::string("not seen"));
  }

  void onPostgresARoleThatMaySelectSufficesAndOneThatMayNotIsTold() {
    const StoreUrl& server = servers_.at(std::string(postgres::store_type().name()))->url();
    postgres::Asker admin(milliseconds(60'000));
    QVERIFY(admin.connect(server).has_value());
    const std::string tables = "leasescope_lock, leasescope_session, leasescope_waiter";
    carried_out(admin, "create role watcher login; grant select on simba_mutex to watcher; grant select on " + tables +
                           " to watcher");
    SessionClient a(loop_, names_, server, "a", "looked at"), b(loop_, names_, server, "b", "looked at");
    QVERIFY(a.connects() && b.connects());
    a.open(milliseconds(60'000));
    b.open(milliseconds(60'000));
    a.lock(1);
    b.waits(1);
    StoreUrl url = server;
    url.user = "watcher";
    WatchTerms terms;
    terms.look.sweep = milliseconds(400);
    const Watching watch(loop_, url, terms);
    QVERIFY(watch.sees("looked at", "a") && waits_in(watch, "looked at", {"b"}));
    const std::vector<std::string>& remarks = watch.watch.stores()[0]->remarks;
    QVERIFY2(remarks.empty(), remarks.empty() ? "" : remarks[0].c_str());
    // Nobody is said to be gone.
    carried_out(admin, "revoke select on leasescope_waiter from watcher");
    QVERIFY(watch.sees("looked at", ""));
    QVERIFY(!remarks.empty());
    QVERIFY2(remarks[0].find("grant select on " + tables + " to watcher") != std::string::npos, remarks[0].c_str());
    carried_out(admin, "grant select on leasescope_waiter to watcher");
    QVERIFY(watch.sees("looked at", "a"));
  }
};

LEASESCOPE_SUITE(FencedWatchedTest)
#include "fenced_watched_test.moc"
