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
    double most = 0;  // the host may take more from the other processors than this thread was given
    for (int i = 0; i < 20 && most < 150; ++i) {
      (void)heart.longest();
      const clock_t begin = std::clock();
      while (std::clock() - begin < CLOCKS_PER_SEC / 5) continue;
      most = heart.longest().own_ms;
    }
    QVERIFY2(most >= 150, qPrintable(QString::number(most)));
  }

  // Of the rule, in milliseconds: what else the machine does while this is tried cannot be known.
  void aWaitCountsWhereAnOnlookerCouldRun() {
    QCOMPARE(Heartbeat::own({.wall = 300, .work = 20}), 300);
    QCOMPARE(Heartbeat::own({.wall = 300, .work = 20, .overslept = 300}), 20);
    QCOMPARE(Heartbeat::own({.wall = 300, .work = 20, .overslept = 100}), 200);
    QCOMPARE(Heartbeat::own({.wall = 300, .work = 300, .overslept = 300}), 300);
    QCOMPARE(Heartbeat::own({.wall = 300, .work = 20, .delay = 250, .stolen = 10, .overslept = 270}), 30);
    QCOMPARE(Heartbeat::own({.wall = 300, .work = 500, .delay = 400}), 0);
  }
  void ofASilenceThatReadFromTheDiskWorkCounts() {
    QCOMPARE(Heartbeat::own({.wall = 300, .work = 20, .fetched = 4096}), 20);
    QCOMPARE(Heartbeat::own({.wall = 300, .work = 280, .fetched = 4096}), 280);
    // Work of other threads while this one had no processor is no work of its own.
    QCOMPARE(Heartbeat::own({.wall = 300, .work = 280, .delay = 250, .fetched = 4096}), 50);
    QCOMPARE(Heartbeat::own({.wall = 300, .work = 500, .fetched = 4096}), 300);
  }
};

LEASESCOPE_SUITE(HeartbeatTest)
#include "heartbeat_test.moc"
