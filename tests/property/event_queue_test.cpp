// The radix heap pops what a plain heap pops, whatever is pushed, cancelled or injected "now" after a look.
#include "simulator/engine/event_queue.h"

#include <rapidcheck.h>

#include "tests/support/heap_queue.h"
#include "tests/support/suite.h"

using namespace leasescope;

namespace {

// Delays as an engine has them: now, messages, polls, leases, and the far end.
Duration any_delay() {
  switch (*rc::gen::inRange(0, 6)) {
    case 0:
      return Duration(0);
    case 1:
      return Duration(*rc::gen::inRange(1, 4));
    case 2:
      return Duration(*rc::gen::inRange<std::int64_t>(100'000, 3'000'000));
    case 3:
      return Duration(*rc::gen::inRange<std::int64_t>(10'000'000, 3'000'000'000));
    case 4:
      return Duration(*rc::gen::inRange<std::int64_t>(10'000'000'000, 30'000'000'000));
    default:
      return Duration(*rc::gen::inRange<std::int64_t>(0, std::int64_t{1} << 60));
  }
}

void pop_equal(EventQueue& radix, tests::HeapQueue& heap, TrueTime& now) {
  RC_ASSERT(radix.next() == heap.next());
  const QueueEntry a = radix.pop(), b = heap.pop();
  RC_ASSERT(a.at == b.at);
  RC_ASSERT(a.payload == b.payload);
  RC_ASSERT(a.node() == b.node());
  RC_ASSERT(a.due() == b.due());
  now = a.at;
}

}  // namespace

class EventQueueProperties : public QObject {
  Q_OBJECT
 private slots:
  void itPopsWhatAHeapPops() {
    const bool held = rc::check("any pushes and pops", [] {
      EventQueue radix;
      tests::HeapQueue heap;
      TrueTime now{};
      std::uint32_t pushed = 0;
      const int steps = *rc::gen::inRange(0, 200);
      for (int i = 0; i < steps; ++i) {
        if (heap.empty() || *rc::gen::inRange(0, 3) != 0) {
          const TrueTime at = now > TrueTime{} + Duration(std::int64_t{1} << 61) ? now : now + any_delay();
          const auto due = static_cast<Due>(pushed % 14);
          radix.push(at, due, pushed * 7, pushed);
          heap.push(at, due, pushed * 7, pushed);
          ++pushed;
        } else {
          pop_equal(radix, heap, now);
        }
        RC_ASSERT(radix.size() == heap.size());
        // Looking changes nothing: a fault injected at `now` after it comes first.
        RC_ASSERT(radix.next() == heap.next());
      }
      while (!heap.empty()) pop_equal(radix, heap, now);
      RC_ASSERT(radix.empty());
    });
    QVERIFY(held);
  }
  void aCopyPopsTheSame() {
    const bool held = rc::check("copies", [] {
      EventQueue queue;
      TrueTime now{};
      for (std::uint32_t i = 0; i < 100; ++i) {
        queue.push(now + any_delay() / 16, Due::kWork, 0, i);
        if (i % 3 == 2) now = queue.pop().at;
      }
      EventQueue copy = queue;
      while (!queue.empty()) {
        const QueueEntry a = queue.pop(), b = copy.pop();
        RC_ASSERT(a.at == b.at);
        RC_ASSERT(a.payload == b.payload);
      }
      RC_ASSERT(copy.empty());
    });
    QVERIFY(held);
  }
  void equalTimesAreFirstInFirstOut() {
    EventQueue queue;
    for (std::uint32_t i = 0; i < 1000; ++i) queue.push(TrueTime{} + Duration(i % 3 * 1'000'000), Due::kWork, 0, i);
    std::uint32_t last[3] = {0, 0, 0};
    while (!queue.empty()) {
      const QueueEntry entry = queue.pop();
      std::uint32_t& before = last[entry.payload % 3];
      QVERIFY(entry.payload >= before);
      before = entry.payload;
    }
  }
};

LEASESCOPE_SUITE(EventQueueProperties)
#include "event_queue_test.moc"
