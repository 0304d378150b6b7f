// The leases as rows, as a spreadsheet reads them.
#include "tests/support/ui_suite.h"
#include "tests/ui/report_runs.h"

using namespace leasescope;
using namespace leasescope::tests;

class CsvReportTest : public UiSuite {
  Q_OBJECT
 private slots:
  void everyLeaseIsARowOfTheCsv() {
    const Ended ended("gc-pause");
    const QByteArray csv = made(ended.subject(), ".csv");
    std::size_t leases = 0;
    for (const ContenderRow& row : ended.data.contenders()) leases += row.held.size() + row.believed.size();
    QVERIFY(leases > 10);
    QVERIFY(csv.endsWith("\r\n"));
    const QList<QByteArray> lines = csv.chopped(2).split('\n');
    QCOMPARE(static_cast<std::size_t>(lines.size()), leases + 1);
    for (const QByteArray& line : lines) QCOMPARE(line.count(','), lines.front().count(','));
    QVERIFY(csv.contains("belief_overlap") && csv.contains(",expired,") && csv.contains(",watchdog,"));
    // In nanoseconds: the first begins within the run, and not in its first microsecond.
    const qint64 first = lines[1].split(',')[5].toLongLong();
    QVERIFY2(first > 1'000'000 && first < 60'000'000'000, lines[1]);
  }

  void aFieldWithCommasAndQuotesIsQuoted() {
    const Ended ended("gc-pause", {"mutex.name=\"a, \\\"b\\\"\""});
    const QByteArray csv = made(ended.subject(), ".csv");
    QVERIFY2(csv.contains("\r\n\"a, \"\"b\"\"\",believed,"), csv.left(400));
  }

  // Whoever adds up what was held must know when nobody could tell.
  void timeThatWasNotObservedIsARow() {
    ByHand run;
    run.go_blind();
    const QByteArray rows = made(run.subject(), ".csv");
    QVERIFY2(rows.contains(
                 "\r\norders,not_observed,,redis (model),,60100000000,60100000000,,,60900000000,60900000000,,,,\r\n"),
             rows);
  }

  void ofAPartThereIsWhatMeetsIt() {
    const Ended ended("gc-pause");
    ReportSubject part = ended.subject();
    part.part = {at_ms(16'000), at_ms(22'000)};
    const QList<QByteArray> lines = made(part, ".csv").chopped(2).split('\n');
    QVERIFY(lines.size() > 3 && lines.size() < made(ended.subject(), ".csv").count('\n'));
    for (qsizetype i = 1; i < lines.size(); ++i) {
      const QList<QByteArray> fields = lines[i].split(',');
      QVERIFY2(fields[5].toLongLong() < 22'000'000'000, lines[i]);
      QVERIFY2(fields[9].isEmpty() || fields[9].toLongLong() > 16'000'000'000, lines[i]);
    }
  }
};

LEASESCOPE_SUITE(CsvReportTest)
#include "csv_report_test.moc"
