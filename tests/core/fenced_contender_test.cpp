// An application by a fenced lock, worked by hand: what it asks for, and what it does when it learns that it has lost.
#include <algorithm>

#include "core/fenced/fenced_contender.h"
#include "core/history/operation.h"
#include "tests/support/suite.h"

using namespace leasescope;
using namespace std::chrono_literals;

namespace {

// One contender that enters twice and is told of a loss by its heartbeats; the session is 10 s.
class Application {
 public:
  Application() : contender_(setting(), terms(), plan()) {}

  void input(const Input& in) {
    for (const Effect& effect : contender_.step(in, {})) {
      if (const auto* send = std::get_if<Send>(&effect)) sent_.push_back(send->request);
      if (const auto* note = std::get_if<Note>(&effect)) notes_.push_back(*note);
    }
  }
  const Request& last(RequestKind kind) const {
    const auto at = std::find_if(sent_.rbegin(), sent_.rend(), [&](const Request& each) { return each.kind == kind; });
    if (at == sent_.rend()) qFatal("nothing of the kind was asked");
    return *at;
  }
  void answer(const Request& to, SessionAnswer said, std::uint64_t number = 1) {
    Reply reply;
    reply.begin(to);
    reply.answer = static_cast<std::uint8_t>(said);
    reply.number = number;
    reply.token = 7;
    reply.remaining = 1s;
    input(reply);
  }
  std::size_t told(EventKind kind, Operation operation) const {
    return static_cast<std::size_t>(std::count_if(notes_.begin(), notes_.end(), [&](const Note& each) {
      return each.kind == kind && each.detail == static_cast<std::uint8_t>(operation);
    }));
  }
  bool believes() const { return contender_.believes(); }

 private:
  static ContenderSetting setting() {
    ContenderSetting out;
    out.id = Name{1};
    out.mutex = Name{2};
    out.lease.ttl = 10s;
    return out;
  }
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

  std::vector<Request> sent_;
  std::vector<Note> notes_;
  FencedContender contender_;
};

}  // namespace

class FencedContenderTest : public QObject {
  Q_OBJECT
 private slots:
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
    QCOMPARE(of.told(EventKind::kReturned, Operation::kLock), std::size_t{2});
    QCOMPARE(of.told(EventKind::kInvoked, Operation::kLock), std::size_t{2});
    of.input(WorkDone{});
    QCOMPARE(of.told(EventKind::kInvoked, Operation::kUnlock), std::size_t{1});  // as `finally` does
  }
};

LEASESCOPE_SUITE(FencedContenderTest)
#include "fenced_contender_test.moc"
