// An assertion that stays in release builds: the program ends and says why.
#include "core/base/expect.h"

#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include "core/contend/effect.h"
#include "core/simba/notifications.h"
#include "tests/support/suite.h"

using namespace leasescope;

namespace {

struct Ended {
  int signal = 0;
  QByteArray said;
};

// What it comes to in a process of its own.
template <class Do>
Ended ended_by(Do act) {
  int pipe[2];
  if (::pipe(pipe) != 0) return {};
  const pid_t child = ::fork();
  if (child == 0) {
    ::dup2(pipe[1], STDERR_FILENO);
    ::signal(SIGABRT, SIG_DFL);
    act();
    ::_exit(0);
  }
  ::close(pipe[1]);
  Ended out;
  char bytes[1024];
  for (ssize_t size = 0; (size = ::read(pipe[0], bytes, sizeof bytes)) > 0;)
    out.said.append(bytes, static_cast<int>(size));
  ::close(pipe[0]);
  int status = 0;
  ::waitpid(child, &status, 0);
  if (WIFSIGNALED(status)) out.signal = WTERMSIG(status);
  return out;
}

}  // namespace

class ExpectTest : public QObject {
  Q_OBJECT
 private slots:
  void whatHoldsCostsNothingAndSaysNothing() {
    const Ended ended = ended_by([] { expect(true, "never"); });
    QCOMPARE(ended.signal, 0);
    QCOMPARE(ended.said, QByteArray());
  }
  void whatDoesNotHoldEndsTheProgramWithItsPlace() {
    const Ended ended = ended_by([] { expect(false, "the sky fell"); });
    QCOMPARE(ended.signal, SIGABRT);
    QVERIFY2(ended.said.contains("the sky fell (expect_test.cpp:"), ended.said);
  }
  void moreEffectsThanThereIsRoomForAreNotWrittenPastTheBuffer() {
    const Ended ended = ended_by([] {
      Effects effects;
      for (std::size_t i = 0; i <= Effects::kCapacity; ++i) effects.push(Disarm{Timer{0}});
    });
    QCOMPARE(ended.signal, SIGABRT);
  }
  void anOwnerThatNobodyIsToldOfIsNotRead() {
    const Ended ended = ended_by([] { Notifications(Name{1}).front(); });
    QCOMPARE(ended.signal, SIGABRT);
  }
};

LEASESCOPE_SUITE(ExpectTest)
#include "expect_test.moc"
