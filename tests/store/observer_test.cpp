// Whoever only looks: who holds, for how much longer, and when that changed; the same for every store that can be
// watched.
#include <algorithm>
#include <map>

#include "core/contend/driver/contention.h"
#include "core/observe/watch.h"
#include "core/observe/watched_row.h"
#include "core/store/zookeeper/asker.h"
#include "core/store/zookeeper/store_type.h"
#include "tests/store/watching.h"
#include "tests/support/stores.h"
#include "tests/support/suite.h"

using namespace leasescope;
using namespace leasescope::tests;

namespace {

constexpr RequestKind kAcquire = RequestKind::kAcquire;
constexpr RequestKind kGuard = RequestKind::kGuard;
constexpr RequestKind kRelease = RequestKind::kRelease;

// Those of leases; latches have a test of their own.
std::vector<const StoreType*> watched_stores() {
  std::vector<const StoreType*> out;
  for (const StoreType* type : lease_stores())
    if (type->observe != nullptr) out.push_back(type);
  return out;
}
void each_watched_store() {
  QTest::addColumn<bool>("of no use");
  for (const StoreType* type : watched_stores()) QTest::newRow(type->name().data()) << true;
}

}  // namespace

class ObserverTest : public QObject {
  Q_OBJECT

  QtLoop loop_;
  PlainNames names_;
  std::map<std::string, std::unique_ptr<PrivateServer>> servers_;
  int mutexes_ = 0;
  std::string mutex_;

  PrivateServer& server() { return *servers_.at(QTest::currentDataTag()); }
  const StoreType& type() { return *server().url().type; }
  std::unique_ptr<Client> client(const std::string& id) {
    auto out = std::make_unique<Client>(loop_, names_, server().url(), id);
    if (!out->connects()) qFatal("%s does not connect", id.c_str());
    return out;
  }

 private slots:
  void initTestCase() {
    for (const StoreType* each : watched_stores()) {
      auto& made = servers_[std::string(each->name())] = std::make_unique<PrivateServer>(*each);
      const auto started = made->start();
      QVERIFY2(started.has_value(), started ? "" : started.error().c_str());
      const auto looked = probe(made->url());
      QVERIFY2(looked.has_value(), looked ? "" : looked.error().c_str());
    }
  }
  void init() { mutex_ = "orders-" + std::to_string(++mutexes_); }

  void whoHoldsIsSeenAndForHowMuchLonger_data() { each_watched_store(); }
  void whoHoldsIsSeenAndForHowMuchLonger() {
    const auto a = client("a");
    const Told held = a->ask(kAcquire, mutex_);
    QVERIFY2(held.error.empty(), held.error.c_str());
    const Watching of(loop_, server().url());
    QVERIFY(of.sees(mutex_, "a"));
    const WatchedRow row = row_of(*of.find(mutex_), loop_.now());
    QVERIFY(row.state == WatchState::kHeld);
    QCOMPARE(row.token, held.reply.token);
    QVERIFY2(row.left && *row.left > milliseconds(3000) && *row.left <= milliseconds(5000),
             std::to_string(row.left->count()).c_str());
    QVERIFY(!row.lasts_most);  // it may have been so for ever
    QVERIFY(wait_until([&] { return of.watch.complete(); }, milliseconds(3000)));
    QVERIFY(!of.find(mutex_)->book.last().raw.empty());
  }

  void aHandOffByAnotherIsSeenAtOnceOrByTheNextLook_data() { each_watched_store(); }
  void aHandOffByAnotherIsSeenAtOnceOrByTheNextLook() {
    const auto a = client("a"), b = client("b");
    a->ask(kAcquire, mutex_, milliseconds(10'000));
    Watching of(loop_, server().url());
    QVERIFY(of.sees(mutex_, "a"));
    const milliseconds late = type().tells && type().name() == "redis" ? milliseconds(100) : kPoll + milliseconds(100);
    a->ask(kRelease, mutex_);
    QVERIFY(of.sees(mutex_, "-", late));
    b->ask(kAcquire, mutex_, milliseconds(10'000));
    QVERIFY(of.sees(mutex_, "b", late));
    QCOMPARE(of.told(mutex_), (QStringList{"granted", "released", "granted"}));
    QCOMPARE(of.find(mutex_)->handoffs.size(), std::size_t{1});
    const History& history = of.watch.history();
    for (const Event& event : history.events) QVERIFY(event.lo <= event.hi);
  }

  // Its term may lie between two looks that find it free: then that time was not observed.
  void thatSomebodyOwnedItForAMomentIsNotDenied_data() { each_watched_store(); }
  void thatSomebodyOwnedItForAMomentIsNotDenied() {
    const auto a = client("a");
    a->ask(kAcquire, mutex_);
    a->ask(kRelease, mutex_);
    Watching of(loop_, server().url());
    QVERIFY(of.sees(mutex_, "-"));
    const auto told = [&] {
      const History& history = of.watch.history();
      return std::count_if(history.events.begin(), history.events.end(),
                           [&](const Event& event) { return history.names.text(event.mutex) == mutex_; });
    };
    const auto before = told();
    QVERIFY(a->ask(kAcquire, mutex_).reply.done);
    QVERIFY(a->ask(kRelease, mutex_).reply.done);
    QVERIFY(wait_until([&] { return told() > before && of.owner(mutex_) == "-"; }, milliseconds(3000)));
  }

  void aDeadHoldersLeaseIsOverWithinAHundredMilliseconds_data() { each_watched_store(); }
  void aDeadHoldersLeaseIsOverWithinAHundredMilliseconds() {
    const auto a = client("a");
    const Told held = a->ask(kAcquire, mutex_, milliseconds(1500));
    Watching of(loop_, server().url());
    QVERIFY(of.sees(mutex_, "a"));
    QVERIFY(of.sees(mutex_, "-"));
    const TrueTime seen = of.find(mutex_)->book.since_hi();
    QVERIFY2(seen - held.received <= milliseconds(1600), std::to_string((seen - held.received).count()).c_str());
    QVERIFY2(seen - held.sent >= milliseconds(1500), std::to_string((seen - held.sent).count()).c_str());
    QCOMPARE(of.told(mutex_), (QStringList{"granted", "expired"}));
  }

  void renewalsAreSeen_data() { each_watched_store(); }
  void renewalsAreSeen() {
    const auto a = client("a");
    a->ask(kAcquire, mutex_, milliseconds(1000));
    Watching of(loop_, server().url());
    QVERIFY(of.sees(mutex_, "a"));
    for (int i = 0; i < 4; ++i) {
      wait_until([] { return false; }, milliseconds(400));
      QVERIFY(a->ask(kGuard, mutex_, milliseconds(1000)).reply.done);
    }
    wait_until([] { return false; }, milliseconds(400));
    QCOMPARE(of.owner(mutex_), std::string("a"));
    const QStringList told = of.told(mutex_);
    QVERIFY2(told.count(QStringLiteral("renewed")) >= 2, qPrintable(told.join(u' ')));
    QVERIFY(!told.contains(QStringLiteral("expired")) && told.count(QStringLiteral("granted")) == 1);
  }

  void aServerThatIsAwayIsNotObservedAndNobodyIsSaidToBeFree_data() { each_watched_store(); }
  void aServerThatIsAwayIsNotObservedAndNobodyIsSaidToBeFree() {
    PrivateServer own(type());
    QVERIFY(own.start().has_value());
    QVERIFY(probe(own.url()).has_value());
    Client a(loop_, names_, own.url(), "a");
    QVERIFY(a.connects());
    a.ask(kAcquire, mutex_, milliseconds(60'000));
    Watching of(loop_, own.url());
    QVERIFY(of.sees(mutex_, "a"));
    own.kill();
    QVERIFY(of.sees(mutex_, "", milliseconds(5000)));
    QVERIFY(of.watch.stores()[0]->blind && !of.watch.stores()[0]->why.empty());
    QVERIFY(row_of(*of.find(mutex_), loop_.now()).state == WatchState::kNotObserved);
    QCOMPARE(of.told(mutex_), QStringList{"granted"});
    QVERIFY(own.start_again().has_value());
    QVERIFY(wait_until([&] { return !of.owner(mutex_).empty(); }, milliseconds(10'000)));
    QVERIFY(!of.watch.stores()[0]->blind);
  }

  // A gap does not begin when something was asked last, which of what does not change is long ago.
  void upToItsLastSignOfLifeAServerWasObserved_data() { each_watched_store(); }
  void upToItsLastSignOfLifeAServerWasObserved() {
    PrivateServer own(type());
    QVERIFY(own.start().has_value());
    QVERIFY(probe(own.url()).has_value());
    Client a(loop_, names_, own.url(), "a");
    QVERIFY(a.connects());
    a.ask(kAcquire, mutex_, milliseconds(60'000));
    Watching of(loop_, own.url());
    QVERIFY(of.sees(mutex_, "a"));
    wait_until([] { return false; }, milliseconds(2500));
    const TrueTime killed = loop_.now();
    own.kill();
    QVERIFY(of.sees(mutex_, "", milliseconds(5000)));
    const History& history = of.watch.history();
    const auto gap = std::find_if(history.events.rbegin(), history.events.rend(),
                                  [](const Event& event) { return event.kind == EventKind::kUnobservedBegan; });
    QVERIFY(gap != history.events.rend());
    const Duration unknown = killed - gap->lo;
    QVERIFY2(unknown < milliseconds(1000), std::to_string(unknown.count()).c_str());
    QVERIFY2(unknown > -milliseconds(500), std::to_string(unknown.count()).c_str());
    QVERIFY(killed - of.watch.stores()[0]->blind_since < milliseconds(1000));
  }

  // It takes bytes, and answers nothing: no error tells of that.
  void aServerThatIsFrozenIsNotObserved_data() { each_watched_store(); }
  void aServerThatIsFrozenIsNotObserved() {
    PrivateServer own(type());
    QVERIFY(own.start().has_value());
    QVERIFY(probe(own.url()).has_value());
    Client a(loop_, names_, own.url(), "a");
    QVERIFY(a.connects());
    a.ask(kAcquire, mutex_, milliseconds(60'000));
    Watching of(loop_, own.url());
    QVERIFY(of.sees(mutex_, "a"));
    own.freeze();
    const bool blind = of.sees(mutex_, "", milliseconds(8000));
    own.thaw();
    QVERIFY(blind);
    QVERIFY(of.sees(mutex_, "a", milliseconds(8000)));
    const QStringList told = of.told(mutex_);
    QVERIFY2(!told.contains(QStringLiteral("expired")) && !told.contains(QStringLiteral("released")),
             qPrintable(told.join(u' ')));
  }

  void aStoreThatIsNotThereIsBlindFromTheBeginningAndSaysWhy_data() { each_watched_store(); }
  void aStoreThatIsNotThereIsBlindFromTheBeginningAndSaysWhy() {
    StoreUrl nobody = server().url();
    nobody.endpoint = Endpoint{"127.0.0.1", 1, ""};
    const Watching of(loop_, nobody);
    QVERIFY(
        wait_until([&] { return of.watch.stores()[0]->why.find("refused") != std::string::npos; }, milliseconds(5000)));
    QVERIFY(!of.watch.complete() && of.watch.mutexes().empty());
  }

  void aStoreWithoutAMutexIsKnownAtOnce_data() { each_watched_store(); }
  void aStoreWithoutAMutexIsKnownAtOnce() {
    PrivateServer own(type());
    QVERIFY(own.start().has_value());
    const Watching of(loop_, own.url());
    QVERIFY(wait_until([&] { return of.watch.complete(); }, milliseconds(2000)));
    QVERIFY(of.watch.mutexes().empty());
  }

  void whoIsAskedForByNameIsSeenThoughNobodyHasEverHeldIt_data() { each_watched_store(); }
  void whoIsAskedForByNameIsSeenThoughNobodyHasEverHeldIt() {
    const auto a = client("a");
    a->ask(kAcquire, mutex_ + "-other");
    WatchTerms terms;
    terms.look.mutexes = {mutex_};
    const Watching of(loop_, server().url(), terms);
    QVERIFY(wait_until([&] { return of.watch.complete(); }, milliseconds(3000)));
    QCOMPARE(of.owner(mutex_), std::string("-"));
    QCOMPARE(of.watch.mutexes().size(), std::size_t{1});
  }

  // Whoever leads is seen with who waits; watches tell of each change.
  void aLatchsLeaderIsSeenAndWhoLeadsNext() {
    PrivateServer own(zookeeper::store_type());
    const auto started = own.start();
    QVERIFY2(started.has_value(), started ? "" : started.error().c_str());
    const auto contend = [&](std::unique_ptr<Contention>& as, const char* id) {
      Contention::Events events;
      events.acquired = [&as](Token, TrueTime) { as->acquired_done(); };
      events.confirmed = [](TrueTime) {};
      events.released = [&as](DisbeliefReason) { as->work_done(); };
      events.others = [](const std::string&) {};
      events.trouble = [](const std::string&) {};
      events.stopped = [] {};
      as = std::make_unique<Contention>(loop_, own.url(), id, "orders", LeaseTerms{}, milliseconds(1000), events);
      as->start();
    };
    std::unique_ptr<Contention> a, b;
    Watching of(loop_, own.url());
    QVERIFY(wait_until([&] { return of.watch.complete(); }, milliseconds(5000)));
    QVERIFY(of.watch.mutexes().empty());
    contend(a, "a");
    QVERIFY(of.sees("orders", "a", milliseconds(5000)));
    contend(b, "b");
    QVERIFY(wait_until([&] { return of.find("orders")->book.last().waiters == 1u; }, milliseconds(5000)));
    QVERIFY(!row_of(*of.find("orders"), loop_.now()).left);  // no clock ends it
    a->stop();
    QVERIFY(of.sees("orders", "b", milliseconds(1000)));
    QCOMPARE(of.told("orders"), (QStringList{"granted", "released", "granted"}));
    // Nothing changes: a sign of life a poll tells that it is not for want of an answer.
    QTest::qWait(1500);
    const History ended = of.watch.ended();
    QCOMPARE(ended.events.size(), std::size_t{1});
    QVERIFY(ended.events.front().kind == EventKind::kUnobservedBegan);
    QVERIFY2(loop_.now() - ended.events.front().hi < 3 * kPoll, "known until long before");
    b->stop();
    QVERIFY(of.sees("orders", "-", milliseconds(1000)));
  }

  // The server removes one that has been empty for long; no watch stays behind.
  void aLatchsFolderThatWentAndCameIsWatchedAsBefore() {
    PrivateServer own(zookeeper::store_type());
    QVERIFY(own.start().has_value());
    zookeeper::Asker maker(milliseconds(60'000));
    QVERIFY(maker.connect(own.url()).has_value());
    const auto made = [&](const std::string& path, const std::string& data, zookeeper::Session::Kind kind) {
      const auto node = maker.create(path, data, kind);
      if (!node) qFatal("%s: %s", path.c_str(), node.error().c_str());
      return *node;
    };
    const auto folder = [&] { made("/simba/orders", "", zookeeper::Session::Kind::kContainer); };
    const auto leads = [&](const char* who) {
      return made("/simba/orders/latch-", who, zookeeper::Session::Kind::kNumbered);
    };
    made("/simba", "", zookeeper::Session::Kind::kContainer);
    folder();
    const std::string first = leads("a");
    const Watching of(loop_, own.url());
    QVERIFY(of.sees("orders", "a"));
    QVERIFY(maker.remove(first).has_value() && maker.remove("/simba/orders").has_value());
    QVERIFY(of.sees("orders", "-", milliseconds(500)));
    wait_until([] { return false; }, milliseconds(200));  // it is seen to be gone
    folder();
    wait_until([] { return false; }, milliseconds(200));
    const std::string second = leads("b");
    QVERIFY(of.sees("orders", "b", milliseconds(500)));
    leads("c");
    QVERIFY(maker.remove(second).has_value());
    QVERIFY(of.sees("orders", "c", milliseconds(500)));
  }

  // Its node came and went before its folder was listed: the number of that folder's last change says so.
  void thatSomebodyLedALatchForAMomentIsNotDenied() {
    PrivateServer own(zookeeper::store_type());
    QVERIFY(own.start().has_value());
    zookeeper::Asker maker(milliseconds(60'000));
    QVERIFY(maker.connect(own.url()).has_value());
    using Kind = zookeeper::Session::Kind;
    for (const char* folder : {"/simba", "/simba/orders"}) QVERIFY(maker.create(folder, "", Kind::kContainer));
    Watching of(loop_, own.url());
    QVERIFY(of.sees("orders", "-"));
    wait_until([] { return false; }, milliseconds(200));  // its folder is watched by now
    const std::size_t before = of.gaps("orders");
    const auto node = maker.create("/simba/orders/latch-", "a", Kind::kNumbered);
    QVERIFY(node && maker.remove(*node));
    QVERIFY(wait_until([&] { return of.gaps("orders") == before + 1; }, milliseconds(1000)));
    QCOMPARE(of.owner("orders"), std::string("-"));
    // That an empty folder goes, or comes anew, is no term of anybody.
    QVERIFY(maker.remove("/simba/orders"));
    wait_until([] { return false; }, milliseconds(200));
    QVERIFY(maker.create("/simba/orders", "", Kind::kContainer));
    wait_until([] { return false; }, milliseconds(200));
    QCOMPARE(of.gaps("orders"), before + 1);
  }

  void namesLikeAPatternAloneAreShown_data() { each_watched_store(); }
  void namesLikeAPatternAloneAreShown() {
    const auto a = client("a");
    a->ask(kAcquire, mutex_ + "-x");
    a->ask(kAcquire, mutex_ + "-y");
    WatchTerms terms;
    terms.glob = mutex_ + "-*x";
    const Watching of(loop_, server().url(), terms);
    QVERIFY(of.sees(mutex_ + "-x", "a"));
    QVERIFY(wait_until([&] { return of.watch.complete(); }, milliseconds(3000)));
    QVERIFY(of.find(mutex_ + "-y") == nullptr);
  }
};

LEASESCOPE_SUITE(ObserverTest)
#include "observer_test.moc"
