// What is made of a run when it is over does not hold the run meanwhile.
#include "tests/cli/peak_memory.h"
#include "tests/cli/program.h"
#include "tests/support/places.h"
#include "tests/support/seeds.h"
#include "tests/support/suite.h"

using namespace leasescope;
using namespace leasescope::tests;
using nlohmann::json;

class StreamedReportsTest : public QObject {
  Q_OBJECT
 private slots:
  void initTestCase();
  void aReportTakesLessThanTheEventsOfItsRun_data();
  void aReportTakesLessThanTheEventsOfItsRun();
  void rowsOfEventsTakeNothing();
  void aRecordingsReportIsThatOfTheRun();

 private:
  // What it held at most beyond what it holds for a brief time of the run, in bytes an event.
  double more(const QStringList& command, const char* until, const char* whole = "15000s") const {
    const long brief = peak_of(command + QStringList{until, "100s"}),
               lengthy = peak_of(command + QStringList{until, whole});
    const double events = static_cast<double>(events_) * QByteArray(whole).chopped(1).toDouble() / 15'000;
    return brief > 0 && lengthy > 0 ? 1024.0 * static_cast<double>(lengthy - brief) / events : -1;
  }

  QTemporaryDir folder_;
  QString scenario_, recording_;
  qint64 events_ = 0;
};

namespace {

// Bytes: of an event that is held, and of what a chart keeps of a check and a write, for each of the two.
constexpr double kEvent = 56, kCharted = 25;

qint64 events_in(const QString& recording) {
  const json info = leasescopectl({"recording", "info", recording, "--json"}).json();
  return info.is_object() ? info["events"].get<qint64>() : 0;
}

// Two contenders whose owner writes to two resources some ninety times a second, and is paused now and then.
QByteArray millions() {
  QByteArray toml =
      "schema = 1\ntitle = \"millions\"\nseed = 3\nduration = \"15000s\"\n[mutex]\nname = \"orders\"\nttl = \"2s\"\n"
      "transition = \"1s\"\n[[contender]]\nname = \"a\"\n[[contender]]\nname = \"b\"\n"
      "[[resource]]\nname = \"ledger\"\ncompute = \"1ms\"\nwrite_every = \"9ms\"\n"
      "[[resource]]\nname = \"archive\"\ncompute = \"1ms\"\nwrite_every = \"9ms\"\n";
  for (const char* at : {"50s", "1500s", "6000s", "14900s"})
    toml += QByteArray("[[fault]]\nat = \"") + at + "\"\nkind = \"pause\"\ntarget = \"owner\"\nduration = \"5s\"\n";
  return toml;
}

}  // namespace

void StreamedReportsTest::initTestCase() {
  scenario_ = write_file(folder_, "millions.toml", millions());
  recording_ = folder_.filePath("recording");
  const Ran ran = leasescopectl({"run", scenario_, "--json", "--record", recording_});
  QVERIFY2(ran.json().is_object(), ran.err);
  QVERIFY2(!ran.json()["incidents"].empty(), "there is nothing to tell");
  events_ = events_in(recording_);
  QVERIFY2(events_ > 4'500'000, QByteArray::number(events_));
}

void StreamedReportsTest::aReportTakesLessThanTheEventsOfItsRun_data() {
  QTest::addColumn<QStringList>("command");
  QTest::addColumn<QByteArray>("until");
  const auto file = [&](const char* name) { return folder_.filePath(name); };
  QTest::newRow("picture") << QStringList{"run", scenario_, "--report", file("chart.png")} << QByteArray("--until");
  QTest::newRow("trace") << QStringList{"run", scenario_, "--trace", file("trace.json")} << QByteArray("--until");
  QTest::newRow("page") << QStringList{"run", scenario_, "--html", file("report.html")} << QByteArray("--until");
  QTest::newRow("of a recording") << QStringList{"replay", recording_, "--html", file("again.html")}
                                  << QByteArray("--to");
}

// Held to the end, they would be there beside the chart. A fifth of that is more than what is looked back at, and what
// stories are told of.
void StreamedReportsTest::aReportTakesLessThanTheEventsOfItsRun() {
  if (kSanitized) return;  // its allocator keeps what is freed
  QFETCH(QStringList, command);
  QFETCH(QByteArray, until);
  const double bytes = more(command, until.constData());
  QVERIFY2(bytes > 0 && bytes < 0.8 * (kEvent + kCharted), QByteArray::number(bytes) + " bytes an event");
  QVERIFY(read_whole(command.last()).size() > 10'000);
}

// But for those that stand ready to be looked back at.
void StreamedReportsTest::rowsOfEventsTakeNothing() {
  if (kSanitized) return;  // likewise
  const QString rows = folder_.filePath("rows.events.csv");
  const double bytes = more({"run", scenario_, "--report", rows}, "--until", "10000s");
  QVERIFY2(bytes >= 0 && bytes < kEvent / 2, QByteArray::number(bytes) + " bytes an event");
  QFile::remove(rows);
}

// More events than are looked back at, of which none is left out.
void StreamedReportsTest::aRecordingsReportIsThatOfTheRun() {
  const QString file = folder_.filePath("shorter");
  const auto reports = [&](const QString& whose) {
    const QString path = folder_.filePath(whose);
    return QStringList{"--html", path + ".html", "--trace",  path + ".json",
                       "--csv",  path + ".csv",  "--report", path + ".events.csv"};
  };
  const Ran ran = leasescopectl(QStringList{"run", scenario_, "--until", "2500s", "--record", file} + reports("run"));
  QVERIFY2(ran.exit == 0, ran.err);
  const Ran replay = leasescopectl(QStringList{"replay", file} + reports("replay"));
  QVERIFY2(replay.exit == 0, replay.err);
  for (const char* ending : {".html", ".json", ".csv", ".events.csv"}) {
    const QByteArray mine = read_whole(folder_.filePath(QString("run") + ending));
    QVERIFY2(mine.size() > 10'000 && mine == read_whole(folder_.filePath(QString("replay") + ending)), ending);
  }
  const qint64 events = events_in(file);
  QVERIFY2(events > 600'000, QByteArray::number(events));
  const QByteArray rows = read_whole(folder_.filePath("run.events.csv"));
  QCOMPARE(static_cast<qint64>(rows.count('\n')), events + 1);
  QVERIFY(rows.mid(rows.lastIndexOf('\n', -2) + 1).startsWith(QByteArray::number(events) + ','));
}

LEASESCOPE_SUITE(StreamedReportsTest)
#include "streamed_reports_test.moc"
