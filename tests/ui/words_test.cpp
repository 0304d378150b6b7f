// One dictionary: whatever happens in the catalogue is spelled in one way, and says what it was.
#include <QRegularExpression>

#include "simulator/run/virtual_run.h"
#include "simulator/scenario/catalogue.h"
#include "tests/support/ui_suite.h"
#include "ui/models/contenders_model.h"
#include "ui/models/events_model.h"
#include "ui/models/incidents_model.h"
#include "ui/models/words.h"
#include "ui/timeline/paint/hit.h"

using namespace leasescope;
using namespace std::chrono_literals;

namespace {

struct Told {
  std::unique_ptr<VirtualRun> run;
  Cast cast;
  ChartData chart;

  explicit Told(const std::string& name, const std::vector<std::string>& sets = {}) {
    const auto scenario = find_scenario(name, sets);
    if (!scenario) qFatal("%s", scenario.error().text().c_str());
    run = std::make_unique<VirtualRun>(*scenario);
    run->advance(TrueTime::max());
    cast.reset(scenario->contender_names());
    cast.sync(run->history());
    chart.reset(run_facts(*scenario));
    chart.append(run->history());
  }
  const History& history() const { return run->history(); }
  QString of(const Event& event) const { return sentence(history(), cast, event); }
};

void eachScenario(const std::function<void(const Told&)>& look) {
  for (const BuiltIn& built_in : built_in_scenarios())
    for (const char* fencing : {"resource.fencing=true", "resource.fencing=false"})
      look(Told(built_in.name, {fencing}));
}

}  // namespace

class WordsTest : public leasescope::tests::UiSuite {
  Q_OBJECT
 private slots:
  void aTokenThatIsNoneHasOneName() {
    eachScenario([](const Told& told) {
      for (const Event& event : told.history().events) {
        const QString text = told.of(event);
        QVERIFY2(!text.contains(QRegularExpression(QStringLiteral("#0\\b|with –|grants –|lease –|, – seen"))),
                 qPrintable(text));
        const bool bears = event.kind == EventKind::kGranted || event.kind == EventKind::kWriteRejected;
        if (bears && event.token == kNoToken)
          QVERIFY2(text.contains(QStringLiteral("no token")) || text.contains(QStringLiteral("without a token")),
                   qPrintable(text));
      }
    });
    QCOMPARE(tokenText(kNoToken), QStringLiteral("no token"));
    QCOMPARE(tokenText(33), QStringLiteral("#33"));
  }

  void aTableOfIncidentsNamesTokensAsTheChartDoes() {
    eachScenario([](const Told& told) {
      IncidentsModel model;
      model.setHistory(&told.history(), &told.cast);
      for (int row = 0; row < model.rowCount(); ++row) {
        const QString cell = model.index(row, IncidentsModel::kTokens).data().toString();
        QVERIFY2(!cell.contains(QRegularExpression(QStringLiteral("#0\\b|\\b0 <|^0|– "))), qPrintable(cell));
        const Hit hit{LaneKind::kIncidents, RowKind::kMutex, 0, static_cast<std::size_t>(row), {}, {}, {}};
        QCOMPARE(describe(told.chart, hit, {}).right, cell);
      }
    });
  }

  void aLengthIsSpelledOneWayOnChartAndTable() {
    eachScenario([](const Told& told) {
      IncidentsModel model;
      model.setHistory(&told.history(), &told.cast);
      for (int row = 0; row < model.rowCount(); ++row) {
        const QString lasts = model.index(row, IncidentsModel::kLasts).data().toString();
        const Hit hit{LaneKind::kIncidents, RowKind::kMutex, 0, static_cast<std::size_t>(row), {}, {}, {}};
        const HoverText text = describe(told.chart, hit, {});
        if (lasts != QStringLiteral("–"))
          QVERIFY2(text.lines.front().second.endsWith(lasts), qPrintable(text.lines.front().second + " / " + lasts));
      }
    });
  }

  void aClockThatDriftsDoesNotStep() {
    const Told told("clock-drift");
    int drifts = 0;
    for (const Event& event : told.history().events) {
      if (event.kind != EventKind::kClockChanged) continue;
      const QString text = told.of(event);
      QVERIFY2(!text.contains(QStringLiteral("steps")) && text.contains(QRegularExpression(QStringLiteral("ppm|rate"))),
               qPrintable(text));
      ++drifts;
    }
    QVERIFY(drifts > 0);
    eachScenario([](const Told& all) {
      for (const Event& event : all.history().events)
        QVERIFY2(!all.of(event).contains(QStringLiteral("by 0 s")), qPrintable(all.of(event)));
      for (const ContenderRow& row : all.chart.contenders())
        for (const BandSpan& band : row.bands)
          QVERIFY2(band.label.find("+0 ") == std::string::npos, band.label.c_str());
    });
  }

  // An event tells by how much a rate changed; what is said is the rate.
  void aDriftThatEndsIsNotToldAsAnother() {
    const Told told("clock-drift");
    QStringList said;
    for (const Event& event : told.history().events)
      if (event.kind == EventKind::kClockChanged) said << told.of(event);
    QCOMPARE(said.size(), 2);
    QVERIFY2(said[0].contains(QStringLiteral("ppm slower")), qPrintable(said[0]));
    QVERIFY2(!said[1].contains(QStringLiteral("ppm")) && said[1].endsWith(QStringLiteral("at its own rate again")),
             qPrintable(said[1]));
    QStringList labels;
    for (const ContenderRow& row : told.chart.contenders())
      for (const BandSpan& band : row.bands)
        if (band.kind == BandKind::kSkew) labels << QString::fromStdString(band.label);
    QCOMPARE(labels.size(), 2);
    QVERIFY2(labels[0].endsWith(QStringLiteral("slower")), qPrintable(labels[0]));
    QCOMPARE(labels[1], QStringLiteral("clock at its own rate"));
  }

  void aStepBelowAMillisecondIsNotNothing() {
    QCOMPARE(signedText(500us), QStringLiteral("+0.5 ms"));
    QCOMPARE(signedText(-500us), QString(QChar(0x2212)) + QStringLiteral("0.5 ms"));
    QCOMPARE(signedText(-7s), QString(QChar(0x2212)) + QStringLiteral("7 s"));
    QCOMPARE(signedText(268ms), QStringLiteral("+268 ms"));
  }

  void whoCrashesWasNotToldToStop() {
    const Told told("store-clock-back");
    bool seen = false;
    for (const Event& event : told.history().events) {
      if (event.kind != EventKind::kDisbelieved || event.cause == 0) continue;
      const Event& cause = told.history().event(event.cause);
      if (cause.kind != EventKind::kFaultBegan || faultText(told.history(), cause) != QStringLiteral("crash")) continue;
      seen = true;
      const QString text = told.of(event);
      QVERIFY2(!text.contains(QStringLiteral("told to stop")) && text.contains(QStringLiteral("crash")),
               qPrintable(text));
    }
    QVERIFY(seen);
  }

  void whoComesBackUnderAnothersIdNamesIt() {
    const Told told("owner-id-reuse");
    QString all;
    for (const Event& event : told.history().events) all += told.of(event) + u'\n';
    QVERIFY2(all.contains(QStringLiteral("under the id of A")), qPrintable(all.left(2000)));
  }
};

LEASESCOPE_SUITE(WordsTest)
#include "words_test.moc"
