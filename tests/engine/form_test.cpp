// The scenario form is described once: what is said of it elsewhere is the same.
#include <QFile>
#include <QRegularExpression>

#include "simulator/scenario/form.h"
#include "simulator/scenario/scenario_text.h"
#include "tests/engine/runs.h"
#include "tests/support/places.h"
#include "tests/support/suite.h"

using namespace leasescope;
using namespace leasescope::tests;

namespace {

// Of the form's room, and of that of the replays.
QString readmes() {
  QString out;
  for (const char* room : {"scenario", "campaign"}) {
    QFile file(QString(kSourceFolder) + QStringLiteral("/simulator/%1/README.md").arg(QLatin1String(room)));
    if (file.open(QIODevice::ReadOnly)) out += QString::fromUtf8(file.readAll());
  }
  return out;
}

// A scenario that has a table of every kind.
Scenario with_every_table(const char* model) {
  Scenario of = scenario("gc-pause");
  of.store.model = model;
  of.replay.emplace();
  return of;
}

}  // namespace

class FormTest : public QObject {
  Q_OBJECT
 private slots:
  void theReadmesExplainEveryKey() {
    const QString readme = readmes();
    QVERIFY(!readme.isEmpty());
    const auto are_told = [&](const TableName& table, const auto& form, const auto&) {
      for (const auto& key : form) {
        const QString name = QString::fromLatin1(key.name.data(), static_cast<int>(key.name.size()));
        const QRegularExpression told(QStringLiteral("`[^`\\n]*\\b%1\\b[^`\\n]*`").arg(name));
        QVERIFY2(readme.contains(told), qPrintable(QString::fromStdString(table.path()) + '.' + name));
      }
    };
    for (const char* model : {"redis", "sql"}) each_table(with_every_table(model), are_told);
    for (const BuiltIn& built_in : built_in_scenarios()) each_table(scenario(built_in.name), are_told);
  }
  void everyKeyHasAMeaningAndANameOfItsOwn() {
    each_table(with_every_table("redis"), [](const TableName&, const auto& form, const auto&) {
      for (const auto& key : form) {
        QVERIFY(!key.about.empty());
        QCOMPARE(std::count_if(form.begin(), form.end(), [&](const auto& other) { return other.name == key.name; }), 1);
      }
    });
  }
  void aValueIsFoundByItsPath() {
    const Scenario of = scenario("gc-pause", {"contender.0.count=7", "store.latency=3ms"});
    QCOMPARE(value_at(of, "mutex.ttl")->value, std::string("\"5s\""));
    QCOMPARE(value_at(of, "contender.0.count")->value, std::string("7"));
    QCOMPARE(value_at(of, "store.latency")->value, std::string("\"3ms\""));
    QCOMPARE(value_at(of, "seed")->value, std::to_string(of.seed));
    QVERIFY(!value_at(of, "mutex.colour"));
    QVERIFY(!value_at(of, "contender.9.count"));
    QVERIFY(!value_at(of, "store.sql.pool"));
  }
  void whatIsSimplestStaysReadable() {
    Scenario of = scenario("slow-answers");
    each_table(of, [](const TableName&, const auto& form, auto& table) {
      for (const auto& key : form)
        if (key.simplify) key.simplify(table);
    });
    const auto again = read_scenario(scenario_text(of), "simplest.toml");
    QVERIFY2(again.has_value(), again ? "" : again.error().text().c_str());
    QCOMPARE(scenario_text(*again), scenario_text(of));
    QCOMPARE(again->store.loss_ppm, 0u);
    QVERIFY(again->store.latency == Distribution::constant(std::chrono::milliseconds(1)));
  }
};

LEASESCOPE_SUITE(FormTest)
#include "form_test.moc"
