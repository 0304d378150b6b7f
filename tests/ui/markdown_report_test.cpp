// A report as another reader of Markdown sees it, which knows nothing of ours.
#include <QTextBlock>
#include <QTextDocument>
#include <QTextTable>

#include "simulator/scenario/scenario_text.h"
#include "tests/support/ui_suite.h"
#include "tests/ui/report_runs.h"
#include "ui/models/words.h"

using namespace leasescope;
using namespace leasescope::tests;

namespace {

class Sheet {
 public:
  explicit Sheet(const QByteArray& bytes) { document_.setMarkdown(QString::fromUtf8(bytes)); }

  QString words() const { return document_.toPlainText(); }
  // Of the table whose head begins so; the head first. Empty: there is none.
  QList<QStringList> table(const QString& head) const {
    for (QTextFrame* const frame : document_.rootFrame()->childFrames()) {
      auto* const table = qobject_cast<QTextTable*>(frame);
      if (table == nullptr || cell(*table, 0, 0) != head) continue;
      QList<QStringList> out;
      for (int row = 0; row < table->rows(); ++row) {
        QStringList& cells = out.emplace_back();
        for (int column = 0; column < table->columns(); ++column) cells << cell(*table, row, column);
      }
      return out;
    }
    return {};
  }
  // Whether something would be loaded, or followed by a click to there.
  bool leads(const QString& there) const {
    for (QTextBlock block = document_.begin(); block.isValid(); block = block.next())
      for (auto part = block.begin(); !part.atEnd(); ++part) {
        const QTextCharFormat format = part.fragment().charFormat();
        if (format.isImageFormat() || (format.isAnchor() && format.anchorHref() == there)) return true;
      }
    return false;
  }

 private:
  static QString cell(QTextTable& table, int row, int column) {
    return table.cellAt(row, column).firstCursorPosition().block().text();
  }

  QTextDocument document_;
};

// What stands between the fences of the last block.
QString settings_in(const QByteArray& bytes) {
  const QString text = QString::fromUtf8(bytes);
  const qsizetype from = text.lastIndexOf(QStringLiteral("```toml\n")) + 8;
  return text.mid(from, text.lastIndexOf(QStringLiteral("```")) - from);
}

}  // namespace

class MarkdownReportTest : public UiSuite {
  Q_OBJECT
 private slots:
  void itsTableHasTheIncidentsOfTheHistoryWithTheirCauses_data() {
    QTest::addColumn<QString>("scenario");
    for (const char* name : {"gc-pause", "redis-failover", "fenced-gc-pause", "healthy"}) QTest::newRow(name) << name;
  }
  void itsTableHasTheIncidentsOfTheHistoryWithTheirCauses() {
    QFETCH(QString, scenario);
    const Ended ended(scenario.toStdString());
    const Sheet sheet(made(ended.subject(), ".md"));
    const IncidentList& incidents = ended.run.history().incidents;
    QCOMPARE(scenario == QStringLiteral("healthy"), incidents.empty());
    const QList<QStringList> rows = sheet.table(QStringLiteral("Incident"));
    if (incidents.empty()) {
      QVERIFY(rows.isEmpty());
      QVERIFY2(sheet.words().contains(QStringLiteral("No incident.")), qPrintable(sheet.words()));
      return;
    }
    QCOMPARE(static_cast<std::size_t>(rows.size()), incidents.size() + 1);
    std::multiset<QStringList> shown, real;
    for (qsizetype i = 1; i < rows.size(); ++i) shown.insert({rows[i][0], rows[i][1], rows[i][5]});
    for (const Incident& each : incidents)
      real.insert({fromText(title(each.kind)), secondsText(each.start), fromText(each.cause)});
    QVERIFY(shown == real);
  }

  void itTellsWhatCameOutAndItsSettingsRunItAgain() {
    const Ended ended("gc-pause");
    const QByteArray bytes = made(ended.subject(), ".md");
    const Sheet sheet(bytes);
    for (const char* heading :
         {"Summary", "Incidents", "How they came about", "What was not observed", "Contenders", "Settings"})
      QVERIFY2(bytes.contains(QByteArray("\n## ") + heading + "\n"), heading);
    QVERIFY(sheet.words().contains(QStringLiteral("Everything was observed")));
    QCOMPARE(sheet.table(QStringLiteral("Who")).size(), 1 + static_cast<qsizetype>(ended.data.contenders().size()));
    QCOMPARE(settings_in(bytes).trimmed(), fromText(scenario_text(ended.scenario)).trimmed());
  }

  // Anybody may put a name on a store that is shared.
  void aNameIsNeitherALinkNorAPictureNorAColumn() {
    const Ended ended("gc-pause", {"mutex.name=\"a|b ![x](e) <u>*c* `d` &lt;\""});
    const QByteArray bytes = made(ended.subject(), ".md");
    const Sheet sheet(bytes);
    QVERIFY2(!sheet.leads(QStringLiteral("e")), bytes);
    // In the block of settings, where nothing is markup, in the legend, and in what is told of an incident.
    QVERIFY2(sheet.words().count(QStringLiteral("a|b ![x](e) <u>*c* `d` &lt;")) >= 3, qPrintable(sheet.words()));
    const QList<QStringList> rows = sheet.table(QStringLiteral("Incident"));
    QCOMPARE(static_cast<std::size_t>(rows.size()), ended.run.history().incidents.size() + 1);
    for (const QStringList& row : rows) QCOMPARE(row.size(), 6);
  }

  void timeThatWasNotObservedIsARow() {
    ByHand run;
    run.go_blind();
    const Sheet sheet(made(run.subject(), ".md"));
    const QList<QStringList> rows = sheet.table(QStringLiteral("Of whom"));
    QCOMPARE(rows.size(), 2);
    QCOMPARE(rows[1].mid(0, 3),
             QStringList({QStringLiteral("the store"), QStringLiteral("60.100"), QStringLiteral("60.900")}));
  }
};

LEASESCOPE_SUITE(MarkdownReportTest)
#include "markdown_report_test.moc"
