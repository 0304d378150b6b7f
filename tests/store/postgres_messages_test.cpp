// Who watches a PostgreSQL hears of changes on a second line, and polls where nobody tells of them.
#include <algorithm>

#include "core/observe/belief_outlet.h"
#include "core/store/belief_ways.h"
#include "core/store/postgres/mutex_channels.h"
#include "core/store/postgres/texts.h"
#include "tests/store/administration.h"
#include "tests/store/postgres_kinds.h"
#include "tests/store/watching.h"
#include "tests/support/suite.h"

using namespace leasescope;
using namespace leasescope::tests;

namespace {

constexpr RequestKind kAcquire = RequestKind::kAcquire;
constexpr RequestKind kRelease = RequestKind::kRelease;
constexpr milliseconds kLong{60'000};
constexpr milliseconds kNoPoll{30'000};  // no look comes by itself while a test lasts
constexpr milliseconds kSoon{100};

// Our listening sessions: either what they were told, or the question whether they still do.
constexpr const char* kListeners = " from pg_stat_activity where pid <> pg_backend_pid() and query ~ 'listen'";

std::size_t remarks(const Watching& watch, const std::string& what) {
  const std::vector<std::string>& all = watch.watch.stores()[0]->remarks;
  return static_cast<std::size_t>(std::count_if(
      all.begin(), all.end(), [&](const std::string& each) { return each.find(what) != std::string::npos; }));
}

// What an observer says that it has heard.
class Ear final : public ObserverListener {
 public:
  void on_seen(const Sighting& seen) override { sightings.push_back(seen); }
  void on_heard(const HeardChange& change) override { heard.push_back(change); }
  void on_all_seen() override {}
  void on_rest_refused(const std::string&) override {}
  void on_blind(TrueTime, const std::string&) override {}
  void on_sighted() override {}
  void on_hidden(const std::string&, std::string_view, TrueTime) override {}
  void on_remark(const std::string&) override {}

  bool hears(const std::string& owner, bool released) const {
    return wait_until(
        [&] {
          return std::any_of(heard.begin(), heard.end(), [&](const HeardChange& each) {
            return each.mutex == "orders" && each.owner == owner && each.released == released;
          });
        },
        milliseconds(1000));
  }

  std::vector<Sighting> sightings;
  std::vector<HeardChange> heard;
};

}  // namespace

class PostgresMessagesTest : public QObject {
  Q_OBJECT

  QtLoop loop_;
  PlainNames names_;
  PrivateServer server_{postgres::store_type()};
  postgres::Asker admin_{milliseconds(180'000)};
  std::unique_ptr<Client> a_, b_;

  std::string there(const std::string& sql) {
    const auto answer = admin_.ask(sql);
    return answer ? postgres::first_text(*answer) : answer.error();
  }
  bool listens() {
    return wait_until([&] { return there(std::string("select count(*)") + kListeners) == "1"; }, milliseconds(3000));
  }
  // ... and what came before has been looked at.
  bool follows() {
    const bool out = listens();
    wait_until([] { return false; }, milliseconds(300));
    return out;
  }
  // From "a", who holds it, to "b"; each change is known so soon.
  bool handsOver(const Watching& watch, milliseconds within, const std::string& mutex = "orders") {
    a_->ask(kRelease, mutex);
    const bool freed = watch.sees(mutex, "-", within);
    return b_->ask(kAcquire, mutex, kLong).error.empty() && watch.sees(mutex, "b", within) && freed;
  }

 private slots:
  void initTestCase() {
    const auto started = server_.start();
    QVERIFY2(started.has_value(), started ? "" : started.error().c_str());
    QVERIFY(probe(server_.url()).has_value() && admin_.connect(server_.url()).has_value());
    a_ = std::make_unique<Client>(loop_, names_, server_.url(), "a");
    b_ = std::make_unique<Client>(loop_, names_, server_.url(), "b");
    QVERIFY(a_->connects() && b_->connects());
  }
  void init() {
    carried_out(admin_, "delete from simba_mutex");
    QVERIFY(a_->ask(kAcquire, "orders", kLong).error.empty());
    // That of the test before is gone.
    QVERIFY(wait_until([&] { return there(std::string("select count(*)") + kListeners) == "0"; }, milliseconds(3000)));
  }

  void aHandOffIsKnownAtOnce() {
    const Watching watch(loop_, server_.url(), {}, kNoPoll);
    QVERIFY(watch.sees("orders", "a") && follows());
    QVERIFY(handsOver(watch, kSoon));
    QVERIFY(watch.watch.stores()[0]->remarks.empty());
  }
  void whoeverMayOnlyReadHearsIt() {
    carried_out(admin_, "create role reader login; grant select on simba_mutex to reader");
    StoreUrl url = server_.url();
    url.user = "reader";
    const Watching watch(loop_, url, {}, kNoPoll);
    QVERIFY(watch.sees("orders", "a") && follows());
    QVERIFY(handsOver(watch, kSoon));
    QVERIFY(watch.watch.stores()[0]->remarks.empty());
  }
  void whatIsHeardIsHandedOnAndALookFollows() {
    Ear ear;
    ObserverTerms terms;
    terms.poll = kNoPoll;
    const auto observer = server_.url().type->observe(loop_, server_.url(), terms, ear);
    observer->begin();
    QVERIFY(follows());
    a_->ask(kRelease, "orders");
    QVERIFY(ear.hears("a", true));
    QVERIFY(wait_until([&] { return ear.sightings.back().owner.empty(); }, kSoon));
    QVERIFY(b_->ask(kAcquire, "orders", kLong).error.empty());
    QVERIFY(ear.hears("b", false));
    QVERIFY(wait_until([&] { return ear.sightings.back().owner == "b"; }, kSoon));
    QCOMPARE(ear.heard.size(), std::size_t{2});
    // What somebody else says there is no change, and costs a look.
    const std::size_t looks = ear.sightings.size();
    carried_out(admin_, "select pg_notify('" + postgres::channel_of("orders") + "', 'hello')");
    QVERIFY(wait_until([&] { return ear.sightings.size() > looks; }, milliseconds(1000)));
    QCOMPARE(ear.heard.size(), std::size_t{2});
    // It proves nothing: a message may be lost.
    QVERIFY(observer->quiet_until("orders") == TrueTime::min());
  }
  void aMutexThatIsGoneIsNotListenedToAnyMore() {
    Ear ear;
    ObserverTerms terms;
    terms.poll = kPoll;
    const auto observer = server_.url().type->observe(loop_, server_.url(), terms, ear);
    observer->begin();
    QVERIFY(follows());
    const auto say = [&] {
      ear.heard.clear();
      carried_out(admin_, "select pg_notify('" + postgres::channel_of("orders") + "', 'released@@somebody')");
      return ear.hears("somebody", true);
    };
    QVERIFY(say());
    carried_out(admin_, "delete from simba_mutex");
    wait_until([] { return false; }, 2 * kPoll);
    QVERIFY(!say());
  }

  // Its role may have one connection meanwhile, which the looks have.
  void aLineThatIsKilledIsReplacedAndUntilThenItPolls() {
    carried_out(admin_, "create role watcher login; grant select on simba_mutex to watcher");
    StoreUrl url = server_.url();
    url.user = "watcher";
    Watching watch(loop_, url, {}, milliseconds(1000));
    QVERIFY(watch.sees("orders", "a") && follows());
    carried_out(admin_, "alter role watcher connection limit 1");
    QCOMPARE(there(std::string("select count(pg_terminate_backend(pid))") + kListeners), std::string("1"));
    QVERIFY(wait_until([&] { return remarks(watch, "changes are looked for once a poll") == 1; }, milliseconds(3000)));
    QVERIFY2(remarks(watch, "too many connections") == 1, watch.watch.stores()[0]->remarks[0].c_str());
    QVERIFY(!watch.watch.stores()[0]->blind);
    QVERIFY(handsOver(watch, milliseconds(1200)));
    // Nobody tells that it is free: a line that comes back does not know what it has missed, and a look does.
    carried_out(admin_, "alter role watcher connection limit 2");
    QVERIFY(follows());
    QVERIFY(b_->ask(kRelease, "orders").error.empty() && watch.sees("orders", "-", kSoon));
    QVERIFY(a_->ask(kAcquire, "orders", kLong).error.empty() && watch.sees("orders", "a", kSoon));
    QCOMPARE(watch.watch.stores()[0]->remarks.size(), std::size_t{1});
    QCOMPARE(watch.told("orders"), (QStringList{"granted", "released", "granted", "released", "granted"}));
  }

  void behindAPoolerItPollsAndSaysSo_data() {
    QTest::addColumn<QString>("mode");
    for (const char* mode : {"transaction", "statement", "session"}) QTest::newRow(mode) << QString(mode);
  }
  void behindAPoolerItPollsAndSaysSo() {
    QFETCH(const QString, mode);
    PrivateServer pooler(pgbouncer({server_.url(), mode.toStdString(), 1}));
    const auto started = pooler.start();
    QVERIFY2(started.has_value(), started ? "" : started.error().c_str());
    WatchTerms terms;
    if (mode == QStringLiteral("statement")) terms.look.foreign = Foreign::kNone;  // they are several statements
    terms.look.beliefs = true;
    const Watching watch(loop_, pooler.url(), terms);
    QVERIFY(watch.sees("orders", "a"));
    const char* const polls = "changes are looked for once a poll, as nobody tells of them: a pooler in between";
    QVERIFY(wait_until([&] { return remarks(watch, polls) == 1; }, milliseconds(3000)));
    QVERIFY(handsOver(watch, kPoll + milliseconds(200)));
    QCOMPARE(remarks(watch, "changes are looked for once a poll"), std::size_t{1});
    QCOMPARE(remarks(watch, "beliefs are not observed: a pooler in between"), std::size_t{1});
    // No session of the server's was told anything that stays in it.
    QCOMPARE(there(std::string("select count(*)") + kListeners), std::string("0"));
  }

  // A line that breaks is there again in a moment, and hears them again: that is no reason to say that nobody does.
  void aLineThatIsKilledHearsBeliefsAgain() {
    WatchTerms terms;
    terms.look.beliefs = true;
    const Watching watch(loop_, server_.url(), terms);
    QVERIFY(watch.sees("orders", "a") && follows());
    QCOMPARE(there(std::string("select count(pg_terminate_backend(pid))") + kListeners), std::string("1"));
    QVERIFY(wait_until([&] { return there(std::string("select count(*)") + kListeners) == "0"; }, milliseconds(3000)));
    QVERIFY(follows());
    const auto outlet = open_belief_outlet(loop_, {}, server_.url(), [](const std::string&) {});
    QVERIFY(wait_until(
        [&] {
          outlet->waits("orders", "c");
          return watch.find("orders")->beliefs != nullptr && !watch.find("orders")->beliefs->all().empty();
        },
        milliseconds(3000)));
    QVERIFY(watch.watch.stores()[0]->remarks.empty());
  }

  void beyondSoManyMutexesTheOthersArePolledAndThatIsSaid() {
    carried_out(admin_,
                "insert into simba_mutex select 'm' || lpad(i::text, 4, '0'), 0, 0, 0, '', 0, 0 from "
                "generate_series(1, " +
                    std::to_string(postgres::kMostChannels + 100) + ") as i");
    for (const char* mutex : {"m0001", "m1100"}) QVERIFY(a_->ask(kAcquire, mutex, kLong).error.empty());
    const Watching watch(loop_, server_.url(), {}, kNoPoll);
    QVERIFY(watch.sees("m0001", "a") && watch.sees("m1100", "a") && follows());
    QCOMPARE(remarks(watch, "changes of 1000 mutexes are heard of at once"), std::size_t{1});
    QVERIFY(handsOver(watch, kSoon, "m0001"));
    QVERIFY(!handsOver(watch, milliseconds(300), "m1100"));
    const Watching polls(loop_, server_.url());
    QVERIFY(polls.sees("m1100", "b"));
    QVERIFY(b_->ask(kRelease, "m1100").error.empty());
    QVERIFY(polls.sees("m1100", "-", kPoll + milliseconds(300)));
  }
};

LEASESCOPE_SUITE(PostgresMessagesTest)
#include "postgres_messages_test.moc"
