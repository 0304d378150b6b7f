// The palette of commands and the table of keys: both are what the menus have.
#include <QAbstractItemModelTester>
#include <QFile>
#include <QRegularExpression>

#include "tests/support/places.h"
#include "tests/support/window_suite.h"
#include "ui/lab/scenario_panel.h"
#include "ui/recordings/recordings_perspective.h"
#include "ui/timeline/timeline_view.h"
#include "ui/window/command_palette.h"

using namespace leasescope;
using namespace leasescope::tests;

class PaletteTest : public WindowSuite {
  Q_OBJECT
 private slots:
  void itHasEveryEntryOfEveryMenu() {
    TestWindow window;
    show(window);
    for (Perspective* each : window.perspectives()) {
      window.turnTo(*each);
      open(window);
      QSet<QString> texts;
      const auto* model = static_cast<CommandsModel*>(window.commandPalette()->list()->model());
      for (int row = 0; row < model->rowCount(); ++row) texts << model->index(row).data().toString();
      for (const ActionTable* table : window.actionTables())
        for (const ActionSpec& spec : table->specs()) {
          const QAction* action = table->action(spec.which);
          if (action != window.action(WindowAction::kPalette)) QVERIFY2(texts.contains(plainText(*action)), spec.text);
        }
      QTest::keyClick(window.commandPalette()->field(), Qt::Key_Escape);
      QVERIFY(!window.commandPalette()->isVisible());
    }
  }

  void whatIsTypedFindsWhatIsMeantAndEnterDoesIt() {
    TestWindow window;
    runToItsEnd(window);
    const QAbstractItemModelTester tester(window.commandPalette()->list()->model(),
                                          QAbstractItemModelTester::FailureReportingMode::Fatal);
    TimelineView* chart = window.view()->timeline();
    chart->setFocus();
    chart->selectIncident(-1);
    chart->setCursorTime(TrueTime{});
    open(window);
    type(window, "next inc");
    QCOMPARE(chosen(window), QStringLiteral("Next incident"));
    QTest::keyClick(window.commandPalette()->field(), Qt::Key_Return);
    QVERIFY(!window.commandPalette()->isVisible());
    QTRY_VERIFY(chart->selectedIncident() >= 0);
    QCOMPARE(window.focusWidget(), static_cast<QWidget*>(chart));
    // What cannot be done now comes last, is not chosen, and does nothing.
    open(window);
    type(window, "redo");
    QTest::keyClick(window.commandPalette()->field(), Qt::Key_Return);
    QVERIFY(window.commandPalette()->isVisible());
    type(window, "no such thing");
    QCOMPARE(window.commandPalette()->list()->model()->rowCount(), 0);
    QTest::keyClick(window.commandPalette()->field(), Qt::Key_Down);
    QTest::keyClick(window.commandPalette()->field(), Qt::Key_Return);
    type(window, "persp rec");
    QTest::keyClick(window.commandPalette()->field(), Qt::Key_Return);
    QTRY_COMPARE(window.current().word(), QStringLiteral("recordings"));
  }

  void aPerspectiveHasAKey() {
    TestWindow window;
    show(window);
    QTest::keyClick(&window, Qt::Key_2, Qt::ControlModifier);
    QCOMPARE(window.current().word(), QStringLiteral("recordings"));
    QTest::keyClick(&window, Qt::Key_1, Qt::ControlModifier);
    QCOMPARE(window.current().word(), QStringLiteral("lab"));
  }

  // The table in the room's README is made of these lines: whoever changes a key sees it here.
  void theReadmeTellsOfEveryKey() {
    QFile readme(QString(kSourceFolder) + QStringLiteral("/ui/README.md"));
    QVERIFY(readme.open(QIODevice::ReadOnly));
    const QString text = QString::fromUtf8(readme.readAll());
    TestWindow window;
    QStringList missing;
    for (Perspective* each : window.perspectives()) {
      window.turnTo(*each);
      for (const KeyLine& line : window.keys()) {
        const QString row = QStringLiteral("| %1 | `%2` | %3 |").arg(line.menu, line.keys, line.text);
        if (!text.contains(row) && !missing.contains(row)) missing << row;
      }
    }
    if (!missing.isEmpty()) qInfo().noquote() << missing.join(u'\n');
    QVERIFY2(missing.isEmpty(), "ui/README.md, keys: it lacks these lines");
  }

 private:
  static void open(TestWindow& window) {
    window.action(WindowAction::kPalette)->trigger();
    QVERIFY(window.commandPalette()->isVisible());
  }
  static void type(TestWindow& window, const char* words) {
    window.commandPalette()->field()->clear();
    QTest::keyClicks(window.commandPalette()->field(), QString::fromLatin1(words));
  }
  static QString chosen(TestWindow& window) {
    return window.commandPalette()->list()->currentIndex().data().toString();
  }
};

LEASESCOPE_SUITE(PaletteTest)
#include "palette_test.moc"
