// The base of tests with windows: a warning of Qt is a failure of the test in which it is uttered.
#pragma once
#include <QRegularExpression>

#include "tests/support/suite.h"

namespace leasescope::tests {

class UiSuite : public QObject {
  Q_OBJECT
 protected slots:
  void init() {
    // The offscreen platform says this of every window; it is no fault of ours.
    QTest::failOnWarning(QRegularExpression("^(?!This plugin does not support).*"));
  }
};

}  // namespace leasescope::tests
