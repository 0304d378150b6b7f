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
  void aWriteWithoutAnswerIsGivenUp();
  void whoIsReleasedWhileNothingIsUnderWayRestsAtOnce();
  void aRebornWorkerDoesNotAwaitTheAnswersOfItsEarlierLife();
  void aPipelineChecksBeforeEachStepAndStopsOnceTheLeaseIsOver();
  void aNaivePipelineChecksOnceAndGoesOnWhateverBecomesOfTheLease();
  void aStepThatWasGivenUpIsTriedAgain();
  void whatIsRecordedIsNotDoneAgain();
};

namespace {

const WorkTerms kTerms{100ms, 20ms, 1s};

const WorkTerms kChecked{100ms, 20ms, 1s, {3, true}};
const WorkTerms kNaive{100ms, 20ms, 1s, {3, false}};

// One step: perhaps a check, compute, write; the answer is still to come.
WorkStep write_of(Worker& work, const WorkTerms& terms, bool owns) {
  const WorkStep began = work.step(terms, WorkInput::kTimer, owns, 7);
  if (began.computes) work.step(terms, WorkInput::kTimer, owns, 7);
  return began;
}

}  // namespace

void WorkerTest::aPipelineChecksBeforeEachStepAndStopsOnceTheLeaseIsOver() {
  Worker work;
  work.step(kChecked, WorkInput::kAcquired, true, 7);
  QVERIFY(write_of(work, kChecked, true).checked);
  const WorkStep next = work.step(kChecked, WorkInput::kAnswered, true, 7);
  QCOMPARE(next.delay, 0ms);
  QCOMPARE(work.pipeline_step(), 1);
  const WorkStep over = write_of(work, kChecked, false);
  QVERIFY(over.checked && !over.computes);
  QCOMPARE(work.pipeline_step(), 0);
}

void WorkerTest::aNaivePipelineChecksOnceAndGoesOnWhateverBecomesOfTheLease() {
  Worker work;
  work.step(kNaive, WorkInput::kAcquired, true, 7);
  QVERIFY(write_of(work, kNaive, true).checked);
  work.step(kNaive, WorkInput::kAnswered, true, 7);
  QVERIFY(!work.step(kNaive, WorkInput::kReleased, false, 0).rests);
  const WorkStep second = write_of(work, kNaive, false);
  QVERIFY(second.computes && !second.checked);
  work.step(kNaive, WorkInput::kAnswered, false, 0);
  QVERIFY(write_of(work, kNaive, false).computes);
  QVERIFY2(work.step(kNaive, WorkInput::kAnswered, false, 0).rests, "that was the last");
}

void WorkerTest::aStepThatWasGivenUpIsTriedAgain() {
  Worker work;
  work.step(kChecked, WorkInput::kAcquired, true, 7);
  write_of(work, kChecked, true);
  work.step(kChecked, WorkInput::kAnswered, true, 7);
  write_of(work, kChecked, true);
  const WorkStep again = work.step(kChecked, WorkInput::kTimer, true, 7);
  QCOMPARE(again.delay, 0ms);
  QCOMPARE(work.pipeline_step(), 1);
}

void WorkerTest::whatIsRecordedIsNotDoneAgain() {
  Worker work;
  work.step(kChecked, WorkInput::kAcquired, true, 7);
  write_of(work, kChecked, true);
  work.go_on_with(2);
  work.step(kChecked, WorkInput::kAnswered, true, 7);
  QCOMPARE(work.pipeline_step(), 2);
  write_of(work, kChecked, true);
  QCOMPARE(work.step(kChecked, WorkInput::kAnswered, true, 7).delay, 100ms);
  QCOMPARE(work.pipeline_step(), 0);
}

void WorkerTest::anOwnerChecksAtOnce() {
  Worker work;
  const WorkStep began = work.step(kTerms, WorkInput::kAcquired, true, 7);
  QCOMPARE(began.timer, WorkEffect::kArm);
  QCOMPARE(began.delay, 0ms);
  QVERIFY(!began.checked && !began.writes);
}

void WorkerTest::oneCycleIsCheckComputeWriteThenARest() {
  Worker work;
  work.step(kTerms, WorkInput::kAcquired, true, 7);
  const WorkStep check = work.step(kTerms, WorkInput::kTimer, true, 7);
  QVERIFY(check.checked && check.computes && !check.writes);
  QCOMPARE(check.token, Token{7});
  QCOMPARE(check.timer, WorkEffect::kArm);
  QCOMPARE(check.delay, 20ms);
  QVERIFY(work.computing());
  const WorkStep write = work.step(kTerms, WorkInput::kTimer, true, 7);
  QVERIFY(write.writes && !write.checked);
  QCOMPARE(write.token, Token{7});
  QVERIFY2(write.timer == WorkEffect::kArm && write.delay == 1s, "the resource has so long to answer");
  QVERIFY(!work.computing() && work.awaits(work.writes()));
  const WorkStep answered = work.step(kTerms, WorkInput::kAnswered, true, 7);
  QCOMPARE(answered.timer, WorkEffect::kArm);
  QCOMPARE(answered.delay, 100ms);
  QVERIFY(work.step(kTerms, WorkInput::kTimer, true, 7).checked);
}

void WorkerTest::theTokenOfTheCheckIsWrittenWhateverCameSince() {
  Worker work;
  work.step(kTerms, WorkInput::kAcquired, true, 7);
  work.step(kTerms, WorkInput::kTimer, true, 7);
  work.step(kTerms, WorkInput::kReleased, false, kNoToken);
  work.step(kTerms, WorkInput::kAcquired, true, 9);
  QCOMPARE(work.step(kTerms, WorkInput::kTimer, true, 9).token, Token{7});
}

void WorkerTest::aWaitingWorkerStopsWhenReleased() {
  Worker work;
  work.step(kTerms, WorkInput::kAcquired, true, 7);
  QCOMPARE(work.step(kTerms, WorkInput::kReleased, false, kNoToken).timer, WorkEffect::kDisarm);
  const WorkStep idle = work.step(kTerms, WorkInput::kReleased, false, kNoToken);
  QCOMPARE(idle.timer, WorkEffect::kNone);
  QVERIFY(!idle.writes);
  QVERIFY(!idle.checked);
}

void WorkerTest::aComputeUnderWayWritesThoughReleased() {
  Worker work;
  work.step(kTerms, WorkInput::kAcquired, true, 7);
  work.step(kTerms, WorkInput::kTimer, true, 7);
  const WorkStep released = work.step(kTerms, WorkInput::kReleased, false, kNoToken);
  QVERIFY2(released.timer == WorkEffect::kNone, "it has checked already: nothing between check and write looks again");
  const WorkStep write = work.step(kTerms, WorkInput::kTimer, false, kNoToken);
  QVERIFY(write.writes);
  QCOMPARE(write.token, Token{7});
  QVERIFY2(!write.rests && !work.resting(), "its answer is still to come");
  const WorkStep answered = work.step(kTerms, WorkInput::kAnswered, false, kNoToken);
  QVERIFY(answered.rests);
  QVERIFY(work.resting());
  QCOMPARE(answered.timer, WorkEffect::kDisarm);
}

void WorkerTest::aWriteWithoutAnswerIsGivenUp() {
  Worker work;
  work.step(kTerms, WorkInput::kAcquired, true, 7);
  work.step(kTerms, WorkInput::kTimer, true, 7);
  work.step(kTerms, WorkInput::kTimer, true, 7);
  const std::uint32_t write = work.writes();
  const WorkStep given_up = work.step(kTerms, WorkInput::kTimer, true, 7);
  QVERIFY2(!given_up.checked && given_up.timer == WorkEffect::kArm && given_up.delay == 100ms, "the cycle ends");
  QVERIFY2(!work.awaits(write), "an answer that comes now is nobody's");
}

void WorkerTest::whoIsReleasedWhileNothingIsUnderWayRestsAtOnce() {
  Worker work;
  work.step(kTerms, WorkInput::kAcquired, true, 7);
  QVERIFY(work.step(kTerms, WorkInput::kReleased, false, kNoToken).rests);
  QVERIFY(work.resting());
}

void WorkerTest::aRebornWorkerDoesNotAwaitTheAnswersOfItsEarlierLife() {
  Worker work;
  work.step(kTerms, WorkInput::kAcquired, true, 7);
  work.step(kTerms, WorkInput::kTimer, true, 7);
  work.step(kTerms, WorkInput::kTimer, true, 7);
  Worker next = work.reborn();
  next.step(kTerms, WorkInput::kAcquired, true, 8);
  next.step(kTerms, WorkInput::kTimer, true, 8);
  next.step(kTerms, WorkInput::kTimer, true, 8);
  QVERIFY(!next.awaits(work.writes()) && next.awaits(next.writes()));
}

void WorkerTest::aCheckThatFindsNoBeliefEndsTheCycle() {
  Worker work;
  work.step(kTerms, WorkInput::kAcquired, true, 7);
  const WorkStep check = work.step(kTerms, WorkInput::kTimer, false, kNoToken);
  QVERIFY(check.checked && !check.computes && !check.writes);
  QCOMPARE(check.timer, WorkEffect::kNone);
  QCOMPARE(work.step(kTerms, WorkInput::kAcquired, true, 8).timer, WorkEffect::kArm);
}

void WorkerTest::aTermThatBeginsDuringAComputeGoesOnAfterIt() {
  Worker work;
  work.step(kTerms, WorkInput::kAcquired, true, 7);
  work.step(kTerms, WorkInput::kTimer, true, 7);
  work.step(kTerms, WorkInput::kReleased, false, kNoToken);
  QVERIFY2(work.step(kTerms, WorkInput::kAcquired, true, 8).timer == WorkEffect::kNone, "one cycle in flight at most");
  QVERIFY(work.step(kTerms, WorkInput::kTimer, true, 8).writes);
  QCOMPARE(work.step(kTerms, WorkInput::kAnswered, true, 8).timer, WorkEffect::kArm);
  QCOMPARE(work.step(kTerms, WorkInput::kTimer, true, 8).token, Token{8});
}

LEASESCOPE_SUITE(WorkerTest)
#include "worker_test.moc"
