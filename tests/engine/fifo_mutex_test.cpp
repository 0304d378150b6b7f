// The plain mutex of the bench is the one of queueing theory: what its speed is compared with must do the same.
#include "tests/bench/fifo_mutex.h"

#include <cmath>

#include "tests/support/suite.h"

using namespace leasescope;

namespace {

// The share of time at least one of `contenders` holds or waits: thinking 10 and holding 1 on average, exponentially
// (the machine repair model).
double utilisation(int contenders) {
  double term = 1, sum = 1;
  for (int i = 0; i < contenders; ++i) sum += term *= (contenders - i) * 0.1;
  return 1 - 1 / sum;
}

}  // namespace

class FifoMutexTest : public QObject {
  Q_OBJECT
 private slots:
  void itIsHeldAndWaitedForAsTheorySays() {
    for (const int contenders : {1, 3, 10, 30}) {
      bench::FifoMutex mutex(static_cast<std::uint32_t>(contenders));
      mutex.run(1'000'000);
      const double busy = utilisation(contenders);
      QVERIFY(std::abs(mutex.utilisation() - busy) < 0.01 * busy);
      // By Little's law a round of think, wait and hold takes contenders / throughput.
      const double wait = contenders / busy - 11;
      QVERIFY(std::abs(mutex.mean_wait_seconds() - wait) < 0.02 * (wait + 1));
    }
  }
};

LEASESCOPE_SUITE(FifoMutexTest)
#include "fifo_mutex_test.moc"
