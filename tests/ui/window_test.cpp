// The frame around the Lab: who gets the keys, what a remembered layout may do.
#include <QApplication>
#include <QCheckBox>
#include <QComboBox>
#include <QDataStream>
#include <QDockWidget>
#include <QListView>
#include <QMenu>
#include <QMessageBox>
#include <QPushButton>
#include <QScrollArea>
#include <QSettings>
#include <QTextDocument>
#include <QToolButton>
#include <algorithm>
#include <vector>

#include "simulator/scenario/catalogue.h"
#include "tests/support/window_suite.h"
#include "ui/lab/values_panel.h"
#include "ui/models/scenario_list_model.h"
#include "ui/panels/parts.h"
#include "ui/panels/results_panel.h"
#include "ui/panels/timeline_page.h"
#include "ui/theme/scale.h"
#include "ui/timeline/timeline_view.h"

using namespace leasescope;
using namespace leasescope::tests;

namespace {

const QStringList kDocks{QStringLiteral("labListDock"), QStringLiteral("resultsDock"), QStringLiteral("selectionDock"),
                         QStringLiteral("labOwnDock"), QStringLiteral("cursorDock")};

QDockWidget* dock(TestWindow& window, const QString& name) {
  return window.labPerspective().findChild<QDockWidget*>(name);
}

QString gcPauseText() {
  const auto& all = built_in_scenarios();
  return fromText(
      std::find_if(all.begin(), all.end(), [](const BuiltIn& each) { return each.name == "gc-pause"; })->toml);
}

}  // namespace

class WindowTest : public WindowSuite {
  Q_OBJECT
 private slots:
  void init();
  void spaceAfterRunAgainPausesAndLeavesThePanelsAlone();
  void noKeyThatRunsIsTakenByAButton();
  void aSwitchInAPanelThatFloatsIsThrownBySpace();
  void aLayoutThatHidesWhatCannotBeReachedIsMended_data();
  void aLayoutThatHidesWhatCannotBeReachedIsMended();
  void aLongNameIsReadWholeInTheSelection();
  void aFleetThatIsOpenedFirstHasTheRoomOfAChart();
  void noToolIsCutOffInANarrowWindow_data();
  void noToolIsCutOffInANarrowWindow();
  void everyKeyCanBeReadOnTheSheet_data();
  void everyKeyCanBeReadOnTheSheet();
  void theScenarioThatIsNamedAtTheStartIsSeenInTheList();
  void theWindowIsRememberedAndAForeignLayoutIsLeftAside();
  void everythingIsLargerFromTheNextStartOn();
};

void WindowTest::init() {
  UiSuite::init();
  QSettings().clear();
}

// The button went inactive while the run went on, and the focus fell on the next panel's float button.
void WindowTest::spaceAfterRunAgainPausesAndLeavesThePanelsAlone() {
  TestWindow window;
  show(window);
  window.lab().setSpeed(1000);
  QVERIFY(window.lab().open(QStringLiteral("gc-pause")));
  auto* again = window.findChild<QPushButton*>(QStringLiteral("runAgain"));
  QTest::mouseClick(again, Qt::LeftButton);
  QTRY_COMPARE(window.lab().state(), RunState::kRunning);
  for (const RunState after : {RunState::kPaused, RunState::kRunning, RunState::kPaused}) {
    QWidget* focus = window.focusWidget() ? window.focusWidget() : &window;
    QTest::keyClick(focus, Qt::Key_Space);
    QCOMPARE(window.lab().state(), after);
    for (const QString& name : kDocks) {
      QVERIFY2(!dock(window, name)->isFloating(), qPrintable(name));
      QVERIFY2(dock(window, name)->isVisible(), qPrintable(name));
    }
  }
}

void WindowTest::noKeyThatRunsIsTakenByAButton() {
  TestWindow window;
  show(window);
  window.lab().setSpeed(1000);
  QVERIFY(window.lab().open(QStringLiteral("gc-pause")));
  window.lab().runOrPause();
  int tried = 0;
  for (QWidget* widget : window.findChildren<QAbstractButton*>()) {
    if (!widget->isVisible() || !widget->isEnabled()) continue;
    if (qobject_cast<QDockWidget*>(widget->parentWidget()->parentWidget()))
      QVERIFY2(widget->focusPolicy() == Qt::NoFocus || !qobject_cast<QToolButton*>(widget),
               qPrintable(widget->accessibleName()));
    if (widget->focusPolicy() == Qt::NoFocus || static_cast<QAbstractButton*>(widget)->isCheckable()) continue;
    widget->setFocus();
    if (!widget->hasFocus()) continue;
    const RunState before = window.lab().state();
    QTest::keyClick(widget, Qt::Key_Space);
    QVERIFY2(window.lab().state() == (before == RunState::kRunning ? RunState::kPaused : RunState::kRunning),
             qPrintable(widget->accessibleName() + widget->objectName()));
    ++tried;
  }
  QVERIFY(tried >= 4);
  // A switch is still thrown by it.
  auto* fault = window.findChild<QCheckBox*>(QStringLiteral("fault0"));
  fault->setFocus();
  QTest::keyClick(fault, Qt::Key_Space);
  QVERIFY(!window.lab().scenario().faults.front().enabled);
}

void WindowTest::aSwitchInAPanelThatFloatsIsThrownBySpace() {
  TestWindow window;
  runToItsEnd(window);
  auto* dock = window.labPerspective().findChild<QDockWidget*>(QStringLiteral("labOwnDock"));
  dock->setFloating(true);
  QVERIFY(QTest::qWaitForWindowExposed(dock));
  auto* box = window.valuesPanel()->findChild<QCheckBox*>(QStringLiteral("fault0"));
  QVERIFY(box);
  const bool on = box->isChecked();
  dock->activateWindow();
  box->setFocus();
  QTRY_VERIFY(box->hasFocus());
  QTest::keyClick(box, Qt::Key_Space);
  QTest::qWait(20);
  box = window.valuesPanel()->findChild<QCheckBox*>(QStringLiteral("fault0"));
  QCOMPARE(box->isChecked(), !on);
  QCOMPARE(window.lab().state(), RunState::kFinished);
}

void WindowTest::aLayoutThatHidesWhatCannotBeReachedIsMended_data() {
  QTest::addColumn<QByteArray>("layout");
  QTest::newRow("none") << QByteArray();
  QTest::newRow("not a layout") << QByteArray("not a layout");
  QByteArray headed;
  QDataStream(&headed, QIODevice::WriteOnly) << 0xff << 2;
  QTest::newRow("a head and nothing") << headed;
  QTest::newRow("a head and rubbish") << headed + QByteArray(400, '\x7f');
  QTest::newRow("a head and zeros") << headed + QByteArray(400, '\0');
  {
    TestWindow window;
    window.resize(1440, 900);
    window.show();
    const QByteArray whole = window.labPerspective().saveState(3);
    QTest::newRow("cut in the middle") << whole.left(whole.size() / 2);
    dock(window, kDocks[2])->setFloating(true);
    dock(window, kDocks[2])->move(-9000, -9000);
    QTest::newRow("a panel floats beyond every screen") << window.labPerspective().saveState(3);
    dock(window, kDocks[2])->setFloating(false);
    window.removeDockWidget(dock(window, kDocks[3]));
    QTest::newRow("a panel is in no place") << window.labPerspective().saveState(3);
  }
}

void WindowTest::aLayoutThatHidesWhatCannotBeReachedIsMended() {
  QFETCH(QByteArray, layout);
  QSettings().setValue(QStringLiteral("lab/state"), layout);
  TestWindow window;
  window.restore();
  show(window);
  for (const QString& name : kDocks) {
    QDockWidget* panel = dock(window, name);
    // Closed by the reader it may be: then its entry in the View menu brings it back.
    if (!panel->toggleViewAction()->isChecked()) {
      QVERIFY2(name == kDocks[3], qPrintable(name));
      panel->toggleViewAction()->trigger();
    }
    QVERIFY2(panel->isVisible(), qPrintable(name));
    const QRect place(panel->mapTo(panel->window(), QPoint(0, 0)), panel->size());
    const bool reached = panel->isFloating() ? panel->screen()->geometry().intersects(panel->frameGeometry())
                                             : window.rect().contains(place.center());
    QVERIFY2(reached, qPrintable(QDebug::toString(place) + name));
    QVERIFY2(panel->height() > 40 && panel->width() > 100, qPrintable(name));
  }
  QVERIFY(window.view()->width() > 300 && window.view()->height() > 200);
}

// W16: names are wrapped where they have no space, not cut at the panel's edge.
void WindowTest::aLongNameIsReadWholeInTheSelection() {
  TestWindow window;
  QTemporaryDir folder;
  const QString path = folder.filePath(QStringLiteral("long.toml"));
  QString text = gcPauseText();
  text.replace(QStringLiteral("name = \"orders\""),
               QStringLiteral("name = \"orders:settlement:nightly:region-eu-central-1\""));
  text.replace(QStringLiteral("count = 3"),
               QStringLiteral("count = 3\nname = \"%1@node-17.prod\"").arg(QString(60, u'w')));
  QFile file(path);
  QVERIFY(file.open(QIODevice::WriteOnly) && file.write(text.toUtf8()) > 0);
  file.close();
  runToItsEnd(window, path);
  auto* panel = window.labPerspective().findChild<QWidget*>(QStringLiteral("selectionPanel"));
  QTextOption words;  // as a label wraps them
  words.setWrapMode(QTextOption::WordWrap);
  int seen = 0;
  for (int incident = 0; incident < 3; ++incident) {
    window.lab().selectIncident(incident);
    QCoreApplication::processEvents();
    for (const QLabel* label : panel->findChildren<QLabel*>()) {
      if (!label->isVisible()) continue;
      QTextDocument page;
      page.setDocumentMargin(0);
      page.setDefaultFont(label->font());
      page.setHtml(label->text());
      page.setDefaultTextOption(words);
      page.setTextWidth(label->width());
      QVERIFY2(page.idealWidth() <= label->width() + 1, qPrintable(label->text()));
      seen += label->text().contains(QStringLiteral("www"));
    }
  }
  QVERIFY(seen > 0);
}

// Before its run nobody of a fleet has a row; the panels were sized by that.
void WindowTest::aFleetThatIsOpenedFirstHasTheRoomOfAChart() {
  TestWindow window;
  QTemporaryDir folder;
  const QString path = folder.filePath(QStringLiteral("fleet.toml"));
  QFile file(path);
  QVERIFY(file.open(QIODevice::WriteOnly));
  file.write(gcPauseText().replace(QStringLiteral("count = 3"), QStringLiteral("count = 1000")).toUtf8());
  file.close();
  runToItsEnd(window, path);
  QTRY_VERIFY(window.view()->timeline()->height() > 2 * window.results()->height());
}

void WindowTest::noToolIsCutOffInANarrowWindow_data() {
  QTest::addColumn<int>("wide");
  for (const int wide : {800, 1000, 1024, 1100, 1180, 1200, 1220, 1240, 1260, 1280, 1300, 1440})
    QTest::addRow("%d", wide) << wide;
}

// Also where the time takes more room than it did when the window got its size.
void WindowTest::noToolIsCutOffInANarrowWindow() {
  QFETCH(const int, wide);
  TestWindow window;
  show(window, {wide, 640});
  QTRY_COMPARE(window.width(), wide);
  const QString hours = home_.filePath(QStringLiteral("hours.toml"));
  QFile file(hours);
  QVERIFY(file.open(QIODevice::WriteOnly));
  file.write(gcPauseText()
                 .replace(QStringLiteral("duration = \"4 lease + 32s\""), QStringLiteral("duration = \"4h\""))
                 .toUtf8());
  file.close();
  for (const QString& scenario : {QStringLiteral("gc-pause"), hours}) {
    window.lab().setSpeed(0);
    QVERIFY(window.lab().open(scenario));
    window.lab().runOrPause();
    QTRY_COMPARE_WITH_TIMEOUT(window.lab().state(), RunState::kFinished, kPatience);
    QTest::qWait(20);  // it is laid out anew
    QCOMPARE(window.width(), wide);
    auto* store = window.findChild<QComboBox*>(QStringLiteral("store"));
    std::vector<QRect> shown;
    for (QWidget* tool : store->parentWidget()->findChildren<QWidget*>(QString(), Qt::FindDirectChildrenOnly))
      if (tool->isVisible()) shown.emplace_back(tool->mapTo(&window, QPoint()), tool->size());
    std::sort(shown.begin(), shown.end(), [](const QRect& a, const QRect& b) { return a.left() < b.left(); });
    for (std::size_t i = 0; i < shown.size(); ++i) {
      const int room = i + 1 < shown.size() ? shown[i + 1].left() : wide;
      QVERIFY2(shown[i].right() < room, qPrintable(QStringLiteral("%1: tool %2 at %3 to %4 of %5")
                                                       .arg(scenario)
                                                       .arg(i)
                                                       .arg(shown[i].left())
                                                       .arg(shown[i].right())
                                                       .arg(room)));
    }
    QVERIFY(store->isVisible() && shown.size() >= 8);
  }
}

void WindowTest::everyKeyCanBeReadOnTheSheet_data() {
  QTest::addColumn<QSize>("size");
  for (const QSize size : {QSize(800, 600), QSize(1024, 640), QSize(1440, 900), QSize(2560, 1440)})
    QTest::addRow("%dx%d", size.width(), size.height()) << size;
}

void WindowTest::everyKeyCanBeReadOnTheSheet() {
  QFETCH(const QSize, size);
  TestWindow window;
  show(window, size);
  QTRY_COMPARE(window.size(), size);
  window.action(WindowAction::kKeys)->trigger();
  auto* sheet = window.findChild<QWidget*>(QStringLiteral("keySheet"));
  QTRY_VERIFY(sheet != nullptr && sheet->isVisible() && sheet->hasFocus());
  QVERIFY(window.rect().contains(sheet->geometry()));
  const auto* area = sheet->findChild<QScrollArea*>();
  QTRY_VERIFY(area->widget()->width() <= area->viewport()->width());  // else what is right of it could not be read
  const QList<KeyCap*> caps = area->widget()->findChildren<KeyCap*>();
  QCOMPARE(static_cast<std::size_t>(caps.size()), window.keys().size());
  for (const KeyCap* cap : caps) QVERIFY(area->widget()->rect().contains(cap->geometry()));
  const auto lowest = [&] { return area->widget()->mapTo(area->viewport(), area->widget()->rect().bottomLeft()).y(); };
  for (int page = 0; page < 10; ++page) QTest::keyClick(sheet, Qt::Key_PageDown);
  QVERIFY2(lowest() < area->viewport()->height(), qPrintable(QString::number(lowest())));
  QTest::keyClick(sheet, Qt::Key_Escape);
  QVERIFY(!sheet->isVisible());
}

// What is said of it below the list takes from the list's room.
void WindowTest::theScenarioThatIsNamedAtTheStartIsSeenInTheList() {
  TestWindow window;
  show(window);
  auto* list = window.findChild<QListView*>(QStringLiteral("scenarios"));
  const QModelIndex last = list->model()->index(list->model()->rowCount() - 1, 0);
  window.open(last.data(ScenarioListModel::kSourceRole).toString());
  QCOMPARE(list->currentIndex(), last);
  QTRY_VERIFY(list->viewport()->rect().contains(list->visualRect(last)));
}

void WindowTest::everythingIsLargerFromTheNextStartOn() {
  QSettings().clear();
  QCOMPARE(rememberedScale(), 100);
  TestWindow window;
  window.show();
  const auto told = [&] {
    const auto boxes = window.findChildren<QMessageBox*>();
    return boxes.size() == 1 && boxes[0]->isVisible() ? boxes[0]->text() : QString();
  };
  window.action(WindowAction::kLarger)->trigger();
  QCOMPARE(rememberedScale(), 125);
  QCOMPARE(told(), QStringLiteral("Letters, rows and pictures are shown at 125 % from the next start on."));
  for (int i = 0; i < 5; ++i) window.action(WindowAction::kLarger)->trigger();
  QCOMPARE(rememberedScale(), 200);
  QCOMPARE(told(), QStringLiteral("200 % is the last step."));
  window.action(WindowAction::kSmaller)->trigger();
  QCOMPARE(rememberedScale(), 175);
  QSettings().setValue(QStringLiteral("window/scale"), 1'000);
  QCOMPARE(rememberedScale(), 100);
  QCOMPARE(scaleAmong({QStringLiteral("leasescope"), QStringLiteral("--scale"), QStringLiteral("150 %")}), 150);
  QCOMPARE(scaleAmong({QStringLiteral("leasescope"), QStringLiteral("--scale=200")}), 200);
  QCOMPARE(scaleAmong({QStringLiteral("leasescope"), QStringLiteral("--scale"), QStringLiteral("20")}), 0);
  QCOMPARE(scaleAmong({QStringLiteral("leasescope"), QStringLiteral("--scale")}), 0);
  const QByteArray before = qgetenv("QT_SCALE_FACTOR");
  const auto started = [](const QStringList& words, const char* set) {
    set == nullptr ? qunsetenv("QT_SCALE_FACTOR") : qputenv("QT_SCALE_FACTOR", set);
    startScaled(words);
    return qgetenv("QT_SCALE_FACTOR");
  };
  const QString program = QStringLiteral("leasescope");
  rememberScale(150);
  QCOMPARE(started({program}, nullptr), QByteArray("1.5"));
  QCOMPARE(started({program}, "3"), QByteArray("3"));
  QCOMPARE(started({program, QStringLiteral("--scale=200")}, "3"), QByteArray("2"));
  QCOMPARE(started({program, QStringLiteral("--screenshot=a.png")}, nullptr), QByteArray());
  before.isNull() ? qunsetenv("QT_SCALE_FACTOR") : qputenv("QT_SCALE_FACTOR", before);
  QSettings().clear();
}

void WindowTest::theWindowIsRememberedAndAForeignLayoutIsLeftAside() {
  QSettings().clear();
  Look::instance().choose(ThemeChoice::kDark);
  {
    TestWindow window;
    window.restore();
    window.resize(1300, 800);
    window.show();
    window.lab().setSpeed(10000);
    window.open(QStringLiteral("owner-partition"));
    window.results()->showTab(1);
    dock(window, QStringLiteral("cursorDock"))->hide();
    window.close();
  }
  QCOMPARE(LabPerspective::lastScenario(), QStringLiteral("owner-partition"));
  QCOMPARE(TestWindow::rememberedTheme(), QStringLiteral("dark"));
  {
    TestWindow window;
    window.restore();
    window.show();
    QCOMPARE(window.lab().speed(), 10000);
    QCOMPARE(window.results()->tabs()->currentIndex(), 1);
    QVERIFY(!dock(window, QStringLiteral("cursorDock"))->isVisible());
    QVERIFY(dock(window, QStringLiteral("labOwnDock"))->isVisible());
  }
  QSettings().setValue(QStringLiteral("lab/state"), QByteArray("not a layout"));
  TestWindow window;
  window.restore();
  window.resize(1300, 800);  // a later Qt takes no size back that is larger than the screen
  window.show();
  for (const QString& name : kDocks) QVERIFY2(dock(window, name)->isVisible(), qPrintable(name));
  QSettings().clear();
  Look::instance().choose(ThemeChoice::kLight);
}

LEASESCOPE_SUITE(WindowTest)
#include "window_test.moc"
