// The window's exports: what is written is what the terminal would write, the window goes on meanwhile, and what is
// cancelled or fails leaves what was there before.
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <csignal>

#include <QProgressDialog>
#include <QPushButton>
#include <QSignalSpy>

#include "tests/support/answers_with.h"
#include "tests/support/heartbeat.h"
#include "tests/support/window_suite.h"
#include "ui/panels/report_export.h"
#include "ui/panels/results_panel.h"
#include "ui/panels/summary_bar.h"
#include "ui/report/report_format.h"
#include "ui/timeline/timeline_view.h"

using namespace leasescope;
using namespace leasescope::tests;

namespace {

constexpr double kMostMs = 100;         // of the event loop's silence, as everywhere in the window
constexpr int kLongPatience = 120'000;  // ms: for a million events

// Sixteen contenders for four mutexes, one of them paused now and then: about a million events.
QByteArray million() {
  std::string toml =
      "schema = 1\ntitle = \"A million\"\nseed = 3\nduration = \"3600s\"\n[mutex]\nname = \"orders\"\ncount = 4\n"
      "ttl = \"2s\"\ntransition = \"1s\"\n[[contender]]\ncount = 16\n"
      "[[resource]]\nname = \"ledger\"\nwrite_every = \"20ms\"\n";
  for (int i = 0; i < 120; ++i)
    toml += fmt::format("[[fault]]\nat = \"{}s\"\nkind = \"pause\"\ntarget = \"c{}\"\nduration = \"5s\"\n", 30 * i + 10,
                        i % 16 + 1);
  return QByteArray::fromStdString(toml);
}

// A pipe that somebody has opened and nobody reads: whoever writes into it waits.
class FullPipe {
 public:
  explicit FullPipe(const QString& path) {
    if (::mkfifo(path.toLocal8Bit().constData(), 0600) == 0)
      reader_ = ::open(path.toLocal8Bit().constData(), O_RDONLY | O_NONBLOCK | O_CLOEXEC);
    // So much is in it that not one more page finds room.
    writer_ = ::open(path.toLocal8Bit().constData(), O_WRONLY | O_NONBLOCK | O_CLOEXEC);
    const QByteArray page(4096, ' ');
    while (writer_ >= 0 && ::write(writer_, page.constData(), 4096) > 0) continue;
  }
  ~FullPipe() {
    for (const int each : {writer_, reader_})
      if (each >= 0) ::close(each);
  }
  bool open() const { return reader_ >= 0 && writer_ >= 0; }

 private:
  int reader_ = -1, writer_ = -1;
};

}  // namespace

class ReportExportTest : public WindowSuite {
  Q_OBJECT

  static ReportExport* exporter(TestWindow& window) { return window.labPerspective().exporter(); }
  static void begin(TestWindow& window, const QString& path, std::string_view ending) {
    exporter(window)->begin(window.view()->exportWish(path, *report_format_of(ending)));
  }
  // What the same report is when it is made of all events at once.
  static QByteArray atOnce(TestWindow& window, std::string_view ending) {
    const LabController& lab = window.lab();
    const ReportFormat& format = *report_format_of(ending);
    const ExportWish wish = window.view()->exportWish({}, format);
    const Outcome outcome = lab.outcome();
    ChartData data;
    data.reset(wish.facts);
    data.append(*lab.history());
    TextSink out;
    const auto made = format.write({.history = *lab.history(),
                                    .data = data,
                                    .scenario = *lab.runScenario(),
                                    .outcome = outcome,
                                    .shown = wish.shown,
                                    .watch = lab.watchAccount(),
                                    .epoch_ns = lab.epochNs(),
                                    .theme = wish.theme,
                                    .scale = wish.scale},
                                   out);
    return made ? QByteArray::fromStdString(out.take()) : QByteArray();
  }
  static QByteArray bytesOf(const QString& path) {
    QFile file(path);
    return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
  }
  // A new folder, in memory where there is such a place, and in it an older file.
  QString older(const QString& name) {
    folder_ = std::make_unique<QTemporaryDir>(homeInMemory());
    const QString path = folder_->filePath(name);
    QFile file(path);
    if (!file.open(QIODevice::WriteOnly) || file.write("older") != 5) return {};
    return path;
  }
  QStringList names() const {
    return QDir(folder_->path()).entryList(QDir::AllEntries | QDir::Hidden | QDir::System | QDir::NoDotAndDotDot);
  }
  void runAMillion(TestWindow& window);

  std::unique_ptr<QTemporaryDir> folder_;

 private slots:
  void initTestCase() {
    WindowSuite::initTestCase();
    std::signal(SIGPIPE, SIG_IGN);
  }
  void whatIsWrittenIsTheReport_data();
  void whatIsWrittenIsTheReport();
  void theWindowGoesOnWhileAMillionEventsAreWritten();
  void ofTheEventsThoseThatPassTheFilterAreWritten();
  void whatTakesLongIsShownAndCanBeCancelled();
  void theWindowCanBeClosedMeanwhile();
  void whateverIsCancelledLeavesTheOlderFile();
  void whatFindsNoRoomIsTold();
  void anotherRunTakesItsPlace();
};

void ReportExportTest::runAMillion(TestWindow& window) {
  QFile file(home_.filePath(QStringLiteral("million.toml")));
  QVERIFY(file.open(QIODevice::WriteOnly));
  file.write(million());
  file.close();
  show(window);
  window.lab().setSpeed(0);
  window.open(file.fileName());
  QVERIFY2(window.lab().hasScenario(), qPrintable(window.view()->problem()->problem().message));
  QTRY_COMPARE_WITH_TIMEOUT(window.lab().state(), RunState::kFinished, kLongPatience);
  QVERIFY2(window.lab().history()->last() > 600'000, qPrintable(QString::number(window.lab().history()->last())));
}

void ReportExportTest::whatIsWrittenIsTheReport_data() {
  QTest::addColumn<QByteArray>("ending");
  for (const ReportFormat& format : report_formats())
    QTest::newRow(format.ending.data()) << QByteArray(format.ending.data());
}

void ReportExportTest::whatIsWrittenIsTheReport() {
  QFETCH(QByteArray, ending);
  TestWindow window;
  runToItsEnd(window);
  const QString path = older(QStringLiteral("report") + QString::fromLatin1(ending));
  QSignalSpy written(exporter(window), &ReportExport::written);
  begin(window, path, ending.toStdString());
  QVERIFY(exporter(window)->busy());
  QCOMPARE(bytesOf(path), QByteArray("older"));
  QTRY_COMPARE_WITH_TIMEOUT(written.size(), 1, kPatience);
  QVERIFY(!exporter(window)->busy());
  QCOMPARE(names().size(), 1);
  const QByteArray bytes = bytesOf(path);
  QVERIFY(bytes.size() > 500);
  // A PDF has its fonts in another order each time.
  if (ending == ".pdf")
    QVERIFY(bytes.startsWith("%PDF") && bytes.trimmed().endsWith("%%EOF"));
  else
    QVERIFY(bytes == atOnce(window, ending.toStdString()));
}

// The thread of the window wrote every one of them itself.
void ReportExportTest::theWindowGoesOnWhileAMillionEventsAreWritten() {
  TestWindow window;
  runAMillion(window);
  QTest::qWait(500);
  for (const ReportFormat& format : report_formats()) {
    const QString path = older(QStringLiteral("report") + QString::fromLatin1(format.ending.data()));
    QSignalSpy written(exporter(window), &ReportExport::written);
    Heartbeat heart;
    begin(window, path, format.ending);
    QTRY_COMPARE_WITH_TIMEOUT(written.size(), 1, kLongPatience);
    const Heartbeat::Silence silence = heart.longest();
    qInfo("%s: longest silence %.1f ms of its own", format.ending.data(), silence.own_ms);
    QVERIFY2(silence.own_ms < kMostMs, qPrintable(QString::number(silence.own_ms)));
    QCOMPARE(names().size(), 1);
    // Of more events than its thread holds at a time. A PDF has its fonts in another order each time.
    if (format.ending != ".pdf") QVERIFY2(bytesOf(path) == atOnce(window, format.ending), format.ending.data());
  }
}

// All of them, and by the menu: the rows of the table as they are filtered, in the order of time.
void ReportExportTest::ofTheEventsThoseThatPassTheFilterAreWritten() {
  TestWindow window;
  runToItsEnd(window);
  window.results()->showTab(ResultsPanel::kEvents);
  window.results()->filter()->setText(QStringLiteral("kind:granted or kind:renewed"));
  const int rows = window.results()->events()->rowCount();
  QVERIFY(rows > 0 && rows < static_cast<int>(window.lab().history()->events.size()));
  folder_ = std::make_unique<QTemporaryDir>(homeInMemory());
  const QString path = folder_->filePath(QStringLiteral("some.events.csv"));
  QSignalSpy written(exporter(window), &ReportExport::written);
  const std::vector<ReportFormat>& formats = report_formats();
  const auto found = std::find_if(formats.begin(), formats.end(), [](const ReportFormat& each) { return each.rows; });
  QVERIFY(found != formats.end());
  {
    const AnswersWith answer(path, false);
    window.action(exportAction(static_cast<std::size_t>(found - formats.begin())))->trigger();
  }
  QTRY_COMPARE_WITH_TIMEOUT(written.size(), 1, kPatience);
  const QList<QByteArray> lines = bytesOf(path).chopped(2).split('\n');
  QCOMPARE(lines.size(), rows + 1);
  for (qsizetype i = 1; i < lines.size(); ++i) {
    const QByteArray kind = lines[i].split(',')[6];
    QVERIFY2(kind == "granted" || kind == "renewed", lines[i]);
  }
}

void ReportExportTest::whatTakesLongIsShownAndCanBeCancelled() {
  TestWindow window;
  runToItsEnd(window);
  folder_ = std::make_unique<QTemporaryDir>(homeInMemory());
  const QString path = folder_->filePath(QStringLiteral("pipe.csv"));
  const FullPipe pipe(path);
  QVERIFY(pipe.open());
  Heartbeat heart;
  begin(window, path, ".csv");
  const QProgressDialog* progress = exporter(window)->progress();
  QVERIFY(progress != nullptr && !progress->isVisible());  // it may be over in a moment
  QTRY_VERIFY(progress->isVisible());
  QVERIFY2(progress->labelText().contains(QStringLiteral("pipe.csv")), qPrintable(progress->labelText()));
  QVERIFY(!progress->isModal());
  QVERIFY(progress->value() >= 0 && progress->value() < progress->maximum());
  // Whoever wants another one meanwhile is told why there is none.
  window.action(ChartAction::kExport)->trigger();
  QVERIFY2(window.summary()->text().contains(QStringLiteral("another is being written")),
           qPrintable(window.summary()->text()));
  QElapsedTimer waited;
  waited.start();
  QTest::mouseClick(progress->findChild<QPushButton*>(), Qt::LeftButton);
  QVERIFY2(waited.elapsed() < 100, qPrintable(QString::number(waited.elapsed())));
  QVERIFY(!exporter(window)->busy());
  QVERIFY(window.view()->problem()->problem().empty());
  const Heartbeat::Silence silence = heart.longest();
  QVERIFY2(silence.own_ms < kMostMs, qPrintable(QString::number(silence.own_ms)));
}

void ReportExportTest::theWindowCanBeClosedMeanwhile() {
  folder_ = std::make_unique<QTemporaryDir>(homeInMemory());
  const QString path = folder_->filePath(QStringLiteral("pipe.csv"));
  const FullPipe pipe(path);
  QVERIFY(pipe.open());
  TestWindow window;
  runToItsEnd(window);
  begin(window, path, ".csv");
  QTRY_VERIFY(exporter(window)->progress()->isVisible());
  window.close();
  QVERIFY(!window.isVisible());
  QVERIFY(!exporter(window)->busy());
}

void ReportExportTest::whateverIsCancelledLeavesTheOlderFile() {
  TestWindow window;
  runToItsEnd(window);
  for (const ReportFormat& format : report_formats()) {
    for (int i = 0; i < 12; ++i) {
      const QString path = older(QStringLiteral("report") + QString::fromLatin1(format.ending.data()));
      QSignalSpy written(exporter(window), &ReportExport::written);
      begin(window, path, format.ending);
      QTest::qWait(i * 3);
      exporter(window)->cancel();
      const bool late = exporter(window)->busy() || !written.isEmpty();
      QTRY_VERIFY_WITH_TIMEOUT(!exporter(window)->busy(), kPatience);
      QTRY_COMPARE_WITH_TIMEOUT(names().size(), 1, kPatience);
      QCOMPARE(written.size(), late ? 1 : 0);
      QTest::qWait(30);  // nor does it come later
      if (!late) QCOMPARE(bytesOf(path), QByteArray("older"));
    }
  }
}

void ReportExportTest::whatFindsNoRoomIsTold() {
  QVERIFY2(QFile::exists(QStringLiteral("/dev/full")), "no /dev/full here: mknod -m 666 /dev/full c 1 7");
  TestWindow window;
  runToItsEnd(window);
  for (const QString& path : {QStringLiteral("/dev/full"), home_.filePath(QStringLiteral("none/report.html"))}) {
    QSignalSpy failed(exporter(window), &ReportExport::failed);
    begin(window, path, ".html");
    QTRY_COMPARE_WITH_TIMEOUT(failed.size(), 1, kPatience);
    QVERIFY(!exporter(window)->busy());
    const Problem& problem = window.view()->problem()->problem();
    QVERIFY2(problem.title.contains(QFileInfo(path).fileName()), qPrintable(problem.title));
    QVERIFY2(problem.message.contains(path), qPrintable(problem.message));
    QVERIFY2(problem.message.contains(QStringLiteral("another place")), qPrintable(problem.message));
  }
}

void ReportExportTest::anotherRunTakesItsPlace() {
  TestWindow window;
  runToItsEnd(window);
  const QString path = older(QStringLiteral("report.csv"));
  QSignalSpy failed(exporter(window), &ReportExport::failed);
  begin(window, path, ".csv");
  window.lab().restart();
  QCOMPARE(failed.size(), 1);
  QVERIFY(!exporter(window)->busy());
  QTRY_COMPARE_WITH_TIMEOUT(names().size(), 1, kPatience);
  QCOMPARE(bytesOf(path), QByteArray("older"));
}

LEASESCOPE_SUITE(ReportExportTest)
#include "report_export_test.moc"
