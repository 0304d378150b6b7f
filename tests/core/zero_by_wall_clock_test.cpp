// By which moment on the wall a recording counts its own.
#include <chrono>
#include <thread>

#include "core/observe/watch_record.h"
#include "tests/support/suite.h"

using namespace leasescope;
using std::chrono::milliseconds;

namespace {

// Whoever reads its clock for the first time has to wait for a processor afterwards.
class HeldUp final : public Loop {
 public:
  TrueTime now() const override {
    const TrueTime out = read();
    if (first_) std::this_thread::sleep_for(milliseconds(60));
    first_ = false;
    return out;
  }
  TrueTime read() const { return TrueTime(std::chrono::steady_clock::now().time_since_epoch()); }
  TimerId delay(Duration, Task) override { return 0; }
  void cancel(TimerId) override {}
  void post(Task) override {}
  WatchId watch(int, Readiness, Task) override { return 0; }
  void unwatch(WatchId) override {}

 private:
  mutable bool first_ = true;
};

}  // namespace

class ZeroByWallClockTest : public QObject {
  Q_OBJECT

 private slots:
  void whoIsHeldUpBetweenTwoReadingsTakesOthers() {
    const HeldUp loop;
    const std::int64_t zero = zero_by_wall_clock(loop);
    const Duration off = Duration(zero - (wall_clock_ns() - loop.read().time_since_epoch().count()));
    QVERIFY2(off < milliseconds(20) && off > -milliseconds(20), std::to_string(off.count()).c_str());
  }
};

LEASESCOPE_SUITE(ZeroByWallClockTest)
#include "zero_by_wall_clock_test.moc"
