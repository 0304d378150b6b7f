// The window's store box takes the servers of a quorum lock, as the terminal program does.
#include <QComboBox>
#include <QLineEdit>

#include "tests/store/redis_fleet.h"
#include "tests/support/window_suite.h"
#include "ui/panels/timeline_page.h"

using namespace leasescope;
using namespace leasescope::tests;

class NamedQuorumWindowTest : public WindowSuite {
  Q_OBJECT

  RedisFleet fleet_;

  QString url() const {
    QStringList hosts;
    for (std::size_t i = 0; i < 3; ++i) hosts << QString("127.0.0.1:%1").arg(fleet_.port(i));
    return "redis://" + hosts.join(u',');
  }
  static void type(TestWindow& window, const QString& store) {
    auto* const box = window.findChild<QComboBox*>(QStringLiteral("store"));
    QVERIFY(box != nullptr);
    box->lineEdit()->setText(store);
    QTest::keyClick(box->lineEdit(), Qt::Key_Return);
  }

 private slots:
  void initTestCase() {
    WindowSuite::initTestCase();
    for (int i = 0; i < 3; ++i) fleet_.add({});
    QVERIFY(fleet_.started());
  }

  void aQuorumLockRunsOnTheServersThatAreTyped() {
    TestWindow window;
    show(window);
    LabController& lab = window.lab();
    QVERIFY(lab.open(QStringLiteral("quorum-healthy")));
    for (const auto& [key, value] : {std::pair("mutex.ttl", "1s"), std::pair("duration", "2s")})
      QVERIFY(lab.edit(key, value));
    type(window, url());
    QCOMPARE(lab.values().store, url().toStdString());
    window.action(LabAction::kRestart)->trigger();
    QTRY_VERIFY_WITH_TIMEOUT(window.view()->problem()->isVisible(), 30'000);
    const QString why = window.view()->problem()->problem().message;
    QVERIFY2(why.contains("quorum.servers is 5"), qPrintable(why));

    QVERIFY(lab.edit("quorum.servers", "3"));
    window.action(LabAction::kRestart)->trigger();
    QTRY_COMPARE_WITH_TIMEOUT(lab.state(), RunState::kRunning, 30'000);
    QVERIFY(lab.live());
    QVERIFY(window.windowTitle().contains("live " + url()));
    QTRY_COMPARE_WITH_TIMEOUT(lab.state(), RunState::kFinished, 30'000);
    QVERIFY(lab.history()->summary.acquisitions >= 1);
    QCOMPARE(lab.history()->summary.double_grants, std::uint64_t{0});
  }
};

LEASESCOPE_SUITE(NamedQuorumWindowTest)
#include "named_quorum_test.moc"
