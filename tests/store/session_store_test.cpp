// Fenced locks on every live store that keeps them: sessions, a queue, re-entry, and answers that are remembered.
#include <map>
#include <random>
#include <set>

#include <fmt/format.h>

#include "core/store/postgres/store_type.h"
#include "simulator/live/fault_proxy.h"
#include "simulator/model/cp/cp_model.h"
#include "tests/store/ruled.h"
#include "tests/store/session_client.h"
#include "tests/support/suite.h"

using namespace leasescope;
using namespace leasescope::tests;

namespace {

std::vector<const StoreType*> session_stores() {
  std::vector<const StoreType*> out;
  for (const StoreType* type : store_types())
    if (type->carries(Family::kSession)) out.push_back(type);
  return out;
}

// Of what asks a store itself, and so waits.
template <class Asks>
bool soon(Asks asks) {
  for (int i = 0; i < 200; ++i) {
    if (asks()) return true;
    wait_until([] { return false; }, milliseconds(25));
  }
  return false;
}

}  // namespace

class SessionStoreTest : public QObject {
  Q_OBJECT

  std::map<std::string, std::unique_ptr<PrivateServer>> servers_;
  QtLoop loop_;
  PlainNames names_;

  static void rows() {
    QTest::addColumn<bool>("of no use");
    for (const StoreType* type : session_stores()) QTest::newRow(type->name().data()) << true;
  }
  const StoreUrl& url() const { return servers_.at(QTest::currentDataTag())->url(); }
  std::unique_ptr<SessionClient> client(const std::string& id, Duration ttl = milliseconds(5000)) {
    auto out = std::make_unique<SessionClient>(loop_, names_, url(), id, QTest::currentTestFunction());
    if (!out->connects() || !out->open(ttl).error.empty()) return nullptr;
    return out;
  }
  static bool ended(const Told& each, SessionAnswer answer) {
    if (each.error.empty() && each.reply.ending == Ending::kOk && answer_in(each) == answer) return true;
    qWarning("answer %d, ending %d, error \"%s\"", each.reply.answer, static_cast<int>(each.reply.ending),
             each.error.c_str());
    return false;
  }

 private slots:
  void initTestCase() {
    for (const StoreType* type : session_stores()) {
      auto& server = servers_[std::string(type->name())];
      server = std::make_unique<PrivateServer>(*type);
      const auto started = server->start();
      QVERIFY2(started.has_value(), started ? "" : started.error().c_str());
      const auto looked = probe(server->url(), {"orders"}, Family::kSession);
      QVERIFY2(looked.has_value(), looked ? "" : looked.error().c_str());
    }
    QVERIFY(!servers_.empty());
  }

  void aSessionIsOpenedAndAFreeLockTaken_data() { rows(); }
  void aSessionIsOpenedAndAFreeLockTaken() {
    SessionClient a(loop_, names_, url(), "a", QTest::currentTestFunction());
    QVERIFY(a.connects());
    const Told opened = a.open(milliseconds(5000));
    QVERIFY(ended(opened, SessionAnswer::kDone));
    QVERIFY(a.session != 0);
    QCOMPARE(opened.reply.remaining, Duration(milliseconds(500)));  // it is to send a heartbeat so often
    const Told taken = a.lock(1);
    QVERIFY(ended(taken, SessionAnswer::kDone));
    QVERIFY(taken.reply.token > kNoToken);
    QCOMPARE(taken.reply.number, std::uint64_t{1});
    const Told seen = a.ask(RequestKind::kQuery);
    QCOMPARE(seen.reply.owner, a.id());
    QCOMPARE(seen.reply.token, taken.reply.token);
    QVERIFY(seen.reply.done);
    QVERIFY(ended(a.unlock(2), SessionAnswer::kDone));
    QVERIFY(a.ask(RequestKind::kQuery).reply.owner.empty());
    QVERIFY(ended(a.ask(RequestKind::kCloseSession), SessionAnswer::kDone));
    QVERIFY(ended(a.ask(RequestKind::kHeartbeat), SessionAnswer::kSessionEnded));
  }
  void whoAsksTwiceUnderOneUidIsAnsweredAsBefore_data() { rows(); }
  void whoAsksTwiceUnderOneUidIsAnsweredAsBefore() {
    const auto a = client("a"), b = client("b");
    QVERIFY(a && b);
    const Told once = a->lock(1), again = a->lock(1);
    QCOMPARE(again.reply.token, once.reply.token);
    QCOMPARE(again.reply.number, std::uint64_t{1});
    const Told entered = a->lock(2);  // another call enters once more, by the same fence
    QCOMPARE(entered.reply.number, std::uint64_t{2});
    QCOMPARE(entered.reply.token, once.reply.token);
    QCOMPARE(a->unlock(3).reply.number, std::uint64_t{1});
    QCOMPARE(a->unlock(3).reply.number, std::uint64_t{1});
    QCOMPARE(a->unlock(4).reply.number, std::uint64_t{0});
    const Told next = b->lock(1);
    QVERIFY(next.reply.token > once.reply.token);
    QVERIFY(ended(a->unlock(4), SessionAnswer::kDone));  // also when another holds by now
    QVERIFY(ended(a->unlock(5), SessionAnswer::kNotOwner));
  }
  void whoWaitsIsServedInTheOrderOfTheRequests_data() { rows(); }
  void whoWaitsIsServedInTheOrderOfTheRequests() {
    const auto a = client("a"), b = client("b"), c = client("c");
    QVERIFY(a && b && c);
    const Token first = a->lock(1).reply.token;
    const std::uint64_t of_b = b->waits(1), of_c = c->waits(1);
    QVERIFY(b->find(of_b) == nullptr && c->find(of_c) == nullptr);
    QVERIFY(ended(a->unlock(2), SessionAnswer::kDone));
    const Told to_b = b->ending_of(of_b, milliseconds(1000));
    QVERIFY(ended(to_b, SessionAnswer::kDone));
    QVERIFY(to_b.reply.token > first);
    QVERIFY(c->find(of_c) == nullptr);
    QVERIFY(ended(b->unlock(2), SessionAnswer::kDone));
    const Told to_c = c->ending_of(of_c, milliseconds(1000));
    QVERIFY(ended(to_c, SessionAnswer::kDone));
    QVERIFY(to_c.reply.token > to_b.reply.token);
  }
  void aFenceIsOfTheRequestNotOfTheGrant_data() { rows(); }
  void aFenceIsOfTheRequestNotOfTheGrant() {
    const auto a = client("a"), b = client("b");
    QVERIFY(a && b);
    QVERIFY(ended(a->lock(1), SessionAnswer::kDone));
    const std::uint64_t of_b = b->waits(1);
    SessionClient other(loop_, names_, url(), "other", "a lock beside it");
    QVERIFY(other.connects() && other.open().error.empty());
    const Told beside = other.lock(1);
    QVERIFY(ended(a->unlock(2), SessionAnswer::kDone));
    QVERIFY(b->ending_of(of_b).reply.token < beside.reply.token);
  }
  void aTryThatTakesTooLongEndsAndStaysSo_data() { rows(); }
  void aTryThatTakesTooLongEndsAndStaysSo() {
    const auto a = client("a"), b = client("b");
    QVERIFY(a && b);
    QVERIFY(ended(a->lock(1), SessionAnswer::kDone));
    QVERIFY(ended(b->try_lock(1), SessionAnswer::kNotLocked));
    const Told tried = b->try_lock(2, milliseconds(200));
    QVERIFY(ended(tried, SessionAnswer::kNotLocked));
    QVERIFY(tried.received - tried.sent >= milliseconds(199));
    QVERIFY(tried.received - tried.sent < milliseconds(900));
    QVERIFY(ended(a->unlock(2), SessionAnswer::kDone));
    QVERIFY(ended(b->try_lock(2, milliseconds(200)), SessionAnswer::kNotLocked));
    QVERIFY(ended(b->try_lock(3), SessionAnswer::kDone));
  }
  void aNewerCallTakesThePlaceOfAnOlder_data() { rows(); }
  void aNewerCallTakesThePlaceOfAnOlder() {
    const auto a = client("a"), b = client("b");
    QVERIFY(a && b);
    QVERIFY(ended(a->lock(1), SessionAnswer::kDone));
    const std::uint64_t older = b->waits(1), newer = b->waits(2);
    QVERIFY(ended(b->ending_of(older), SessionAnswer::kCancelled));
    QVERIFY(b->find(newer) == nullptr);
    QVERIFY(ended(b->unlock(3), SessionAnswer::kNotOwner));  // and whoever unlocks waits no more
    QVERIFY(ended(b->ending_of(newer), SessionAnswer::kCancelled));
  }
  void whoGaveUpWaitingIsAnsweredWhenItAsksAgain_data() { rows(); }
  void whoGaveUpWaitingIsAnsweredWhenItAsksAgain() {
    const auto a = client("a"), b = client("b");
    QVERIFY(a && b);
    QVERIFY(ended(a->lock(1), SessionAnswer::kDone));
    b->timeout = milliseconds(300);
    const std::uint64_t given_up = b->waits(1);
    const Told unknown = b->ending_of(given_up);
    QCOMPARE(unknown.reply.ending, Ending::kUnknown);
    QVERIFY(b->store().connected());  // nothing is wrong with its lines
    QVERIFY(ended(a->unlock(2), SessionAnswer::kDone));
    QVERIFY(ended(b->lock(1), SessionAnswer::kDone));
    QCOMPARE(b->lock(2).reply.number, std::uint64_t{2});
  }
  // As its holder's session may be over it looks again, at a server that has fallen silent by then.
  void whoWaitsAtASilentPostgresDoesNotTrustItsLineAnyMore_data() {
    QTest::addColumn<bool>("of no use");
    QTest::newRow(postgres::store_type().name().data()) << true;
  }
  void whoWaitsAtASilentPostgresDoesNotTrustItsLineAnyMore() {
    FaultProxy proxy(loop_, url().endpoint, *url().type, true);
    const auto through = proxy.listen();
    QVERIFY(through.has_value());
    const auto a = client("a", milliseconds(1000));
    SessionClient b(loop_, names_, url(), "b", QTest::currentTestFunction(), StoreRoute{*through, *through});
    QVERIFY(a && b.connects() && b.open().error.empty());
    QVERIFY(ended(a->lock(1), SessionAnswer::kDone));
    b.timeout = milliseconds(2000);
    const std::uint64_t given_up = b.waits(1);
    QVERIFY(b.find(given_up) == nullptr);
    proxy.stall(LinkDirection::kBoth);
    QCOMPARE(b.ending_of(given_up).reply.ending, Ending::kUnknown);
    QVERIFY(!b.store().connected());
    proxy.resume(LinkDirection::kBoth);
    QVERIFY(b.connects());
    QVERIFY(ended(b.lock(1), SessionAnswer::kDone));
  }
  void whatASilentHolderHeldIsHandedOnWhenItsSessionIsOver_data() { rows(); }
  void whatASilentHolderHeldIsHandedOnWhenItsSessionIsOver() {
    const auto a = client("a", milliseconds(600)), b = client("b"), c = client("c");
    QVERIFY(a && b && c);
    const Told held = a->lock(1);
    a->store().stand_still(true);
    const std::uint64_t of_b = b->waits(1), of_c = c->waits(1);
    const Told next = b->ending_of(of_b, milliseconds(2000));
    QVERIFY(ended(next, SessionAnswer::kDone));
    QVERIFY(next.received - held.sent >= milliseconds(600));
    // ZooKeeper looks after sessions every tick, of a quarter of a second here.
    QVERIFY2(next.received - held.received < milliseconds(url().type->rows ? 800 : 1200),
             std::to_string((next.received - held.received).count()).c_str());
    QVERIFY(c->find(of_c) == nullptr);
    a->store().stand_still(false);
    QVERIFY(soon([&] { return a->ask(RequestKind::kHeartbeat).reply.ending == Ending::kOk; }));
    const Told seen = a->ask(RequestKind::kQuery);
    QVERIFY(!seen.reply.done);
    QCOMPARE(seen.reply.owner, b->id());
    QVERIFY(ended(a->ask(RequestKind::kHeartbeat), SessionAnswer::kSessionEnded));
    QVERIFY(ended(a->unlock(2), SessionAnswer::kSessionEnded));
    QVERIFY(ended(a->lock(3), SessionAnswer::kSessionEnded));
    QVERIFY(a->open().error.empty());
  }
  void aHeartbeatKeepsASessionAndAQuestionDoesNot_data() { rows(); }
  void aHeartbeatKeepsASessionAndAQuestionDoesNot() {
    const auto a = client("a", milliseconds(500)), b = client("b", milliseconds(500));
    QVERIFY(a && b);
    // Where its client's library keeps a session alive by itself a question need not.
    const bool by_itself = !url().type->rows;
    const TrueTime begun = loop_.now();
    while (loop_.now() - begun < milliseconds(1000)) {
      QVERIFY(ended(a->ask(RequestKind::kHeartbeat), SessionAnswer::kDone));
      QVERIFY(ended(b->ask(RequestKind::kQuery), SessionAnswer::kDone));
      wait_until([] { return false; }, milliseconds(50));
    }
    QVERIFY(ended(a->lock(1), SessionAnswer::kDone));
    if (by_itself) QVERIFY(ended(a->unlock(2), SessionAnswer::kDone));
    QVERIFY(ended(b->lock(1), by_itself ? SessionAnswer::kDone : SessionAnswer::kSessionEnded));
  }
  void whoStandsStillAsksNothingButIsNotForgottenEither_data() { rows(); }
  void whoStandsStillAsksNothingButIsNotForgottenEither() {
    const auto a = client("a"), b = client("b");
    QVERIFY(a && b);
    QVERIFY(ended(a->lock(1), SessionAnswer::kDone));
    const std::uint64_t of_b = b->waits(1);
    b->store().stand_still(true);
    QVERIFY(ended(a->unlock(2), SessionAnswer::kDone));
    QCOMPARE(a->ask(RequestKind::kQuery).reply.owner, b->id());
    wait_until([] { return false; }, milliseconds(100));
    QVERIFY(b->find(of_b) == nullptr);
    b->store().stand_still(false);
    QVERIFY(ended(b->ending_of(of_b, milliseconds(1000)), SessionAnswer::kDone));
  }
  void aSessionThatIsClosedGivesBackWhatItHoldsAndAwaits_data() { rows(); }
  void aSessionThatIsClosedGivesBackWhatItHoldsAndAwaits() {
    const auto a = client("a"), b = client("b"), c = client("c");
    QVERIFY(a && b && c);
    QVERIFY(ended(a->lock(1), SessionAnswer::kDone));
    QVERIFY(ended(a->lock(2), SessionAnswer::kDone));
    const std::uint64_t of_b = b->waits(1), of_c = c->waits(1);
    QVERIFY(ended(b->ask(RequestKind::kCloseSession), SessionAnswer::kDone));
    QVERIFY(ended(b->ending_of(of_b), SessionAnswer::kSessionEnded));
    QVERIFY(ended(a->ask(RequestKind::kCloseSession), SessionAnswer::kDone));
    QVERIFY(ended(c->ending_of(of_c, milliseconds(1000)), SessionAnswer::kDone));
  }
  // As the server ends one that is over: whoever waits has it at once, and its holder is told when he asks.
  void aPostgresSessionThatIsEndedByForceGivesBackWhatItHolds() {
    PrivateServer server(postgres::store_type());
    QVERIFY(server.start().has_value());
    QVERIFY(probe(server.url(), {"orders"}, Family::kSession).has_value());
    QVERIFY(postgres::store_type().end_session != nullptr);
    const auto end = [&] { return postgres::store_type().end_session(server.url(), "orders"); };
    QVERIFY(end().has_value());  // nobody holds: nothing happens
    SessionClient a(loop_, names_, server.url(), "a", "orders"), b(loop_, names_, server.url(), "b", "orders");
    QVERIFY(a.connects() && b.connects());
    a.open();
    b.open();
    QVERIFY(ended(a.lock(1), SessionAnswer::kDone));
    const std::uint64_t of_b = b.waits(1);
    const auto done = end();
    QVERIFY2(done.has_value(), done ? "" : done.error().c_str());
    QVERIFY(ended(b.ending_of(of_b, milliseconds(1000)), SessionAnswer::kDone));
    QVERIFY(ended(a.ask(RequestKind::kHeartbeat), SessionAnswer::kSessionEnded));
    QVERIFY(ended(b.ask(RequestKind::kHeartbeat), SessionAnswer::kDone));
  }
  void aPostgresLockWhoseSessionWasDeletedByHandIsFree() {
    Ruled server(postgres::store_type());
    QVERIFY(probe(server.url(), {"orders"}, Family::kSession).has_value());
    SessionClient a(loop_, names_, server.url(), "a", "orders"), b(loop_, names_, server.url(), "b", "orders");
    QVERIFY(a.connects() && b.connects());
    a.open(milliseconds(60000));
    b.open();
    const Told held = a.lock(1);
    QVERIFY(ended(held, SessionAnswer::kDone));
    server.postgres("delete from leasescope_session where owner_id = 'a'");
    const Told taken = b.try_lock(1);
    QVERIFY(ended(taken, SessionAnswer::kDone));
    QVERIFY(taken.reply.token > held.reply.token);
    QVERIFY(ended(a.unlock(2), SessionAnswer::kSessionEnded));
  }
  void whatIsHeldAndAwaitedOutlivesTheConnections_data() { rows(); }
  void whatIsHeldAndAwaitedOutlivesTheConnections() {
    const auto a = client("a"), b = client("b");
    QVERIFY(a && b);
    const Told held = a->lock(1);
    const std::uint64_t of_b = b->waits(1);
    if (url().type->cut_sessions != nullptr) {
      const auto cut = url().type->cut_sessions(url());
      QVERIFY2(cut.has_value(), cut ? "" : cut.error().c_str());
    } else {
      PrivateServer& server = *servers_.at(QTest::currentDataTag());
      server.kill();
      const auto back = server.start_again();
      QVERIFY2(back.has_value(), back ? "" : back.error().c_str());
    }
    QCOMPARE(b->ending_of(of_b).reply.ending, Ending::kUnknown);
    QVERIFY(soon([&] { return a->ask(RequestKind::kHeartbeat).reply.ending == Ending::kOk; }));
    QVERIFY(soon([&] { return b->ask(RequestKind::kHeartbeat).reply.ending == Ending::kOk; }));
    QCOMPARE(a->lock(1).reply.token, held.reply.token);
    const std::uint64_t again = b->waits(1);
    QVERIFY(ended(a->unlock(2), SessionAnswer::kDone));
    QVERIFY(ended(b->ending_of(again, milliseconds(1000)), SessionAnswer::kDone));
  }
  void theLookBeforeARunSeesWhoHolds_data() { rows(); }
  void theLookBeforeARunSeesWhoHolds() {
    const auto a = client("a", milliseconds(700));
    QVERIFY(a);
    const std::vector<std::string> mutexes{QTest::currentTestFunction(), "nobody's"};
    const auto holders = [&] {
      const auto looked = probe(url(), mutexes, Family::kSession);
      return looked ? looked->holders : std::vector<std::string>{looked.error()};
    };
    const std::vector<std::string> nobody{"", ""}, by_a{"a", ""};
    QVERIFY(holders() == nobody);
    QVERIFY(ended(a->lock(1), SessionAnswer::kDone));
    QVERIFY(holders() == by_a);
    a->store().stand_still(true);
    wait_until([] { return false; }, milliseconds(1100));
    QVERIFY(holders() == nobody);  // its session is over, though nobody has looked after it
  }
  void aPostgresUserWhoMayNotMakeTheTablesIsToldTheirText() {
    Ruled server(postgres::store_type());
    QVERIFY(server.started());
    server.postgres("create role me login password 'pw'");
    const StoreUrl url = server.url("me", "pw");
    const auto looked = probe(url, {"orders"}, Family::kSession);
    QVERIFY(!looked);
    const std::string& error = looked.error();
    for (const char* words :
         {"the table leasescope_session is missing", "create table if not exists leasescope_memo",
          "grant select, insert, update, delete on leasescope_session, leasescope_lock, leasescope_waiter, "
          "leasescope_memo to me; grant usage on sequence leasescope_fence to me"})
      QVERIFY2(error.find(words) != std::string::npos, error.c_str());
    QCOMPARE(server.postgres(error.substr(error.find("create sequence if"))), std::string());
    const auto again = probe(url, {"orders"}, Family::kSession);
    QVERIFY2(again.has_value(), again ? "" : again.error().c_str());
    for (const char* table : {"leasescope_session", "leasescope_lock", "leasescope_waiter", "leasescope_memo"})
      QCOMPARE(server.postgres("select count(*) from " + std::string(table)), std::string("0"));
    SessionClient a(loop_, names_, url, "a", "orders");
    QVERIFY(a.connects() && a.open().error.empty());
    QVERIFY(ended(a.lock(1), SessionAnswer::kDone));
  }
  void aPostgresTableOfAnotherShapeIsRefusedSayingWhatIsAmiss() {
    Ruled server(postgres::store_type());
    QVERIFY(server.started());
    QVERIFY(probe(server.url(), {"orders"}, Family::kSession).has_value());
    server.postgres("alter table leasescope_waiter drop column uid");
    server.postgres("alter table leasescope_waiter drop constraint leasescope_waiter_pkey");
    const auto looked = probe(server.url(), {"orders"}, Family::kSession);
    QVERIFY(!looked);
    for (const char* words : {"a table leasescope_waiter is there, but is not ours", "its column uid is missing",
                              "its columns session and thread are no key"})
      QVERIFY2(looked.error().find(words) != std::string::npos, looked.error().c_str());
  }

  // Random calls of three clients with two threads each: a store answers as the model does, whom and when it does.
  void itAnswersAsTheModelDoes_data() { rows(); }
  void itAnswersAsTheModelDoes() {
    std::vector<std::unique_ptr<SessionClient>> clients;
    for (const char* id : {"a", "b", "c"})
      clients.push_back(std::make_unique<SessionClient>(loop_, names_, url(), id, QTest::currentTestFunction()));
    for (const auto& each : clients) QVERIFY(each->connects());
    ModelSetting setting;
    setting.mutexes = {clients[0]->mutex()};
    setting.ttl = std::chrono::hours(1);
    const Duration ttl = std::chrono::seconds(60);  // no server has to grant a longer one
    CpTerms terms;
    terms.commit = Duration::zero();
    CpModel model(setting, terms);
    std::map<Token, Token> fences{{kNoToken, kNoToken}};       // of the live store, by those of the model
    std::map<std::pair<NodeIndex, std::uint64_t>, Reply> due;  // answers of the model, by who asked
    std::vector<std::uint64_t> model_session(clients.size(), 0), last_uid(clients.size() * 3, 0);
    using Asked = std::pair<NodeIndex, std::uint64_t>;
    std::map<std::pair<std::size_t, std::uint64_t>, std::uint64_t> latest;  // lock of that thread and uid
    std::set<Asked> overtaken;  // by a later one under the same uid: the model answers that alone
    std::vector<bool> closed(clients.size(), false);
    std::uint64_t uids = 0;
    std::mt19937 draws(11);
    const auto apply = [&](NodeIndex node, const Request& request) {
      ServerCall call;
      call.request = request;
      call.request.session.session = model_session[node];
      call.node = node;
      ServerSteps steps;
      model.take(call, ServerNow{}, steps);
      model.wake(0, ServerNow{}, steps);
      for (const ServerStep& step : steps)
        if (step.replies) due[{step.node, step.reply.request}] = step.reply;
    };
    const auto same = [&](const Told& live, const Reply& expected) {
      if (live.reply.ending != Ending::kOk || live.reply.answer != expected.answer) return false;
      if (expected.kind == RequestKind::kOpenSession) return live.reply.number > 0;
      // How often another holds not every store tells.
      const bool told = expected.kind != RequestKind::kQuery || expected.done || live.reply.number != 1;
      if ((told && live.reply.number != expected.number) || live.reply.owner != expected.owner) return false;
      const auto known = fences.emplace(expected.token, live.reply.token).first;
      return known->second == live.reply.token && live.reply.done == expected.done;
    };
    for (int i = 0; i < 500; ++i) {
      const auto node = static_cast<NodeIndex>(draws() % clients.size());
      SessionClient& who = *clients[node];
      who.thread = 1 + draws() % 2;
      const RequestKind kinds[] = {RequestKind::kLock,   RequestKind::kLock,     RequestKind::kUnlock,
                                   RequestKind::kUnlock, RequestKind::kUnlock,   RequestKind::kUnlock,
                                   RequestKind::kQuery,  RequestKind::kHeartbeat};
      RequestKind kind = kinds[draws() % 8];
      if (draws() % 60 == 0) kind = RequestKind::kCloseSession;
      // What is called meanwhile is in a session that has ended.
      if (who.session == 0 || (closed[node] && draws() % 4 == 0)) kind = RequestKind::kOpenSession;
      closed[node] = kind == RequestKind::kCloseSession || (closed[node] && kind != RequestKind::kOpenSession);
      std::uint64_t& last = last_uid[node * 3 + who.thread];
      const bool again = last != 0 && draws() % 5 == 0;
      if (!again) last = ++uids;
      const Duration wait = kind == RequestKind::kOpenSession ? ttl
                            : last % 3 == 0                   ? Duration::zero()
                                                              : Duration::max();
      Request request = who.request(kind, last, wait);
      request.timeout = std::chrono::minutes(5);
      if (kind == RequestKind::kLock) {
        std::uint64_t& older = latest[{node * 3 + who.thread, last}];
        if (older != 0) overtaken.insert({node, older});
        older = request.id;
      }
      who.send(request);
      apply(node, request);
      const auto answered = [&] {
        return std::all_of(due.begin(), due.end(), [&](const auto& each) {
          return clients[each.first.first]->find(each.first.second) != nullptr;
        });
      };
      QVERIFY2(wait_until(answered, milliseconds(5000)), std::to_string(i).c_str());
      // Each connection serves one question after another: a call that waits has its place when these are answered.
      for (int question = due.empty() ? 0 : 2; question < 3; ++question) {
        const Request after = who.request(RequestKind::kQuery);
        who.send(after);
        apply(node, after);
        QVERIFY2(wait_until(answered, milliseconds(5000)), std::to_string(i).c_str());
      }
      for (const auto& [which, expected] : due) {
        const Told& live = *clients[which.first]->find(which.second);
        QVERIFY2(
            same(live, expected),
            fmt::format("step {}, kind {}: answer {}, number {}, token {}, done {}, error {}; expected answer {}, "
                        "number {}, token {}, done {}",
                        i, static_cast<int>(expected.kind), live.reply.answer, live.reply.number, live.reply.token,
                        live.reply.done, live.error, expected.answer, expected.number, expected.token, expected.done)
                .c_str());
        if (expected.kind != RequestKind::kOpenSession) continue;
        clients[which.first]->session = live.reply.number;
        model_session[which.first] = expected.number;
      }
      std::size_t live_answers = 0;
      for (NodeIndex each = 0; each < clients.size(); ++each)
        for (const auto& [id, told] : clients[each]->told)
          live_answers += due.count({each, id}) != 0 || overtaken.count({each, id}) == 0;
      QCOMPARE(live_answers, due.size());
      for (const auto& each : clients) each->told.clear();
      due.clear();
    }
    Token highest = kNoToken;
    for (const auto& [of_model, live] : fences) {
      QVERIFY(of_model == kNoToken || live > highest);
      highest = live;
    }
    QVERIFY2(fences.size() > 15, std::to_string(fences.size()).c_str());
  }
};

LEASESCOPE_SUITE(SessionStoreTest)
#include "session_store_test.moc"
