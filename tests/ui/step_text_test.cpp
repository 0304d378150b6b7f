// One step of what stands in a field.
#include "ui/lab/step_text.h"

#include <rapidcheck.h>

#include "core/time/duration_text.h"
#include "simulator/scenario/time_expression.h"
#include "tests/support/ui_suite.h"

using namespace leasescope;
using namespace leasescope::tests;

class StepTextTest : public UiSuite {
  Q_OBJECT
 private slots:
  void aStepIsOfTheSizeOfWhatStandsThere_data() {
    QTest::addColumn<QString>("text");
    QTest::addColumn<int>("steps");
    QTest::addColumn<QString>("next");
    const auto row = [](const char* text, int steps, const char* next) {
      QTest::addRow("%s by %d", text, steps) << QString::fromUtf8(text) << steps << QString::fromUtf8(next);
    };
    row("5s", 1, "6s");
    row("5s", -10, "0s");
    row("500ms", 1, "510ms");
    row("0s", -1, "0s");
    row("-200ms", -1, "-210ms");
    row("\u2212200ms", 1, "-190ms");
    row("1.7 lease", 1, "1.8 lease");
    row("1 lease + 2s", 1, "1.1 lease + 2s");
    row("0.5 ttl", -1, "0.4 ttl");
    row("1.5s", 1, "1.6s");
    row("3", 1, "4");
    row("100", 1, "101");
  }
  void aStepIsOfTheSizeOfWhatStandsThere() {
    QFETCH(QString, text);
    QFETCH(int, steps);
    QFETCH(QString, next);
    QCOMPARE(stepped(text, steps).value_or(QStringLiteral("nothing")), next);
  }
  void whatIsNoNumberHasNoSteps() {
    for (const char* text : {"", "orders", "{ median = \"1ms\" }", "soon", "5 sec", "[1, 2]"})
      QVERIFY2(!stepped(QString::fromLatin1(text), 1), text);
  }
  void aSteppedTimeIsATimeAndTheStepsBackLeadThere() {
    QVERIFY(rc::check([] {
      const Duration from(*rc::gen::inRange<std::int64_t>(1, 9'000'000'000));
      const QString text = QString::fromStdString(format_duration(from));
      const auto up = stepped(text, 1);
      RC_ASSERT(up.has_value());
      const auto read = parse_time_expression(up->toStdString());
      RC_ASSERT(read.has_value());
      RC_ASSERT(read->fixed > from);
    }));
  }
};

LEASESCOPE_SUITE(StepTextTest)
#include "step_text_test.moc"
