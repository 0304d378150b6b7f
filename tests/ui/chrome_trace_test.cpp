// A trace as somebody else reads it: by a program that knows the format and nothing of ours.
#include "ui/timeline/paint/chrome_trace.h"

#include <QFile>
#include <QJsonDocument>
#include <QJsonObject>
#include <QProcess>
#include <QTemporaryDir>

#include "simulator/run/virtual_run.h"
#include "simulator/scenario/catalogue.h"
#include "tests/support/places.h"
#include "tests/support/ui_suite.h"
#include "tests/ui/lane_histories.h"

using namespace leasescope;
using namespace leasescope::tests;

namespace {

ChartData chart_of(const std::string& name) {
  const auto scenario = find_scenario(name, {});
  VirtualRun run(*scenario);
  run.advance(TrueTime::max());
  run.finish();
  ChartData data;
  data.reset(run_facts(*scenario, "virtual", {}));
  data.append(run.history());
  return data;
}

std::size_t spans_of(const ChartData& data) {
  std::size_t spans = 0;
  for (const ContenderRow& row : data.contenders()) spans += row.held.size() + row.believed.size();
  return spans;
}

}  // namespace

namespace {

template <class... Range>
std::string chrome_trace(const ChartData& data, Range... range) {
  TextSink out;
  write_chrome_trace(out, data, range...);
  return out.take();
}

}  // namespace

class ChromeTraceTest : public UiSuite {
  Q_OBJECT
 private slots:
  void anIndependentReaderFindsEverySpanAndBothEndsOfEveryFlow_data() {
    QTest::addColumn<bool>("handsOff");
    QTest::newRow("gc-pause") << true;
    QTest::newRow("stop-and-take-over") << true;
    QTest::newRow("fenced-gc-pause") << true;
    QTest::newRow("quorum-gc-pause") << true;
    QTest::newRow("latch-stop-and-take-over") << true;
    QTest::newRow("bank-transfer-naive") << true;
    QTest::newRow("semaphore-healthy") << false;
    QTest::newRow("nobody-holds") << false;
  }
  void anIndependentReaderFindsEverySpanAndBothEndsOfEveryFlow() {
    QFETCH(bool, handsOff);
    const ChartData data = chart_of(QTest::currentDataTag());
    const QJsonObject found = read(chrome_trace(data));
    if (QTest::currentTestFailed()) return;
    QCOMPARE(found[QStringLiteral("slices")].toInteger(), static_cast<qint64>(spans_of(data)));
    QVERIFY(found[QStringLiteral("slices")].toInteger() > 0);
    if (handsOff) QVERIFY(found[QStringLiteral("flows")].toInteger() > 0);
    // Microseconds, not milliseconds or nanoseconds.
    const double known = static_cast<double>((data.now() - TrueTime{}).count()) / 1000;
    const double latest = found[QStringLiteral("latest_us")].toDouble();
    QVERIFY2(latest > known / 2 && latest < known + 1, qPrintable(QString::number(latest)));
  }

  void ofAPartThereIsWhatBeginsInIt() {
    const ChartData data = chart_of("gc-pause");
    const TrueTime from(std::chrono::seconds(10)), to(std::chrono::seconds(30));
    std::size_t spans = 0;
    for (const ContenderRow& row : data.contenders())
      for (const SpanTrack* track : {&row.held, &row.believed})
        for (const LeaseSpan& span : *track) spans += span.start.hi >= from && span.start.hi < to ? 1 : 0;
    QVERIFY(spans > 0 && spans < spans_of(data));
    const QJsonObject found = read(chrome_trace(data, from, to));
    if (QTest::currentTestFailed()) return;
    QCOMPARE(found[QStringLiteral("slices")].toInteger(), static_cast<qint64>(spans));
  }

  // What was not observed is told, or whoever reads it takes silence for peace.
  void whatWasNotObservedIsInIt() {
    HistoryWriter writer = gc_pause_history();
    writer.add(60100, writer.store, EventKind::kUnobservedBegan);
    writer.add(60900, writer.store, EventKind::kUnobservedEnded);
    ChartData data;
    data.reset(gc_pause_facts());
    data.append(writer.history);
    QCOMPARE(data.unobserved().size(), std::size_t{1});
    const std::string trace = chrome_trace(data);
    QVERIFY(read(trace)[QStringLiteral("slices")].toInteger() > 0);
    QVERIFY(trace.find("\"ts\":60100000.000,\"id\":") != std::string::npos);
    QVERIFY(trace.find("\"not observed\"") != std::string::npos);
  }

  // What a name may hold, JSON may not.
  void namesAreQuoted() {
    auto scenario = find_scenario("gc-pause", {"mutex.name=a \"b\" \\ c"});
    QVERIFY(scenario.has_value());
    VirtualRun run(*scenario);
    run.advance(TrueTime(std::chrono::seconds(5)));
    ChartData data;
    data.reset(run_facts(*scenario, "virtual", {}));
    data.append(run.history());
    const std::string trace = chrome_trace(data);
    QVERIFY(read(trace)[QStringLiteral("slices")].toInteger() > 0);
    QVERIFY(trace.find("a \\\"b\\\" \\\\ c") != std::string::npos);
  }

 private:
  QJsonObject read(const std::string& trace) {
    const QString path = folder_.filePath(QStringLiteral("trace.json"));
    QFile file(path);
    file.open(QIODevice::WriteOnly);
    file.write(trace.data(), static_cast<qint64>(trace.size()));
    file.close();
    QProcess reader;
    reader.start(QStringLiteral("python3"),
                 {QString(kSourceFolder) + QStringLiteral("/tests/ui/trace_reader.py"), path});
    [&] {
      QVERIFY2(reader.waitForFinished(60'000), "there is no python3");
      QVERIFY2(reader.exitCode() == 0, reader.readAllStandardError());
    }();
    return QJsonDocument::fromJson(reader.readAllStandardOutput()).object();
  }

  QTemporaryDir folder_;
};

LEASESCOPE_SUITE(ChromeTraceTest)
#include "chrome_trace_test.moc"
