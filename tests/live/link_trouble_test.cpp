// What a network does wrong to single packets, on live stores: the faults delay, jitter, loss, duplicate, reorder and
// half_open, by what contenders see of them.
#include <set>

#include "core/loop/qt/qt_loop.h"
#include "simulator/fault/kinds.h"
#include "simulator/live/fault_proxy.h"
#include "simulator/live/link_toxic.h"
#include "simulator/scenario/reader.h"
#include "tests/live/runs.h"
#include "tests/live/wire_ends.h"
#include "tests/support/stores.h"
#include "tests/support/suite.h"

using namespace leasescope;
using namespace leasescope::tests;
using std::chrono::milliseconds;
using std::chrono::seconds;

namespace {

constexpr milliseconds kSoon{3000};

// One contends from the beginning, two wait.
std::string with_fault(const std::string& fault) {
  return R"(
schema = 1
title = "A network that is not well"
duration = "7s"
[mutex]
name = "orders"
ttl = "1s"
transition = "1s"
jitter = ["0ms", "100ms"]
[store]
timeout = "300ms"
[[contender]]
name = "first"
[[contender]]
name = "next"
start = "300ms"
count = 2
[[fault]]
at = "1200ms"
)" + fault;
}

constexpr const char* kDelay = "kind = \"delay\"\ntarget = \"first\"\nby = \"80ms\"\nduration = \"4s\"\n";
constexpr const char* kJitter = "kind = \"jitter\"\ntarget = \"all\"\nby = \"100ms\"\nduration = \"4s\"\n";
constexpr const char* kLossOfAll =
    "kind = \"loss\"\ntarget = \"first\"\nppm = 1000000\ndirection = \"to_store\"\nduration = \"4s\"\n";
constexpr const char* kLoss = "kind = \"loss\"\ntarget = \"all\"\nppm = 200000\nduration = \"5s\"\n";
constexpr const char* kDuplicate = "kind = \"duplicate\"\ntarget = \"all\"\nppm = 1000000\nduration = \"5s\"\n";
constexpr const char* kReorder =
    "kind = \"reorder\"\ntarget = \"all\"\nppm = 500000\nby = \"200ms\"\nduration = \"5s\"\n";
constexpr const char* kHalfOpen = "kind = \"half_open\"\ntarget = \"all\"\nduration = \"3s\"\n";

const StoreType& redis() { return *find_store_type("redis"); }

int attempts(const History& history, AttemptResult result) {
  const auto all = of_kind(history, EventKind::kAttempt);
  return static_cast<int>(std::count_if(
      all.begin(), all.end(), [&](const Event& event) { return event.detail == static_cast<std::uint8_t>(result); }));
}

// A client, a proxy that reads Redis, and a server that answers by hand.
struct OneWire {
  explicit OneWire(const LinkTrouble& trouble, LinkDirection direction)
      : server(loop, false), proxy(loop, server.at, &redis(), true) {
    at = proxy.listen().value();
    toxics.push_back(std::shared_ptr<Toxic>(
        make_link_toxic(1, direction, trouble, RandomStream(7, "a", "b"),
                        {[this] { return served; }, [this](std::string_view says) { lost.emplace_back(says); }})));
    proxy.arm(toxics);
  }
  std::unique_ptr<WireEnd> client() {
    const auto before = server.ends.size();
    const auto descriptor = begin_connect(at);
    wait_until([&] { return server.ends.size() > before; }, kSoon);
    return std::make_unique<WireEnd>(loop, *descriptor);
  }

  QtLoop loop;
  WireServer server;
  FaultProxy proxy;
  Endpoint at;
  std::vector<std::shared_ptr<Toxic>> toxics;
  std::vector<std::string> lost;
  bool served = true;
};

const std::string kGet = "*2\r\n$3\r\nGET\r\n$1\r\na\r\n", kSet = "*3\r\n$3\r\nSET\r\n$1\r\na\r\n$1\r\n1\r\n";
const std::string kMessage = "*3\r\n$7\r\nmessage\r\n$1\r\nc\r\n$2\r\nhi\r\n";

}  // namespace

class LinkTroubleTest : public QObject {
  Q_OBJECT

  Runs runs_;

  const History& history(const std::string& what) { return runs_.at(what + " " + QTest::currentDataTag()).history(); }
  void nobodyIsGrantedTwice(const std::string& what) {
    QCOMPARE(history(what).summary.double_grants, std::uint64_t{0});
    QCOMPARE(history(what).summary.stale_writes_accepted, std::uint64_t{0});
  }

 private slots:
  void initTestCase() {
    const std::pair<const char*, const char*> faults[] = {
        {"delay", kDelay},         {"jitter", kJitter},   {"loss of all", kLossOfAll}, {"loss", kLoss},
        {"duplicate", kDuplicate}, {"reorder", kReorder}, {"half open", kHalfOpen}};
    for (const StoreType* type : lease_stores())
      for (const auto& [what, fault] : faults) {
        const std::string store(type->name());
        const auto scenario = read_scenario(with_fault(fault), what);
        QVERIFY2(scenario.has_value(), scenario ? "" : scenario.error().text().c_str());
        QVERIFY2(runs_.add(what + (" " + store), *scenario, store), runs_.error.c_str());
      }
    QVERIFY(runs_.play(seconds(60)));
  }

  // ---- on the wire

  void aRequestThatComesTwiceIsAnsweredOnce() {
    LinkTrouble trouble;
    trouble.duplication_ppm = 1'000'000;
    OneWire wire(trouble, LinkDirection::kToStore);
    const auto client = wire.client();
    WireEnd& server = *wire.server.ends.back();
    client->say(kGet + kSet);
    QVERIFY(wait_until([&] { return server.heard.size() >= 2 * (kGet + kSet).size(); }, kSoon));
    QCOMPARE(server.heard, kGet + kGet + kSet + kSet);
    wire.proxy.disarm(wire.toxics);
    client->say(kGet);
    server.say("+1\r\n+2\r\n" + kMessage + "+3\r\n+4\r\n+5\r\n");
    QVERIFY(wait_until([&] { return client->heard.find("+5") != std::string::npos; }, kSoon));
    QCOMPARE(client->heard, "+1\r\n" + kMessage + "+3\r\n+5\r\n");
  }
  void aMessageThatComesTwiceIsHeardTwice() {
    LinkTrouble trouble;
    trouble.duplication_ppm = 1'000'000;
    OneWire wire(trouble, LinkDirection::kFromStore);
    const auto client = wire.client();
    client->say(kGet);
    wire.server.ends.back()->say(kMessage + "+1\r\n");
    QVERIFY(wait_until([&] { return client->heard.find("+1") != std::string::npos; }, kSoon));
    QCOMPARE(client->heard, kMessage + kMessage + "+1\r\n");
  }
  void behindALostRequestNothingArrivesOnItsConnectionAndOnTheNextOneItDoes() {
    LinkTrouble trouble;
    trouble.loss_ppm = 1'000'000;
    OneWire wire(trouble, LinkDirection::kToStore);
    auto client = wire.client();
    client->say(kGet);
    QVERIFY(!wait_until([&] { return !wire.server.ends.back()->heard.empty(); }, milliseconds(100)));
    wire.proxy.disarm(wire.toxics);
    client->say(kGet);
    QVERIFY(!wait_until([&] { return !wire.server.ends.back()->heard.empty(); }, milliseconds(100)));
    client = wire.client();
    client->say(kGet);
    QVERIFY(wait_until([&] { return wire.server.ends.back()->heard == kGet; }, kSoon));
  }
  void aLoginIsNeverLost() {
    LinkTrouble trouble;
    trouble.loss_ppm = trouble.duplication_ppm = 1'000'000;
    OneWire wire(trouble, LinkDirection::kToStore);
    wire.served = false;
    const auto client = wire.client();
    client->say(kGet);
    QVERIFY(wait_until([&] { return wire.server.ends.back()->heard == kGet; }, kSoon));
  }
  void aLostMessageIsToldAndAnswersPass() {
    LinkTrouble trouble;
    trouble.loss_ppm = 1'000'000;
    OneWire wire(trouble, LinkDirection::kFromStore);
    const auto client = wire.client();
    wire.server.ends.back()->say(kMessage);
    QVERIFY(wait_until([&] { return wire.lost.size() == 1; }, kSoon));
    QCOMPARE(wire.lost.front(), std::string("hi"));
    wire.proxy.disarm(wire.toxics);
    client->say(kGet);
    wire.server.ends.back()->say("+1\r\n");
    QVERIFY(wait_until([&] { return client->heard == "+1\r\n"; }, kSoon));
  }
  void aMessageThatFallsBehindIsOvertakenByTheNext() {
    LinkTrouble trouble;
    trouble.reordering_ppm = 1'000'000;
    trouble.behind = milliseconds(400);
    OneWire wire(trouble, LinkDirection::kFromStore);
    const auto client = wire.client();
    WireEnd& server = *wire.server.ends.back();
    std::string all;
    for (char each = 'a'; each < 'k'; ++each)
      all += "*3\r\n$7\r\nmessage\r\n$1\r\nc\r\n$1\r\n" + std::string{each} + "\r\n";
    server.say(all);
    QVERIFY(wait_until([&] { return client->heard.size() == all.size(); }, kSoon));
    QVERIFY(client->heard != all);
  }
  void aDeadConnectionIsToldToNobodyUntilItsEndAndNewOnesWork() {
    OneWire wire({}, LinkDirection::kToStore);
    const auto dead = wire.client();
    WireEnd& server = *wire.server.ends.back();
    wire.proxy.half_open();
    dead->say(kGet);
    server.say(kMessage);
    const auto fresh = wire.client();
    fresh->say(kSet);
    QVERIFY(wait_until([&] { return wire.server.ends.back()->heard == kSet; }, kSoon));
    QVERIFY(server.heard.empty() && dead->heard.empty() && !dead->ended && !dead->reset);
    wire.proxy.close_half_open();
    QVERIFY(wait_until([&] { return dead->reset && server.reset; }, kSoon));
    QVERIFY(!fresh->ended && !fresh->reset);
  }

  // ---- live

  void whoseWayIsSlowStaysTheOwner_data() { each_lease_store(); }
  void whoseWayIsSlowStaysTheOwner() {
    nobodyIsGrantedTwice("delay");
    QCOMPARE(history("delay").summary.handoffs, std::uint64_t{0});
    // Both ways of a call take longer, and the store may have renewed at any moment of it.
    int slow = 0;
    for (const Event& event : of_kind(history("delay"), EventKind::kRenewed))
      slow += event.hi - event.lo >= milliseconds(160);
    QVERIFY2(slow >= 2, std::to_string(slow).c_str());
  }
  void whatComesUnevenlyCostsNobodyHisMutex_data() { each_lease_store(); }
  void whatComesUnevenlyCostsNobodyHisMutex() {
    nobodyIsGrantedTwice("jitter");
    std::set<Duration::rep> widths;
    for (const Event& event : of_kind(history("jitter"), EventKind::kRenewed))
      widths.insert((event.hi - event.lo) / milliseconds(10));
    QVERIFY(widths.size() >= 3);
  }
  void whoseRequestsAreAllLostLosesTheMutexInTime_data() { each_lease_store(); }
  void whoseRequestsAreAllLostLosesTheMutexInTime() {
    nobodyIsGrantedTwice("loss of all");
    QVERIFY(history("loss of all").summary.handoffs >= 1);
    QVERIFY(attempts(history("loss of all"), AttemptResult::kUnknown) >= 2);
    QCOMPARE(history("loss of all").summary.belief_overlap.count(), Duration::rep{0});
  }
  void whereSomePacketsAreLostTheMutexIsHeldOn_data() { each_lease_store(); }
  void whereSomePacketsAreLostTheMutexIsHeldOn() {
    nobodyIsGrantedTwice("loss");
    QVERIFY(attempts(history("loss"), AttemptResult::kUnknown) >= 1);
    QVERIFY(history("loss").summary.renewals >= 2);
  }
  void aRequestThatComesTwiceGrantsOnce_data() { each_lease_store(); }
  void aRequestThatComesTwiceGrantsOnce() {
    nobodyIsGrantedTwice("duplicate");
    QCOMPARE(history("duplicate").summary.belief_overlap.count(), Duration::rep{0});
    QCOMPARE(history("duplicate").summary.fence_regressions, std::uint64_t{0});
    QVERIFY(history("duplicate").summary.renewals >= 3);
  }
  void whatFallsBehindCostsNobodyHisMutex_data() { each_lease_store(); }
  void whatFallsBehindCostsNobodyHisMutex() {
    nobodyIsGrantedTwice("reorder");
    QVERIFY(history("reorder").summary.renewals >= 2);
  }
  void aDeadConnectionCostsACallAndNotTheMutex_data() { each_lease_store(); }
  void aDeadConnectionCostsACallAndNotTheMutex() {
    nobodyIsGrantedTwice("half open");
    QCOMPARE(history("half open").summary.handoffs, std::uint64_t{0});
    QVERIFY(attempts(history("half open"), AttemptResult::kUnknown) >= 1);
    QVERIFY(history("half open").summary.renewals >= 3);
  }

  void everyFaultIsInTheHistoryFromItsBeginningToItsEnd_data() { each_lease_store(); }
  void everyFaultIsInTheHistoryFromItsBeginningToItsEnd() {
    for (const char* what : {"delay", "jitter", "loss of all", "loss", "duplicate", "reorder", "half open"}) {
      const auto began = of_kind(history(what), EventKind::kFaultBegan),
                 ended = of_kind(history(what), EventKind::kFaultEnded);
      QVERIFY2(!began.empty() && began.size() == ended.size(), what);
    }
  }
};

LEASESCOPE_SUITE(LinkTroubleTest)
#include "link_trouble_test.moc"
