// The whole way of somebody who works with the window, by mouse and again by keyboard alone: a scenario is run, looked
// at, measured, marked, forked, edited on the chart and as text, exported, recorded, opened again and compared.
#include <QListView>
#include <QScrollBar>
#include <QTabBar>
#include <QToolButton>
#include <QWheelEvent>
#include <set>

#include "tests/support/answers_with.h"
#include "tests/support/exported_files.h"
#include "tests/support/window_hands.h"
#include "ui/compare/compare_perspective.h"
#include "ui/compare/comparison_panel.h"
#include "ui/lab/plan_lane.h"
#include "ui/lab/scenario_panel.h"
#include "ui/lab/text_panel.h"
#include "ui/models/words.h"
#include "ui/notes/notebook.h"
#include "ui/recordings/recordings_perspective.h"
#include "ui/report/report_format.h"
#include "ui/timeline/timeline_view.h"

using namespace leasescope;
using namespace leasescope::tests;
using namespace std::chrono_literals;

class WholeWayTest : public WindowSuite {
  Q_OBJECT
 private slots:
  void initTestCase() {
    WindowSuite::initTestCase();
    QApplication::setAttribute(Qt::AA_DontUseNativeDialogs);
  }
  void init() {
    UiSuite::init();
    QSettings().clear();
  }

  void fromAScenarioToAComparison_data() {
    QTest::addColumn<bool>("byMouse");
    QTest::newRow("by mouse") << true;
    QTest::newRow("by keyboard") << false;
  }
  void fromAScenarioToAComparison() {
    QFETCH(bool, byMouse);
    byMouse_ = byMouse;
    TestWindow window;
    window_ = &window;
    show(window);
    for (const auto step :
         {&WholeWayTest::runsAScenario, &WholeWayTest::looksCloser, &WholeWayTest::measures, &WholeWayTest::marks,
          &WholeWayTest::stepsBackAndForks, &WholeWayTest::editsThePlan, &WholeWayTest::editsTheText,
          &WholeWayTest::exportsEachReport, &WholeWayTest::records, &WholeWayTest::opensTheRecording,
          &WholeWayTest::compares, &WholeWayTest::bringsTheLayoutBack}) {
      (this->*step)();
      if (QTest::currentTestFailed()) return;
    }
  }

 private:
  // ---- steps

  void runsAScenario() {
    choose(window_->action(LabAction::kSpeedMax));
    QListView* list = window_->scenarios()->list();
    if (byMouse_) {
      const QModelIndexList found = list->model()->match(list->model()->index(0, 0), Qt::DisplayRole,
                                                         QStringLiteral("gc-pause"), 1, Qt::MatchExactly);
      QCOMPARE(found.size(), 1);
      list->scrollTo(found.front());
      QTest::mouseClick(list->viewport(), Qt::LeftButton, {}, list->visualRect(found.front()).center());
    } else {
      choose(window_->action(ChartAction::kSearch));
      QTest::keyClicks(window_->focusWidget(), QStringLiteral("gc-pause"));
      QTest::keyClick(window_->focusWidget(), Qt::Key_Down);
      while (list->currentIndex().data().toString() != QStringLiteral("gc-pause") &&
             list->currentIndex().row() + 1 < list->model()->rowCount())
        QTest::keyClick(window_->focusWidget(), Qt::Key_Down);
      QTest::keyClick(window_->focusWidget(), Qt::Key_Return);
    }
    QTRY_COMPARE_WITH_TIMEOUT(lab().state(), RunState::kFinished, kPatience);
    QCOMPARE(lab().runScenario()->name, std::string("gc-pause"));
    choose(window_->action(LabAction::kRestart));
    QTRY_COMPARE_WITH_TIMEOUT(lab().state(), RunState::kFinished, kPatience);
    choose(window_->action(ChartAction::kNextIncident));
    QVERIFY(lab().selectedIncident() >= 0);
  }

  void looksCloser() {
    const auto span = [this] { return chart().visibleRange().second - chart().visibleRange().first; };
    const Duration before = span();
    if (byMouse_) {
      const QPoint at = chart().viewport()->rect().center();
      QWheelEvent wheel(at, chart().viewport()->mapToGlobal(at), {}, {0, 240}, Qt::NoButton, Qt::NoModifier,
                        Qt::NoScrollPhase, false);
      QCoreApplication::sendEvent(chart().viewport(), &wheel);
    } else {
      focus(&chart());
      choose(window_->action(ChartAction::kZoomIn));
    }
    QTRY_VERIFY(span() < before);
    choose(window_->action(ChartAction::kUndoZoom));
    QTRY_COMPARE(span(), before);
  }

  // Both ends are those of something that happened.
  void measures() {
    if (byMouse_) {
      const QPoint from(chart().pixelOf(TrueTime(12s)), 200), to(chart().pixelOf(TrueTime(21s)), 200);
      drag(*chart().viewport(), from, to, Qt::ShiftModifier);
    } else {
      choose(window_->action(ChartAction::kNextEvent));
      choose(window_->action(ChartAction::kMeasure));
      for (int i = 0; i < 3; ++i) choose(window_->action(ChartAction::kNextEvent));
    }
    QVERIFY(chart().measured().has_value());
    std::set<TrueTime> moments;
    for (const Event& event : lab().history()->events) moments.insert({event.lo, event.hi});
    QVERIFY(chart().measured()->first != chart().measured()->second);
    QVERIFY(moments.count(chart().measured()->first) == 1 && moments.count(chart().measured()->second) == 1);
    focus(&chart());
    pressed(QKeySequence(Qt::Key_Escape));
    QVERIFY(!chart().measured());
  }

  void marks() {
    choose(window_->action(ChartAction::kPutMarker));
    QCOMPARE(window_->labPerspective().notebook().notes().markers.size(), std::size_t{1});
  }

  void stepsBackAndForks() {
    choose(window_->action(LabAction::kStepBack));
    const TrueTime at = lab().playhead();
    QVERIFY(at < lab().now());
    choose(window_->action(LabAction::kFork));
    QTRY_COMPARE(lab().courses().size(), std::size_t{2});
    choose(window_->action(LabAction::kUndo));
    QTRY_COMPARE(lab().courses().size(), std::size_t{1});
  }

  void editsThePlan() {
    auto* lane = window_->findChild<PlanLane*>(QStringLiteral("planLane"));
    const std::size_t before = lab().scenario().faults.size();
    if (byMouse_) {
      const int y = lane->height() / 2;
      drag(*lane, {chart().pixelOf(TrueTime(23s)), y}, {chart().pixelOf(TrueTime(25s)), y}, {});
    } else {
      focus(lane);
      QTest::keyClick(lane, Qt::Key_Insert);
    }
    QCOMPARE(lab().scenario().faults.size(), before + 1);
    choose(window_->action(LabAction::kUndo));
    QCOMPARE(lab().scenario().faults.size(), before);
  }

  void editsTheText() {
    choose(window_->action(LabAction::kText));
    TomlEditor* editor = window_->labPerspective().text()->editor();
    QTRY_VERIFY(editor->isVisible() && window_->focusWidget() == editor);
    if (byMouse_) {
      editor->verticalScrollBar()->setValue(0);
      QTest::mouseClick(editor->viewport(), Qt::LeftButton, {}, {1, 6});
    } else {
      QTest::keyClick(editor, Qt::Key_Home, Qt::ControlModifier);
    }
    QTest::keyClicks(editor, QStringLiteral("# mine"));
    QTest::keyClick(editor, Qt::Key_Return);
    QTRY_VERIFY(lab().document().text().startsWith("# mine\n"));
    QVERIFY(!lab().document().error());
    QTest::keyClick(editor, Qt::Key_Escape);
    choose(window_->action(LabAction::kRestart));
    QTRY_COMPARE_WITH_TIMEOUT(lab().state(), RunState::kFinished, kPatience);
  }

  void exportsEachReport() {
    for (std::size_t i = 0; i < report_formats().size(); ++i) {
      const QString path = file("report" + fromText(report_formats()[i].ending));
      const AnswersWith answer(path, byMouse_);
      choose(window_->action(exportAction(i)));
      QTRY_VERIFY_WITH_TIMEOUT(!window_->labPerspective().exporter()->busy(), kPatience);
      const ExportedRun run{*lab().history(), chart().data(), window_->view()->devicePixelRatioF()};
      const QString wrong = wrong_in(path, report_formats()[i].ending, run);
      QVERIFY2(wrong.isEmpty(), qPrintable(path + QStringLiteral(": ") + wrong));
    }
  }

  void records() {
    const AnswersWith answer(recording(), byMouse_);
    choose(window_->action(LabAction::kSaveRecording));
    QTRY_VERIFY_WITH_TIMEOUT(QFile::exists(recording()), kPatience);
  }

  void opensTheRecording() {
    const AnswersWith answer(recording(), byMouse_);
    choose(window_->action(WindowAction::kOpenFile));
    auto& recordings = *static_cast<RecordingsPerspective*>(window_->perspective(QStringLiteral("recordings")));
    QTRY_COMPARE_WITH_TIMEOUT(recordings.recording().path(), recording(), kPatience);
    QTRY_COMPARE_WITH_TIMEOUT(recordings.recording().state(), RunState::kFinished, kPatience);
    QCOMPARE(recordings.recording().history()->last(), lab().history()->last());
    choose(recordings.action(RecordingAction::kCompare));
  }

  void compares() {
    auto& compare = *static_cast<ComparePerspective*>(window_->perspective(QStringLiteral("compare")));
    QTRY_COMPARE_WITH_TIMEOUT(&window_->current(), static_cast<Perspective*>(&compare), kPatience);
    const AnswersWith answer(recording(), byMouse_);
    choose(compare.action(CompareAction::kOpenB));
    QTRY_VERIFY_WITH_TIMEOUT(compare.panel()->comparison() != nullptr, kPatience);
    QVERIFY(compare.panel()->comparison()->same());
  }

  void bringsTheLayoutBack() {
    auto* tabs = window_->findChild<QTabBar*>(QStringLiteral("perspectives"));
    if (byMouse_)
      QTest::mouseClick(tabs, Qt::LeftButton, {}, tabs->tabRect(0).center());
    else
      pressed(QKeySequence(QStringLiteral("Ctrl+1")));
    QCOMPARE(&window_->current(), static_cast<Perspective*>(&window_->labPerspective()));
    QDockWidget* dock = window_->current().docks().front();
    QVERIFY(dock->isVisible());
    choose(dock->toggleViewAction());
    QVERIFY(!dock->isVisible());
    choose(window_->action(WindowAction::kResetLayout));
    QVERIFY(dock->isVisible());
  }

  // ---- hands

  LabController& lab() { return window_->lab(); }
  TimelineView& chart() { return *window_->view()->timeline(); }
  QString file(const QString& name) const {
    return home_.filePath((byMouse_ ? QStringLiteral("mouse-") : QStringLiteral("keys-")) + name);
  }
  QString recording() const { return file(QStringLiteral("run.recording")); }

  // By its button where there is one, else in its menu; or by its keys.
  void choose(QAction* action) {
    QVERIFY2(action->isEnabled(), qPrintable(action->text()));
    if (!byMouse_) {
      QVERIFY2(!action->shortcut().isEmpty(), qPrintable(action->text()));
      return pressed(action->shortcut());
    }
    for (QToolButton* button : window_->findChildren<QToolButton*>())
      if (button->defaultAction() == action && button->isVisible() && !button->visibleRegion().isEmpty())
        return QTest::mouseClick(button, Qt::LeftButton);
    QMenuBar* bar = window_->menuBar();
    for (QAction* top : bar->actions()) {
      QMenu* menu = top->menu();
      if (menu == nullptr || !menu->actions().contains(action)) continue;
      QTest::mouseClick(bar, Qt::LeftButton, {}, bar->actionGeometry(top).center());
      QTRY_VERIFY(menu->isVisible());
      const QPoint at = menu->actionGeometry(action).center();
      goThere(*menu, at);
      return QTest::mouseClick(menu, Qt::LeftButton, {}, at);
    }
    QFAIL(qPrintable(action->text() + " is in no menu"));
  }

  // As a hand does, from a little above: a menu that opened under a pointer that has not moved since takes its click
  // for the one that opened it.
  static void goThere(QMenu& menu, QPoint to) {
    for (int step = 12; step >= 0; --step) {
      const QPointF at = to - QPoint(0, step);
      QMouseEvent move(QEvent::MouseMove, at, menu.mapToGlobal(at), Qt::NoButton, Qt::NoButton, Qt::NoModifier);
      QCoreApplication::sendEvent(&menu, &move);
    }
  }

  // A box that has gone leaves no window active where there is no window manager.
  void pressed(const QKeySequence& keys) {
    window_->activateWindow();
    QTRY_VERIFY(window_->isActiveWindow());
    press(*window_, keys);
  }

  // By Tab, as far as it takes.
  void focus(QWidget* to) {
    if (byMouse_) return to->setFocus(Qt::MouseFocusReason);
    for (int i = 0; i < 200 && !to->hasFocus(); ++i) {
      QWidget* from = window_->focusWidget() != nullptr ? window_->focusWidget() : window_;
      QTest::keyClick(from, qobject_cast<QPlainTextEdit*>(from) ? Qt::Key_Escape : Qt::Key_Tab);
    }
    QVERIFY2(to->hasFocus(), qPrintable(to->objectName()));
  }

  static void drag(QWidget& on, QPoint from, QPoint to, Qt::KeyboardModifiers keys) {
    QTest::mousePress(&on, Qt::LeftButton, keys, from);
    for (const QPoint& at : {(from + to) / 2, to}) {
      QMouseEvent move(QEvent::MouseMove, at, on.mapToGlobal(at), Qt::NoButton, Qt::LeftButton, keys);
      QCoreApplication::sendEvent(&on, &move);
    }
    QTest::mouseRelease(&on, Qt::LeftButton, keys, to);
  }

  TestWindow* window_ = nullptr;
  bool byMouse_ = false;
};

LEASESCOPE_SUITE(WholeWayTest)
#include "whole_way_test.moc"
