// An application by a fenced lock, worked by hand: what it asks for, and what it does when it learns that it has lost.
#include "core/fenced/fenced_contender.h"
#include "tests/support/suite.h"
#include "tests/support/worked_by_hand.h"

using namespace leasescope;
using namespace leasescope::tests;
using namespace std::chrono_literals;

namespace {

// It enters twice and is told of a loss by its heartbeats; the session is 10 s.
class Application : public WorkedByHand<FencedContender> {
 public:
  Application() : WorkedByHand(10s, terms(), plan()) {}

  void answer(const Request& to, SessionAnswer said, std::uint64_t number = 1) {
    Reply reply;
    reply.begin(to);
    reply.answer = static_cast<std::uint8_t>(said);
    reply.number = number;
    reply.token = 7;
    reply.remaining = 1s;
    input(reply);
  }

 private:
  static FencedTerms terms() {
    FencedTerms out;
    out.told = FencedTerms::Told::kHeartbeat;
    return out;
  }
  static FencedPlan plan() {
    FencedPlan out;
    out.times = 2;
    out.rest = 1s;
    return out;
  }
};

}  // namespace

class FencedContenderTest : public QObject {
  Q_OBJECT
 private slots:
  // A live store knows of no scenario.
  void aSessionIsAskedForByItsLength() {
    Application of;
    of.input(Start{});
    QCOMPARE(of.last(RequestKind::kOpenSession).session.wait, Duration(10s));
  }
  // It is about to enter once more when a heartbeat tells it that all is lost; the answer to that call comes before its
  // work has ended.
  void whileItsWorkGoesOnAnEntryThatComesTooLateBeginsNothing() {
    Application of;
    of.input(Start{});
    of.answer(of.last(RequestKind::kOpenSession), SessionAnswer::kDone);
    of.answer(of.last(RequestKind::kLock), SessionAnswer::kDone);
    QVERIFY(of.believes());
    const Request once_more = of.last(RequestKind::kLock);
    of.input(TimerFired{FencedTimer::kHeartbeat});
    of.answer(of.last(RequestKind::kHeartbeat), SessionAnswer::kSessionEnded);
    QVERIFY(!of.believes());
    of.answer(once_more, SessionAnswer::kSessionEnded);
    QCOMPARE(of.count(EventKind::kReturned, Operation::kLock), std::size_t{2});
    QCOMPARE(of.count(EventKind::kInvoked, Operation::kLock), std::size_t{2});
    of.input(WorkDone{});
    QCOMPARE(of.count(EventKind::kInvoked, Operation::kUnlock), std::size_t{1});  // as `finally` does
  }
};

LEASESCOPE_SUITE(FencedContenderTest)
#include "fenced_contender_test.moc"
