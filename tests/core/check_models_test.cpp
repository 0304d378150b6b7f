// What each model allows, one call after the other.
#include "core/check/check.h"
#include "tests/support/lock_history.h"
#include "tests/support/suite.h"

using namespace leasescope;
using namespace leasescope::check;

class CheckModelsTest : public QObject {
  Q_OBJECT
 private slots:
  void aMutexIsHeldOnceAndFreedByAnybody();
  void anOwnerAwareMutexIsFreedByItsOwner();
  void aReentrantMutexIsFreedAsOftenAsItWasLocked();
  void aFenceIsUnknownOrAboveAllBefore();
  void whoEntersAgainHasTheFenceOfHisHold();
  void aFenceThatBecomesKnownOnlyAtTheSecondEntryIsTheHolds();
  void aSemaphoreHasSoManyPermits();
  void readersShareAndAWriterIsAlone();
  void aLeaseEndsByItselfButNotBeforeItsDeadline();
  void aLeaseMayBeGivenSomeTolerance();
  void theHolderOfALeaseMayRenewItAsLongAsNobodyElseHasIt();
  void aLeaseWithADeadlineLastsUntilThen();
  void whatExpiresWasHeld();
  void renewingIsForHoldersInEveryModel();
  void aModelSaysWhichCallsAreNoneOfIts();
  void theReasonIsSaidInWords();
};

namespace {

// A lock, and what is done to it: "a lock", "b unlock", "a lock #5", at times that rise by 10 ns.
class Lock {
 public:
  explicit Lock(ModelKind kind, std::uint32_t n = 2, std::int64_t eps = 0) : model_{kind, n, eps} {}

  bool may(const char* client, Operation f, Token fence = 0) {
    Call call = made(client, f);
    call.fence = fence;
    return done(call);
  }
  bool may_for(const char* client, Operation f, std::uint32_t permits) {
    Call call = made(client, f);
    call.permits = permits;
    return done(call);
  }
  bool may_at(const char* client, Operation f, std::int64_t from, std::int64_t to, std::int64_t ttl = 100) {
    Call call = made(client, f);
    call.called.ns = from;
    call.returned.ns = to;
    call.ttl = ttl;
    return done(call);
  }
  std::string why() const { return why_not(model_, state_, last_, names_); }
  Call made(const char* client, Operation f) {
    now_ += 10;
    Call call;
    call.client = call.process = names_.intern(client);
    call.f = f;
    call.called.ns = call.returned.ns = now_;
    return call;
  }
  bool done(const Call& call) {
    last_ = call;
    return step(model_, state_, call);
  }

 private:
  Model model_;
  State state_;
  NameTable names_;
  Call last_;
  std::int64_t now_ = 0;
};

constexpr Operation kLock = Operation::kLock, kUnlock = Operation::kUnlock, kExpire = Operation::kExpire,
                    kRenew = Operation::kRenew;

}  // namespace

void CheckModelsTest::aMutexIsHeldOnceAndFreedByAnybody() {
  Lock lock(ModelKind::kMutex);
  QVERIFY(!lock.may("a", kUnlock));
  QVERIFY(lock.may("a", kLock));
  QVERIFY(!lock.may("a", kLock));
  QVERIFY(!lock.may("b", Operation::kTryLock));
  QVERIFY(lock.may("b", kUnlock));
  QVERIFY(lock.may("b", Operation::kAcquire));  // as Knossos calls it
  QVERIFY(lock.may("a", Operation::kRelease));
}

void CheckModelsTest::anOwnerAwareMutexIsFreedByItsOwner() {
  Lock lock(ModelKind::kOwnerAware);
  QVERIFY(lock.may("a", kLock));
  QVERIFY(!lock.may("b", kUnlock));
  QVERIFY(!lock.may("a", kLock));
  QVERIFY(lock.may("a", kUnlock));
  QVERIFY(!lock.may("a", kUnlock));
  QVERIFY(lock.may("b", kLock));
}

void CheckModelsTest::aReentrantMutexIsFreedAsOftenAsItWasLocked() {
  Lock lock(ModelKind::kReentrant, 2);
  QVERIFY(lock.may("a", kLock));
  QVERIFY(lock.may("a", kLock));
  QVERIFY(!lock.may("a", kLock));
  QVERIFY(lock.may("a", kUnlock));
  QVERIFY(!lock.may("b", kLock));
  QVERIFY(lock.may("a", kUnlock));
  QVERIFY(lock.may("b", kLock));
}

void CheckModelsTest::aFenceIsUnknownOrAboveAllBefore() {
  Lock lock(ModelKind::kFenced);
  QVERIFY(lock.may("a", kLock, 5));
  QVERIFY(!lock.may("a", kLock, 5));
  QVERIFY(lock.may("a", kUnlock));
  QVERIFY(!lock.may("b", kLock, 5));
  QVERIFY(!lock.may("b", kLock, 4));
  QVERIFY(lock.may("b", kLock));
  QVERIFY(lock.may("b", kUnlock));
  QVERIFY(lock.may("c", kLock, 6));
}

void CheckModelsTest::whoEntersAgainHasTheFenceOfHisHold() {
  Lock lock(ModelKind::kReentrantFenced, 2);
  QVERIFY(lock.may("a", kLock, 5));
  QVERIFY(!lock.may("a", kLock, 6));
  QVERIFY(lock.may("a", kLock, 5));
  QVERIFY(lock.may("a", kUnlock));
  QVERIFY(lock.may("a", kLock, 5));  // also while it was partly released
  QVERIFY(!lock.may("a", kLock, 5));
  QVERIFY(lock.may("a", kUnlock));
  QVERIFY(lock.may("a", kUnlock));
  QVERIFY(!lock.may("a", kLock, 5));
  QVERIFY(lock.may("a", kLock, 6));
}

void CheckModelsTest::aFenceThatBecomesKnownOnlyAtTheSecondEntryIsTheHolds() {
  Lock lock(ModelKind::kReentrantFenced, 3);
  QVERIFY(lock.may("b", kLock, 4));
  QVERIFY(lock.may("b", kUnlock));
  QVERIFY(lock.may("a", kLock));
  QVERIFY(!lock.may("a", kLock, 4));
  QVERIFY(lock.may("a", kLock, 7));
  QVERIFY(!lock.may("a", kLock, 8));
  QVERIFY(lock.may("a", kLock, 7));
}

void CheckModelsTest::aSemaphoreHasSoManyPermits() {
  Lock lock(ModelKind::kSemaphore, 3);
  QVERIFY(lock.may_for("a", Operation::kAcquire, 2));
  QVERIFY(!lock.may_for("b", Operation::kAcquire, 2));
  QVERIFY(lock.may_for("b", Operation::kAcquire, 1));
  QVERIFY(!lock.may_for("b", Operation::kRelease, 2));
  QVERIFY(lock.may_for("a", Operation::kRelease, 1));
  QVERIFY(lock.may_for("b", Operation::kAcquire, 1));
  QVERIFY(!lock.may_for("c", Operation::kRelease, 1));
  QVERIFY(!lock.may_for("b", kExpire, 3));
  QVERIFY(lock.may_for("b", kExpire, 1));
  QVERIFY(!lock.may_for("c", Operation::kAcquire, 2));  // b has another one
  QVERIFY(lock.may_for("b", kExpire, 1));
  QVERIFY(lock.may_for("c", Operation::kAcquire, 2));
}

void CheckModelsTest::readersShareAndAWriterIsAlone() {
  Lock lock(ModelKind::kReadWrite);
  QVERIFY(lock.may("a", Operation::kReadLock));
  QVERIFY(lock.may("b", Operation::kReadLock));
  QVERIFY(!lock.may("c", Operation::kWriteLock));
  QVERIFY(!lock.may("a", Operation::kWriteLock));
  QVERIFY(lock.may("a", Operation::kReadUnlock));
  QVERIFY(!lock.may("a", Operation::kReadUnlock));
  QVERIFY(lock.may("b", kExpire));
  QVERIFY(lock.may("c", Operation::kWriteLock));
  QVERIFY(!lock.may("a", Operation::kReadLock));
  QVERIFY(!lock.may("a", Operation::kWriteUnlock));
  QVERIFY(lock.may("c", Operation::kWriteUnlock));
  QVERIFY(lock.may("a", Operation::kReadLock));
}

void CheckModelsTest::aLeaseEndsByItselfButNotBeforeItsDeadline() {
  Lock lock(ModelKind::kLease);
  QVERIFY(lock.may_at("a", kLock, 0, 10, 100));  // it took effect at 0 at the earliest
  QVERIFY(!lock.may_at("b", kLock, 20, 99));
  QVERIFY(lock.may_at("b", kLock, 20, 100));
  QVERIFY(!lock.may_at("a", kUnlock, 100, 110));
  QVERIFY(lock.may_at("b", kUnlock, 100, 110));
  QVERIFY(lock.may_at("a", kLock, 100, 110));
}

void CheckModelsTest::aLeaseMayBeGivenSomeTolerance() {
  Lock lock(ModelKind::kLease, 2, 5);
  QVERIFY(lock.may_at("a", kLock, 0, 0, 100));
  QVERIFY(!lock.may_at("b", kLock, 20, 94));
  QVERIFY(lock.may_at("b", kLock, 20, 95));
}

void CheckModelsTest::theHolderOfALeaseMayRenewItAsLongAsNobodyElseHasIt() {
  Lock lock(ModelKind::kLease);
  QVERIFY(!lock.may_at("a", kRenew, 0, 5));
  QVERIFY(lock.may_at("a", kLock, 10, 10, 100));
  QVERIFY(lock.may_at("a", kRenew, 150, 150, 100));  // late, and still his
  QVERIFY(!lock.may_at("b", kLock, 200, 249));
  QVERIFY(lock.may_at("b", kLock, 200, 250));
  QVERIFY(!lock.may_at("a", kRenew, 251, 260));
}

void CheckModelsTest::aLeaseWithADeadlineLastsUntilThen() {
  Lock lock(ModelKind::kLease);
  Call call = lock.made("a", kLock);
  call.deadline = 500;
  QVERIFY(lock.done(call));
  QVERIFY(!lock.may_at("b", kLock, 300, 499));
  QVERIFY(lock.may_at("b", kLock, 300, 500));
}

void CheckModelsTest::whatExpiresWasHeld() {
  for (const ModelKind kind : {ModelKind::kMutex, ModelKind::kOwnerAware, ModelKind::kReentrant, ModelKind::kFenced,
                               ModelKind::kReentrantFenced}) {
    Lock lock(kind);
    QVERIFY(!lock.may("a", kExpire));
    QVERIFY(lock.may("a", kLock, 1));
    if (kind == ModelKind::kReentrant) QVERIFY(lock.may("a", kLock));
    if (kind != ModelKind::kMutex) QVERIFY(!lock.may("b", kExpire));
    QVERIFY(lock.may("a", kExpire));
    QVERIFY(lock.may("b", kLock, 2));
  }
  Lock lease(ModelKind::kLease);
  QVERIFY(lease.may_at("a", kLock, 0, 0, 100));
  QVERIFY(!lease.may_at("a", kExpire, 50, 99));
  QVERIFY(lease.may_at("a", kExpire, 50, 100));
  QVERIFY(!lease.may_at("a", kRenew, 100, 110));
}

void CheckModelsTest::renewingIsForHoldersInEveryModel() {
  for (int i = 0; i < kModels; ++i) {
    const auto kind = static_cast<ModelKind>(i);
    Lock lock(kind);
    QVERIFY(!lock.may_at("a", kRenew, 0, 1));
    const Operation take = kind == ModelKind::kSemaphore   ? Operation::kAcquire
                           : kind == ModelKind::kReadWrite ? Operation::kReadLock
                                                           : kLock;
    QVERIFY(lock.may_at("a", take, 2, 3));
    QVERIFY(lock.may_at("a", kRenew, 4, 5));
    QVERIFY(kind == ModelKind::kMutex || !lock.may_at("b", kRenew, 6, 7));
  }
}

void CheckModelsTest::aModelSaysWhichCallsAreNoneOfIts() {
  const auto misfit_of = [](Model model, Operation f, Token fence = 0, std::uint32_t permits = 1) {
    Calls calls;
    Call call;
    call.process = call.client = calls.names.intern("a");
    call.f = f;
    call.fence = fence;
    call.permits = permits;
    calls.calls.push_back(call);
    const auto misfit = check::misfit(model, calls);
    return misfit ? misfit->what : std::string();
  };
  QCOMPARE(misfit_of({ModelKind::kMutex}, kLock), std::string());
  QCOMPARE(misfit_of({ModelKind::kFenced}, kLock, 3), std::string());
  QCOMPARE(misfit_of({ModelKind::kSemaphore}, Operation::kAcquire, 0, 2), std::string());
  const auto says = [&](Model model, const char* words, Operation f, Token fence = 0, std::uint32_t permits = 1) {
    const std::string said = misfit_of(model, f, fence, permits);
    if (said.find(words) == std::string::npos) qWarning("%s", said.c_str());
    return said.find(words) != std::string::npos;
  };
  QVERIFY(says({ModelKind::kFenced},
               "no lock call was told a fence, which the model fenced judges: try --model owner-aware", kLock));
  QVERIFY(says({ModelKind::kReentrantFenced}, "try --model reentrant", kLock));
  QVERIFY(says({ModelKind::kSemaphore},
               "the call lock of a at 0 ns is none that the model semaphore knows: try --model mutex", kLock));
  QVERIFY(says({ModelKind::kMutex}, "try --model read-write", Operation::kReadLock));
  QVERIFY(says({ModelKind::kReadWrite}, "try --model semaphore", Operation::kAcquire));
  QVERIFY(says({ModelKind::kLease}, "neither \"ttl\" nor \"deadline\"", kLock));
  QVERIFY(says({ModelKind::kMutex}, "asks for 2 permits: try --model semaphore", Operation::kAcquire, 0, 2));
  QVERIFY(misfit({ModelKind::kMutex}, Calls{})->what.find("nothing to judge") != std::string::npos);
}

void CheckModelsTest::theReasonIsSaidInWords() {
  Lock fenced(ModelKind::kFenced);
  QVERIFY(!fenced.may("a", kUnlock));
  QCOMPARE(fenced.why(), std::string("nobody holds it"));
  QVERIFY(fenced.may("a", kLock, 5) && !fenced.may("b", kLock, 6));
  QCOMPARE(fenced.why(), std::string("a holds it"));
  QVERIFY(fenced.may("a", kUnlock) && !fenced.may("b", kLock, 4));
  QCOMPARE(fenced.why(), std::string("fence 4 is not above 5"));
  Lock reentrant(ModelKind::kReentrantFenced, 2);
  QVERIFY(reentrant.may("a", kLock, 5) && !reentrant.may("a", kLock, 6));
  QCOMPARE(reentrant.why(), std::string("fence 6 is not the 5 of this hold"));
  QVERIFY(reentrant.may("a", kLock, 5) && !reentrant.may("a", kLock, 5));
  QCOMPARE(reentrant.why(), std::string("it is held 2 times already"));
  Lock permits(ModelKind::kSemaphore, 1);
  QVERIFY(permits.may("a", Operation::kAcquire) && !permits.may("b", Operation::kAcquire));
  QCOMPARE(permits.why(), std::string("1 of 1 permits are out, to a"));
  QVERIFY(!permits.may("b", Operation::kRelease));
  QCOMPARE(permits.why(), std::string("b holds 0"));
  Lock shared(ModelKind::kReadWrite);
  QVERIFY(shared.may("a", Operation::kReadLock) && !shared.may("b", Operation::kWriteLock));
  QCOMPARE(shared.why(), std::string("a read"));
  Lock lease(ModelKind::kLease);
  QVERIFY(lease.may_at("a", kLock, 0, 0, 2'000'000'000) && !lease.may_at("b", kLock, 20, 1'000'000'000));
  QCOMPARE(lease.why(), std::string("the lease of a lasts until 2.000 s"));
}

LEASESCOPE_SUITE(CheckModelsTest)
#include "check_models_test.moc"
