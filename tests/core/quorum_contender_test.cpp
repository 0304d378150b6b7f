// The quorum lock's contender by hand: five servers, ttl 5 s, of which 52 ms are drift.
#include <functional>

#include "core/quorum/contender.h"
#include "tests/support/suite.h"

using namespace leasescope;
using namespace std::chrono_literals;

namespace {

constexpr Duration kTtl = 5s;
constexpr Duration kDrift = 52ms;

struct Setting {
  QuorumTerms terms;
  QuorumPlan plan;
  bool callbacks = false;
};

class Servers {
 public:
  explicit Servers(const std::function<void(Setting&)>& adjust = {}) : contender_(made(adjust)) {}

  NameTable names;
  Name self = names.intern("self"), other = names.intern("other"), third = names.intern("third");
  Name mutex = names.intern("m");
  std::vector<Request> sent;
  std::vector<Note> notes;
  std::vector<std::string> told;  // "owns", "lost"

  QuorumContender& contender() { return contender_; }
  Clocks now() const { return {wall_, steady_}; }

  void input(const Input& in) {
    for (const Effect& effect : contender_.step(in, now())) {
      if (const auto* send = std::get_if<Send>(&effect)) sent.push_back(send->request);
      if (const auto* note = std::get_if<Note>(&effect)) notes.push_back(*note);
      if (const auto* arm = std::get_if<Arm>(&effect))
        due_[static_cast<std::size_t>(arm->timer)] = steady_ + arm->delay;
      if (const auto* notify = std::get_if<Notify>(&effect))
        told.emplace_back(notify->state.is_acquired(self) ? "owns" : "lost");
    }
  }
  void pass(Duration by) {
    const SteadyTime until = steady_ + by;
    for (;;) {
      const auto next =
          std::min_element(due_.begin(), due_.end(), [](const auto& a, const auto& b) { return a && (!b || *a < *b); });
      if (!*next || **next > until) break;
      wall_ += **next - steady_;
      steady_ = **next;
      next->reset();
      input(TimerFired{static_cast<Timer>(next - due_.begin())});
    }
    wall_ += until - steady_;
    steady_ = until;
  }
  // Its clocks run on, and it does nothing.
  void stand_still(Duration by) {
    wall_ += by;
    steady_ += by;
  }
  std::optional<Duration> armed(Timer timer) const {
    const auto& at = due_[static_cast<std::size_t>(timer)];
    return at ? std::optional<Duration>(*at - steady_) : std::nullopt;
  }

  // The last call of that kind to that server.
  const Request& last(RequestKind kind, std::uint8_t server) const {
    for (auto at = sent.rbegin(); at != sent.rend(); ++at)
      if (at->kind == kind && at->store == server) return *at;
    qFatal("nothing of that kind was sent to that server");
  }
  std::size_t count(RequestKind kind) const {
    return static_cast<std::size_t>(
        std::count_if(sent.begin(), sent.end(), [&](const Request& call) { return call.kind == kind; }));
  }
  std::size_t noted(EventKind kind) const {
    return static_cast<std::size_t>(
        std::count_if(notes.begin(), notes.end(), [&](const Note& note) { return note.kind == kind; }));
  }
  Reply answer_to(std::uint8_t server, QuorumAnswer answer, RequestKind kind = RequestKind::kObtain) const {
    Reply reply;
    reply.begin(last(kind, server));
    reply.answer = static_cast<std::uint8_t>(answer);
    reply.done = answer <= QuorumAnswer::kReentrant;
    return reply;
  }
  void grant(std::uint8_t server) { input(answer_to(server, QuorumAnswer::kSuccess)); }
  void grant_by_theft(std::uint8_t server, Name victim, std::uint64_t acquisition) {
    Reply reply = answer_to(server, QuorumAnswer::kFromVictim);
    reply.owner = victim;
    reply.number = acquisition;
    input(reply);
  }
  // What the servers had of it until then, asked to give it back.
  void give_back(std::uint8_t server, bool had, Ending ending = Ending::kOk) {
    Reply reply;
    reply.begin(last(RequestKind::kGiveBack, server));
    reply.done = had;
    reply.ending = ending;
    input(reply);
  }
  // How the last unlock ended; none: it has not.
  std::optional<Ending> unlocked() const {
    for (auto at = notes.rbegin(); at != notes.rend(); ++at) {
      if (static_cast<Operation>(at->detail) != Operation::kUnlock) continue;
      if (at->kind == EventKind::kReturned) return static_cast<Ending>(at->b);
      if (at->kind == EventKind::kInvoked) break;
    }
    return std::nullopt;
  }
  void deny(std::uint8_t server, Token fence = kNoToken) {
    Reply reply = answer_to(server, QuorumAnswer::kDenied);
    reply.token = fence;
    input(reply);
  }
  void deny_all() {
    for (const std::uint8_t server : {0, 1, 2, 3, 4}) deny(server);
  }
  void start() {
    input(Start{});
    pass(0s);
  }
  void start_and_hold() {
    start();
    for (const std::uint8_t server : {0, 1, 2}) grant(server);
  }
  // Steals from `other` at the first three servers.
  void start_and_steal() {
    start();
    for (const std::uint8_t server : {0, 1, 2}) grant_by_theft(server, other, 77);
  }
  void hear_theft(Name thief, std::uint64_t by, std::uint64_t from, WallTime until, std::uint8_t server = 0) {
    input(StoreEvent{StoreEventKind::kStolen, mutex, thief, server, from, by, until});
  }
  void hear_theft(std::uint64_t by = 99) { hear_theft(third, by, contender_.acquisition(), wall_ + 5s); }
  void hear_acknowledgement() {
    input(StoreEvent{StoreEventKind::kLetGo, mutex, other, 0, contender_.acquisition(), 77, {}});
  }

 private:
  QuorumContender made(const std::function<void(Setting&)>& adjust) {
    Setting of;
    of.plan.hold = 0s;
    if (adjust) adjust(of);
    ContenderSetting setting;
    setting.id = self;
    setting.mutex = mutex;
    setting.lease.ttl = kTtl;
    setting.reports_callbacks = of.callbacks;
    setting.draws = RandomStream(7, "self", "jitter");
    return {setting, of.terms, of.plan};
  }

  QuorumContender contender_;
  WallTime wall_{std::chrono::seconds(1'700'000'000)};
  SteadyTime steady_{std::chrono::seconds(100)};
  std::array<std::optional<SteadyTime>, kContenderTimers> due_;
};

void specified(Setting& of) { of.terms.form = QuorumTerms::Form::kSpecified; }

}  // namespace

class QuorumContenderTest : public QObject {
  Q_OBJECT
 private slots:
  void itAsksEveryServerAndHoldsByAMajority();
  void aLeaseLastsForItsTtlLessWhatHasPassedLessTheDrift();
  void aMajorityThatCameTooLateIsGivenBack();
  void eachAttemptIsAnotherAcquisition();
  void anAttemptInVainEndsWhenAllHaveAnswered();
  void itTriesAgainAfterOneTwoFourUpTo128Milliseconds();
  void whoDeniedItIsNotAskedToTakeAnythingBack();
  void itsFenceIsAboveAllThatAServerTold();
  void whereOnlyItsFenceWasTooLowItTriesAgainAtOnce();
  void withoutAFenceItBearsNoToken();

  void aThiefTellsItsVictimAndWaits();
  void anAcknowledgementOfAnotherAttemptMeansNothing();
  void everyVictimMustHaveAcknowledged();
  void aThiefThatNobodyAnswersGivesUp_data() { forms(); }
  void aThiefThatNobodyAnswersGivesUp();
  void withASmallerFactorItHoldsUnconfirmed();
  void withAFactorOfNoneItDoesNotWait();
  void itsLimitIsLookedAtInTheWait_data() { forms(); }
  void itsLimitIsLookedAtInTheWait();
  void aThiefThatWasStolenFromPassesTheAcknowledgementOn();
  void aThiefThatWasStolenFromAndNobodyAnswersAcknowledgesNothing();

  void aVictimLetsGoStopsItsWorkAndThenAcknowledges();
  void aVictimMayTakeItsTimeToAcknowledge();
  void aTheftOfAnEarlierAttemptIsAcknowledgedAtOnce();
  void anAttemptThatWasStolenFromIsVoid();
  void anAttemptThatStoleAndWasStolenFromWaitsForItsVictim();
  void aTheftThatIsOver_data() { forms(); }
  void aTheftThatIsOver();

  void everyHandleIsToldOrEverySecond_data() { forms(); }
  void everyHandleIsToldOrEverySecond();
  void theFirstReleaseOfTwo_data() { forms(); }
  void theFirstReleaseOfTwo();
  void reEnteringDoesNotExtend();

  void whatWasLostIsUnlockedInVain_data();
  void whatWasLostIsUnlockedInVain();
  void itIsUnlockedWhereAMajorityGaveItBack_data();
  void itIsUnlockedWhereAMajorityGaveItBack();
  void whoAsksAnewKnowsNotWhatBecameOfTheLast();
  void aStopWaitsForWhatTheServersSay();

  void itsWatchdogEndsItAtTheEndOfTheLease();
  void anExtensionMovesTheEnd();
  void whoSetsMissingKeysGoesByTheAnswerAlone();
  void itHoldsForAsLongAsItWasToldAndRests();
  void aStopGivesBackWhatItHolds();
  void aRestartRemembersNothing();
  void aTtlThatATimerCannotTellIsRefused();
  void anEvenNumberIsAdvisedAgainst();

 private:
  static void forms() {
    QTest::addColumn<bool>("corrected");
    QTest::newRow("specified") << false;
    QTest::newRow("corrected") << true;
  }
};

void QuorumContenderTest::itAsksEveryServerAndHoldsByAMajority() {
  Servers of;
  of.start();
  QCOMPARE(of.count(RequestKind::kSubscribe), std::size_t{5});
  QCOMPARE(of.count(RequestKind::kObtain), std::size_t{5});
  for (const std::uint8_t server : {0, 1, 2, 3, 4}) QCOMPARE(of.last(RequestKind::kObtain, server).quorum.span, kTtl);
  of.grant(4);
  of.grant(1);
  of.grant(1);  // the same answer once more is none
  QVERIFY(!of.contender().believes());
  of.grant(0);
  QVERIFY(of.contender().believes());
  QCOMPARE(of.told, std::vector<std::string>{"owns"});
  QCOMPARE(of.contender().token(), Token{1});
}

void QuorumContenderTest::aLeaseLastsForItsTtlLessWhatHasPassedLessTheDrift() {
  Servers of;
  of.start();
  of.pass(100ms);
  for (const std::uint8_t server : {0, 1, 2}) of.grant(server);
  QCOMPARE(*of.armed(QuorumTimer::kWatch), Duration(kTtl - 100ms - kDrift));
  QVERIFY(of.contender().owns(of.now().steady));
  QVERIFY(!of.contender().owns(of.now().steady + kTtl - 100ms - kDrift));
}

void QuorumContenderTest::aMajorityThatCameTooLateIsGivenBack() {
  Servers of;
  of.start();
  of.pass(kTtl - kDrift - 1ns);
  of.grant(0);
  of.grant(1);
  of.pass(1ns);
  QVERIFY(!of.contender().believes());
  QCOMPARE(of.count(RequestKind::kAbort), std::size_t{5});
}

void QuorumContenderTest::eachAttemptIsAnotherAcquisition() {
  Servers of;
  of.start();
  const std::uint64_t first = of.contender().acquisition();
  QVERIFY(first != 0);
  for (const std::uint8_t server : {0, 1, 2, 3, 4})
    QCOMPARE(of.last(RequestKind::kObtain, server).quorum.acquisition, first);
  of.deny_all();
  QCOMPARE(of.contender().acquisition(), std::uint64_t{0});
  of.pass(1ms);
  QVERIFY(of.contender().acquisition() != 0 && of.contender().acquisition() != first);
}

void QuorumContenderTest::anAttemptInVainEndsWhenAllHaveAnswered() {
  Servers of;
  of.start();
  of.grant(0);
  of.grant(1);
  of.deny(2);
  of.deny(3);
  QCOMPARE(of.noted(EventKind::kAttempt), std::size_t{0});
  Reply late = of.answer_to(4, QuorumAnswer::kDenied);
  late.ending = Ending::kUnknown;
  of.input(late);
  QCOMPARE(of.notes.back().kind, EventKind::kAttempt);
  QCOMPARE(of.notes.back().detail, static_cast<std::uint8_t>(AttemptResult::kUnknown));
}

void QuorumContenderTest::itTriesAgainAfterOneTwoFourUpTo128Milliseconds() {
  Servers of;
  of.start();
  for (const Duration gap : {1ms, 2ms, 4ms, 8ms, 16ms, 32ms, 64ms, 128ms, 128ms}) {
    of.deny_all();
    QCOMPARE(*of.armed(QuorumTimer::kCycle), gap);
    of.pass(gap);
  }
}

void QuorumContenderTest::whoDeniedItIsNotAskedToTakeAnythingBack() {
  Servers of;
  of.start();
  of.grant(3);
  Reply unknown = of.answer_to(4, QuorumAnswer::kDenied);
  unknown.ending = Ending::kUnknown;
  of.input(unknown);
  of.deny_all();
  QCOMPARE(of.count(RequestKind::kAbort), std::size_t{2});
  QCOMPARE(of.last(RequestKind::kAbort, 3).quorum.acquisition, of.last(RequestKind::kObtain, 3).quorum.acquisition);
  QCOMPARE(of.last(RequestKind::kAbort, 4).store, std::uint8_t{4});  // which may have granted it
}

void QuorumContenderTest::itsFenceIsAboveAllThatAServerTold() {
  Servers of;
  of.start();
  QCOMPARE(of.last(RequestKind::kObtain, 0).quorum.other, std::uint64_t{1});
  of.deny(0, 4);
  of.deny(1, 9);
  of.deny(2, 3);
  of.deny(3, 3);
  of.deny(4, 3);
  of.pass(1ms);
  QCOMPARE(of.last(RequestKind::kObtain, 4).quorum.other, std::uint64_t{10});
}

void QuorumContenderTest::whereOnlyItsFenceWasTooLowItTriesAgainAtOnce() {
  Servers of;
  of.start();
  for (const std::uint8_t server : {0, 1, 2, 3, 4}) {
    Reply behind = of.answer_to(server, QuorumAnswer::kBehind);
    behind.token = 6;
    of.input(behind);
  }
  QCOMPARE(*of.armed(QuorumTimer::kCycle), Duration(0));
  of.pass(0s);
  QCOMPARE(of.last(RequestKind::kObtain, 0).quorum.other, std::uint64_t{7});
}

void QuorumContenderTest::withoutAFenceItBearsNoToken() {
  Servers of([](Setting& setting) { setting.terms.fence = false; });
  of.start_and_hold();
  QVERIFY(of.contender().believes());
  QCOMPARE(of.contender().token(), kNoToken);
  QCOMPARE(of.last(RequestKind::kObtain, 0).quorum.other, std::uint64_t{0});
}

void QuorumContenderTest::aThiefTellsItsVictimAndWaits() {
  Servers of;
  of.start_and_steal();
  QVERIFY(!of.contender().believes());
  QCOMPARE(of.count(RequestKind::kTell), std::size_t{3});
  const Request& told = of.last(RequestKind::kTell, 1);
  QCOMPARE(told.quorum.to, of.other.handle);
  QCOMPARE(told.quorum.acquisition, std::uint64_t{77});
  QCOMPARE(told.quorum.other, of.contender().acquisition());
  QCOMPARE(WallTime(told.quorum.span), of.now().wall + kTtl - kDrift);  // its own deadline
  of.hear_acknowledgement();
  QVERIFY(of.contender().believes());
  QVERIFY(!of.contender().unconfirmed());
}

void QuorumContenderTest::anAcknowledgementOfAnotherAttemptMeansNothing() {
  Servers of;
  of.start_and_steal();
  of.input(StoreEvent{StoreEventKind::kLetGo, of.mutex, of.other, 0, of.contender().acquisition() + 2, 77, {}});
  of.input(StoreEvent{StoreEventKind::kLetGo, of.mutex, of.other, 0, of.contender().acquisition(), 78, {}});
  of.input(StoreEvent{StoreEventKind::kLetGo, of.mutex, of.third, 0, of.contender().acquisition(), 77, {}});
  QVERIFY(!of.contender().believes());
}

void QuorumContenderTest::everyVictimMustHaveAcknowledged() {
  Servers of;
  of.start();
  of.grant_by_theft(0, of.other, 77);
  of.grant_by_theft(1, of.third, 78);
  of.grant(2);
  of.hear_acknowledgement();
  QVERIFY(!of.contender().believes());
  of.input(StoreEvent{StoreEventKind::kLetGo, of.mutex, of.third, 1, of.contender().acquisition(), 78, {}});
  QVERIFY(of.contender().believes());
}

// As it was published the key is freed; corrected, its victim gets it back.
void QuorumContenderTest::aThiefThatNobodyAnswersGivesUp() {
  QFETCH(bool, corrected);
  Servers of([&](Setting& setting) {
    if (!corrected) specified(setting);
  });
  of.start_and_steal();
  of.pass(kTtl - kDrift);
  QVERIFY(!of.contender().believes());
  QCOMPARE(of.count(RequestKind::kAbort), std::size_t{corrected ? 5U : 0U});
  QCOMPARE(of.count(RequestKind::kGiveBack), std::size_t{corrected ? 0U : 5U});
  QCOMPARE(*of.armed(QuorumTimer::kCycle), Duration(1ms));
}

void QuorumContenderTest::withASmallerFactorItHoldsUnconfirmed() {
  for (const bool corrected : {false, true}) {
    Servers of([&](Setting& setting) {
      if (!corrected) specified(setting);
      setting.terms.consistency_ppm = 100'000;
    });
    of.start_and_steal();
    // It claims the lock beyond the wait: a victim that reads of it later is to let go.
    QCOMPARE(WallTime(of.last(RequestKind::kTell, 0).quorum.span), of.now().wall + kTtl - kDrift);
    of.pass(500ms - 1ns);
    QVERIFY(!of.contender().believes());
    of.pass(1ns);
    QVERIFY(of.contender().believes());
    QCOMPARE(of.contender().unconfirmed(), corrected);
    of.hear_acknowledgement();
    QVERIFY(!of.contender().unconfirmed());
  }
}

void QuorumContenderTest::withAFactorOfNoneItDoesNotWait() {
  Servers of([](Setting& setting) { setting.terms.consistency_ppm = 0; });
  of.start_and_steal();
  QVERIFY(of.contender().believes());
  QCOMPARE(of.count(RequestKind::kTell), std::size_t{3});
}

// As it was published only the acknowledgement that comes after it finds out; its victim has let go by then.
void QuorumContenderTest::itsLimitIsLookedAtInTheWait() {
  QFETCH(bool, corrected);
  Servers of([&](Setting& setting) {
    if (!corrected) specified(setting);
    setting.plan.limit = 200ms;
  });
  of.start_and_steal();
  const WallTime claimed(of.last(RequestKind::kTell, 0).quorum.span);
  QCOMPARE(claimed, of.now().wall + (corrected ? Duration(200ms) : Duration(kTtl - kDrift)));
  of.pass(200ms);
  QCOMPARE(of.noted(EventKind::kReturned), std::size_t{corrected ? 1U : 0U});
  of.pass(801ms);
  of.hear_acknowledgement();
  QVERIFY(!of.contender().believes());
  QCOMPARE(of.noted(EventKind::kReturned), std::size_t{1});
}

void QuorumContenderTest::aThiefThatWasStolenFromPassesTheAcknowledgementOn() {
  Servers of;
  of.start_and_steal();
  of.hear_theft();
  of.hear_theft(of.third, 99, of.contender().acquisition(), of.now().wall + 5s, 2);  // through another server
  QCOMPARE(of.count(RequestKind::kAcknowledge), std::size_t{0});
  of.hear_acknowledgement();
  QCOMPARE(of.count(RequestKind::kAcknowledge), std::size_t{1});
  QCOMPARE(of.last(RequestKind::kAcknowledge, 0).quorum.acquisition, std::uint64_t{99});
  QCOMPARE(of.last(RequestKind::kAcknowledge, 0).quorum.to, of.third.handle);
  QVERIFY(!of.contender().believes());
  QVERIFY(of.told.empty());
  QCOMPARE(of.count(RequestKind::kGiveBack), std::size_t{5});
}

void QuorumContenderTest::aThiefThatWasStolenFromAndNobodyAnswersAcknowledgesNothing() {
  Servers of;
  of.start_and_steal();
  of.hear_theft(of.third, 99, of.contender().acquisition(), of.now().wall + 10s);
  of.pass(kTtl);
  QCOMPARE(of.count(RequestKind::kAcknowledge), std::size_t{0});
  QVERIFY(of.told.empty());
}

void QuorumContenderTest::aVictimLetsGoStopsItsWorkAndThenAcknowledges() {
  Servers of;
  of.start_and_hold();
  const std::uint64_t acquisition = of.contender().acquisition();
  of.hear_theft();
  QVERIFY(!of.contender().believes());
  QCOMPARE(of.told, (std::vector<std::string>{"owns", "lost"}));
  QCOMPARE(of.count(RequestKind::kAcknowledge), std::size_t{0});
  of.input(WorkDone{});
  QCOMPARE(of.count(RequestKind::kAcknowledge), std::size_t{1});
  QCOMPARE(of.last(RequestKind::kAcknowledge, 0).quorum.other, acquisition);
  QCOMPARE(of.noted(EventKind::kAcknowledged), std::size_t{1});
  QCOMPARE(of.count(RequestKind::kGiveBack), std::size_t{5});
}

void QuorumContenderTest::aVictimMayTakeItsTimeToAcknowledge() {
  Servers of([](Setting& setting) { setting.plan.acknowledge = 300ms; });
  of.start_and_hold();
  of.hear_theft();
  of.input(WorkDone{});
  of.pass(300ms - 1ns);
  QCOMPARE(of.count(RequestKind::kAcknowledge), std::size_t{0});
  of.pass(1ns);
  QCOMPARE(of.count(RequestKind::kAcknowledge), std::size_t{1});
}

void QuorumContenderTest::aTheftOfAnEarlierAttemptIsAcknowledgedAtOnce() {
  Servers of;
  of.start();
  const std::uint64_t before = of.contender().acquisition();
  of.deny_all();
  of.pass(1ms);
  for (const std::uint8_t server : {0, 1, 2}) of.grant(server);
  of.hear_theft(of.third, 99, before, of.now().wall + 5s);
  QVERIFY(of.contender().believes());
  QCOMPARE(of.last(RequestKind::kAcknowledge, 0).quorum.other, before);
  of.hear_theft(of.third, 98, 12345, of.now().wall + 5s);  // of which it knows nothing, as after a restart
  QCOMPARE(of.count(RequestKind::kAcknowledge), std::size_t{1});
}

void QuorumContenderTest::anAttemptThatWasStolenFromIsVoid() {
  Servers of;
  of.start();
  of.grant(0);
  of.hear_theft();
  QCOMPARE(of.count(RequestKind::kAcknowledge), std::size_t{0});  // it may have stolen itself: nobody has said yet
  for (const std::uint8_t server : {1, 2, 3, 4}) of.grant(server);
  QVERIFY(!of.contender().believes());
  QCOMPARE(of.count(RequestKind::kAcknowledge), std::size_t{1});
  QCOMPARE(of.count(RequestKind::kAbort), std::size_t{5});
}

void QuorumContenderTest::anAttemptThatStoleAndWasStolenFromWaitsForItsVictim() {
  Servers of;
  of.start();
  of.grant_by_theft(0, of.other, 77);
  of.hear_theft();
  for (const std::uint8_t server : {1, 2, 3, 4}) of.deny(server);
  QCOMPARE(of.count(RequestKind::kAcknowledge), std::size_t{0});
  QCOMPARE(of.count(RequestKind::kTell), std::size_t{1});
  of.hear_acknowledgement();
  QCOMPARE(of.count(RequestKind::kAcknowledge), std::size_t{1});
  QVERIFY(of.told.empty());
}

void QuorumContenderTest::aTheftThatIsOver() {
  QFETCH(bool, corrected);
  Servers of([&](Setting& setting) {
    if (!corrected) specified(setting);
  });
  of.start_and_hold();
  of.hear_theft(of.third, 99, of.contender().acquisition(), of.now().wall);
  QCOMPARE(of.contender().believes(), corrected);
}

void QuorumContenderTest::everyHandleIsToldOrEverySecond() {
  QFETCH(bool, corrected);
  Servers of([&](Setting& setting) {
    if (!corrected) specified(setting);
    setting.plan.handles = 2;
  });
  of.start_and_hold();
  of.pass(0s);
  for (const std::uint8_t server : {0, 1, 2}) of.input(of.answer_to(server, QuorumAnswer::kReentrant));
  QCOMPARE(of.contender().handles(), 2);
  of.hear_theft();
  if (corrected) of.input(WorkDone{});
  QCOMPARE(of.count(RequestKind::kAcknowledge), std::size_t{1});
  QCOMPARE(of.contender().believes(), !corrected);
  of.pass(kTtl);
  QCOMPARE(of.contender().owns(of.now().steady), !corrected);  // nobody tells the second handle, ever
}

void QuorumContenderTest::theFirstReleaseOfTwo() {
  QFETCH(bool, corrected);
  Servers of([&](Setting& setting) {
    if (!corrected) specified(setting);
    setting.plan.handles = 2;
    setting.plan.hold = 100ms;
  });
  of.start_and_hold();
  of.pass(0s);
  for (const std::uint8_t server : {0, 1, 2}) of.input(of.answer_to(server, QuorumAnswer::kReentrant));
  of.pass(100ms);
  QCOMPARE(of.count(RequestKind::kGiveBack), std::size_t{corrected ? 0U : 5U});
  QVERIFY(of.contender().owns(of.now().steady));
  of.pass(100ms);
  of.input(WorkDone{});
  QVERIFY(!of.contender().believes());
  QCOMPARE(of.count(RequestKind::kGiveBack), std::size_t{5});
}

void QuorumContenderTest::reEnteringDoesNotExtend() {
  Servers of([](Setting& setting) { setting.plan.handles = 2; });
  of.start_and_hold();
  const std::uint64_t acquisition = of.contender().acquisition();
  const Duration left = *of.armed(QuorumTimer::kWatch);
  of.pass(0s);
  QCOMPARE(of.last(RequestKind::kObtain, 0).quorum.other, acquisition);
  QVERIFY(of.last(RequestKind::kObtain, 0).quorum.rules.re_enters);
  QVERIFY(of.last(RequestKind::kObtain, 0).quorum.acquisition != acquisition);
  of.pass(10ms);
  for (const std::uint8_t server : {0, 1, 2}) of.input(of.answer_to(server, QuorumAnswer::kReentrant));
  QCOMPARE(of.contender().acquisition(), acquisition);
  QCOMPARE(*of.armed(QuorumTimer::kWatch), Duration(left - 10ms));
  QCOMPARE(of.notes.back().kind, EventKind::kReentered);
  QCOMPARE(of.notes.back().b, std::int64_t{2});
}

void QuorumContenderTest::whatWasLostIsUnlockedInVain_data() {
  QTest::addColumn<QString>("how");
  for (const char* how : {"stolen", "its watchdog", "left after a pause"}) QTest::newRow(how) << how;
}
void QuorumContenderTest::whatWasLostIsUnlockedInVain() {
  QFETCH(QString, how);
  Servers of([](Setting& setting) { setting.plan.hold = 3s; });
  of.start_and_hold();
  if (how == "stolen") of.hear_theft();
  if (how == "its watchdog") of.stand_still(kTtl), of.input(TimerFired{QuorumTimer::kWatch});
  if (how == "left after a pause") of.stand_still(kTtl), of.input(TimerFired{QuorumTimer::kCycle});
  QVERIFY(!of.unlocked());
  of.input(WorkDone{});
  QCOMPARE(of.count(RequestKind::kGiveBack), std::size_t{5});  // whatever may be left of it
  QVERIFY(of.unlocked() == Ending::kFailed);
}

void QuorumContenderTest::itIsUnlockedWhereAMajorityGaveItBack_data() {
  QTest::addColumn<QString>("said");  // server by server: it had it, it had not, or no answer
  QTest::addColumn<int>("ending");
  const auto row = [](const char* said, Ending ending) { QTest::newRow(said) << said << static_cast<int>(ending); };
  row("yyy", Ending::kOk);
  row("nnyyy", Ending::kOk);
  row("yy??y", Ending::kOk);
  row("nnnnn", Ending::kFailed);
  row("yynnn", Ending::kUnknown);  // a majority until it began to give it back, or not
  row("nnnn?", Ending::kUnknown);
  row("?????", Ending::kUnknown);
}
void QuorumContenderTest::itIsUnlockedWhereAMajorityGaveItBack() {
  QFETCH(QString, said);
  QFETCH(int, ending);
  Servers of([](Setting& setting) { setting.plan.hold = 200ms; });
  of.start_and_hold();
  of.pass(200ms);
  of.input(WorkDone{});
  for (int server = 0; server < said.size(); ++server) {
    QVERIFY(!of.unlocked());
    const auto from = static_cast<std::uint8_t>(server);
    of.give_back(from, said[server] == 'y', said[server] == '?' ? Ending::kUnknown : Ending::kOk);
    if (!of.unlocked()) of.give_back(from, true);  // an answer that comes twice is one
  }
  QCOMPARE(of.unlocked(), std::optional(static_cast<Ending>(ending)));
}

void QuorumContenderTest::whoAsksAnewKnowsNotWhatBecameOfTheLast() {
  Servers of([](Setting& setting) {
    setting.plan.hold = 200ms;
    setting.plan.rest = 1ms;
  });
  of.start_and_hold();
  of.pass(200ms);
  of.input(WorkDone{});
  of.pass(1ms);
  QVERIFY(of.unlocked() == Ending::kUnknown);
  QCOMPARE(of.notes.back().kind, EventKind::kInvoked);
  for (const std::uint8_t server : {0, 1, 2, 3, 4}) of.give_back(server, true);
  QCOMPARE(of.noted(EventKind::kReturned), std::size_t{2});
}

void QuorumContenderTest::aStopWaitsForWhatTheServersSay() {
  Servers of;
  of.start_and_hold();
  of.input(Stop{});
  of.input(WorkDone{});
  of.pass(1ms);
  QCOMPARE(of.contender().status(), Status::kStopping);
  for (const std::uint8_t server : {0, 1, 2}) of.give_back(server, true);
  of.pass(0s);
  QCOMPARE(of.contender().status(), Status::kInitial);
  QVERIFY(of.unlocked() == Ending::kOk);
}

void QuorumContenderTest::itsWatchdogEndsItAtTheEndOfTheLease() {
  Servers of;
  of.start_and_hold();
  of.pass(kTtl - kDrift - 1ns);
  QVERIFY(of.contender().believes());
  of.pass(1ns);
  QVERIFY(!of.contender().believes());
}

void QuorumContenderTest::anExtensionMovesTheEnd() {
  Servers of([](Setting& setting) { setting.terms.extend = QuorumTerms::Extend::kHeld; });
  of.start_and_hold();
  of.pass(kTtl / 3);
  QCOMPARE(of.count(RequestKind::kExtend), std::size_t{5});
  of.pass(10ms);
  for (const std::uint8_t server : {2, 3, 4}) {
    Reply reply = of.answer_to(server, QuorumAnswer::kSuccess, RequestKind::kExtend);
    of.input(reply);
  }
  QCOMPARE(*of.armed(QuorumTimer::kWatch), Duration(kTtl - 10ms - kDrift));
  of.pass(kTtl / 3 - 10ms);
  for (const std::uint8_t server : {0, 1, 2})
    of.input(of.answer_to(server, QuorumAnswer::kDenied, RequestKind::kExtend));
  QVERIFY(of.contender().believes());  // what it has lasts
}

void QuorumContenderTest::whoSetsMissingKeysGoesByTheAnswerAlone() {
  Servers of([](Setting& setting) { setting.terms.extend = QuorumTerms::Extend::kSetMissing; });
  of.start_and_hold();
  of.pass(2 * kTtl);
  QVERIFY(of.contender().owns(of.now().steady));
  QVERIFY(of.last(RequestKind::kExtend, 0).quorum.rules.sets_missing);
  for (const std::uint8_t server : {0, 1, 2})
    of.input(of.answer_to(server, QuorumAnswer::kDenied, RequestKind::kExtend));
  QVERIFY(!of.contender().believes());
}

void QuorumContenderTest::itHoldsForAsLongAsItWasToldAndRests() {
  Servers of([](Setting& setting) {
    setting.plan.hold = 200ms;
    setting.plan.rest = 3s;
  });
  of.start_and_hold();
  of.pass(200ms);
  QVERIFY(!of.contender().believes());
  QCOMPARE(of.count(RequestKind::kGiveBack), std::size_t{0});  // its work has not come to its end
  of.input(WorkDone{});
  QCOMPARE(of.count(RequestKind::kGiveBack), std::size_t{5});
  of.pass(3s - 1ns);
  QCOMPARE(of.count(RequestKind::kObtain), std::size_t{5});
  of.pass(1ns);
  QCOMPARE(of.count(RequestKind::kObtain), std::size_t{10});
}

void QuorumContenderTest::aStopGivesBackWhatItHolds() {
  Servers of;
  of.start_and_hold();
  of.input(Stop{});
  QVERIFY(!of.contender().believes());
  of.input(WorkDone{});
  QCOMPARE(of.count(RequestKind::kGiveBack), std::size_t{5});
  for (const std::uint8_t server : {0, 1, 2}) of.give_back(server, true);
  of.pass(0s);
  QCOMPARE(of.count(RequestKind::kUnsubscribe), std::size_t{5});
  QCOMPARE(of.contender().status(), Status::kInitial);
  QCOMPARE(of.notes.back().kind, EventKind::kStopped);
}

void QuorumContenderTest::aRestartRemembersNothing() {
  Servers of;
  of.start_and_hold();
  const QuorumContender next = of.contender().reborn(of.other);
  QVERIFY(!next.believes());
  QCOMPARE(next.id(), of.other);
  QCOMPARE(next.acquisition(), std::uint64_t{0});
  QVERIFY(next.draws() == of.contender().draws());  // or its attempts would be taken for those of before
}

void QuorumContenderTest::aTtlThatATimerCannotTellIsRefused() {
  QVERIFY(!wrong_ttl(std::chrono::milliseconds(INT32_MAX)));
  const auto wrong = wrong_ttl(std::chrono::milliseconds(std::int64_t{INT32_MAX} + 1));
  QVERIFY(wrong && wrong->find("expected") != std::string::npos);
}

void QuorumContenderTest::anEvenNumberIsAdvisedAgainst() {
  QuorumTerms terms;
  QVERIFY(QuorumContender::advice(terms).empty());
  terms.servers = 4;
  QVERIFY(QuorumContender::advice(terms).find("wasted") != std::string::npos);
  QCOMPARE(terms.majority(), 3);
}

LEASESCOPE_SUITE(QuorumContenderTest)
#include "quorum_contender_test.moc"
