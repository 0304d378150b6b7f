#include <QElapsedTimer>
#include <map>

#include "tests/store/mysql_over_tls.h"
#include "tests/store/redis_on_shared_lines.h"
#include "tests/store/redis_over_tls.h"
#include "tests/store/rig.h"
#include "tests/support/stores.h"
#include "tests/support/suite.h"

using namespace leasescope;
using namespace leasescope::tests;

namespace {

constexpr RequestKind kAcquire = RequestKind::kAcquire;
constexpr RequestKind kGuard = RequestKind::kGuard;
constexpr RequestKind kRelease = RequestKind::kRelease;
constexpr RequestKind kSubscribe = RequestKind::kSubscribe;

constexpr std::string_view kRedisOverTls = "redis over TLS";
constexpr std::string_view kMysqlOverTls = "mysql over TLS";
constexpr std::string_view kRedisOnSharedLines = "redis on shared lines";

// The live stores, and some of them once more over TLS, where a proxy can read no messages, or on lines that all
// contenders share.
std::vector<const StoreType*> all_rows() {
  std::vector<const StoreType*> out = lease_stores();
  out.push_back(&redis_over_tls());
  out.push_back(&redis_on_shared_lines());
  out.push_back(&mysql_over_tls());
  return out;
}
void each_row() {
  each_lease_store();
  QTest::newRow(kRedisOverTls.data()) << true;
  QTest::newRow(kMysqlOverTls.data()) << true;
  QTest::newRow(kRedisOnSharedLines.data()) << true;
}
void each_row_read_by_a_proxy() {
  each_lease_store_that_tells();
  QTest::newRow(kRedisOnSharedLines.data()) << true;
}
void each_row_that_tells() {
  each_row_read_by_a_proxy();
  QTest::newRow(kRedisOverTls.data()) << true;
}
const StoreType& this_row() {
  const std::string_view row = QTest::currentDataTag();
  if (row == kRedisOnSharedLines) return redis_on_shared_lines();
  return row == kRedisOverTls ? redis_over_tls() : row == kMysqlOverTls ? mysql_over_tls() : this_store();
}

}  // namespace

// The same sentences for every live store, each against a private server.
class LeaseStoreTest : public QObject {
  Q_OBJECT

  QtLoop loop_;
  PlainNames names_;
  std::map<const StoreType*, std::unique_ptr<PrivateServer>> servers_;

  StoreUrl url() { return servers_.at(&this_row())->url(); }
  std::string mutex() const { return std::string("m ") + QTest::currentTestFunction(); }
  std::unique_ptr<Client> client(const std::string& id) {
    auto made = std::make_unique<Client>(loop_, names_, url(), id);
    return made->connects() ? std::move(made) : nullptr;
  }

 private slots:
  void initTestCase() {
    for (const StoreType* each : all_rows()) {
      servers_[each] = std::make_unique<PrivateServer>(*each);
      const auto started = servers_[each]->start();
      QVERIFY2(started.has_value(), started ? "" : started.error().c_str());
      const auto probed = probe(servers_[each]->url());
      QVERIFY2(probed.has_value(), probed ? "" : probed.error().c_str());
    }
  }

  void aFreeMutexIsGrantedForTheWholeLeaseWithAToken_data() { each_row(); }
  void aFreeMutexIsGrantedForTheWholeLeaseWithAToken() {
    const auto a = client("0:1@a");
    QVERIFY(a);
    const Told got = a->ask(kAcquire, mutex());
    QVERIFY2(got.reply.ending == Ending::kOk, got.error.c_str());
    QCOMPARE(a->owner_in(got), "0:1@a");
    QCOMPARE(got.reply.remaining.count(), Duration(milliseconds(5000)).count());
    QCOMPARE(got.reply.token, Token{1});
    QVERIFY(got.sent <= got.received);
    QVERIFY(got.received - got.sent < milliseconds(1500));
  }

  void aHeldMutexIsRefusedNamingItsOwnerAndWhatIsLeft_data() { each_row(); }
  void aHeldMutexIsRefusedNamingItsOwnerAndWhatIsLeft() {
    const auto a = client("0:1@a"), b = client("0:2@b");
    QVERIFY(a && b);
    a->ask(kAcquire, mutex());
    const Told refused = b->ask(kAcquire, mutex());
    QCOMPARE(refused.reply.ending, Ending::kOk);
    QCOMPARE(b->owner_in(refused), "0:1@a");
    QVERIFY(refused.reply.remaining > milliseconds(3000));
    QVERIFY(refused.reply.remaining <= milliseconds(5000));
    QCOMPARE(refused.reply.token, Token{1});
  }

  void aGuardRenewsTheLeaseAndKeepsTheToken_data() { each_row(); }
  void aGuardRenewsTheLeaseAndKeepsTheToken() {
    const auto a = client("0:1@a"), b = client("0:2@b");
    QVERIFY(a && b);
    a->ask(kAcquire, mutex(), milliseconds(600));
    for (int i = 0; i < 4; ++i) {
      QTest::qWait(250);
      const Told renewed = a->ask(kGuard, mutex(), milliseconds(600));
      QCOMPARE(a->owner_in(renewed), "0:1@a");
      QCOMPARE(renewed.reply.token, Token{1});
      QCOMPARE(b->owner_in(b->ask(kAcquire, mutex())), "0:1@a");
    }
  }

  void aGuardNeverTakesTheMutexAnew_data() { each_row(); }
  void aGuardNeverTakesTheMutexAnew() {
    const auto a = client("0:1@a"), b = client("0:2@b");
    QVERIFY(a && b);
    const Told of_nothing = a->ask(kGuard, mutex());
    QCOMPARE(of_nothing.reply.ending, Ending::kOk);
    QVERIFY(of_nothing.reply.owner.empty());
    QCOMPARE(of_nothing.reply.token, kNoToken);
    a->ask(kAcquire, mutex(), milliseconds(50));
    QTest::qWait(120);
    QVERIFY(a->ask(kGuard, mutex()).reply.owner.empty());
    b->ask(kAcquire, mutex());
    QCOMPARE(a->owner_in(a->ask(kGuard, mutex())), "0:2@b");
  }

  void aLeaseEndsByItselfAndNotBefore_data() { each_row(); }
  void aLeaseEndsByItselfAndNotBefore() {
    const auto a = client("0:1@a"), b = client("0:2@b");
    QVERIFY(a && b);
    const Told first = a->ask(kAcquire, mutex(), milliseconds(400));
    Told second;
    do second = b->ask(kAcquire, mutex());
    while (b->owner_in(second) == "0:1@a");
    QCOMPARE(b->owner_in(second), "0:2@b");
    QVERIFY(second.received - first.sent >= milliseconds(399));
    QVERIFY(second.received - first.received < milliseconds(1500));
  }

  void tokensStrictlyIncreaseFromTermToTerm_data() { each_row(); }
  void tokensStrictlyIncreaseFromTermToTerm() {
    const auto a = client("0:1@a"), b = client("0:2@b");
    QVERIFY(a && b);
    for (Token token = 1; token <= 6; ++token) {
      Client& who = token % 2 == 0 ? *b : *a;
      QCOMPARE(who.ask(kAcquire, mutex()).reply.token, token);
      QVERIFY(who.ask(kRelease, mutex()).reply.done);
    }
  }

  void aReleaseByAnotherChangesNothing_data() { each_row(); }
  void aReleaseByAnotherChangesNothing() {
    const auto a = client("0:1@a"), b = client("0:2@b");
    QVERIFY(a && b);
    a->ask(kAcquire, mutex());
    const Told refused = b->ask(kRelease, mutex());
    QCOMPARE(refused.reply.ending, Ending::kOk);
    QVERIFY(!refused.reply.done);
    QCOMPARE(b->owner_in(b->ask(kAcquire, mutex())), "0:1@a");
  }

  void idsAreComparedByteByByte_data() { each_row(); }
  void idsAreComparedByteByByte() {
    const auto upper = client("0:1@HOST"), lower = client("0:1@host");
    QVERIFY(upper && lower);
    upper->ask(kAcquire, mutex());
    QCOMPARE(lower->owner_in(lower->ask(kGuard, mutex())), "0:1@HOST");
    QVERIFY(!lower->ask(kRelease, mutex()).reply.done);
  }

  void subscribersHearOfAcquisitionAndRelease_data() { each_row_that_tells(); }
  void subscribersHearOfAcquisitionAndRelease() {
    const auto a = client("0:1@a"), b = client("0:2@b");
    QVERIFY(a && b);
    QCOMPARE(b->ask(kSubscribe, mutex()).reply.ending, Ending::kOk);
    a->ask(kAcquire, mutex());
    QVERIFY(b->hears(StoreEventKind::kAcquired, "0:1@a"));
    a->ask(kGuard, mutex());
    a->ask(kRelease, mutex());
    QVERIFY(b->hears(StoreEventKind::kReleased, "0:1@a"));
    QCOMPARE(b->events.size(), std::size_t{2});  // a renewal is told to nobody
    QVERIFY(a->events.empty());
  }

  void whoUnsubscribedHearsNothing_data() { each_row_that_tells(); }
  void whoUnsubscribedHearsNothing() {
    const auto a = client("0:1@a"), b = client("0:2@b");
    QVERIFY(a && b);
    b->ask(kSubscribe, mutex());
    QCOMPARE(b->ask(RequestKind::kUnsubscribe, mutex()).reply.ending, Ending::kOk);
    a->ask(kAcquire, mutex());
    a->ask(kRelease, mutex());
    QTest::qWait(150);
    QVERIFY(b->events.empty());
    QCOMPARE(b->ask(kSubscribe, mutex()).reply.ending, Ending::kOk);  // and can begin again
    a->ask(kAcquire, mutex());
    QVERIFY(b->hears(StoreEventKind::kAcquired, "0:1@a"));
  }

  // Others are told of the release first, and it hears no more of what they say.
  void whoLeavesWithItsReleaseHearsNothingMore_data() { each_row_that_tells(); }
  void whoLeavesWithItsReleaseHearsNothingMore() {
    const auto a = client("0:1@a"), b = client("0:2@b");
    QVERIFY(a && b);
    a->ask(kSubscribe, mutex());
    b->ask(kSubscribe, mutex());
    a->ask(kAcquire, mutex());
    QVERIFY(b->hears(StoreEventKind::kAcquired, "0:1@a"));
    QTest::qWait(20);
    a->events.clear();
    const std::uint64_t released = a->send(kRelease, mutex());
    const std::uint64_t left = a->send(RequestKind::kUnsubscribe, mutex());
    QVERIFY(a->ending_of(released).reply.done);
    QVERIFY(b->hears(StoreEventKind::kReleased, "0:1@a"));
    b->ask(kAcquire, mutex());
    QCOMPARE(a->ending_of(left).reply.ending, Ending::kOk);
    QTest::qWait(50);
    QVERIFY(a->events.empty());
  }

  void whoComesBackAtOnceIsSubscribedAnew_data() { each_row_that_tells(); }
  void whoComesBackAtOnceIsSubscribedAnew() {
    const auto a = client("0:1@a"), b = client("0:2@b");
    QVERIFY(a && b);
    a->ask(kSubscribe, mutex());
    a->ask(kAcquire, mutex());
    a->send(kRelease, mutex());
    const std::uint64_t left = a->send(RequestKind::kUnsubscribe, mutex());
    const std::uint64_t back = a->send(kSubscribe, mutex());
    QCOMPARE(a->ending_of(back).reply.ending, Ending::kOk);
    QCOMPARE(a->ending_of(left).reply.ending, Ending::kOk);
    a->events.clear();
    b->ask(kAcquire, mutex());
    QVERIFY(a->hears(StoreEventKind::kAcquired, "0:2@b"));
  }

  void aRequestIntoAStalledNetworkEndsUnknownAndTheLineIsMadeAnew_data() { each_row(); }
  void aRequestIntoAStalledNetworkEndsUnknownAndTheLineIsMadeAnew() {
    FaultProxy requests(loop_, url().endpoint, this_row(), false);
    const auto endpoint = requests.listen();
    QVERIFY(endpoint.has_value());
    Client a(loop_, names_, url(), "0:1@a", StoreRoute{*endpoint, url().endpoint});
    QVERIFY(a.connects());
    requests.stall(LinkDirection::kBoth);
    QElapsedTimer timer;
    timer.start();
    const Told ended = a.ending_of(a.send(kAcquire, mutex(), milliseconds(5000), milliseconds(200)));
    QCOMPARE(ended.reply.ending, Ending::kUnknown);
    QVERIFY(timer.elapsed() >= 200);
    QVERIFY(wait_until([&] { return !a.connected(); }, milliseconds(1000)));
    const Told at_once = a.ending_of(a.send(kAcquire, mutex()));
    QCOMPARE(at_once.reply.ending, Ending::kFailed);  // there was no line to send it on
    requests.resume(LinkDirection::kBoth);
    QVERIFY(a.connects());
    const Told again = a.ask(kAcquire, mutex());
    QCOMPARE(again.reply.token, Token{1});  // what was held in the cut network never arrived
  }

  void aReplyThatIsLostLeavesTheRequestUnknownThoughItWasExecuted_data() { each_row(); }
  void aReplyThatIsLostLeavesTheRequestUnknownThoughItWasExecuted() {
    FaultProxy requests(loop_, url().endpoint, this_row(), false);
    const auto endpoint = requests.listen();
    QVERIFY(endpoint.has_value());
    Client a(loop_, names_, url(), "0:1@a", StoreRoute{*endpoint, url().endpoint});
    const auto b = client("0:2@b");
    QVERIFY(a.connects() && b);
    a.ask(kAcquire, "warm");  // so that a script is known by its name
    requests.stall(LinkDirection::kFromStore);
    const Told ended = a.ending_of(a.send(kAcquire, mutex(), milliseconds(5000), milliseconds(200)));
    QCOMPARE(ended.reply.ending, Ending::kUnknown);
    QCOMPARE(b->owner_in(b->ask(kAcquire, mutex())), "0:1@a");
    QCOMPARE(a.told.back().reply.request, ended.reply.request);  // and nothing comes later
  }

  void aSlowNetworkIsWithinTheBounds_data() { each_row(); }
  void aSlowNetworkIsWithinTheBounds() {
    FaultProxy requests(loop_, url().endpoint, this_row(), false);
    const auto endpoint = requests.listen();
    QVERIFY(endpoint.has_value());
    Client a(loop_, names_, url(), "0:1@a", StoreRoute{*endpoint, url().endpoint});
    QVERIFY(a.connects());
    a.ask(kAcquire, mutex());
    requests.add_delay(LinkDirection::kBoth, milliseconds(80));
    const Told got = a.ask(kGuard, mutex());
    QCOMPARE(got.reply.ending, Ending::kOk);
    QVERIFY(got.received - got.sent >= milliseconds(160));
  }

  void aSubscriptionSurvivesABrokenLine_data() { each_row_that_tells(); }
  void aSubscriptionSurvivesABrokenLine() {
    FaultProxy messages(loop_, url().endpoint, this_row(), true);
    const auto endpoint = messages.listen();
    QVERIFY(endpoint.has_value());
    Client b(loop_, names_, url(), "0:2@b", StoreRoute{url().endpoint, *endpoint});
    const auto a = client("0:1@a");
    QVERIFY(b.connects() && a);
    b.ask(kSubscribe, mutex());
    messages.reset();
    QVERIFY(wait_until([&] { return !b.reasons.empty(); }, milliseconds(2000)));
    QVERIFY(b.connects());
    QTest::qWait(100);
    a->ask(kAcquire, mutex());
    QVERIFY(b.hears(StoreEventKind::kAcquired, "0:1@a"));
  }

  void aDroppedMessageIsMissingAndRepliesPass_data() { each_row_read_by_a_proxy(); }
  void aDroppedMessageIsMissingAndRepliesPass() {
    FaultProxy messages(loop_, url().endpoint, this_row(), true);
    const auto endpoint = messages.listen();
    QVERIFY(endpoint.has_value());
    std::vector<std::string> dropped;
    messages.on_dropped = [&](std::string_view body) { dropped.emplace_back(body); };
    Client b(loop_, names_, url(), "0:2@b", StoreRoute{url().endpoint, *endpoint});
    const auto a = client("0:1@a");
    QVERIFY(b.connects() && a);
    messages.mute();
    QCOMPARE(b.ask(kSubscribe, mutex()).reply.ending, Ending::kOk);  // an answer, not a message
    a->ask(kAcquire, mutex());
    QVERIFY(wait_until([&] { return dropped.size() == 1; }, milliseconds(2000)));
    QCOMPARE(dropped.front(), "acquired@@0:1@a");
    messages.unmute();
    a->ask(kRelease, mutex());
    QVERIFY(b.hears(StoreEventKind::kReleased, "0:1@a"));
    QCOMPARE(b.events.size(), std::size_t{1});
  }

  void aLateMessageComesLaterAndRepliesGoPastIt_data() { each_row_read_by_a_proxy(); }
  void aLateMessageComesLaterAndRepliesGoPastIt() {
    FaultProxy messages(loop_, url().endpoint, this_row(), true);
    const auto endpoint = messages.listen();
    QVERIFY(endpoint.has_value());
    Client b(loop_, names_, url(), "0:2@b", StoreRoute{url().endpoint, *endpoint});
    const auto a = client("0:1@a");
    QVERIFY(b.connects() && a);
    b.ask(kSubscribe, mutex());
    messages.add_message_delay(milliseconds(1500));
    QElapsedTimer timer;
    timer.start();
    a->ask(kAcquire, mutex());
    QCOMPARE(b.ask(RequestKind::kUnsubscribe, mutex()).reply.ending, Ending::kOk);
    QCOMPARE(b.ask(kSubscribe, mutex()).reply.ending, Ending::kOk);
    QVERIFY(timer.elapsed() < 1400);
    QVERIFY(b.events.empty());
    messages.add_message_delay(milliseconds(-1500));
    a->ask(kRelease, mutex());  // what is sent after the end waits for what was held up
    QVERIFY(b.hears(StoreEventKind::kReleased, "0:1@a", milliseconds(4000)));
    QVERIFY(timer.elapsed() >= 1490);
    QCOMPARE(b.events.front().kind, StoreEventKind::kAcquired);
  }

  void aFrozenServerAnswersNobodyUntilItGoesOn_data() { each_row(); }
  void aFrozenServerAnswersNobodyUntilItGoesOn() {
    PrivateServer server(this_row());
    QVERIFY(server.start().has_value());
    QVERIFY(probe(server.url()).has_value());
    Client a(loop_, names_, server.url(), "0:1@a");
    QVERIFY(a.connects());
    QCOMPARE(a.ask(kAcquire, mutex()).reply.ending, Ending::kOk);
    server.freeze();
    const std::uint64_t under_way = a.send(kGuard, mutex());
    QCOMPARE(a.ending_of(under_way, milliseconds(300)).error, std::string("never told"));
    server.thaw();
    QCOMPARE(a.ending_of(under_way).reply.ending, Ending::kOk);
  }

  void aKilledServerEndsRequestsAndIsFoundAgainWhenItIsBack_data() { each_row(); }
  void aKilledServerEndsRequestsAndIsFoundAgainWhenItIsBack() {
    PrivateServer server(this_row());
    QVERIFY(server.start().has_value());
    QVERIFY(probe(server.url()).has_value());
    FaultProxy requests(loop_, server.url().endpoint, this_row(), false);
    const auto endpoint = requests.listen();
    QVERIFY(endpoint.has_value());
    Client a(loop_, names_, server.url(), "0:1@a", StoreRoute{*endpoint, server.url().endpoint});
    QVERIFY(a.connects());
    requests.add_delay(LinkDirection::kBoth, milliseconds(300));
    const std::uint64_t under_way = a.send(kAcquire, mutex());
    QTest::qWait(50);
    server.kill();
    const Told broken = a.ending_of(under_way);
    QCOMPARE(broken.reply.ending, Ending::kUnknown);
    requests.add_delay(LinkDirection::kBoth, milliseconds(-300));
    QVERIFY(wait_until([&] { return !a.connected(); }, milliseconds(1000)));
    QCOMPARE(a.ask(kAcquire, mutex()).reply.ending, Ending::kFailed);
    const auto back = server.start_again();
    QVERIFY2(back.has_value(), back ? "" : back.error().c_str());
    QVERIFY(a.connects(milliseconds(6000)));
    const Told got = a.ask(kAcquire, mutex());
    QVERIFY2(got.reply.ending == Ending::kOk, got.error.c_str());
    QCOMPARE(a.owner_in(got), "0:1@a");
  }

  void aWrongPasswordIsSaidSoAndNeverPrinted_data() { each_row(); }
  void aWrongPasswordIsSaidSoAndNeverPrinted() {
    PrivateServer server(this_row(), {"right-one", 20});
    const auto started = server.start();
    QVERIFY2(started.has_value(), started ? "" : started.error().c_str());
    QVERIFY(probe(server.url()).has_value());
    StoreUrl wrong = server.url();
    wrong.password = "wrong-one";
    const auto refused = probe(wrong);
    QVERIFY(!refused);
    QVERIFY2(refused.error().find("password") != std::string::npos, refused.error().c_str());
    QVERIFY2(refused.error().find("wrong-one") == std::string::npos, refused.error().c_str());
    StoreUrl without = server.url();
    without.password.clear();
    const auto asked = probe(without);
    QVERIFY(!asked);
    QVERIFY2(asked.error().find("wants a password") != std::string::npos, asked.error().c_str());
    Client a(loop_, names_, wrong, "0:1@a");
    QVERIFY(wait_until([&] { return !a.reasons.empty(); }, milliseconds(3000)));
    QVERIFY(!a.connected());
    Client b(loop_, names_, server.url(), "0:2@b");
    QVERIFY(b.connects());
  }

  // On either store.
  void anAcquireOfOnesOwnLeaseBeginsANewTermForItsRest_data() { each_row(); }
  void anAcquireOfOnesOwnLeaseBeginsANewTermForItsRest() {
    const auto own = client("0:1@a");
    QVERIFY(own);
    Client& who = *own;
    QCOMPARE(who.ask(kAcquire, mutex()).reply.token, Token{1});
    QTest::qWait(300);
    const Told again = who.ask(kAcquire, mutex());
    QCOMPARE(again.reply.token, Token{2});
    QVERIFY(again.reply.done && again.reply.remaining <= milliseconds(4700));
    QVERIFY(again.reply.remaining > milliseconds(3000));
    who.term = 1;  // what an earlier life has on its way
    QVERIFY(!who.ask(kRelease, mutex()).reply.done);
    const Told late = who.ask(kGuard, mutex());
    QVERIFY(!late.reply.done);
    QCOMPARE(who.owner_in(late), "0:1@a");
    QCOMPARE(late.reply.token, Token{2});
    who.term = 2;
    QVERIFY(who.ask(kGuard, mutex()).reply.done);
    QVERIFY(who.ask(kRelease, mutex()).reply.done);
  }

  void theLookBeforeARunSeesWhoHolds_data() { each_row(); }
  void theLookBeforeARunSeesWhoHolds() {
    const auto a = client("0:1@a");
    QVERIFY(a);
    a->ask(kAcquire, mutex());
    const auto look = probe(url(), {mutex(), "nobody's"});
    QVERIFY2(look.has_value(), look ? "" : look.error().c_str());
    QCOMPARE(look->holders.at(0), "0:1@a");
    QVERIFY(look->holders.at(1).empty());
    QVERIFY(look->remarks.empty());
  }
};

LEASESCOPE_SUITE(LeaseStoreTest)
#include "lease_store_test.moc"
