// Every built-in scenario holds for all that it says it is valid for, at both ends of each range.
#include <fmt/format.h>

#include "simulator/scenario/validity.h"
#include "tests/engine/judged.h"
#include "tests/support/seeds.h"
#include "tests/support/suite.h"

using namespace leasescope;
using namespace leasescope::tests;

namespace {

constexpr std::uint64_t kSeeds = kSanitized ? 3 : 100;

}  // namespace

class CatalogueEdgesTest : public QObject {
  Q_OBJECT
 private slots:
  void everyScenarioHoldsAtTheEdgesOfWhatItSaysItIsValidFor_data() {
    QTest::addColumn<QString>("name");
    QTest::addColumn<QString>("set");
    for (const BuiltIn& built_in : built_in_scenarios())
      for (const ValidFor& valid : scenario(built_in.name).expected.valid_for) {
        std::vector<std::string> values = valid.words;
        if (valid_key_of(valid.key) == ValidKey::kTime) values = {valid.from.text, valid.to.text};
        if (valid_key_of(valid.key) == ValidKey::kNumber)
          values = {std::to_string(valid.least), std::to_string(valid.most)};
        for (const std::string& value : values)
          QTest::newRow(fmt::format("{} {}={}", built_in.name, valid.key, value).c_str())
              << QString::fromStdString(built_in.name) << QString::fromStdString(valid.key + "=" + value);
      }
  }
  void everyScenarioHoldsAtTheEdgesOfWhatItSaysItIsValidFor() {
    QFETCH(QString, name);
    QFETCH(QString, set);
    for (const char* fencing : {"true", "false"}) {
      Scenario of = scenario(name.toStdString(), {set.toStdString(), std::string("resource.fencing=") + fencing});
      Shares shares;
      for (std::uint64_t seed = 1; seed <= kSeeds; ++seed) {
        const QString wrong = judge_seed(of, seed, shares);
        QVERIFY2(wrong.isEmpty(), qPrintable(wrong));
      }
    }
  }
};

LEASESCOPE_SUITE(CatalogueEdgesTest)
#include "catalogue_edges_test.moc"
