// Histories of several calls at once: the verdicts, and what is shown of the illegal ones.
#include <chrono>
#include <climits>

#include "core/check/check.h"
#include "core/check/fast_path.h"
#include "core/check/offence.h"
#include "tests/support/lock_history.h"
#include "tests/support/suite.h"

using namespace leasescope;
using namespace leasescope::check;
using leasescope::tests::LockHistory;

class CheckVerdictsTest : public QObject {
  Q_OBJECT
 private slots:
  void twoWhoHoldAtOnceAreTheOffence();
  void anUnknownUnlockMayHaveFreedIt();
  void anUnknownLockMayTakeEffectLater();
  void whatFailedDidNothing();
  void locksAreJudgedOneByOne();
  void callsThatOverlapMayComeInEitherOrder();
  void atTheSameMomentEitherMayBeFirstUnlessTheRecordKnows();
  void ofALongHistoryTheOffenceIsStillTheFewest();
  void theOffenceOfASemaphoreIsOneMoreThanItHas();
  void eachAttemptAtAnOffenceAsksForTheTime();
  void noTimeIsUndecidedAndNeverOk();
  void toCompareWhatCanFollowIsWorkThatTakesTime();
  void toFindWhatCouldHelpIsWorkThatTakesTime();
  void aSortedHistoryIsNotSearched();
  void longHistoriesOfEveryModelAreLegalAsTheyWereMade();
  void theFastPathIsForKnownOutcomesAndCallsThatDoNotOverlap();
};

namespace {

struct Made {
  Calls calls;
  Call& add(const char* client, Operation f, std::int64_t from, std::int64_t to, const char* mutex = "orders") {
    Call call;
    call.client = call.process = calls.names.intern(client);
    call.mutex = calls.names.intern(mutex);
    call.f = f;
    call.called = {from, 0};
    call.returned = {to, INT64_MAX};
    calls.calls.push_back(call);
    return calls.calls.back();
  }
  Call& unknown(const char* client, Operation f, std::int64_t from) {
    Call& call = add(client, f, from, 0);
    call.ending = Ending::kUnknown;
    call.returned = kNever;
    return call;
  }
  Verdict verdict(ModelKind kind, std::uint32_t n = 2) const { return judge({kind, n}, calls, {}).verdict; }
};

constexpr Operation kLock = Operation::kLock, kUnlock = Operation::kUnlock;
using Places = std::vector<std::size_t>;

}  // namespace

void CheckVerdictsTest::twoWhoHoldAtOnceAreTheOffence() {
  Made made;
  made.add("c", kLock, 0, 1);
  made.add("c", kUnlock, 2, 3);
  made.add("a", kLock, 10, 20);
  made.add("b", kLock, 30, 40);
  made.add("a", kUnlock, 50, 60);
  const Judgement judged = judge({ModelKind::kOwnerAware}, made.calls, {});
  QCOMPARE(judged.verdict, Verdict::kIllegal);
  QCOMPARE(judged.locks[0].offence, (Places{2, 3}));
  QCOMPARE(judged.locks[0].why, std::string("a holds it"));
  QVERIFY(judged.locks[0].shortest);
  made.calls.calls.back().called.ns = 35;  // it may have been free by then
  QCOMPARE(made.verdict(ModelKind::kOwnerAware), Verdict::kOk);
}

void CheckVerdictsTest::anUnknownUnlockMayHaveFreedIt() {
  Made made;
  made.add("a", kLock, 0, 1);
  made.unknown("a", kUnlock, 2);
  made.add("b", kLock, 10, 11);
  QCOMPARE(made.verdict(ModelKind::kOwnerAware), Verdict::kOk);
  made.add("b", kUnlock, 20, 21);
  made.add("a", kUnlock, 30, 31);
  QCOMPARE(made.verdict(ModelKind::kOwnerAware), Verdict::kIllegal);
}

void CheckVerdictsTest::anUnknownLockMayTakeEffectLater() {
  Made made;
  made.unknown("a", kLock, 0);
  made.add("b", kLock, 10, 11);
  made.add("b", kUnlock, 20, 21);
  made.add("a", kUnlock, 30, 31);
  QCOMPARE(made.verdict(ModelKind::kOwnerAware), Verdict::kOk);
  made.add("a", kUnlock, 40, 41);  // but it does so once
  QCOMPARE(made.verdict(ModelKind::kOwnerAware), Verdict::kIllegal);
}

void CheckVerdictsTest::whatFailedDidNothing() {
  Made made;
  made.add("a", kLock, 0, 1);
  made.add("b", Operation::kTryLock, 2, 3).ending = Ending::kFailed;
  const Judgement judged = judge({ModelKind::kMutex}, made.calls, {});
  QCOMPARE(judged.verdict, Verdict::kOk);
  QCOMPARE(judged.locks[0].calls, std::size_t{1});
}

void CheckVerdictsTest::locksAreJudgedOneByOne() {
  Made made;
  made.add("a", kLock, 0, 1, "orders");
  made.add("b", kLock, 2, 3, "invoices");
  QCOMPARE(made.verdict(ModelKind::kOwnerAware), Verdict::kOk);
  made.add("c", kLock, 4, 5, "invoices");
  const Judgement judged = judge({ModelKind::kOwnerAware}, made.calls, {});
  QCOMPARE(judged.verdict, Verdict::kIllegal);
  QCOMPARE(judged.locks.size(), std::size_t{2});
  QCOMPARE(judged.locks[0].verdict, Verdict::kIllegal);
  QCOMPARE(judged.locks[0].offence, (Places{1, 2}));
  QCOMPARE(judged.locks[1].verdict, Verdict::kOk);
}

void CheckVerdictsTest::callsThatOverlapMayComeInEitherOrder() {
  Made made;
  made.add("b", kLock, 0, 100).fence = 2;
  made.add("a", kLock, 10, 20).fence = 1;
  made.add("a", kUnlock, 30, 40);
  QCOMPARE(made.verdict(ModelKind::kFenced), Verdict::kOk);
  made.calls.calls[1].fence = 3;  // then b came first, and still holds it
  QCOMPARE(made.verdict(ModelKind::kFenced), Verdict::kIllegal);
}

void CheckVerdictsTest::atTheSameMomentEitherMayBeFirstUnlessTheRecordKnows() {
  Made made;
  made.add("a", kLock, 0, 10);
  made.add("b", kLock, 20, 20);
  made.add("a", kUnlock, 20, 20);
  QCOMPARE(made.verdict(ModelKind::kOwnerAware), Verdict::kOk);
  made.calls.calls[1].called.place = made.calls.calls[1].returned.place = 5;
  made.calls.calls[2].called.place = made.calls.calls[2].returned.place = 6;
  QCOMPARE(made.verdict(ModelKind::kOwnerAware), Verdict::kIllegal);
}

void CheckVerdictsTest::ofALongHistoryTheOffenceIsStillTheFewest() {
  LockHistory history({ModelKind::kFenced}, 10'000);
  Calls calls = history.make(3'000);
  // In the middle one is told the fence of another, long before.
  std::size_t spoiled = 0;
  for (std::size_t i = 1'500; spoiled == 0; ++i)
    if (calls.calls[i].f == kLock && calls.calls[i].ending == Ending::kOk) spoiled = i;
  calls.calls[spoiled].fence = 3;
  const Judgement judged = judge({ModelKind::kFenced}, calls, {});
  QCOMPARE(judged.verdict, Verdict::kIllegal);
  const LockVerdict& lock = judged.locks[0];
  QVERIFY(lock.shortest);
  QCOMPARE(lock.offence.size(), std::size_t{2});
  QCOMPARE(lock.offence[1], spoiled);
  QVERIFY2(lock.why.rfind("fence 3 is not above ", 0) == 0, lock.why.c_str());
}

void CheckVerdictsTest::theOffenceOfASemaphoreIsOneMoreThanItHas() {
  Made made;
  made.add("z", Operation::kAcquire, 0, 1);
  made.add("z", Operation::kRelease, 2, 3);
  for (const char* client : {"a", "b", "c", "d", "e"}) {
    const auto from = static_cast<std::int64_t>(made.calls.calls.size()) * 10;
    made.add(client, Operation::kAcquire, from, from + 5);
  }
  const Judgement judged = judge({ModelKind::kSemaphore, 4}, made.calls, {});
  QCOMPARE(judged.verdict, Verdict::kIllegal);
  QCOMPARE(judged.locks[0].offence, (Places{2, 3, 4, 5, 6}));
  QCOMPARE(judged.locks[0].why, std::string("4 of 4 permits are out, to a, b, c, d"));
  QVERIFY(judged.locks[0].shortest);
}

// They are short here, so that none of them asks by itself. What was left out by then stays out.
void CheckVerdictsTest::eachAttemptAtAnOffenceAsksForTheTime() {
  Made made;
  for (int i = 0; i < 3; ++i) {
    made.add("z", kLock, 4 * i, 4 * i + 1);
    made.add("z", kUnlock, 4 * i + 2, 4 * i + 3);
  }
  for (int i = 0; i < 8; ++i) made.add("a", kLock, 100 + 2 * i, 101 + 2 * i);
  const auto offence = [&](int enough) {
    int asked = 0;
    return judge({ModelKind::kReentrant, 7}, made.calls, [&] { return ++asked > enough; }).locks[0];
  };
  const LockVerdict all = offence(INT_MAX), some = offence(20), none = offence(0);
  QVERIFY(all.shortest && all.offence.size() == 8);
  QVERIFY(!none.shortest && none.offence.size() == made.calls.calls.size());
  QVERIFY2(!some.shortest && some.offence.size() > 8 && some.offence.size() < none.offence.size(),
           std::to_string(some.offence.size()).c_str());
}

void CheckVerdictsTest::noTimeIsUndecidedAndNeverOk() {
  LockHistory history({ModelKind::kOwnerAware}, 10'000);
  const Calls calls = history.make(3'000);
  const auto no_time = [] { return true; };
  QCOMPARE(judge({ModelKind::kOwnerAware}, calls, no_time).verdict, Verdict::kUndecided);
  QCOMPARE(judge({ModelKind::kOwnerAware}, calls, {}).verdict, Verdict::kOk);
}

// Each hold may have ended in two ways of which nobody knows: after ten of them there are 2^10 that are as good.
void CheckVerdictsTest::toCompareWhatCanFollowIsWorkThatTakesTime() {
  constexpr std::int64_t kHolds = 10;
  Made made;
  for (std::int64_t i = 0; i < kHolds; ++i) {
    const std::string who = "c" + std::to_string(i);
    made.add(who.c_str(), kLock, 10 * i, 10 * i + 1);
    made.unknown(who.c_str(), kUnlock, 10 * i + 2);
    made.unknown(who.c_str(), Operation::kExpire, 10 * i + 3);
  }
  made.add("a", kLock, 1'000, 1'001);
  made.add("b", kLock, 1'002, 1'003);
  int asked = 0;
  const auto asked_often = [&] { return ++asked > 500; };
  QCOMPARE(judge({ModelKind::kOwnerAware}, made.calls, asked_often).verdict, Verdict::kUndecided);
  QCOMPARE(made.verdict(ModelKind::kOwnerAware), Verdict::kIllegal);
}

// At the one return that no order allows, each of many open calls may matter to each.
void CheckVerdictsTest::toFindWhatCouldHelpIsWorkThatTakesTime() {
  Made made;
  made.add("a", kLock, 0, 1);
  for (int i = 0; i < 1'000; ++i) {
    const std::string who = "c" + std::to_string(i);
    made.unknown(who.c_str(), kLock, 10 + i);
    made.unknown(who.c_str(), kUnlock, 10 + i);
  }
  made.add("b", kLock, 10'000, 10'001);
  int asked = 0;
  const auto asked_often = [&] { return ++asked > 50; };
  QCOMPARE(judge({ModelKind::kOwnerAware}, made.calls, asked_often).verdict, Verdict::kUndecided);
  QCOMPARE(made.verdict(ModelKind::kOwnerAware), Verdict::kIllegal);
}

void CheckVerdictsTest::aSortedHistoryIsNotSearched() {
  LockHistory history({ModelKind::kFenced}, 0);
  Calls calls = history.make(2'000);
  const auto no_time = [] { return true; };
  const Judgement judged = judge({ModelKind::kFenced}, calls, no_time);
  QCOMPARE(judged.verdict, Verdict::kOk);
  QVERIFY(judged.locks[0].sorted);
  calls.calls.back().client = calls.names.intern("nobody");  // what sorting shows needs no time either
  QCOMPARE(judge({ModelKind::kFenced}, calls, no_time).verdict, Verdict::kIllegal);
}

void CheckVerdictsTest::longHistoriesOfEveryModelAreLegalAsTheyWereMade() {
  for (int i = 0; i < kModels; ++i) {
    for (const std::uint32_t unknown_ppm : {0U, 10'000U}) {
      const Model model{static_cast<ModelKind>(i), 2};
      LockHistory history(model, unknown_ppm);
      const Calls calls = history.make(2'000);
      QVERIFY(!misfit(model, calls));
      const Judgement judged = judge(model, calls, {});
      QVERIFY2(judged.verdict == Verdict::kOk, text(model.kind).data());
      QVERIFY(unknown_ppm == 0 || judged.locks[0].unknown > 5);
    }
  }
}

void CheckVerdictsTest::theFastPathIsForKnownOutcomesAndCallsThatDoNotOverlap() {
  Made made;
  made.add("a", kLock, 0, 10);
  made.add("a", kUnlock, 20, 30);
  const auto fast = [&](ModelKind kind) {
    std::vector<Op> ops;
    for (const Call& call : made.calls.calls)
      ops.push_back({&call, call.called, call.returned, call.ending == Ending::kOk});
    return fast_path({kind}, ops);
  };
  QCOMPARE(fast(ModelKind::kFenced), std::optional(true));
  QCOMPARE(fast(ModelKind::kOwnerAware), std::optional(true));
  QCOMPARE(fast(ModelKind::kMutex), std::nullopt);      // anybody may free it
  QCOMPARE(fast(ModelKind::kSemaphore), std::nullopt);  // several hold it
  QCOMPARE(fast(ModelKind::kLease), std::nullopt);      // it ends by itself
  made.add("a", kLock, 25, 50);
  QCOMPARE(fast(ModelKind::kOwnerAware), std::nullopt);  // before the unlock has returned
  made.calls.calls.pop_back();
  made.unknown("b", kLock, 50);
  QCOMPARE(fast(ModelKind::kOwnerAware), std::nullopt);
}

LEASESCOPE_SUITE(CheckVerdictsTest)
#include "check_verdicts_test.moc"
