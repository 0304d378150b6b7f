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
  void manyCancelledDelaysLeaveTheOthersInTheirOrder() {
    EpollLoop loop;
    std::vector<int> order;
    std::vector<Loop::TimerId> all;
    for (int i = 0; i < 1000; ++i) all.push_back(loop.delay(milliseconds(20 - i % 20), [&, i] { order.push_back(i); }));
    for (std::size_t i = 0; i < all.size(); ++i)
      if (i % 100 != 7) loop.cancel(all[i]);
    run_for(loop, milliseconds(60));
    QCOMPARE(order, (std::vector<int>{7, 107, 207, 307, 407, 507, 607, 707, 807, 907}));
  }
  void aDelayBehindACancelledOneFiresNotBeforeItsTime() {
    EpollLoop loop;
    const TrueTime begin = loop.now();
    TrueTime fired{};
    const auto first = loop.delay(milliseconds(10), [] {});
    loop.delay(milliseconds(40), [&] {
      fired = loop.now();
      loop.quit();
    });
    loop.delay(milliseconds(2), [&] { loop.cancel(first); });
    loop.run();
    QVERIFY(fired - begin >= milliseconds(40));
    QVERIFY(fired - begin < milliseconds(2000));
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
  // The mutex that one descriptor's message hands over is not kept waiting by what another one has to say.
  void whatOneDescriptorHasLedToComesBeforeTheNextDescriptor() {
    EpollLoop loop;
    int a[2] = {}, b[2] = {};
    QCOMPARE(::pipe(a) + ::pipe(b), 0);
    std::string order;
    const auto heard = [&](int end) {
      char byte = 0;
      QCOMPARE(::read(end, &byte, 1), ssize_t{1});
      order += 'd';
      loop.post([&] { order += 'p'; });
      if (order.size() > 2) loop.post([&] { loop.quit(); });
    };
    loop.watch(a[0], Readiness::kRead, [&] { heard(a[0]); });
    loop.watch(b[0], Readiness::kRead, [&] { heard(b[0]); });
    QCOMPARE(::write(a[1], "x", 1) + ::write(b[1], "x", 1), ssize_t{2});
    loop.delay(milliseconds(2000), [&] { loop.quit(); });
    loop.run();
    QCOMPARE(order, std::string("dpdp"));
    for (const int end : {a[0], a[1], b[0], b[1]}) ::close(end);
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
