// What holds of every report, and of the chart as a drawing.
#include <QImage>
#include <QRegularExpression>

#include "tests/support/other_readers.h"
#include "tests/support/ui_suite.h"
#include "tests/ui/report_runs.h"
#include "ui/models/words.h"

using namespace leasescope;
using namespace leasescope::tests;

class ReportsTest : public UiSuite {
  Q_OBJECT
 private slots:
  void theSameRunGivesTheSameBytes_data() {
    QTest::addColumn<QByteArray>("ending");
    for (const ReportFormat& format : report_formats())
      QTest::newRow(format.ending.data()) << QByteArray(format.ending.data());
  }
  void theSameRunGivesTheSameBytes() {
    QFETCH(QByteArray, ending);
    const QByteArray first = made(Ended("gc-pause").subject(), ending.toStdString());
    QTest::qWait(1100);  // a format that writes when it was made would differ
    const QByteArray second = made(Ended("gc-pause").subject(), ending.toStdString());
    QVERIFY(first.size() > 1000);
    QVERIFY(first == second);
  }

  void aBrowserShowsTheDrawing() {
    const Ended ended("gc-pause");
    const QString file = put(folder_, made(ended.subject(), ".svg"), "chart.svg");
    const Read dom = browse(file, {QStringLiteral("--dump-dom")});
    QVERIFY2(dom.done, dom.why);
    for (const Incident& each : ended.run.history().incidents) {
      QVERIFY2(dom.out.contains(fromText(title(each.kind))), qPrintable(fromText(title(each.kind))));
      QVERIFY2(dom.out.contains(secondsText(each.start)), qPrintable(secondsText(each.start)));
    }
    const QString shot = folder_.filePath(QStringLiteral("chart.png"));
    const Read drawn = browse(file, {QStringLiteral("--window-size=1280,760"), QStringLiteral("--screenshot=") + shot});
    QVERIFY2(drawn.done, drawn.why);
    QVERIFY2(tape_in(QImage(shot)) > 300, "the browser draws no hazard tape");
  }

  void everyTextOfADrawingFitsWithAnotherFont() {
    const Ended ended("gc-pause");
    const QString svg = QString::fromUtf8(made(ended.subject(), ".svg"));
    static const QRegularExpression text(QStringLiteral("<text [^>]*>[^<]+</text>"));
    int texts = 0;
    for (auto found = text.globalMatch(svg); found.hasNext(); ++texts) {
      const QString tag = found.next().captured();
      QVERIFY2(tag.contains(QStringLiteral("textLength=\"")) && tag.contains(QStringLiteral("DejaVu Sans")),
               qPrintable(tag));
    }
    QVERIFY(texts > 50);
  }

 private:
  QTemporaryDir folder_;
};

LEASESCOPE_SUITE(ReportsTest)
#include "reports_test.moc"
