// The calls that a run's history tells of: what ends without a call, and when (T).
#include "core/check/run_calls.h"

#include <fmt/format.h>

#include "core/check/check.h"
#include "tests/support/suite.h"

using namespace leasescope;
using check::RunCalls;

namespace {

// Its moments are in milliseconds; each event comes after the one before.
class Story {
 public:
  Story& invoked(std::int64_t at, const char* who, Operation f, std::uint64_t uid) {
    RunCalls::Told told = of(at, EventKind::kInvoked, who, kNoToken);
    told.operation = f;
    told.uid = uid;
    return add(told);
  }
  Story& returned(std::int64_t at, const char* who, Operation f, std::uint64_t uid, Ending ending, Token token) {
    RunCalls::Told told = of(at, EventKind::kReturned, who, token);
    told.operation = f;
    told.uid = uid;
    told.ending = ending;
    return add(told);
  }
  // A call that needs no server, or one as quick.
  Story& called(std::int64_t at, const char* who, Operation f, std::uint64_t uid, Ending ending, Token token) {
    return invoked(at, who, f, uid).returned(at, who, f, uid, ending, token);
  }
  Story& granted(std::int64_t at, const char* who, Token token, std::int64_t lease, bool stolen = false) {
    RunCalls::Told told = of(at, EventKind::kGranted, who, token);
    told.lease = lease * kMs;
    told.stolen = stolen;
    return add(told);
  }
  Story& restored(std::int64_t at, const char* who, Token token, std::int64_t lease) {
    RunCalls::Told told = of(at, EventKind::kGranted, who, token);
    told.lease = lease * kMs;
    told.again = true;
    return add(told);
  }
  Story& won(std::int64_t at, const char* who, Token token, std::int64_t left) {
    RunCalls::Told told = of(at, EventKind::kAttempt, who, token);
    told.lease = left * kMs;
    return add(told);
  }
  Story& ended(std::int64_t at, EventKind kind, const char* who, Token token) { return add(of(at, kind, who, token)); }

  // What ended without a call: "a #1 at 700", and of unknown effect or of none "unknown" and "no" before.
  std::vector<std::string> ends() const {
    std::vector<std::string> out;
    const check::Calls calls = calls_.calls();
    for (const check::Call& call : calls.calls)
      if (call.f == Operation::kExpire && call.ending != Ending::kFailed)
        out.push_back(fmt::format("{}{} #{} at {}", call.ending == Ending::kUnknown ? "unknown " : "",
                                  calls.names.text(call.client), call.fence, call.called.ns / kMs));
    return out;
  }
  bool legal(check::ModelKind model = check::ModelKind::kReentrantFenced) const {
    return check::judge({model, 9}, calls_.calls(), {}).verdict == check::Verdict::kOk;
  }

 private:
  static constexpr std::int64_t kMs = 1'000'000;

  RunCalls::Told of(std::int64_t at, EventKind kind, const char* who, Token token) {
    RunCalls::Told told;
    told.kind = kind;
    told.lo = told.hi = at * kMs;
    told.sequence = ++sequence_;
    told.node = who;
    told.mutex = "m";
    told.token = token;
    return told;
  }
  Story& add(const RunCalls::Told& told) {
    calls_.add(told);
    return *this;
  }

  RunCalls calls_{false};
  std::int64_t sequence_ = 0;
};

using Ends = std::vector<std::string>;
constexpr Operation kLock = Operation::kLock, kTry = Operation::kTryLock, kUnlock = Operation::kUnlock;

}  // namespace

class RunCallsTest : public QObject {
  Q_OBJECT
 private slots:
  void whatRunsOutIsOverThen() {
    Story story;
    story.invoked(1, "a", kLock, 1).granted(2, "a", 1, 600).returned(3, "a", kLock, 1, Ending::kOk, 1);
    story.ended(602, EventKind::kExpired, "a", 1);
    story.called(900, "a", kUnlock, 2, Ending::kFailed, kNoToken);
    QCOMPARE(story.ends(), Ends{"a #1 at 602"});
    QVERIFY(story.legal());
  }
  // A handle that is not the last is freed without asking the servers: its holder does not know yet, and nobody was in
  // its way.
  void whoFreesAHandleAfterThatHeldOnUntilItLearnsOfIt() {
    Story story;
    story.invoked(1, "a", kLock, 1).granted(2, "a", 1, 600).returned(3, "a", kLock, 1, Ending::kOk, 1);
    for (const std::uint64_t uid : {2, 3}) story.called(4, "a", kTry, uid, Ending::kOk, 1);
    story.ended(602, EventKind::kExpired, "a", 1);
    story.called(700, "a", kUnlock, 4, Ending::kOk, 1);
    story.called(750, "a", kUnlock, 5, Ending::kOk, 1);
    story.invoked(800, "a", kUnlock, 6).ended(800, EventKind::kDisbelieved, "a", 1);
    story.returned(900, "a", kUnlock, 6, Ending::kFailed, kNoToken);
    story.invoked(1000, "b", kLock, 7).granted(1001, "b", 2, 600).returned(1002, "b", kLock, 7, Ending::kOk, 2);
    QCOMPARE(story.ends(), Ends{"a #1 at 800"});
    QVERIFY(story.legal());
  }
  void orUntilAnotherIsGrantedIt() {
    Story story;
    story.invoked(1, "a", kLock, 1).granted(2, "a", 1, 600).returned(3, "a", kLock, 1, Ending::kOk, 1);
    for (const std::uint64_t uid : {2, 3}) story.called(4, "a", kTry, uid, Ending::kOk, 1);
    story.ended(602, EventKind::kExpired, "a", 1);
    story.called(700, "a", kUnlock, 4, Ending::kOk, 1);
    story.invoked(710, "b", kLock, 5).granted(711, "b", 2, 600).returned(712, "b", kLock, 5, Ending::kOk, 2);
    QCOMPARE(story.ends(), Ends{"a #1 at 711"});
    QVERIFY(story.legal());
    // What it frees then was another's already.
    story.called(800, "a", kUnlock, 6, Ending::kOk, 1);
    QVERIFY(!story.legal());
  }
  void aTheftEndsItWhenItsVictimLetsGo() {
    Story story;
    story.invoked(1, "a", kLock, 1).granted(2, "a", 1, 600).returned(3, "a", kLock, 1, Ending::kOk, 1);
    story.invoked(100, "b", kLock, 2).granted(101, "b", 2, 600, true);
    story.invoked(110, "a", kUnlock, 3).ended(110, EventKind::kDisbelieved, "a", 1);
    story.returned(150, "a", kUnlock, 3, Ending::kFailed, kNoToken);
    story.returned(160, "b", kLock, 2, Ending::kOk, 2);
    QCOMPARE(story.ends(), Ends{"a #1 at 110"});
    QVERIFY(story.legal());
  }
  void whatItsThiefGivesUpIsNotOver() {
    Story story;
    story.invoked(1, "a", kLock, 1).granted(2, "a", 1, 600).returned(3, "a", kLock, 1, Ending::kOk, 1);
    story.called(4, "a", kTry, 2, Ending::kOk, 1);
    story.invoked(100, "b", kLock, 3).granted(101, "b", 2, 600, true).returned(110, "b", kLock, 3, Ending::kFailed, 0);
    story.ended(111, EventKind::kReleased, "b", 2).granted(111, "a", 1, 491);
    story.ended(300, EventKind::kRenewed, "a", 1);
    story.called(700, "a", kUnlock, 4, Ending::kOk, 1);
    QCOMPARE(story.ends(), Ends{});
    QVERIFY(story.legal());
  }
  // Of its entries one is that of a call of which nobody knows: an unlock that comes through frees another.
  void whatAnUnlockDidNotFreeEndsWithTheSessionAllTheSame() {
    Story story;
    story.invoked(1, "a", kTry, 1).granted(2, "a", 1, 600).returned(9, "a", kTry, 1, Ending::kUnknown, kNoToken);
    story.called(10, "a", kTry, 2, Ending::kOk, 1);
    story.invoked(20, "a", kUnlock, 3).ended(700, EventKind::kExpired, "a", 1);
    story.returned(710, "a", kUnlock, 3, Ending::kOk, kNoToken);
    story.called(800, "b", kTry, 4, Ending::kOk, 2);
    QCOMPARE(story.ends(), Ends{"unknown a #1 at 700"});
    QVERIFY(story.legal());
  }
  // Each server extended it, but by the last of them the first were its thief's.
  void aVictimMayBelieveForAsLongAsAMajorityToldIt() {
    Story story;
    story.invoked(1, "a", kLock, 1).granted(2, "a", 1, 600).returned(3, "a", kLock, 1, Ending::kOk, 1);
    story.called(4, "a", kTry, 2, Ending::kOk, 1);
    story.invoked(500, "b", kLock, 3).granted(501, "b", 2, 900, true).won(510, "a", 1, 590);
    story.called(700, "a", kUnlock, 4, Ending::kOk, 1);
    story.invoked(800, "a", kUnlock, 5).ended(800, EventKind::kDisbelieved, "a", 1);
    story.returned(850, "a", kUnlock, 5, Ending::kFailed, kNoToken).returned(900, "b", kLock, 3, Ending::kOk, 2);
    QCOMPARE(story.ends(), Ends{"a #1 at 800"});
    QVERIFY(story.legal());
  }
  void butNotForLonger() {
    Story story;
    story.invoked(1, "a", kLock, 1).granted(2, "a", 1, 600).returned(3, "a", kLock, 1, Ending::kOk, 1);
    story.called(4, "a", kTry, 2, Ending::kOk, 1);
    story.invoked(500, "b", kLock, 3).granted(501, "b", 2, 900, true).won(510, "a", 1, 180);
    story.called(700, "a", kUnlock, 4, Ending::kOk, 1);
    QVERIFY(!story.legal());
  }
  // Each server was for it, but by the last of them the first were another's.
  void whatWasNeverGrantedEndsWhenItsHolderLetsGo() {
    Story story;
    story.invoked(1, "a", kLock, 1).invoked(1, "b", kLock, 2).granted(3, "b", 2, 600);
    story.returned(4, "a", kLock, 1, Ending::kOk, 1);
    story.invoked(10, "a", kUnlock, 3).ended(10, EventKind::kDisbelieved, "a", 1);
    story.returned(50, "a", kUnlock, 3, Ending::kFailed, kNoToken);
    story.returned(60, "b", kLock, 2, Ending::kOk, 2);
    QCOMPARE(story.ends(), Ends{"a #1 at 10"});
    QVERIFY(story.legal());
  }
  void alsoWhileTheVictimHasNotHeardThatItHoldsIt() {
    Story story;
    story.invoked(1, "a", kLock, 1).granted(2, "a", 1, 600);
    story.invoked(1, "b", kLock, 2).granted(3, "b", 2, 600, true);
    story.returned(4, "a", kLock, 1, Ending::kOk, 1).invoked(4, "a", kTry, 3);
    story.invoked(10, "a", kUnlock, 4).ended(10, EventKind::kDisbelieved, "a", 1);
    story.returned(50, "a", kUnlock, 4, Ending::kFailed, kNoToken);
    story.returned(60, "b", kLock, 2, Ending::kOk, 2);
    QCOMPARE(story.ends(), Ends{"a #1 at 10"});
    QVERIFY(story.legal());
  }
  // It waited when it was stopped, and nothing told that call's end; started again, it is granted and loses its session
  // before the answer is there.
  void whatACallTookThatAStopGaveUpIsNoPartOfTheNextOne() {
    Story story;
    story.invoked(1, "a", kLock, 1).ended(10, EventKind::kStopped, "a", kNoToken);
    story.invoked(20, "a", kLock, 2).granted(21, "a", 2, 600).ended(621, EventKind::kExpired, "a", 2);
    story.returned(700, "a", kLock, 2, Ending::kOk, 2).called(701, "a", kUnlock, 3, Ending::kFailed, kNoToken);
    story.invoked(800, "a", kLock, 4).granted(801, "a", 3, 600).returned(802, "a", kLock, 4, Ending::kOk, 3);
    QCOMPARE(story.ends(), Ends{"a #2 at 621"});
    QVERIFY(story.legal());
  }
  // Its renewal came too late: what it did not renew had ended then.
  void whatARenewalComesTooLateForEndsAllTheSame() {
    Story story;
    story.invoked(1, "a", kLock, 1).granted(2, "a", 1, 600).returned(3, "a", kLock, 1, Ending::kOk, 1);
    story.invoked(550, "a", Operation::kRenew, 2).ended(602, EventKind::kExpired, "a", 1);
    story.invoked(603, "b", kLock, 3).granted(604, "b", 2, 600).returned(605, "b", kLock, 3, Ending::kOk, 2);
    story.returned(620, "a", Operation::kRenew, 2, Ending::kFailed, kNoToken);
    QCOMPARE(story.ends(), Ends{"a #1 at 602"});
    QVERIFY(story.legal());
  }
  void unlessItIsRenewedAllTheSame() {
    Story story;
    story.invoked(1, "a", kLock, 1).granted(2, "a", 1, 600).returned(3, "a", kLock, 1, Ending::kOk, 1);
    story.invoked(550, "a", Operation::kRenew, 2).ended(602, EventKind::kExpired, "a", 1);
    story.ended(610, EventKind::kRenewed, "a", 1).returned(620, "a", Operation::kRenew, 2, Ending::kOk, 1);
    story.called(700, "a", kUnlock, 3, Ending::kOk, 1);
    QCOMPARE(story.ends(), Ends{});
    QVERIFY(story.legal());
  }
  // Readers bear one token. The place that it had before its crash runs out later, beside the one that it has now.
  void aReadersPlaceOfBeforeItsCrashEndsForItself() {
    constexpr Operation kRead = Operation::kReadLock, kWrite = Operation::kWriteLock;
    Story story;
    story.invoked(1, "a", kRead, 1).granted(2, "a", 1, 600).returned(3, "a", kRead, 1, Ending::kOk, 1);
    story.ended(10, EventKind::kCrashed, "a", kNoToken).invoked(20, "b", kWrite, 1);
    story.invoked(100, "a", kRead, 1).granted(101, "a", 1, 600).returned(102, "a", kRead, 1, Ending::kOk, 1);
    story.ended(602, EventKind::kExpired, "a", 1).ended(603, EventKind::kRenewed, "a", 1);
    story.ended(700, EventKind::kCrashed, "a", kNoToken).ended(1203, EventKind::kExpired, "a", 1);
    story.granted(1204, "b", 2, 600).returned(1205, "b", kWrite, 1, Ending::kOk, 2);
    QCOMPARE(story.ends(), (Ends{"a #1 at 602", "a #1 at 1203"}));
    QVERIFY(story.legal(check::ModelKind::kReadWrite));
  }
  // Its answer was lost. Asked anew the call gives back the place that nobody was told of, and takes another. What a
  // crash had left in doubt before does not hide it.
  void aPlaceThatAReaderTookInVainIsNoPartOfTheNextOne() {
    constexpr Operation kRead = Operation::kReadLock, kFree = Operation::kReadUnlock;
    Story story;
    story.invoked(0, "a", kRead, 1).ended(0, EventKind::kCrashed, "a", kNoToken);
    story.invoked(1, "a", kRead, 1).granted(2, "a", 1, 600).ended(50, EventKind::kReleased, "a", 1);
    story.granted(51, "a", 1, 600).returned(52, "a", kRead, 1, Ending::kOk, 1);
    story.invoked(100, "a", kFree, 2).ended(101, EventKind::kReleased, "a", 1);
    story.returned(102, "a", kFree, 2, Ending::kOk, kNoToken);
    QCOMPARE(story.ends(), Ends{"unknown a #1 at 101"});
    QVERIFY(story.legal(check::ModelKind::kReadWrite));
  }
  // The place of before its crash runs out later; what it frees by a call meanwhile is the one that it has now.
  void whatAReaderFreesIsThePlaceItHasNow() {
    constexpr Operation kRead = Operation::kReadLock, kFree = Operation::kReadUnlock;
    Story story;
    story.invoked(0, "a", kRead, 1).ended(0, EventKind::kCrashed, "a", kNoToken);
    story.invoked(1, "a", kRead, 1).granted(2, "a", 1, 600).returned(3, "a", kRead, 1, Ending::kOk, 1);
    story.ended(10, EventKind::kCrashed, "a", kNoToken);
    story.invoked(20, "a", kRead, 1).granted(21, "a", 1, 600).returned(22, "a", kRead, 1, Ending::kOk, 1);
    story.invoked(50, "a", kFree, 2).ended(51, EventKind::kReleased, "a", 1);
    story.returned(52, "a", kFree, 2, Ending::kOk, kNoToken);
    story.invoked(53, "a", kRead, 3).granted(54, "a", 1, 600).returned(55, "a", kRead, 3, Ending::kOk, 1);
    story.ended(602, EventKind::kExpired, "a", 1);
    story.invoked(610, "a", kFree, 4).ended(611, EventKind::kReleased, "a", 1);
    story.returned(612, "a", kFree, 4, Ending::kOk, kNoToken);
    QCOMPARE(story.ends(), (Ends{"unknown a #1 at 51", "a #1 at 602", "unknown a #1 at 611"}));
    QVERIFY(story.legal(check::ModelKind::kReadWrite));
  }
  // ---- of a lock without fences
  // It was entered once more before it ended, and the answer was held back until after that.
  void whatWasToldTooLateIsNoPartOfTheNextHold() {
    Story story;
    story.invoked(1, "a", kLock, 1).granted(2, "a", 0, 600).returned(3, "a", kLock, 1, Ending::kOk, 0);
    story.invoked(4, "a", kLock, 2).ended(602, EventKind::kExpired, "a", 0);
    story.returned(700, "a", kLock, 2, Ending::kOk, 0).called(800, "a", kUnlock, 3, Ending::kFailed, 0);
    story.invoked(1000, "a", kLock, 4).granted(1001, "a", 0, 600).returned(1002, "a", kLock, 4, Ending::kOk, 0);
    story.invoked(1100, "a", kUnlock, 5).ended(1101, EventKind::kReleased, "a", 0);
    story.returned(1102, "a", kUnlock, 5, Ending::kOk, 0);
    QCOMPARE(story.ends(), Ends{"a #0 at 602"});
    QVERIFY(story.legal());
  }
  // Its first attempt stole it, heard of no server, and gave it back to its victim; the next one stole it again.
  void whatAnAttemptStoleInVainIsNoPartOfTheNextOne() {
    Story story;
    story.invoked(1, "b", kLock, 1).granted(2, "b", 0, 600).returned(3, "b", kLock, 1, Ending::kOk, 0);
    story.invoked(10, "a", kLock, 2).granted(11, "a", 0, 600, true).ended(20, EventKind::kReleased, "a", 0);
    story.restored(20, "b", 0, 580).granted(30, "a", 0, 600, true);
    story.invoked(35, "b", kUnlock, 3).ended(35, EventKind::kDisbelieved, "b", 0);
    story.returned(36, "b", kUnlock, 3, Ending::kFailed, 0).returned(40, "a", kLock, 2, Ending::kOk, 0);
    story.called(50, "a", kUnlock, 4, Ending::kOk, 0).ended(51, EventKind::kReleased, "a", 0);
    QCOMPARE(story.ends(), Ends{"b #0 at 35"});
    QVERIFY(story.legal());
  }
  // It let go while its thief had it, and the thief gave it back: the same hold ends once.
  void whatIsGivenBackToWhoHasLetGoIsNoOtherHold() {
    Story story;
    story.invoked(1, "a", kLock, 1).granted(2, "a", 0, 600).returned(3, "a", kLock, 1, Ending::kOk, 0);
    story.invoked(10, "b", kLock, 2).granted(11, "b", 0, 600, true).invoked(12, "a", kUnlock, 3);
    story.ended(12, EventKind::kDisbelieved, "a", 0).returned(20, "b", kLock, 2, Ending::kFailed, 0);
    story.ended(21, EventKind::kReleased, "b", 0).restored(21, "a", 0, 20).ended(22, EventKind::kRenewed, "a", 0);
    story.ended(41, EventKind::kExpired, "a", 0).invoked(50, "c", kLock, 4).granted(51, "c", 0, 600);
    story.returned(52, "c", kLock, 4, Ending::kOk, 0).returned(90, "a", kUnlock, 3, Ending::kFailed, 0);
    QCOMPARE(story.ends(), Ends{"a #0 at 41"});
    QVERIFY(story.legal());
  }
  // Each server was for it, but by the last of them the first were another's; it was granted it earlier, as another
  // hold.
  void whatWasNeverGrantedWithoutATokenEndsAsWell() {
    Story story;
    story.invoked(1, "a", kLock, 1).granted(2, "a", 0, 600).returned(3, "a", kLock, 1, Ending::kOk, 0);
    story.invoked(10, "a", kUnlock, 2).ended(11, EventKind::kReleased, "a", 0);
    story.returned(12, "a", kUnlock, 2, Ending::kOk, 0);
    story.invoked(20, "a", kLock, 3).invoked(20, "b", kLock, 4).granted(23, "b", 0, 600);
    story.returned(24, "a", kLock, 3, Ending::kOk, 0).invoked(30, "a", kUnlock, 5);
    story.ended(30, EventKind::kDisbelieved, "a", 0).returned(50, "a", kUnlock, 5, Ending::kFailed, 0);
    story.returned(60, "b", kLock, 4, Ending::kOk, 0);
    QCOMPARE(story.ends(), Ends{"a #0 at 30"});
    QVERIFY(story.legal());
  }
  // It has ended, and another has it, when the answer of its last entry comes.
  void anEntryThatIsToldTooLateIsOfTheHoldThatEnded() {
    Story story;
    story.invoked(1, "a", kLock, 1).granted(2, "a", 0, 600).returned(3, "a", kLock, 1, Ending::kOk, 0);
    story.invoked(4, "a", kLock, 2).ended(602, EventKind::kExpired, "a", 0);
    story.invoked(603, "b", kLock, 3).granted(604, "b", 0, 600).returned(605, "b", kLock, 3, Ending::kOk, 0);
    story.returned(700, "a", kLock, 2, Ending::kOk, 0).called(710, "a", kUnlock, 4, Ending::kFailed, 0);
    QCOMPARE(story.ends(), Ends{"a #0 at 602"});
    QVERIFY(story.legal());
  }
  void butWhatWasGrantedToAnotherMeanwhileIsHeldTwice() {
    Story story;
    story.invoked(1, "a", kLock, 1).granted(2, "a", 0, 600).returned(3, "a", kLock, 1, Ending::kOk, 0);
    story.called(20, "b", kLock, 2, Ending::kOk, 0);
    QCOMPARE(story.ends(), Ends{});
    QVERIFY(!story.legal());
  }
  // A call of which nobody knows is granted, and ends, while the next one waits.
  void whatEndsBeforeACallIsGrantedIsNotOfThatCall() {
    Story story;
    story.called(1, "a", kLock, 1, Ending::kUnknown, 0).invoked(20, "a", kLock, 2);
    story.granted(30, "a", 0, 600).ended(40, EventKind::kReleased, "a", 0);
    story.granted(60, "a", 0, 600).returned(61, "a", kLock, 2, Ending::kOk, 0);
    QCOMPARE(story.ends(), Ends{});
    QVERIFY(story.legal());
  }
};

LEASESCOPE_SUITE(RunCallsTest)
#include "run_calls_test.moc"
