// The base of tests with the whole window: its settings lie in a folder of the suite's own.
#pragma once
#include <QSettings>
#include <QTemporaryDir>

#include "tests/support/ui_suite.h"
#include "ui/lab/lab_view.h"
#include "ui/lab/problem_box.h"
#include "ui/main_window.h"
#include "ui/theme/look.h"

namespace leasescope::tests {

inline constexpr int kPatience = 20'000;  // ms: for a run as fast as it goes

class WindowSuite : public UiSuite {
  Q_OBJECT
 protected slots:
  void initTestCase() {
    QVERIFY(home_.isValid());
    QSettings::setDefaultFormat(QSettings::IniFormat);
    QSettings::setPath(QSettings::IniFormat, QSettings::UserScope, home_.path());
    QCoreApplication::setOrganizationName(QStringLiteral("LeasescopeTest"));
    QCoreApplication::setApplicationName(QString::fromLatin1(metaObject()->className()));
    Look::instance().dress();
  }

 protected:
  static void show(MainWindow& window, QSize size = {1440, 900}) {
    window.resize(size);
    window.show();
    QVERIFY(QTest::qWaitForWindowExposed(&window));
  }

  static void runToItsEnd(MainWindow& window, const QString& name = QStringLiteral("gc-pause")) {
    show(window);
    window.lab().setSpeed(0);
    QVERIFY2(window.lab().open(name), qPrintable(window.view()->problem()->problem().message));
    window.lab().runOrPause();
    QTRY_COMPARE_WITH_TIMEOUT(window.lab().state(), RunState::kFinished, kPatience);
  }

  QTemporaryDir home_;
};

}  // namespace leasescope::tests
