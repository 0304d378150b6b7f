// Contenders of a quorum lock and its five servers by hand: a call reaches its server when the test says so.
#include <array>
#include <map>
#include <vector>

#include "core/quorum/contender.h"
#include "simulator/model/quorum/redlock_model.h"
#include "tests/support/suite.h"

using namespace leasescope;
using namespace std::chrono_literals;

namespace {

using Servers = std::vector<std::uint8_t>;
const Servers kAll{0, 1, 2, 3, 4};
const Name kMutex{1}, kW{2}, kT{3}, kZ{4};

class Town {
 public:
  explicit Town(const QuorumTerms& terms) : terms_(terms) {
    for (const std::uint8_t place : kAll) servers_.emplace_back(1, RedlockTerms{}, place);
  }
  void arrives(Name who, int priority = 0) {
    ContenderSetting setting;
    setting.id = who;
    setting.mutex = kMutex;
    setting.lease.ttl = 5s;
    setting.place = who.handle;
    setting.draws = RandomStream(who.handle, "self", "jitter");
    QuorumPlan plan;
    plan.priority = priority;
    plan.hold = 0s;
    at_.emplace(who.handle, At{QuorumContender(setting, terms_, plan), {}, {}});
    input(who, Start{});
    input(who, TimerFired{QuorumTimer::kCycle});
  }
  void leaves(Name who) {
    input(who, Stop{});
    input(who, WorkDone{});
  }
  // What it has sent to these servers so far reaches them in that order, and it hears the answers.
  void reach(Name who, const Servers& servers = kAll) {
    std::vector<Request> calls, rest;
    for (const Request& call : std::exchange(at(who).sent, {}))
      (std::find(servers.begin(), servers.end(), call.store) == servers.end() ? rest : calls).push_back(call);
    at(who).sent = rest;
    for (const Request& call : calls) serve(who, call);
  }
  // Likewise, but the answers are lost on their way.
  void reach_unanswered(Name who, const Servers& servers) {
    answers_are_lost_ = true;
    reach(who, servers);
    answers_are_lost_ = false;
  }
  void works_no_more(Name who) { input(who, WorkDone{}); }
  void is_deaf(Name who) { at(who).deaf = true; }  // to messages; it hears answers
  bool believes(Name who) { return at(who).contender.believes(); }

 private:
  struct At {
    QuorumContender contender;
    std::vector<Request> sent;
    bool deaf = false;
  };

  At& at(Name who) { return at_.at(who.handle); }
  void input(Name who, const Input& in) {
    for (const Effect& effect : at(who).contender.step(in, {WallTime{} + 1h, SteadyTime{} + 1h}))
      if (const auto* send = std::get_if<Send>(&effect)) at(who).sent.push_back(send->request);
  }
  void serve(Name who, const Request& request) {
    ServerCall call;
    call.request = request;
    ServerSteps steps;
    servers_[request.store].take(call, {ServerTime{} + 1h, TrueTime{} + 1h}, steps);
    for (const ServerStep& step : steps) {
      if (step.replies) {
        Reply reply = step.reply;
        if (answers_are_lost_) reply.begin(request);
        if (answers_are_lost_) reply.ending = Ending::kUnknown;
        input(who, reply);
      }
      if (step.publishes && !at(step.channel).deaf) input(step.channel, step.message);
    }
  }

  bool answers_are_lost_ = false;
  QuorumTerms terms_;
  std::vector<RedlockModel> servers_;
  std::map<std::uint32_t, At> at_;
};

QuorumTerms unfenced() {
  QuorumTerms terms;
  terms.fence = false;
  return terms;
}

}  // namespace

class QuorumTraceTest : public QObject {
  Q_OBJECT
 private slots:
  void whoWasTakenAVoteFromLaterMeetsTheNextHolder_data();
  void whoWasTakenAVoteFromLaterMeetsTheNextHolder();
  void aLostAnswerHidesAVictimWhereThereIsNoFence();
};

// W has two votes, and its calls to the other three are on their way for long. T holds by those three, steals W's two,
// which W does not hear of, and leaves. With what it then gets of the three W has a majority; Z must not have one.
void QuorumTraceTest::whoWasTakenAVoteFromLaterMeetsTheNextHolder_data() {
  QTest::addColumn<bool>("leaves_early");  // T, before the two have its call
  QTest::newRow("the notice is lost") << false;
  QTest::newRow("its thief has left by then") << true;
}
void QuorumTraceTest::whoWasTakenAVoteFromLaterMeetsTheNextHolder() {
  QFETCH(bool, leaves_early);
  Town town(unfenced());
  town.arrives(kW);
  town.is_deaf(kW);
  town.reach(kW, {3, 4});
  town.arrives(kT, 5);
  town.reach(kT, {0, 1, 2});
  QVERIFY(town.believes(kT));
  if (!leaves_early) town.reach(kT);
  if (!leaves_early) town.reach(kT);  // the notices
  town.leaves(kT);
  town.reach(kT);
  QVERIFY(!town.believes(kT));
  town.arrives(kZ);
  town.reach(kZ, {1, 2, 3, 4});
  town.reach(kW);
  QVERIFY(town.believes(kW));
  town.reach(kZ);
  QVERIFY(!town.believes(kZ));
}

// What the corrected form does not give without a fence (core/quorum/README.md). T's calls take W's two votes, and the
// answers are lost; T is stolen from, lets go and says so, and with what it frees W has a majority beside Z.
void QuorumTraceTest::aLostAnswerHidesAVictimWhereThereIsNoFence() {
  Town town(unfenced());
  town.arrives(kW);
  town.reach(kW, {3, 4});
  town.arrives(kT, 5);
  town.reach(kT, {0, 1, 2});
  town.reach_unanswered(kT, {3, 4});
  QVERIFY(town.believes(kT));
  town.arrives(kZ, 9);
  town.reach(kZ, {1, 2, 3});
  town.reach(kZ, {1, 2});  // the notices
  QVERIFY(!town.believes(kT));
  town.works_no_more(kT);
  town.reach(kT);
  QVERIFY(town.believes(kZ));
  town.reach(kW);
  QVERIFY(town.believes(kW));
}

LEASESCOPE_SUITE(QuorumTraceTest)
#include "quorum_trace_test.moc"
