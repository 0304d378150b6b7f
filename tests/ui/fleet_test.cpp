// The window answers, however many contend: a thousand without a block, and a hundred thousand at all.
#include <QApplication>

#include "tests/support/heartbeat.h"
#include "tests/support/window_suite.h"
#include "ui/panels/timeline_page.h"
#include "ui/timeline/timeline_view.h"

using namespace leasescope;
using namespace leasescope::tests;

class FleetTest : public leasescope::tests::WindowSuite {
  Q_OBJECT
 private slots:
  void itAnswersWhileItRunsAndIsPanned_data() {
    QTest::addColumn<int>("contenders");
    QTest::addColumn<double>("most");
    QTest::newRow("a thousand") << 1000 << 100.0;
    // It was 3.5 s; 0.5 to 1.1 s by how fast the machine is at the moment. That it answers at all is what is asked
    // here.
    QTest::newRow("a hundred thousand") << 100'000 << 2500.0;
  }
  void itAnswersWhileItRunsAndIsPanned() {
    QFETCH(int, contenders);
    QFETCH(double, most);
    TestWindow window;
    show(window);
    Heartbeat heart;
    LabController& lab = window.lab();
    window.open(QStringLiteral("gc-pause"));
    QTRY_VERIFY_WITH_TIMEOUT(lab.state() == RunState::kFinished, 20'000);
    (void)heart.longest();
    const auto fits = [&](const char* what) {
      const Heartbeat::Silence silence = heart.longest();
      qInfo("%d contenders, %s: longest silence %.1f ms of its own", contenders, what, silence.own_ms);
      QVERIFY2(silence.own_ms < most, what);
    };
    QVERIFY(lab.edit("contender.0.count", std::to_string(contenders)));
    QTest::qWait(20);
    fits("changing");
    lab.restart();
    QTest::qWait(2500);
    fits("running");
    TimelineView* chart = window.view()->timeline();
    for (int i = 0; i < 20; ++i) {
      QTest::keyClick(chart, Qt::Key_D);
      QTest::qWait(10);
    }
    fits("panning");
    lab.stop();
    QTest::qWait(50);
    fits("stopping");
  }
};

LEASESCOPE_SUITE(FleetTest)
#include "fleet_test.moc"
