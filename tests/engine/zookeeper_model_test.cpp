// What the model of a ZooKeeper does: sessions by its own ticks, children in order, one word to who watches. The tick
// is 500 ms; a session of 4 s that was last heard of at 0 ends at 4.5 s.
#include <map>
#include <vector>

#include "simulator/model/zookeeper/zookeeper_model.h"
#include "tests/support/suite.h"

using namespace leasescope;
using namespace std::chrono_literals;

namespace {

using Fact = ServerStep::Fact;

const Name kMutex{1}, kA{2}, kB{3}, kC{4};

class Zoo {
 public:
  explicit Zoo(const ZookeeperTerms& terms = {}, Duration first_tick = {}) : model_({kMutex}, terms, first_tick) {}

  Zoo& at(Duration since_start) {
    now_ = TrueTime{} + since_start;
    return *this;
  }
  Reply ask(RequestKind kind, Name who, NodeCall call) {
    ServerCall asked;
    asked.request.id = ++requests_;
    asked.request.kind = kind;
    asked.request.mutex = kMutex;
    asked.request.contender = who;
    asked.request.nodes = call;
    if (kind == RequestKind::kConnect) model_.listen(asked);
    asked_ = asked;
    hear(asked);
    for (const ServerStep& step : steps)
      if (step.replies) return step.reply;
    qFatal("no answer");
  }
  void hear(const ServerCall& call) {
    model_.take(call, moment(), steps_);
    take_down();
  }
  void again() { hear(asked_); }
  const ServerCall& asked() const { return asked_; }
  std::uint64_t open(Name who, Duration length = 4s) {
    return sessions_[who.handle] = ask(RequestKind::kConnect, who, {0, 0, length, 0, false}).number;
  }
  NodeAnswer connect(Name who) {
    return said(ask(RequestKind::kConnect, who, {sessions_[who.handle], 0, 4s, 0, false}));
  }
  NodeAnswer beat(Name who) {
    last_ = ask(RequestKind::kHeartbeat, who, {sessions_[who.handle], 0, Duration::zero(), 0, false});
    return said(last_);
  }
  std::uint32_t create(Name who, std::uint64_t word = 0) {
    last_ = ask(RequestKind::kCreate, who, {sessions_[who.handle], word, Duration::zero(), 0, false});
    return static_cast<std::uint32_t>(last_.number);
  }
  Children list(Name who, std::uint32_t node, std::uint64_t word = 0) {
    return Children::from(
        ask(RequestKind::kChildren, who, {sessions_[who.handle], word, Duration::zero(), node, false}).number);
  }
  NodeAnswer look(Name who, std::uint32_t node, bool watch = false) {
    last_ = ask(RequestKind::kLook, who, {sessions_[who.handle], 0, Duration::zero(), node, watch});
    return said(last_);
  }
  NodeAnswer erase(Name who, std::uint32_t node) {
    return said(ask(RequestKind::kDelete, who, {sessions_[who.handle], 0, Duration::zero(), node, false}));
  }
  NodeAnswer close(Name who) {
    return said(ask(RequestKind::kCloseSession, who, {sessions_[who.handle], 0, Duration::zero(), 0, false}));
  }
  void wake(Name who) {
    model_.wake(tag(who), moment(), steps_);
    take_down();
  }
  void disturb(Disturbance what) {
    model_.disturb(what, moment(), steps_);
    take_down();
  }
  TrueTime ends(Name who) const { return model_.deadline(tag(who), {}); }
  Name owner() const { return model_.owner(0); }
  const Reply& last() const { return last_; }

  const ServerStep* fact(Fact fact) const {
    for (const ServerStep& step : steps)
      if (step.fact == fact) return &step;
    return nullptr;
  }
  const ServerStep* event(EventKind kind) const {
    for (const ServerStep& step : steps)
      if (step.fact == Fact::kOther && step.kind == kind) return &step;
    return nullptr;
  }
  const ServerStep* message(StoreEventKind kind) const {
    for (const ServerStep& step : steps)
      if (step.publishes && step.message.kind == kind) return &step;
    return nullptr;
  }

  std::vector<ServerStep> steps;  // of the last call

 private:
  static NodeAnswer said(const Reply& reply) { return static_cast<NodeAnswer>(reply.answer); }
  std::uint32_t tag(Name who) const { return static_cast<std::uint32_t>(sessions_.at(who.handle) - 1); }
  ServerNow moment() const { return {ServerTime{}, now_}; }
  void take_down() {
    steps.assign(steps_.begin(), steps_.end());
    steps_.clear();
  }

  ZookeeperModel model_;
  ServerSteps steps_;
  TrueTime now_{};
  Reply last_;
  ServerCall asked_;
  std::uint64_t requests_ = 0;
  std::map<std::uint32_t, std::uint64_t> sessions_;
};

}  // namespace

class ZookeeperModelTest : public QObject {
  Q_OBJECT
 private slots:
  // ---- sessions
  void aSessionIsAsLongAsBothAgreeUpon() {
    Zoo zoo({500ms, 2s, 10s});
    const auto length = [&](Duration asked) {
      return zoo.ask(RequestKind::kConnect, kA, {0, 0, asked, 0, false}).remaining;
    };
    QCOMPARE(length(1s), 2s);
    QCOMPARE(length(5s), 5s);
    QCOMPARE(length(30s), 10s);
  }
  void aSessionEndsAtTheTickAfterItsLength() {
    Zoo zoo;
    zoo.at(0s).open(kA);
    QCOMPARE(zoo.ends(kA), TrueTime{} + 4500ms);
    zoo.at(400ms).beat(kA);
    QCOMPARE(zoo.ends(kA), TrueTime{} + 4500ms);
    zoo.at(600ms).beat(kA);
    QCOMPARE(zoo.ends(kA), TrueTime{} + 5s);
  }
  void itsTicksNeedNotBeginWithTheRun() {
    Zoo zoo({}, 120ms);
    zoo.at(0s).open(kA);
    QCOMPARE(zoo.ends(kA), TrueTime{} + 4120ms);
    zoo.at(119ms).beat(kA);
    QCOMPARE(zoo.ends(kA), TrueTime{} + 4120ms);
    zoo.at(120ms).beat(kA);
    QCOMPARE(zoo.ends(kA), TrueTime{} + 4620ms);
  }
  void theFirstTickIsDrawnWhereTheTermsSaySo() {
    const auto ends = [](bool drawn, std::uint64_t seed) {
      ZookeeperTerms terms;
      terms.drawn_ticks = drawn;
      ModelSetting setting;
      setting.mutexes = {kMutex};
      setting.draws = RandomStream(seed, "zookeeper (model)", "model");
      ZookeeperModel model = ZookeeperModel::make(setting, terms);
      ServerCall call;
      call.request.id = 1;
      call.request.kind = RequestKind::kConnect;
      call.request.nodes = {0, 0, 4s, 0, false};
      ServerSteps steps;
      model.take(call, {ServerTime{}, TrueTime{}}, steps);
      return model.deadline(0, {});
    };
    QCOMPARE(ends(false, 1), TrueTime{} + 4500ms);
    double sum = 0;
    for (std::uint64_t seed = 1; seed <= 1000; ++seed) {
      const TrueTime at = ends(true, seed);
      QVERIFY(at > TrueTime{} + 4s && at <= TrueTime{} + 4500ms);
      QCOMPARE(ends(true, seed), at);
      sum += static_cast<double>((at - (TrueTime{} + 4s)) / 1ms);
    }
    QVERIFY2(sum / 1000 > 235 && sum / 1000 < 265, std::to_string(sum / 1000).c_str());
  }
  void wokenTooEarlyNothingEnds() {
    Zoo zoo;
    zoo.open(kA);
    zoo.at(4499ms).wake(kA);
    QVERIFY(zoo.steps.empty());
    zoo.at(4500ms).wake(kA);
    QCOMPARE(static_cast<SessionEnd>(zoo.event(EventKind::kSessionEnded)->detail), SessionEnd::kExpired);
    QCOMPARE(zoo.ends(kA), TrueTime::max());
  }
  void anyCallIsASignOfLife() {
    Zoo zoo;
    zoo.at(0s).open(kA);
    zoo.at(2s).create(kA);
    QCOMPARE(zoo.ends(kA), TrueTime{} + 6500ms);
  }
  void whoConnectsAgainInTimeHasItsSessionStill() {
    Zoo zoo;
    zoo.at(0s).open(kA);
    zoo.create(kA);
    QCOMPARE(zoo.at(4s).connect(kA), NodeAnswer::kDone);
    QCOMPARE(zoo.ends(kA), TrueTime{} + 8500ms);
    QCOMPARE(zoo.owner(), kA);
  }
  void whoConnectsTooLateIsToldThatItHasExpired() {
    Zoo zoo;
    zoo.at(0s).open(kA);
    zoo.at(5s).wake(kA);
    QCOMPARE(zoo.connect(kA), NodeAnswer::kSessionEnded);
    QCOMPARE(zoo.beat(kA), NodeAnswer::kSessionEnded);
  }
  // It stood still, and comes to its sessions before it comes to what waits in its sockets.
  void afterAStandStillASessionEndsBeforeItsClientIsHeard() {
    Zoo zoo;
    zoo.at(0s).open(kA);
    zoo.create(kA);
    QCOMPARE(zoo.at(9s).beat(kA), NodeAnswer::kSessionEnded);
    QVERIFY(zoo.event(EventKind::kSessionEnded) != nullptr);
    QVERIFY(zoo.owner().empty());
  }
  void aServerThatComesBackGivesEverySessionItsWholeLength() {
    Zoo zoo;
    zoo.at(0s).open(kA);
    zoo.create(kA);
    zoo.at(1s).disturb(Disturbance::kCrash);
    zoo.at(20s).disturb(Disturbance::kRestart);
    QCOMPARE(zoo.ends(kA), TrueTime{} + 24500ms);
    QCOMPARE(zoo.owner(), kA);
    QCOMPARE(zoo.at(21s).connect(kA), NodeAnswer::kDone);
  }

  // ---- children
  void childrenAreNumberedInOrderAndBearTheirZxid() {
    Zoo zoo;
    zoo.open(kA);
    zoo.open(kB);
    QCOMPARE(zoo.create(kA), 1u);
    const Token first = zoo.last().token;
    QCOMPARE(zoo.fact(Fact::kGranted)->token, first);
    QCOMPARE(zoo.create(kB), 2u);
    QVERIFY(zoo.last().token > first);
    QCOMPARE(zoo.fact(Fact::kGranted), nullptr);
    QCOMPARE(zoo.event(EventKind::kQueued)->a, 1);
  }
  void theListTellsTheOneBefore() {
    Zoo zoo;
    zoo.open(kA);
    zoo.open(kB);
    zoo.open(kC);
    zoo.create(kA);
    zoo.create(kB, 77);
    zoo.create(kC);
    QCOMPARE(zoo.list(kC, 3).before, 2u);
    QCOMPARE(zoo.list(kA, 1).before, 0u);
    QCOMPARE(zoo.list(kB, 0, 77).own, 2u);
    QCOMPARE(zoo.list(kB, 0, 78).own, 0u);
    zoo.erase(kB, 2);
    QCOMPARE(zoo.list(kC, 3).before, 1u);
  }
  void aGrantIsPromisedForWhatIsLeftOfTheSession() {
    Zoo zoo;
    zoo.at(0s).open(kA);
    zoo.open(kB);
    zoo.create(kA);
    zoo.create(kB);
    zoo.at(1s).erase(kA, 1);
    QCOMPARE(zoo.fact(Fact::kGranted)->owner, kB);
    QCOMPARE(zoo.fact(Fact::kGranted)->lease, 3s);
    QVERIFY(zoo.event(EventKind::kDequeued) != nullptr);
    zoo.at(2s).beat(kB);
    QCOMPARE(zoo.fact(Fact::kRenewed)->lease, 4s);
    zoo.beat(kA);
    QCOMPARE(zoo.fact(Fact::kRenewed), nullptr);
  }
  void allChildrenOfASessionGoWithIt() {
    Zoo zoo;
    zoo.open(kA);
    zoo.open(kB);
    zoo.create(kA);
    zoo.create(kB);
    zoo.create(kA);
    zoo.at(1s).beat(kB);
    zoo.at(4500ms).wake(kA);
    QCOMPARE(zoo.fact(Fact::kExpired)->owner, kA);
    QCOMPARE(zoo.fact(Fact::kGranted)->owner, kB);
    QCOMPARE(zoo.list(kB, 2).before, 0u);
    QCOMPARE(zoo.list(kB, 3).own, 0u);
  }
  // Nobody else is granted in between.
  void twoChildrenAtTheHeadOfOneSessionGoAtOnce() {
    Zoo zoo;
    zoo.open(kA);
    zoo.create(kA);
    zoo.create(kA);
    zoo.close(kA);
    QCOMPARE(zoo.fact(Fact::kGranted), nullptr);
    QVERIFY(zoo.fact(Fact::kReleased) != nullptr);
    QVERIFY(zoo.owner().empty());
  }

  void aCallThatComesTwiceMakesOneNode() {
    Zoo zoo;
    zoo.open(kA);
    zoo.create(kA);
    zoo.again();
    QVERIFY(zoo.steps.empty());
    QCOMPARE(zoo.create(kA), 2u);
  }
  void aCallOfAConnectionThatWasReplacedIsDropped() {
    Zoo zoo;
    zoo.open(kA);
    zoo.create(kA);
    const ServerCall late = zoo.asked();
    zoo.connect(kA);
    zoo.hear(late);
    QVERIFY(zoo.steps.empty());
  }

  // ---- watches
  void whoWatchesIsToldOnce() {
    Zoo zoo;
    zoo.open(kA);
    zoo.open(kB);
    zoo.create(kA);
    zoo.create(kB);
    QCOMPARE(zoo.look(kB, 1, true), NodeAnswer::kDone);
    zoo.look(kB, 1, true);
    zoo.erase(kA, 1);
    const ServerStep* told = zoo.message(StoreEventKind::kNodeDeleted);
    QVERIFY(told != nullptr);
    QCOMPARE(told->channel, kB);
    QCOMPARE(told->message.number, std::uint64_t{1});
    QCOMPARE(std::count_if(zoo.steps.begin(), zoo.steps.end(), [](const ServerStep& step) { return step.publishes; }),
             1);
    zoo.beat(kB);
    QCOMPARE(zoo.last().number, std::uint64_t{1});
  }
  void whatIsNotThereIsNotWatched() {
    Zoo zoo;
    zoo.open(kA);
    QCOMPARE(zoo.look(kA, 9, true), NodeAnswer::kNoNode);
  }
  void aWatchIsForgottenWithTheServersProcess() {
    Zoo zoo;
    zoo.open(kA);
    zoo.open(kB);
    zoo.create(kA);
    zoo.create(kB);
    zoo.look(kB, 1, true);
    zoo.disturb(Disturbance::kCrash);
    zoo.disturb(Disturbance::kRestart);
    zoo.connect(kA);
    zoo.connect(kB);
    zoo.erase(kA, 1);
    QCOMPARE(zoo.message(StoreEventKind::kNodeDeleted), nullptr);
  }

  // ---- by force
  // A session may outlive its connection, and what it was to be told of was the connection's.
  void aWatchIsForgottenWithTheConnectionThatAskedForIt() {
    Zoo zoo;
    zoo.open(kA);
    zoo.open(kB);
    const std::uint32_t first = zoo.create(kA);
    zoo.create(kB);
    QCOMPARE(zoo.look(kB, first, true), NodeAnswer::kDone);
    QCOMPARE(zoo.connect(kB), NodeAnswer::kDone);
    zoo.erase(kA, first);
    QVERIFY(zoo.message(StoreEventKind::kNodeDeleted) == nullptr);
  }
  void aSessionEndedByForceTakesItsNodeAndItsConnection() {
    Zoo zoo;
    zoo.open(kA);
    zoo.open(kB);
    zoo.create(kA);
    zoo.create(kB);
    zoo.at(1s).disturb(Disturbance::kCloseSession);
    QCOMPARE(static_cast<SessionEnd>(zoo.event(EventKind::kSessionEnded)->detail), SessionEnd::kForced);
    QCOMPARE(zoo.message(StoreEventKind::kDisconnected)->channel, kA);
    QVERIFY(zoo.fact(Fact::kForgotten) != nullptr);
    QCOMPARE(zoo.owner(), kB);
    QCOMPARE(zoo.connect(kA), NodeAnswer::kSessionEnded);
  }
  void whereNobodyHoldsNothingIsClosed() {
    Zoo zoo;
    zoo.open(kA);
    zoo.disturb(Disturbance::kCloseSession);
    QVERIFY(zoo.steps.empty());
  }
  void aCallOfAnotherFamilyFails() {
    Zoo zoo;
    QCOMPARE(zoo.ask(RequestKind::kAcquire, kA, {}).ending, Ending::kFailed);
  }
};

LEASESCOPE_SUITE(ZookeeperModelTest)
#include "zookeeper_model_test.moc"
