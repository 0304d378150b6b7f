// The compare-and-set lease, worked by hand: what it asks, what it tells, and when.
#include "core/cas/contender.h"

#include "tests/support/suite.h"
#include "tests/support/worked_by_hand.h"

using namespace leasescope;
using namespace leasescope::tests;
using namespace std::chrono_literals;

namespace {

CasTerms stamped_by_the_server() {
  CasTerms terms;
  terms.stamp = Stamp::kServer;
  return terms;
}

class Client : public WorkedByHand<CasContender> {
 public:
  Client() : WorkedByHand(6s, stamped_by_the_server(), CasPlan{}) {}

  // The register is free, and it takes it.
  void take() {
    Reply seen;
    seen.begin(last(RequestKind::kRead));
    input(seen);
    Reply taken;
    taken.begin(last(RequestKind::kCompareAndSet));
    taken.done = true;
    taken.number = ++version_;
    input(taken);
  }

 private:
  std::uint64_t version_ = 0;
};

}  // namespace

class CasContenderTest : public QObject {
  Q_OBJECT
 private slots:
  void whoHasStoppedGivesBackNothingWhenItsWorkEnds();
};

// Its lease ran out while its last write was on the way: there is nothing left to give back. It said after its stop
// that it unlocks, and the answer to its next lock was told as the end of that.
void CasContenderTest::whoHasStoppedGivesBackNothingWhenItsWorkEnds() {
  Client client;
  client.input(Start{});
  client.take();
  QVERIFY(client.believes());
  client.input(Stop{});
  client.pass(7s);
  QVERIFY(client.status() == Status::kInitial);
  client.input(WorkDone{});
  QCOMPARE(client.count(EventKind::kInvoked, Operation::kUnlock), std::size_t{0});
  client.input(Start{});
  client.take();
  QCOMPARE(client.count(EventKind::kReturned, Operation::kUnlock), std::size_t{0});
  QCOMPARE(client.count(EventKind::kReturned, Operation::kLock), std::size_t{2});
}

LEASESCOPE_SUITE(CasContenderTest)
#include "cas_contender_test.moc"
