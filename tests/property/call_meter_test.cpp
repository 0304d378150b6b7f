// Which calls are many: the meter's short cuts say what counting says.
#include "core/history/incidents/call_meter.h"

#include <algorithm>
#include <deque>
#include <utility>

#include <rapidcheck.h>

#include "tests/support/suite.h"

using namespace leasescope;

class CallMeterProperties : public QObject {
  Q_OBJECT
 private slots:
  void manyAreMoreThanTenWithinASecondAndNoFewer();
};

namespace {

// Likely to lie just within a second of the tenth before, on it, or just past it.
Duration next_after(const std::deque<TrueTime>& calls, TrueTime now) {
  const Duration anywhere(*rc::gen::inRange<std::int64_t>(0, 200'000'000));
  if (calls.size() < CallMeter::kMany || *rc::gen::inRange(0, 3) > 0) return anywhere;
  const TrueTime edge = calls[calls.size() - CallMeter::kMany] + CallMeter::kSpan + Duration(*rc::gen::inRange(-1, 2));
  return std::max(Duration::zero(), Duration(edge - now));
}

}  // namespace

// Calls on other mutexes lie between: none to more than there is room for at first.
void CallMeterProperties::manyAreMoreThanTenWithinASecondAndNoFewer() {
  QVERIFY(rc::check([] {
    CallMeter meter;
    meter.started(Name{3});
    std::deque<TrueTime> calls;
    Event event;
    event.kind = EventKind::kAttempt;
    event.node = Name{3};
    event.mutex = Name{7};
    const int others = *rc::gen::element(0, 1, 3, 9);
    bool first = true;
    for (int left = *rc::gen::inRange(0, 80); left > 0; --left) {
      event.hi += *rc::gen::inRange(0, 20) == 0 ? Duration(std::chrono::seconds(*rc::gen::inRange(1, 5)))
                                                : next_after(calls, event.hi);
      Event other = event;
      for (int i = 0; i < others; ++i) {
        other.node.handle = other.mutex.handle = static_cast<std::uint32_t>(20 + i);
        meter.add(other);
      }
      event.detail = static_cast<std::uint8_t>(*rc::gen::inRange(0, 4));
      const bool many = meter.add(event);
      if (std::exchange(first, false)) {
        RC_ASSERT(!many);
        continue;
      }
      calls.push_back(event.hi);
      const auto within =
          std::count_if(calls.begin(), calls.end(), [&](TrueTime at) { return event.hi - at <= CallMeter::kSpan; });
      RC_ASSERT(many == (within > static_cast<std::ptrdiff_t>(CallMeter::kMany)));
      if (!many) continue;
      std::deque<TrueTime> last;
      meter.visit_last(event.mutex, 0, [&](const CallMeter::Call& call) {
        RC_ASSERT(call.node == event.node);
        last.push_back(call.at);
      });
      RC_ASSERT(last == std::deque<TrueTime>(calls.end() - CallMeter::kMany - 1, calls.end()));
    }
  }));
}

LEASESCOPE_SUITE(CallMeterProperties)
#include "call_meter_test.moc"
