// What waits keeps its order, and no delay outlasts its fault by more than itself.
#include "tests/engine/runs.h"
#include "tests/support/suite.h"

using namespace leasescope;
using namespace leasescope::tests;
using namespace std::chrono_literals;

namespace {

Scenario with_faults(const std::string& timeout, const std::string& faults) {
  return written(kReckoned + "timeout = \"" + timeout + "\"\n[[contender]]\ncount = 2\n" + faults);
}

std::size_t unknown_attempts(const History& history, Duration since) {
  std::size_t count = 0;
  for (const Event& event : history.events)
    count += event.kind == EventKind::kAttempt && event.lo >= TrueTime{} + since &&
             event.detail == static_cast<std::uint8_t>(AttemptResult::kUnknown);
  return count;
}

// The place of the first such event since then; the end when there is none.
std::size_t place_of(const History& history, EventKind kind, Duration since) {
  std::size_t place = 0;
  for (const Event& event : history.events) {
    if (event.kind == kind && event.lo >= TrueTime{} + since) break;
    ++place;
  }
  return place;
}

}  // namespace

class OrderTest : public QObject {
  Q_OBJECT
 private slots:
  void delaysOfPacketsDoNotPileUp() {
    const auto run = finished(with_faults("1s", R"([[fault]]
at = "1s"
kind = "delay"
target = "all"
direction = "both"
by = "400ms"
duration = "25s"
)"));
    QVERIFY(count(run->history(), EventKind::kRenewed) >= 4);
    QCOMPARE(unknown_attempts(run->history(), 0s), std::size_t{0});
  }
  void aStoreThatIsNoLongerSlowCatchesUpAtOnce() {
    const auto run = finished(with_faults("200ms", R"([[fault]]
at = "1s"
kind = "store_slow"
by = "500ms"
duration = "15s"
)"));
    QVERIFY(unknown_attempts(run->history(), 0s) > 10);
    QCOMPARE(unknown_attempts(run->history(), 16s + 500ms + 200ms), std::size_t{0});
  }
  // A release that overtook an acquire, or the other way round, would free what was granted after it was sent.
  void aReleaseIsServedBeforeWhatComesLater() {
    const auto run = finished(with_faults("50ms", R"([[fault]]
at = "5s"
kind = "store_slow"
by = "300ms"
duration = "1s"
[[fault]]
at = "5900ms"
kind = "stop"
target = "c1"
[[fault]]
at = "5900ms"
kind = "stop"
target = "c2"
[[fault]]
at = "6010ms"
kind = "start"
target = "c1"
)"));
    const History& history = run->history();
    const std::size_t released = place_of(history, EventKind::kReleased, 5900ms);
    QVERIFY(place_of(history, EventKind::kStopped, 5900ms) < released);
    QVERIFY(history.events[released].lo > TrueTime{} + 6010ms);
    QVERIFY(released < place_of(history, EventKind::kGranted, 5900ms));
    QVERIFY(place_of(history, EventKind::kGranted, 5900ms) < history.events.size());
  }
};

LEASESCOPE_SUITE(OrderTest)
#include "order_test.moc"
