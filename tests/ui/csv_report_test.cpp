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

  void everyEventIsARowOfTheOtherCsv() {
    const Ended ended("gc-pause");
    const History& history = ended.run.history();
    const QByteArray csv = made(ended.subject(), ".events.csv");
    QVERIFY(csv.startsWith("number,time_ns,time_from_ns,contender,name,mutex,event,token,what,caused_by\r\n"));
    const QList<QByteArray> lines = csv.chopped(2).split('\n');
    QCOMPARE(static_cast<std::size_t>(lines.size()), history.events.size() + 1);
    for (Sequence number = 1; number <= history.last(); ++number) {
      const QList<QByteArray> fields = lines[static_cast<qsizetype>(number)].split(',');
      QCOMPARE(fields[0].toUInt(), number);
      QCOMPARE(fields[1].toLongLong(), qint64{history.event(number).hi.time_since_epoch().count()});
      QCOMPARE(fields[7].toULongLong(), history.event(number).token);
    }
    QVERIFY(csv.contains(",attempt lost,") && csv.contains(",A,") && csv.contains(",granted,1,"));
  }

  // C is granted the mutex at 1 ms and at 29 s.
  void ofEventsThereIsWhatPassesTheFilter() {
    const Ended ended("gc-pause");
    ReportSubject some = ended.subject();
    some.events = EventFilter::parse("by:C kind:granted").value();
    const auto times = [&] {
      std::vector<qint64> out;
      const QList<QByteArray> lines = made(some, ".events.csv").chopped(2).split('\n');
      for (qsizetype i = 1; i < lines.size(); ++i) {
        const QList<QByteArray> fields = lines[i].split(',');
        if (fields[3] == "C" && fields[6] == "granted")
          out.push_back(fields[1].toLongLong() / 1'000'000);
        else
          out.push_back(-1);
      }
      return out;
    };
    QCOMPARE(times(), (std::vector<qint64>{1, 29'051}));
    some.part = {at_ms(1'000), at_ms(40'000)};
    QCOMPARE(times(), std::vector<qint64>{29'051});
  }

  // Where nobody holds more than what is looked back at they are the same.
  void rowsAreTheSameWhileEventsCome() {
    const Ended ended("gc-pause");
    const History& all = ended.run.history();
    const auto rows = report_format_of(".events.csv")->rows(ended.subject());
    History some = all;
    some.events.clear();
    TextSink out;
    for (const Event& event : all.events) {
      some.events.push_back(event);
      QVERIFY(rows->append(some, out));
      if (some.events.size() < 400) continue;
      some.events.erase(some.events.begin(), some.events.begin() + 200);
      some.forgotten += 200;
    }
    QVERIFY(QByteArray::fromStdString(out.take()) == made(ended.subject(), ".events.csv"));
  }
};

LEASESCOPE_SUITE(CsvReportTest)
#include "csv_report_test.moc"
