#include "core/loop/qt/qt_loop.h"

#include "simulator/live/event_wait.h"
#include "tests/support/suite.h"

using namespace leasescope;
using std::chrono::milliseconds;

class QtLoopTest : public QObject {
  Q_OBJECT
 private slots:
  // A13: a delay longer than Qt's timers can hold fired after 20 days.
  void aDelayLongerThanAStretchIsNotEarly() {
    QtLoop loop(nullptr, milliseconds(20));
    TrueTime fired{};
    const TrueTime ordered = loop.now();
    loop.delay(milliseconds(130), [&] { fired = loop.now(); });
    QVERIFY(wait_until([&] { return fired != TrueTime{}; }, milliseconds(3000)));
    QVERIFY(fired - ordered >= milliseconds(130));
    QVERIFY(fired - ordered < milliseconds(1500));
  }
  void anEndlessDelayDoesNotFire() {
    QtLoop loop;
    bool fired = false;
    loop.delay(Duration::max(), [&] { fired = true; });
    loop.delay(std::chrono::hours(24 * 25), [&] { fired = true; });
    QVERIFY(!wait_until([&] { return fired; }, milliseconds(100)));
  }
};

LEASESCOPE_SUITE(QtLoopTest)
#include "qt_loop_test.moc"
