// The selected incident says what would have prevented it, and by how much.
#include <QClipboard>
#include <QGuiApplication>
#include <QLabel>
#include <QPushButton>

#include "core/history/margin.h"
#include "tests/support/window_suite.h"
#include "ui/panels/selection_panel.h"

using namespace leasescope;
using namespace leasescope::tests;

namespace {

SelectionPanel* panel_of(TestWindow& window) {
  return window.labPerspective().findChild<SelectionPanel*>(QStringLiteral("selectionPanel"));
}

QString remedies_of(TestWindow& window) {
  const QWidget* pane = panel_of(window)->findChild<QWidget*>(QStringLiteral("remedies"));
  QString out;
  if (pane != nullptr)
    for (const QLabel* each : pane->findChildren<QLabel*>()) out += each->text() + QLatin1Char('\n');
  return out.remove(QChar(0x200b));
}

void runToEnd(TestWindow& window) {
  window.lab().runToEnd();
  QTRY_COMPARE_WITH_TIMEOUT(window.lab().state(), RunState::kFinished, kPatience);
}

}  // namespace

class PreventionTest : public WindowSuite {
  Q_OBJECT
 private slots:
  void theWorstIncidentOfALessonSaysWhatWouldHavePreventedIt() {
    TestWindow window;
    show(window);
    QVERIFY(window.lab().open(QStringLiteral("gc-pause")));
    runToEnd(window);
    QTRY_VERIFY(panel_of(window)->prevention() != nullptr);
    QVERIFY(!panel_of(window)->prevention()->remedies.empty());
    const QString told = remedies_of(window);
    QVERIFY2(told.contains(QStringLiteral("pause of owner (fault.0)")), qPrintable(told));
    QVERIFY2(told.contains(QStringLiteral("s shorter")), qPrintable(told));
    window.action(ChartAction::kCopyIncident)->trigger();
    const QString copied = QGuiApplication::clipboard()->text();
    QVERIFY2(copied.contains(QStringLiteral("Each of these alone would have prevented it")), qPrintable(copied));
  }
  void theMarginIsToldWithItsFigures() {
    TestWindow window;
    show(window);
    QVERIFY(window.lab().open(QStringLiteral("gc-pause")));
    runToEnd(window);
    const History& history = *window.lab().history();
    std::size_t overlap = 0;
    while (history.incidents.at(overlap).kind != IncidentKind::kBeliefOverlap) ++overlap;
    const Margin margin = margin_of(history, history.incidents[overlap]);
    QCOMPARE(margin.measure, MarginMeasure::kPause);
    window.lab().selectIncident(static_cast<int>(overlap));
    const QLabel* told = panel_of(window)->findChild<QLabel*>(QStringLiteral("margin"));
    QVERIFY(told != nullptr);
    QVERIFY2(told->text().remove(QChar(0x200b)).contains(QStringLiteral("s left when a pause of")),
             qPrintable(told->text()));
    window.action(ChartAction::kCopyIncident)->trigger();
    QString words = QString::fromStdString(margin.words);
    words.replace(u'#', QStringLiteral("\\#"));  // which Markdown would take for its own
    QVERIFY2(QGuiApplication::clipboard()->text().contains(words), qPrintable(QGuiApplication::clipboard()->text()));
  }
  void ofAForkedRunNothingIsMadeAgain() {
    TestWindow window;
    show(window);
    QVERIFY(window.lab().open(QStringLiteral("gc-pause")));
    runToEnd(window);
    window.lab().seek(TrueTime(std::chrono::seconds(20)));
    window.lab().forkHere();
    QVERIFY(window.lab().repeatable() == nullptr);
    QVERIFY(remedies_of(window).isEmpty());
  }
  void aLongRunIsMadeAgainOnlyWhenThatIsAskedFor() {
    TestWindow window;
    show(window);
    QVERIFY(window.lab().open(QStringLiteral("gc-pause")));
    QVERIFY(window.lab().edit("duration", "8000s").has_value());
    runToEnd(window);
    QVERIFY(window.lab().history()->events.size() > 100'000);
    QPushButton* ask = panel_of(window)->findChild<QPushButton*>();
    QVERIFY(ask != nullptr && panel_of(window)->prevention() == nullptr);
    ask->click();
    QVERIFY(remedies_of(window).contains(QStringLiteral("Running it again")));
    window.lab().selectIncident(-1);  // whoever looks elsewhere stops it
    QVERIFY(remedies_of(window).isEmpty());
  }
  // Whoever does not want to wait for it says so, and may ask again.
  void lookingForItCanBeCancelled() {
    TestWindow window;
    show(window);
    QVERIFY(window.lab().open(QStringLiteral("gc-pause")));
    QVERIFY(window.lab().edit("duration", "8000s").has_value());
    runToEnd(window);
    const auto button = [&](const char* name) {
      return panel_of(window)->findChild<QPushButton*>(QString::fromLatin1(name));
    };
    QPushButton *ask = button("lookForRemedies"), *cancel = button("leaveRemedies");
    QVERIFY(ask != nullptr && cancel != nullptr);
    QVERIFY(!ask->isHidden() && cancel->isHidden());
    ask->click();
    QVERIFY(ask->isHidden() && !cancel->isHidden());
    cancel->click();
    QVERIFY(!ask->isHidden() && cancel->isHidden());
    QVERIFY2(remedies_of(window).contains(QStringLiteral("Cancelled")), qPrintable(remedies_of(window)));
    QTest::qWait(300);  // nor does what was under way then come after all
    QVERIFY(panel_of(window)->prevention() == nullptr);
    ask->click();
    QVERIFY(remedies_of(window).contains(QStringLiteral("Running it again")) && !cancel->isHidden());
    cancel->click();
  }
  // ... that of another is not copied for it.
  void whatPreventsOneIncidentIsSaidOfThatOneAlone() {
    TestWindow window;
    show(window);
    QVERIFY(window.lab().open(QStringLiteral("gc-pause")));
    runToEnd(window);
    QTRY_VERIFY(panel_of(window)->prevention() != nullptr);
    QVERIFY(panel_of(window)->findChild<QPushButton*>(QStringLiteral("leaveRemedies"))->isHidden());
    QVERIFY(panel_of(window)->findChild<QPushButton*>(QStringLiteral("lookForRemedies"))->isHidden());
    window.lab().selectIncident(-1);
    QVERIFY(panel_of(window)->prevention() == nullptr);
  }
};

LEASESCOPE_SUITE(PreventionTest)
#include "prevention_test.moc"
