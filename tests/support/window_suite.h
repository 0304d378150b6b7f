// The base of tests with the whole window: its settings, those of Qt's own dialogs, and the current folder, which these
// list, are a folder of the suite's own; in memory where the machine has such a folder. Qt writes settings through to
// the disk in the window's thread, and reads there what it lists: on a busy disk that takes a second now and then, the
// disk's doing, which a test of silences would call the window's.
#pragma once
#include <QDir>
#include <QFileInfo>
#include <QSettings>
#include <QTemporaryDir>

#include "tests/support/ui_suite.h"
#include "ui/lab/lab_perspective.h"
#include "ui/panels/problem_box.h"
#include "ui/panels/timeline_page.h"
#include "ui/theme/look.h"
#include "ui/window/main_window.h"

namespace leasescope::tests {

inline constexpr int kPatience = 20'000;  // ms: for a run as fast as it goes

// The window, and the parts of its Lab by their own names.
class TestWindow : public MainWindow {
 public:
  // Nobody is there to answer a box.
  TestWindow() {
    labPerspective().askWith([](const QString&) { return LabPerspective::Leave::kDiscard; });
  }
  using MainWindow::action;
  LabPerspective& labPerspective() const { return *static_cast<LabPerspective*>(perspective(QStringLiteral("lab"))); }
  LabController& lab() const { return labPerspective().lab(); }
  TimelinePage* view() const { return labPerspective().view(); }
  ResultsPanel* results() const { return labPerspective().results(); }
  ScenarioPanel* scenarios() const { return labPerspective().scenarios(); }
  Prospects* prospects() const { return labPerspective().prospects(); }
  ValuesPanel* valuesPanel() const { return labPerspective().valuesPanel(); }
  TransportBar* transport() const { return labPerspective().transport(); }
  SummaryBar* summary() const { return labPerspective().summary(); }
  PreparationBox* preparation() const { return labPerspective().preparation(); }
  QAction* action(LabAction which) const { return labPerspective().action(which); }
  QAction* action(ChartAction which) const { return labPerspective().action(which); }
};

class WindowSuite : public UiSuite {
  Q_OBJECT
 protected slots:
  void initTestCase() {
    QVERIFY(home_.isValid());
    QSettings::setDefaultFormat(QSettings::IniFormat);
    for (const auto format : {QSettings::IniFormat, QSettings::NativeFormat})
      QSettings::setPath(format, QSettings::UserScope, home_.path());
    QVERIFY(QDir::setCurrent(home_.path()));
    QCoreApplication::setOrganizationName(QStringLiteral("LeasescopeTest"));
    QCoreApplication::setApplicationName(QString::fromLatin1(metaObject()->className()));
    Look::instance().dress();
  }

 protected:
  static void show(TestWindow& window, QSize size = {1440, 900}) {
    window.resize(size);
    window.show();
    QVERIFY(QTest::qWaitForWindowExposed(&window));
  }

  static void runToItsEnd(TestWindow& window, const QString& name = QStringLiteral("gc-pause")) {
    show(window);
    window.lab().setSpeed(0);
    QVERIFY2(window.lab().open(name), qPrintable(window.view()->problem()->problem().message));
    window.lab().runOrPause();
    QTRY_COMPARE_WITH_TIMEOUT(window.lab().state(), RunState::kFinished, kPatience);
  }

  static QString homeInMemory() {
    const QFileInfo memory(QStringLiteral("/dev/shm"));
    const QString at = memory.isDir() && memory.isWritable() ? memory.filePath() : QDir::tempPath();
    return at + QStringLiteral("/leasescope-window-XXXXXX");
  }

  QTemporaryDir home_{homeInMemory()};
};

}  // namespace leasescope::tests
