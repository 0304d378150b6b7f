// What a swarm's run is judged by: what came through, not what a model says of itself.
#include "simulator/run/invariants.h"

#include "simulator/engine/world.h"
#include "tests/engine/runs.h"
#include "tests/support/suite.h"

using namespace leasescope;
using namespace leasescope::tests;
using namespace std::chrono_literals;

namespace {

// Writes that a resource has let through, as it calls them.
class Judged {
 public:
  explicit Judged(bool fencing)
      : of_(scenario("healthy", {fencing ? "resource.fencing=true" : "resource.fencing=false"})),
        world_(of_, make_facts(of_)),
        invariants_(of_, world_.names()) {
    while (world_.names().text({resource_}) != of_.resources.front().name) ++resource_;
  }

  Judged& write(Token token, EventKind kind = EventKind::kWriteAccepted) {
    Event event;
    event.kind = kind;
    event.token = token;
    event.a = resource_;
    invariants_.append(event);
    return *this;
  }
  std::vector<Broken> broken() const {
    return invariants_.broken(Checkers(of_.terms(), world_.names(), fault_kind_names()));
  }

 private:
  Scenario of_;
  World world_;
  Invariants invariants_;
  std::uint32_t resource_ = 0;
};

}  // namespace

class InvariantsTest : public QObject {
  Q_OBJECT
 private slots:
  void risingTokensBreakNothing() { QVERIFY(Judged(true).write(1).write(1).write(2).write(5).broken().empty()); }
  void aFencedResourceThatLetsALowerTokenThroughIsCaughtWhateverItCallsIt() {
    for (const EventKind word : {EventKind::kWriteAccepted, EventKind::kWriteStaleAccepted}) {
      const auto broken = Judged(true).write(2).write(1, word).write(2).broken();
      QCOMPARE(broken.size(), std::size_t{1});
      QVERIFY(broken[0].failure == Failure::kStaleWriteAccepted && broken[0].excused_by < 0);
      QVERIFY2(broken[0].reason.find("with token 1, after it had seen 2") != std::string::npos,
               broken[0].reason.c_str());
    }
  }
  void aRefusedWriteIsNotCounted() {
    QVERIFY(Judged(true)
                .write(2)
                .write(1, EventKind::kWriteRejected)
                .write(9, EventKind::kWriteRejected)
                .write(3)
                .broken()
                .empty());
  }
  void withoutAFenceALowerTokenIsNoBreach() {
    QVERIFY(Judged(false).write(2).write(1, EventKind::kWriteStaleAccepted).broken().empty());
  }
};

LEASESCOPE_SUITE(InvariantsTest)
#include "invariants_test.moc"
