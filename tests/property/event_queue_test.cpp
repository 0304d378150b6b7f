// The radix heap pops what a plain heap pops, whatever is pushed, cancelled or injected "now" after a look.
#include "simulator/engine/event_queue.h"

#include <map>

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

// Both queues, given the same.
struct Pair {
  EventQueue radix;
  tests::HeapQueue heap;
  TrueTime now{};
  std::uint32_t pushed = 0;

  void push(Duration delay) {
    const TrueTime at = now > TrueTime{} + Duration(std::int64_t{1} << 61) ? now : now + delay;
    const auto due = static_cast<Due>(pushed % 14);
    radix.push(at, due, pushed * 7 % (1u << QueueEntry::kNodeBits), pushed);
    heap.push(at, due, pushed * 7 % (1u << QueueEntry::kNodeBits), pushed);
    ++pushed;
  }
  QueueEntry pop() {
    RC_ASSERT(radix.next() == heap.next());
    const QueueEntry a = radix.pop(), b = heap.pop();
    RC_ASSERT(a.at == b.at);
    RC_ASSERT(a.payload == b.payload);
    RC_ASSERT(a.node() == b.node());
    RC_ASSERT(a.due() == b.due());
    now = a.at;
    return a;
  }
  void look() const {
    RC_ASSERT(radix.size() == heap.size());
    RC_ASSERT(radix.empty() == heap.empty());
    RC_ASSERT(radix.next() == heap.next());
  }
  void drain() {
    while (!heap.empty()) pop();
    look();
  }
};

void push_or_pop(Pair& queues) {
  if (queues.heap.empty() || *rc::gen::inRange(0, 3) != 0) {
    queues.push(any_delay());
  } else {
    queues.pop();
  }
}

}  // namespace

class EventQueueProperties : public QObject {
  Q_OBJECT
 private slots:
  void itPopsWhatAHeapPops() {
    const bool held = rc::check("any pushes and pops", [] {
      Pair queues;
      const int steps = *rc::gen::inRange(0, 200);
      for (int i = 0; i < steps; ++i) {
        push_or_pop(queues);
        queues.look();
      }
      queues.drain();
    });
    QVERIFY(held);
  }
  // More at once, or close together, than is sorted in one piece.
  void burstsComeOutAsTheyWentIn() {
    const bool held = rc::check("bursts", [] {
      Pair queues;
      const int bursts = *rc::gen::inRange(1, 8);
      for (int i = 0; i < bursts; ++i) {
        const Duration first = any_delay();
        const std::int64_t spread = *rc::gen::element<std::int64_t>(0, 1, 15, 1'000, 1'000'000);
        const int count = *rc::gen::inRange(1, 120), pops = *rc::gen::inRange(0, 120);
        for (std::int64_t k = 0; k < count; ++k) queues.push(first + Duration(k * 7919 % count * spread));
        for (int k = 0; k < pops && !queues.heap.empty(); ++k) {
          if (k % 16 == 0) queues.push(Duration(k % 32 * spread));
          queues.pop();
        }
      }
      queues.drain();
    });
    QVERIFY(held);
  }
  // A run that stands still has looked at what is next; what is then injected at its own moment, or a little later, is
  // not late, and comes in its order.
  void whatIsInjectedDuringAPauseComesInItsOrder() {
    const bool held = rc::check("pause and inject", [] {
      Pair queues;
      const int rounds = *rc::gen::inRange(1, 30);
      for (int i = 0; i < rounds; ++i) {
        const int steps = *rc::gen::inRange(0, 20);
        for (int k = 0; k < steps; ++k) push_or_pop(queues);
        queues.look();
        const TrueTime next = queues.radix.next();
        const std::uint32_t injected = queues.pushed;
        queues.push(Duration(0));
        RC_ASSERT(queues.radix.next() == queues.now);
        if (*rc::gen::arbitrary<bool>()) queues.push(any_delay());
        queues.look();
        if (next > queues.now) RC_ASSERT(queues.pop().payload == injected);
      }
      queues.drain();
    });
    QVERIFY(held);
  }
  // A timer that is armed again or disarmed leaves its entry behind; its generation tells. What is left fires as if the
  // entry had been taken out.
  void whatIsCancelledByGenerationNeverFires() {
    const bool held = rc::check("lazy cancel", [] {
      constexpr std::uint32_t kTimers = 12;
      EventQueue queue;
      tests::HeapQueue heap;
      std::map<std::pair<TrueTime, std::uint32_t>, std::uint32_t> armed;  // by time and order of arming: the timer
      std::array<std::uint32_t, kTimers> generation{};
      std::uint32_t order = 0;
      TrueTime now{};
      const auto disarm = [&](std::uint32_t timer) {
        ++generation[timer];
        for (auto entry = armed.begin(); entry != armed.end();)
          entry = entry->second == timer ? armed.erase(entry) : std::next(entry);
      };
      const auto arm = [&](std::uint32_t timer, Duration delay) {
        disarm(timer);
        queue.push(now + delay, Due::kTimer0, timer, generation[timer]);
        heap.push(now + delay, Due::kTimer0, timer, generation[timer]);
        armed[{now + delay, ++order}] = timer;
      };
      const auto next_valid = [&](auto& of) {
        QueueEntry entry = of.pop();
        while (entry.payload != generation[entry.node()]) entry = of.pop();
        return entry;
      };
      const int steps = *rc::gen::inRange(0, 150);
      for (int i = 0; i < steps; ++i) {
        const auto timer = *rc::gen::inRange<std::uint32_t>(0, kTimers);
        const int what = *rc::gen::inRange(0, 4);
        if (what < 2) arm(timer, any_delay() / 32);
        if (what == 2) disarm(timer);
        if (what < 3 || armed.empty()) continue;
        const QueueEntry entry = next_valid(queue), reference = next_valid(heap);
        const auto first = armed.begin();
        RC_ASSERT(entry.at == first->first.first);
        RC_ASSERT(entry.node() == first->second);
        RC_ASSERT(reference.at == entry.at);
        RC_ASSERT(reference.node() == entry.node());
        now = entry.at;
        armed.erase(first);
        ++generation[entry.node()];  // it has fired
        RC_ASSERT(queue.size() == heap.size());
      }
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
