// Runs the suites of one folder: `leasescope_core_tests [SUITE] [QtTest arguments]`; no SUITE runs them all.
#include <cstdio>
#include <string_view>

#include "tests/support/suite.h"

#ifdef LEASESCOPE_TESTS_WIDGETS
#include <QApplication>

#include "ui/models/english_plurals.h"
using Application = QApplication;
#else
#include <QCoreApplication>
using Application = QCoreApplication;
#endif

namespace leasescope::tests {

std::vector<Suite>& suites() {
  static std::vector<Suite> all;
  return all;
}

bool add_suite(const char* path, const char* type, std::unique_ptr<QObject> (*make)()) {
  std::string_view name = path;
  name.remove_prefix(name.rfind('/') + 1);
  name = name.substr(0, name.rfind("_test."));
  suites().push_back({std::string(name), type, make});
  return true;
}

}  // namespace leasescope::tests

int main(int argc, char** argv) {
#ifdef LEASESCOPE_TESTS_WIDGETS
  qputenv("QT_QPA_PLATFORM", qgetenv("QT_QPA_PLATFORM").isEmpty() ? "offscreen" : qgetenv("QT_QPA_PLATFORM"));
#endif
  const Application application(argc, argv);
#ifdef LEASESCOPE_TESTS_WIDGETS
  leasescope::EnglishPlurals plurals;
  QCoreApplication::installTranslator(&plurals);
#endif
  QStringList arguments = Application::arguments();
  std::string wanted;
  if (arguments.size() > 1 && !arguments[1].startsWith('-')) wanted = arguments.takeAt(1).toStdString();

  int failed = 0;
  bool any = false;
  for (const leasescope::tests::Suite& suite : leasescope::tests::suites()) {
    if (!wanted.empty() && wanted != suite.file && wanted != suite.type) continue;
    any = true;
    failed += QTest::qExec(suite.make().get(), arguments) != 0;
  }
  if (any) return failed == 0 ? 0 : 1;
  std::fprintf(stderr, "no suite \"%s\"; there are:\n", wanted.c_str());
  for (const leasescope::tests::Suite& suite : leasescope::tests::suites())
    std::fprintf(stderr, "  %s (%s)\n", suite.file.c_str(), suite.type.c_str());
  return 2;
}
