#include "core/loop/epoll/epoll_loop.h"

#include <unistd.h>

#include <thread>

#include "tests/support/suite.h"

using namespace leasescope;
using std::chrono::milliseconds;

namespace {

// Runs the loop for so long.
void run_for(EpollLoop& loop, milliseconds time) {
  loop.delay(time, [&] { loop.quit(); });
  loop.run();
}

}  // namespace

class EpollLoopTest : public QObject {
  Q_OBJECT
 private slots:
  void delaysFireInTheirOrderAndNeverEarly() {
    EpollLoop loop;
    std::vector<int> order;
    const TrueTime begin = loop.now();
    TrueTime first{};
    loop.delay(milliseconds(30), [&] { order.push_back(2); });
    loop.delay(milliseconds(10), [&] {
      order.push_back(1);
      first = loop.now();
    });
    loop.delay(milliseconds(30), [&] { order.push_back(3); });
    loop.delay(milliseconds(50), [&] { loop.quit(); });
    loop.run();
    QCOMPARE(order, (std::vector<int>{1, 2, 3}));
    QVERIFY(first - begin >= milliseconds(10));
    QVERIFY(loop.now() - begin >= milliseconds(50));
  }
  void aCancelledDelayDoesNotFire() {
    EpollLoop loop;
    int fired = 0;
    const auto first = loop.delay(milliseconds(10), [&] { fired += 1; });
    const auto second = loop.delay(milliseconds(10), [&] { fired += 10; });
    loop.delay(milliseconds(5), [&] { loop.cancel(first); });
    run_for(loop, milliseconds(40));
    loop.cancel(second);
    QCOMPARE(fired, 10);
  }
  void anEarlierDelayThatIsOrderedLaterIsNotMissed() {
    EpollLoop loop;
    TrueTime fired{};
    const TrueTime begin = loop.now();
    loop.delay(std::chrono::hours(1), [] {});
    loop.delay(Duration::max(), [] {});
    loop.delay(milliseconds(5), [&] {
      loop.delay(milliseconds(5), [&] {
        fired = loop.now();
        loop.quit();
      });
    });
    loop.run();
    QVERIFY(fired - begin >= milliseconds(10));
    QVERIFY(fired - begin < milliseconds(2000));
  }
  void aTaskIsNotCalledFromWithinTheCallThatOrderedIt() {
    EpollLoop loop;
    bool inside = false, wrong = false;
    int called = 0;
    loop.post([&] {
      inside = true;
      loop.post([&] { wrong |= inside, ++called; });
      loop.delay(Duration::zero(), [&] { wrong |= inside, ++called; });
      inside = false;
    });
    run_for(loop, milliseconds(20));
    QCOMPARE(called, 2);
    QVERIFY(!wrong);
  }
  void anotherThreadMayPostAndQuit() {
    EpollLoop loop;
    std::thread::id ran{};
    std::thread other([&] {
      loop.post([&] { ran = std::this_thread::get_id(); });
      loop.post([&] { loop.quit(); });
    });
    loop.run();
    other.join();
    QVERIFY(ran == std::this_thread::get_id());
    std::thread ender([&] { loop.quit(); });
    loop.run();
    ender.join();
  }
  void anOrderToQuitBeforeItRunsIsNotForgotten() {
    EpollLoop loop;
    bool fired = false;
    loop.quit();
    loop.delay(Duration::zero(), [&] { fired = true; });
    loop.run();
    QVERIFY(!fired);
    run_for(loop, milliseconds(5));  // it may run again
    QVERIFY(fired);
  }
  void tasksThatPostForEverDoNotStarveDescriptorsAndTimers() {
    EpollLoop loop;
    int ends[2] = {};
    QCOMPARE(::pipe(ends), 0);
    bool read = false;
    const std::function<void()> again = [&] { loop.post(again); };
    again();
    loop.watch(ends[0], Readiness::kRead, [&] {
      read = true;
      loop.quit();
    });
    QCOMPARE(::write(ends[1], "x", 1), ssize_t{1});
    loop.delay(milliseconds(2000), [&] { loop.quit(); });
    loop.run();
    QVERIFY(read);
    ::close(ends[0]);
    ::close(ends[1]);
  }
};

LEASESCOPE_SUITE(EpollLoopTest)
#include "epoll_loop_test.moc"
