#include "core/contend/worker.h"

#include "tests/support/suite.h"

using namespace leasescope;
using namespace std::chrono_literals;

class WorkerTest : public QObject {
  Q_OBJECT
 private slots:
  void anOwnerChecksAtOnce();
  void oneCycleIsCheckComputeWriteThenARest();
  void theTokenOfTheCheckIsWrittenWhateverCameSince();
  void aWaitingWorkerStopsWhenReleased();
  void aComputeUnderWayWritesThoughReleased();
  void aCheckThatFindsNoBeliefEndsTheCycle();
  void aTermThatBeginsDuringAComputeGoesOnAfterIt();
};

namespace {

Worker worker() { return Worker(WorkTerms{100ms, 20ms}); }

}  // namespace

void WorkerTest::anOwnerChecksAtOnce() {
  Worker work = worker();
  const WorkStep began = work.step(WorkInput::kAcquired, true, 7);
  QVERIFY(began.timer == WorkEffect::kArm);
  QVERIFY(began.delay == 0ms);
  QVERIFY(!began.checked && !began.writes);
}

void WorkerTest::oneCycleIsCheckComputeWriteThenARest() {
  Worker work = worker();
  work.step(WorkInput::kAcquired, true, 7);
  const WorkStep check = work.step(WorkInput::kTimer, true, 7);
  QVERIFY(check.checked && check.computes && !check.writes);
  QCOMPARE(check.token, Token{7});
  QVERIFY(check.timer == WorkEffect::kArm && check.delay == 20ms);
  QVERIFY(work.computing());
  const WorkStep write = work.step(WorkInput::kTimer, true, 7);
  QVERIFY(write.writes && !write.checked);
  QCOMPARE(write.token, Token{7});
  QVERIFY(write.timer == WorkEffect::kArm && write.delay == 100ms);
  QVERIFY(!work.computing());
  QVERIFY(work.step(WorkInput::kTimer, true, 7).checked);
}

void WorkerTest::theTokenOfTheCheckIsWrittenWhateverCameSince() {
  Worker work = worker();
  work.step(WorkInput::kAcquired, true, 7);
  work.step(WorkInput::kTimer, true, 7);
  work.step(WorkInput::kReleased, false, kNoToken);
  work.step(WorkInput::kAcquired, true, 9);
  QCOMPARE(work.step(WorkInput::kTimer, true, 9).token, Token{7});
}

void WorkerTest::aWaitingWorkerStopsWhenReleased() {
  Worker work = worker();
  work.step(WorkInput::kAcquired, true, 7);
  QVERIFY(work.step(WorkInput::kReleased, false, kNoToken).timer == WorkEffect::kDisarm);
  const WorkStep idle = work.step(WorkInput::kReleased, false, kNoToken);
  QVERIFY(idle.timer == WorkEffect::kNone && !idle.writes && !idle.checked);
}

void WorkerTest::aComputeUnderWayWritesThoughReleased() {
  Worker work = worker();
  work.step(WorkInput::kAcquired, true, 7);
  work.step(WorkInput::kTimer, true, 7);
  const WorkStep released = work.step(WorkInput::kReleased, false, kNoToken);
  QVERIFY2(released.timer == WorkEffect::kNone, "it has checked already: nothing between check and write looks again");
  const WorkStep write = work.step(WorkInput::kTimer, false, kNoToken);
  QVERIFY(write.writes);
  QCOMPARE(write.token, Token{7});
  QVERIFY2(write.timer == WorkEffect::kNone, "and then rests");
}

void WorkerTest::aCheckThatFindsNoBeliefEndsTheCycle() {
  Worker work = worker();
  work.step(WorkInput::kAcquired, true, 7);
  const WorkStep check = work.step(WorkInput::kTimer, false, kNoToken);
  QVERIFY(check.checked && !check.computes && !check.writes);
  QVERIFY(check.timer == WorkEffect::kNone);
  QVERIFY(work.step(WorkInput::kAcquired, true, 8).timer == WorkEffect::kArm);
}

void WorkerTest::aTermThatBeginsDuringAComputeGoesOnAfterIt() {
  Worker work = worker();
  work.step(WorkInput::kAcquired, true, 7);
  work.step(WorkInput::kTimer, true, 7);
  work.step(WorkInput::kReleased, false, kNoToken);
  QVERIFY2(work.step(WorkInput::kAcquired, true, 8).timer == WorkEffect::kNone, "one cycle in flight at most");
  QVERIFY(work.step(WorkInput::kTimer, true, 8).timer == WorkEffect::kArm);
  QCOMPARE(work.step(WorkInput::kTimer, true, 8).token, Token{8});
}

LEASESCOPE_SUITE(WorkerTest)
#include "worker_test.moc"
