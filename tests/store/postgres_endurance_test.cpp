// What a PostgreSQL does to its clients' sessions, and that contention goes on: backends ended one by one, time-outs of
// the server's own, a standby that takes over. Nobody is granted what another still holds.
#include <QElapsedTimer>

#include "tests/store/postgres_kinds.h"
#include "tests/support/suite.h"

using namespace leasescope;
using namespace leasescope::tests;

namespace {

constexpr const char* kCommands = "query like '%leasescope_contend%' or query like '%leasescope_release%'";
constexpr const char* kMessages = "query like 'listen%'";

// Ends the backends whose last statement is such a one; says how many.
std::string end_backends(const StoreUrl& url, const std::string& which) {
  return by_hand(url, fmt::format("select count(pg_terminate_backend(pid)) from pg_stat_activity where "
                                  "application_name = 'leasescope' and pid <> pg_backend_pid() and ({})",
                                  which));
}

// Several who take a mutex, hold it for a while and give it back, and what became of that: what each was granted, by
// its own clock.
class Crowd {
 public:
  struct Term {
    std::string owner;
    Token token;
    TrueTime granted;  // not after
    TrueTime held;     // until then at least, by the server's word
  };

  Crowd(QtLoop& loop, PlainNames& names, const StoreUrl& url, int size) {
    for (int i = 0; i < size; ++i)
      clients_.push_back(std::make_unique<Client>(loop, names, url, fmt::format("0:{}@c", i + 1)));
  }
  bool connects(milliseconds within) {
    return wait_until(
        [this] { return std::all_of(clients_.begin(), clients_.end(), [](const auto& c) { return c->connected(); }); },
        within);
  }
  // Each in turn asks; who is granted holds for a moment and gives back.
  void contend(milliseconds time) {
    QElapsedTimer timer;
    timer.start();
    for (std::size_t i = 0; timer.elapsed() < time.count(); ++i) take_and_give(*clients_[i % clients_.size()]);
  }
  void take_and_give(Client& client) {
    if (!client.connected()) {
      wait_until([&] { return client.connected(); }, milliseconds(20));
      return;
    }
    const Told got = client.ask(RequestKind::kAcquire, "crowd", kLease);
    if (got.reply.ending != Ending::kOk || !got.reply.done) return;
    terms.push_back({client.owner_in(got), got.reply.token, got.received, got.sent + kLease});
    const Told renewed = client.ask(RequestKind::kGuard, "crowd", kLease);
    if (renewed.reply.ending == Ending::kOk && renewed.reply.done) terms.back().held = renewed.sent + kLease;
    const Told freed = client.ask(RequestKind::kRelease, "crowd");
    if (freed.reply.ending != Ending::kOk || freed.reply.done) terms.back().held = freed.sent;
  }
  // Tokens rise from term to term, and nobody is granted what another still holds.
  std::string violation() const {
    for (std::size_t i = 1; i < terms.size(); ++i)
      if (terms[i].token <= terms[i - 1].token || terms[i].granted < terms[i - 1].held)
        return fmt::format("term {} of {} on term {} of {}", terms[i].token, terms[i].owner, terms[i - 1].token,
                           terms[i - 1].owner);
    return {};
  }
  Client& operator[](std::size_t i) { return *clients_[i]; }

  std::vector<Term> terms;

 private:
  static constexpr milliseconds kLease{600};

  std::vector<std::unique_ptr<Client>> clients_;
};

// A standby that follows that server.
inline StoreUrl& followed() {
  static StoreUrl url;
  return url;
}
ServerRecipe standby_recipe(const ServerPlace& place) {
  ServerRecipe out = postgres_on_tcp(place);
  const std::string data = place.folder + "/data";
  ServerCommand copy = *out.prepare;
  copy.programs = {"pg_basebackup"};
  copy.arguments = {
      "-D",     data,
      "-d",     fmt::format("host={} port={} user=leasescope", followed().endpoint.host, followed().endpoint.port),
      "-R",     "-X",
      "stream", "-c",
      "fast"};
  out.prepare = copy;
  return out;
}
const StoreType& standby_of(const StoreUrl& url) {
  followed() = url;
  static const StoreType type = kind_of_postgres(standby_recipe);
  return type;
}

}  // namespace

class PostgresEnduranceTest : public QObject {
  Q_OBJECT

  QtLoop loop_;
  PlainNames names_;
  PrivateServer server_{tcp_postgres()};

  std::string there(const std::string& sql) { return by_hand(server_.url(), sql); }

 private slots:
  void initTestCase() {
    QVERIFY(server_.start().has_value());
    QVERIFY(probe(server_.url()).has_value());
  }
  void cleanup() { there("alter role leasescope reset all"); }

  void aBackendThatIsEndedEndsItsCallAndIsMadeAnew_data() {
    QTest::addColumn<QString>("which");
    QTest::newRow("of the commands") << kCommands;
    QTest::newRow("of the messages") << kMessages;
    QTest::newRow("both") << "true";
  }
  void aBackendThatIsEndedEndsItsCallAndIsMadeAnew() {
    QFETCH(QString, which);
    const std::string mutex = std::string("m ") + QTest::currentDataTag();
    Client a(loop_, names_, server_.url(), "0:1@a"), b(loop_, names_, server_.url(), "0:2@b");
    QVERIFY(a.connects() && b.connects());
    QCOMPARE(b.ask(RequestKind::kSubscribe, mutex).error, std::string());
    const Told got = a.ask(RequestKind::kAcquire, mutex, milliseconds(30'000));
    QCOMPARE(b.owner_in(b.ask(RequestKind::kAcquire, mutex)), "0:1@a");
    const int before = b.times_connected;
    QVERIFY(end_backends(server_.url(), which.toStdString()) != "0");
    QVERIFY(
        wait_until([&] { return b.times_connected > before && a.connected() && b.connected(); }, milliseconds(5000)));
    const Told renewed = a.ask(RequestKind::kGuard, mutex, milliseconds(30'000));
    QCOMPARE(a.owner_in(renewed), "0:1@a");
    QCOMPARE(renewed.reply.token, got.reply.token);
    QCOMPARE(b.owner_in(b.ask(RequestKind::kAcquire, mutex)), "0:1@a");
    b.events.clear();
    QVERIFY(a.ask(RequestKind::kRelease, mutex).reply.done);
    QVERIFY(b.hears(StoreEventKind::kReleased, "0:1@a"));
  }
  // It waits for a row: what became of it nobody can say.
  void aCallWhoseBackendIsEndedEndsUnknown() {
    Client a(loop_, names_, server_.url(), "0:1@a");
    QVERIFY(a.connects());
    a.ask(RequestKind::kAcquire, "waits", milliseconds(50));
    const auto held = server_.url().type->stall(server_.url(), "waits");
    QVERIFY2(held.has_value(), held ? "" : held.error().c_str());
    const std::uint64_t call = a.send(RequestKind::kAcquire, "waits", milliseconds(600), milliseconds(4000));
    QVERIFY(
        wait_until([&] { return end_backends(server_.url(), "wait_event_type = 'Lock'") == "1"; }, milliseconds(3000)));
    QCOMPARE(a.ending_of(call).reply.ending, Ending::kUnknown);
  }

  void timeOutsOfTheServersOwnEndNoSession_data() {
    QTest::addColumn<QString>("setting");
    QTest::newRow("idle_session_timeout") << "idle_session_timeout = '200ms'";
    QTest::newRow("idle_in_transaction_session_timeout") << "idle_in_transaction_session_timeout = '50ms'";
    QTest::newRow("statement_timeout") << "statement_timeout = '5ms'";
  }
  void timeOutsOfTheServersOwnEndNoSession() {
    QFETCH(QString, setting);
    const std::string mutex = std::string("m ") + QTest::currentDataTag();
    QCOMPARE(there("alter role leasescope set " + setting.toStdString()), std::string());
    const auto looked = probe(server_.url(), {mutex});
    QVERIFY2(looked.has_value(), looked ? "" : looked.error().c_str());
    Client a(loop_, names_, server_.url(), "0:1@a"), b(loop_, names_, server_.url(), "0:2@b");
    QVERIFY2(a.connects() && b.connects(), a.reasons.empty() ? "" : a.reasons.back().c_str());
    QCOMPARE(b.ask(RequestKind::kSubscribe, mutex).error, std::string());
    a.ask(RequestKind::kAcquire, mutex, milliseconds(30'000));
    a.ask(RequestKind::kRelease, mutex);
    QVERIFY(b.hears(StoreEventKind::kReleased, "0:1@a"));
    // A row that another holds for longer than the server's time-out.
    auto held = server_.url().type->stall(server_.url(), mutex);
    QVERIFY(held.has_value() || setting.contains("statement"));
    const std::uint64_t call = a.send(RequestKind::kAcquire, mutex, milliseconds(30'000), milliseconds(4000));
    QTest::qWait(600);  // longer than each of them
    held = std::shared_ptr<void>();
    const Told got = a.ending_of(call);
    QCOMPARE(got.error, std::string());
    QCOMPARE(a.owner_in(got), "0:1@a");
    QVERIFY(b.hears(StoreEventKind::kAcquired, "0:1@a"));
    QCOMPARE(a.times_connected, 1);
    QCOMPARE(b.times_connected, 1);
    QVERIFY(a.reasons.empty() && b.reasons.empty());
  }

  void contentionGoesOnWhileBackendsAreEnded() {
    Crowd crowd(loop_, names_, server_.url(), 4);
    QVERIFY(crowd.connects(milliseconds(5000)));
    for (int i = 0; i < 12; ++i) {
      crowd.contend(milliseconds(150));
      end_backends(server_.url(), i % 3 == 0 ? "true" : "random() < 0.4");
    }
    QVERIFY(crowd.connects(milliseconds(5000)));
    const std::size_t before = crowd.terms.size();
    // A lease that was taken by a call of unknown end may still run.
    QVERIFY(wait_until([&] { return crowd[0].ask(RequestKind::kAcquire, "crowd", milliseconds(50)).reply.done; },
                       milliseconds(3000)));
    crowd.contend(milliseconds(300));
    QVERIFY(before > 10 && crowd.terms.size() > before);
    QCOMPARE(crowd.violation(), std::string());
  }

  void aStandbyThatTakesOverIsFoundAndTokensRiseOn() {
    PrivateServer primary(tcp_postgres());
    QVERIFY(primary.start().has_value());
    PrivateServer standby(standby_of(primary.url()));
    const auto started = standby.start();
    QVERIFY2(started.has_value(), started ? "" : started.error().c_str());
    StoreUrl url = primary.url();
    url.others = {standby.url().endpoint};
    url.options["target_session_attrs"] = "primary";
    QVERIFY(probe(url).has_value());
    // No commit is answered before the standby has it: else the last lease may be lost with the primary.
    by_hand(primary.url(), "alter system set synchronous_standby_names = '*'");
    by_hand(primary.url(), "select pg_reload_conf()");
    QTRY_COMPARE(by_hand(primary.url(), "select count(*) from pg_stat_replication where sync_state = 'sync'"),
                 std::string("1"));
    Crowd crowd(loop_, names_, url, 3);
    QVERIFY(crowd.connects(milliseconds(5000)));
    QCOMPARE(crowd[0].ask(RequestKind::kSubscribe, "crowd").error, std::string());
    crowd.contend(milliseconds(500));
    const std::size_t before = crowd.terms.size();
    QVERIFY(before > 3);
    const Told kept = crowd[1].ask(RequestKind::kAcquire, "kept", milliseconds(60'000));
    QVERIFY(kept.reply.done);
    primary.kill();
    crowd.contend(milliseconds(300));
    QCOMPARE(crowd.terms.size(), before);  // the standby takes no writes
    QElapsedTimer timer;
    timer.start();
    QCOMPARE(by_hand(standby.url(), "select pg_promote()"), std::string("t"));
    QVERIFY(crowd.connects(milliseconds(5000)));
    QVERIFY2(timer.elapsed() < 5000, std::to_string(timer.elapsed()).c_str());
    const Told renewed = crowd[1].ask(RequestKind::kGuard, "kept", milliseconds(60'000));
    QCOMPARE(crowd[1].owner_in(renewed), "0:2@c");
    QCOMPARE(renewed.reply.token, kept.reply.token);
    crowd[0].events.clear();
    crowd.contend(milliseconds(1200));  // a lease that was taken by a call of unknown end may still run
    QVERIFY(crowd.terms.size() > before + 3);
    QCOMPARE(crowd.violation(), std::string());
    QVERIFY(crowd[0].hears(StoreEventKind::kReleased, "0:2@c"));
    // The look before a run finds it as well, and a standby alone is no store.
    QVERIFY(probe(url, {"orders"}).has_value());
  }
  void aStandbyAloneIsRefusedWithTheReason() {
    PrivateServer primary(tcp_postgres());
    QVERIFY(primary.start().has_value());
    PrivateServer standby(standby_of(primary.url()));
    QVERIFY(standby.start().has_value());
    StoreUrl url = standby.url();
    const auto looked = probe(url, {"orders"});
    QVERIFY(!looked);
    QVERIFY2(looked.error().find("name the primary") != std::string::npos, looked.error().c_str());
    url.options["target_session_attrs"] = "primary";
    const auto no_primary = probe(url, {"orders"});
    QVERIFY(!no_primary);
    QVERIFY2(no_primary.error().find("name the primary") != std::string::npos, no_primary.error().c_str());
  }
};

LEASESCOPE_SUITE(PostgresEnduranceTest)
#include "postgres_endurance_test.moc"
