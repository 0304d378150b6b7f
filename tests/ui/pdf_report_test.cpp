// A report on paper, as another program reads it.
#include "tests/support/other_readers.h"
#include "tests/support/ui_suite.h"
#include "tests/ui/report_runs.h"
#include "ui/look/fonts.h"
#include "ui/models/words.h"

using namespace leasescope;
using namespace leasescope::tests;

class PdfReportTest : public UiSuite {
  Q_OBJECT
 private slots:
  // The letters of each page of paper, as another program finds them.
  void aReaderOfPdfFindsEveryIncidentWhole() {
    const Ended ended("gc-pause");
    const QString file = put(folder_, made(ended.subject(), ".pdf"), "report.pdf");
    const Read read = read_by(QStringLiteral("pdftotext"), {QStringLiteral("-layout"), file, QStringLiteral("-")});
    QVERIFY2(read.done, read.why);
    const QString words = read.out.simplified();
    for (const Incident& each : ended.run.history().incidents) {
      QVERIFY2(words.contains(fromText(title(each.kind))), qPrintable(words));
      QVERIFY2(words.contains(secondsText(each.start)), qPrintable(secondsText(each.start)));
    }
    QVERIFY(words.contains(QStringLiteral("Everything was observed")) && words.contains(QStringLiteral("as expected")));
    QVERIFY(words.contains(QStringLiteral("[[contender]]")));
    const qsizetype pages = read.out.count(u'\f');
    QVERIFY2(pages >= 3, qPrintable(QString::number(pages)));
    QVERIFY(words.contains(QStringLiteral("%1 of %1").arg(pages)));
  }

  // Inter has other forms of ':' between figures, of '-' and '(' beside capitals, and of "->": whoever copied these
  // from the page found blanks. In the heading, which is rich text, and at the foot of each page, which is painted.
  void whatIsCopiedIsAsItWasWritten() {
    const QString title = QStringLiteral("EU-WEST (DB): 03:12:04 to 23:59:59 -> 2x4 >= 8");
    Ended ended("gc-pause");
    ended.scenario.name = title.toStdString();
    ended.data.reset(run_facts(ended.scenario));
    ended.data.append(ended.run.history());
    const QString file = put(folder_, made(ended.subject(), ".pdf"), "copied.pdf");
    const Read read = read_by(QStringLiteral("pdftotext"), {QStringLiteral("-layout"), file, QStringLiteral("-")});
    QVERIFY2(read.done, read.why);
    const qsizetype pages = read.out.count(u'\f');
    QVERIFY2(pages >= 3 && read.out.simplified().count(title) >= 1 + pages, qPrintable(read.out));
  }

  // Only while a page is written: the window's letters are kerned.
  void theWindowsFontsStayAsTheyAre() {
    const QFont before = font(Face::kText, 12);
    {
      const LettersAsWritten copied;
      QCOMPARE(font(Face::kText, 12).styleStrategy(), QFont::PreferNoShaping);
      QCOMPARE(font(Face::kMono, 12).styleStrategy(), QFont::PreferNoShaping);
    }
    QVERIFY(before.styleStrategy() != QFont::PreferNoShaping);
    QCOMPARE(font(Face::kText, 12), before);
  }

  // More rows than a page has room for: each is on one of them, whole.
  void aHighChartGoesOnOnTheNextPage() {
    const Ended ended("gc-pause", {"contender.0.count=30", "duration=20s"});
    const QString file = put(folder_, made(ended.subject(), ".pdf"), "high.pdf");
    const Read read = read_by(QStringLiteral("pdftotext"), {QStringLiteral("-layout"), file, QStringLiteral("-")});
    QVERIFY2(read.done, read.why);
    int charts = 0;
    const QStringList pages = read.out.split(u'\f');
    for (const QString& page : pages) charts += page.contains(QStringLiteral("simulated time")) ? 1 : 0;
    QVERIFY2(charts > 1, qPrintable(QString::number(charts)));
    for (const ContenderRow& row : ended.data.contenders())
      QVERIFY2(read.out.contains(fromText(row.name).left(8)), row.name.c_str());
  }

 private:
  QTemporaryDir folder_;
};

LEASESCOPE_SUITE(PdfReportTest)
#include "pdf_report_test.moc"
