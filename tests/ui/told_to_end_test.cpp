// A program that is told to end by a signal closes, and ends at once when it is told again.
#include <QSignalSpy>
#include <csignal>

#include "tests/support/ui_suite.h"
#include "ui/window/told_to_end.h"

using namespace leasescope;
using namespace leasescope::tests;

namespace {

auto handlerOf(int number) {
  struct sigaction now {};
  ::sigaction(number, nullptr, &now);
  return now.sa_handler;
}

}  // namespace

class ToldToEndTest : public UiSuite {
  Q_OBJECT
 private slots:
  void eachSignalIsToldOnceAndTheSecondEndsTheProgram_data() {
    QTest::addColumn<int>("number");
    QTest::newRow("^C") << SIGINT;
    QTest::newRow("kill") << SIGTERM;
    QTest::newRow("the terminal goes") << SIGHUP;
  }
  void eachSignalIsToldOnceAndTheSecondEndsTheProgram() {
    QFETCH(const int, number);
    std::signal(number, SIG_DFL);
    ToldToEnd ending;
    QSignalSpy told(&ending, &ToldToEnd::told);
    std::raise(number);
    QVERIFY(told.isEmpty());  // not from within the handler
    QTRY_COMPARE(told.size(), 1);
    QVERIFY(handlerOf(number) == SIG_DFL);
  }
  void whatItWasStartedToIgnoreIsIgnored() {
    std::signal(SIGHUP, SIG_IGN);
    {
      ToldToEnd ending;
      QSignalSpy told(&ending, &ToldToEnd::told);
      std::raise(SIGHUP);
      QTest::qWait(50);
      QVERIFY(told.isEmpty());
    }
    QVERIFY(handlerOf(SIGHUP) == SIG_IGN);
    std::signal(SIGHUP, SIG_DFL);
  }
  void afterItASignalEndsTheProgramAsEver() {
    std::signal(SIGTERM, SIG_DFL);
    { const ToldToEnd ending; }
    QVERIFY(handlerOf(SIGTERM) == SIG_DFL);
  }
};

LEASESCOPE_SUITE(ToldToEndTest)
#include "told_to_end_test.moc"
