#include "tests/support/heartbeat.h"

#include <sys/wait.h>
#include <csignal>

#include "tests/support/suite.h"

using namespace leasescope::tests;
using namespace std::chrono_literals;

namespace {

// Another process stops this one for so long.
void be_stopped(std::chrono::milliseconds stopped) {
  const pid_t child = fork();
  QVERIFY(child >= 0);
  if (child == 0) {
    const timespec long_enough{0, static_cast<long>(stopped / 1ns)};
    kill(getppid(), SIGSTOP);
    nanosleep(&long_enough, nullptr);
    kill(getppid(), SIGCONT);
    _exit(0);
  }
  QCOMPARE(waitpid(child, nullptr, 0), child);
}

}  // namespace

class HeartbeatTest : public QObject {
  Q_OBJECT
 private slots:
  void aStoppedProcessIsNotSilentByItself() {
    Heartbeat heart;
    be_stopped(400ms);
    const Heartbeat::Silence silence = heart.longest();
    QVERIFY2(silence.wall_ms >= 390, qPrintable(QString::number(silence.wall_ms)));
    QVERIFY2(silence.own_ms < 100, qPrintable(QString::number(silence.own_ms)));
  }

  void workCounts() {
    Heartbeat heart;
    const clock_t begin = std::clock();
    while (std::clock() - begin < CLOCKS_PER_SEC / 5) continue;
    const Heartbeat::Silence silence = heart.longest();
    QVERIFY2(silence.own_ms >= 150, qPrintable(QString::number(silence.own_ms)));
  }

  // What waits while every processor is busy may wait for one of them: of that nothing can be said, so it is tried
  // anew.
  void aWaitOnAMachineThatIsFreeCounts() {
    Heartbeat heart;
    QTRY_VERIFY_WITH_TIMEOUT(
        [&] {
          (void)heart.longest();
          std::this_thread::sleep_for(50ms);
          return heart.longest().own_ms >= 45;
        }(),
        60'000);
  }
};

LEASESCOPE_SUITE(HeartbeatTest)
#include "heartbeat_test.moc"
