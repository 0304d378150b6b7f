// Delays are drawn as their distributions say, and the same ones on every machine.
#include <algorithm>
#include <filesystem>
#include <fstream>

#include <QTemporaryDir>

#include <fmt/format.h>
#include <xxhash.h>

#include "simulator/engine/trace_hash.h"
#include "simulator/scenario/scenario_text.h"
#include "tests/engine/runs.h"
#include "tests/support/suite.h"

using namespace leasescope;
using namespace leasescope::tests;
using namespace std::chrono_literals;

namespace {

constexpr std::size_t kDraws = 1'000'000;

struct Sampled {
  std::vector<Duration> sorted;
  double mean = 0;

  explicit Sampled(const Distribution& of) {
    RandomStream stream(7, "a", "test");
    sorted.reserve(kDraws);
    for (std::size_t i = 0; i < kDraws; ++i) {
      sorted.push_back(of.sample(stream));
      mean += static_cast<double>(sorted.back().count()) / kDraws;
    }
    std::sort(sorted.begin(), sorted.end());
  }
  double quantile(double p) const { return static_cast<double>(sorted[static_cast<std::size_t>(p * kDraws)].count()); }
};

bool near(double is, double wanted, double share) {
  if (std::abs(is - wanted) <= wanted * share) return true;
  qWarning("%f is not %f within %f", is, wanted, share);
  return false;
}

std::string toml(const std::string& latency) {
  return "schema = 1\ntitle = \"t\"\nduration = \"30s\"\n[mutex]\nname = \"m\"\nttl = \"5s\"\ntransition = \"2s\"\n"
         "[store]\nlatency = " +
         latency + "\n";
}

// Of every part of the table: each of its 512 cells is drawn from about 200 times.
std::uint64_t hash_of_draws(const Distribution& of) {
  RandomStream stream(7, "a", "hash");
  std::vector<std::int64_t> draws;
  for (int i = 0; i < 100'000; ++i) draws.push_back(of.sample(stream).count());
  return XXH3_64bits(draws.data(), draws.size() * sizeof(draws.front()));
}

std::vector<Duration> some_delays() {
  std::vector<Duration> out;
  for (int i = 0; i < 1000; ++i) out.push_back(std::chrono::microseconds(100 + (i * 7919) % 1000));
  return out;
}

}  // namespace

class DistributionTest : public QObject {
  Q_OBJECT
 private slots:
  void aConstantIsAlwaysTheSame() {
    const Sampled draws(Distribution::constant(3ms));
    QCOMPARE(draws.sorted.front(), 3ms);
    QCOMPARE(draws.sorted.back(), 3ms);
  }
  void aUniformOneIsEvenBetweenItsEnds() {
    const Sampled draws(Distribution::uniform(2ms, 12ms));
    QVERIFY(draws.sorted.front() >= 2ms && draws.sorted.back() <= 12ms);
    QVERIFY(near(draws.mean, 7e6, 0.002));
    for (const double p : {0.01, 0.1, 0.5, 0.9, 0.99}) QVERIFY(near(draws.quantile(p), 2e6 + p * 10e6, 0.01));
  }
  void aLogNormalOneMeetsItsMedianAndItsNinetyNinth() {
    const Sampled draws(Distribution::log_normal(500us, 3ms));
    QVERIFY(near(draws.quantile(0.5), 500e3, 0.01));
    QVERIFY(near(draws.quantile(0.99), 3e6, 0.02));
    const double sigma = std::log(6.0) / 2.3263478740408408;
    QVERIFY(near(draws.mean, 500e3 * std::exp(sigma * sigma / 2), 0.02));
    QVERIFY(near(draws.quantile(0.1), 500e3 * std::exp(-1.2815515655446004 * sigma), 0.01));
  }
  void anExponentialOneMeetsItsMean() {
    const Sampled draws(Distribution::exponential(10ms));
    QVERIFY(near(draws.mean, 10e6, 0.01));
    for (const double p : {0.1, 0.5, 0.9, 0.99}) QVERIFY(near(draws.quantile(p), -10e6 * std::log(1 - p), 0.01));
  }
  void aParetoOneHasItsTail() {
    for (const double shape : {1.2, 2.5, 5.0}) {
      const Sampled draws(Distribution::pareto(1ms, static_cast<std::int64_t>(shape * 1e6)));
      QVERIFY(draws.sorted.front() >= 1ms);
      for (const double p : {0.1, 0.5, 0.9, 0.99, 0.999})
        QVERIFY(near(draws.quantile(p), 1e6 * std::pow(1 - p, -1 / shape), 0.04));
      QVERIFY(near(draws.quantile(0.9999), 1e6 * std::pow(1e-4, -1 / shape), 0.25));  // a hundred draws lie beyond
      if (shape > 2) QVERIFY(near(draws.mean, 1e6 * shape / (shape - 1), 0.01));
    }
  }
  void noDelayIsLongerThanADay() {
    const Distribution wild = Distribution::pareto(1s, 100'000);
    QCOMPARE(wild.longest(), 24h);
    const Sampled draws(wild);
    QVERIFY(draws.sorted.back() <= 24h);
    QCOMPARE(draws.sorted.front() >= 1s, true);
  }
  void whatWasMeasuredIsDrawnAsOften() {
    const Sampled draws(Distribution::empirical(some_delays(), "d.csv"));  // 100 us to 1099 us, evenly
    QCOMPARE(draws.sorted.front() >= 100us && draws.sorted.back() <= 1099us, true);
    QVERIFY(near(draws.mean, 599.5e3, 0.003));
    for (const double p : {0.1, 0.5, 0.9, 0.99}) QVERIFY(near(draws.quantile(p), 100e3 + p * 999e3, 0.01));
    const Sampled two(Distribution::empirical({1ms, 1ms, 1ms, 9ms}, "d.csv"));
    QVERIFY(near(two.quantile(0.6), 1e6, 0.001));  // two of the three gaps are none
    const Sampled one(Distribution::empirical({4ms}, "d.csv"));
    QCOMPARE(one.sorted.front(), 4ms);
    QCOMPARE(one.sorted.back(), 4ms);
  }
  // Written down once; every compiler and every build type has to come to the same.
  void theTablesAreTheSameEverywhere() {
    const auto is = [](const Distribution& of) { return QString::fromStdString(hash_text(hash_of_draws(of))); };
    QCOMPARE(is(Distribution::uniform(1ms, 5ms)), QString("069e0d8d4d3fcba8"));
    QCOMPARE(is(Distribution::log_normal(500us, 3ms)), QString("989cefe6e1719964"));
    QCOMPARE(is(Distribution::log_normal(10ms, 20s)), QString("bc4c0a783a8e325c"));
    QCOMPARE(is(Distribution::exponential(10ms)), QString("3b178834ee31ce54"));
    QCOMPARE(is(Distribution::pareto(1ms, 1'500'000)), QString("74da96fb01f6f180"));
    QCOMPARE(is(Distribution::pareto(300us, 730'000)), QString("85de209629235d05"));
    QCOMPARE(is(Distribution::empirical(some_delays(), "")), QString("2976f51b2e6b6ee2"));
  }

  // ---- in a scenario
  void aFileOfDelaysIsRelativeToItsScenario() {
    const QTemporaryDir folder;
    const std::string path = folder.path().toStdString();
    std::filesystem::create_directory(path + "/measured");
    std::ofstream(path + "/measured/delays.csv") << "# of an afternoon\n1ms\n\n  3ms \r\n2ms";
    std::ofstream(path + "/s.toml") << toml("{ file = \"measured/delays.csv\" }");
    const auto scenario = read_scenario_file(path + "/s.toml");
    QVERIFY2(scenario.has_value(), scenario ? "" : scenario.error().text().c_str());
    QCOMPARE(scenario->store.latency.first(), 1ms);
    QCOMPARE(scenario->store.latency.second(), 3ms);
    const auto again = read_scenario(scenario_text(*scenario), "/elsewhere/replay.toml");
    QVERIFY(again.has_value());
    QCOMPARE(again->store.latency, scenario->store.latency);
    const auto set =
        read_scenario(toml("\"1ms\""), path + "/s.toml", {"store.latency={ file = \"measured/delays.csv\" }"});
    QVERIFY(set.has_value());
    QCOMPARE(set->store.latency, scenario->store.latency);
  }
  void whatIsWrongInAFileOfDelaysIsNamedWithItsLine() {
    const QTemporaryDir folder;
    const std::string path = folder.path().toStdString();
    const auto read = [&] { return read_scenario(toml("{ file = \"d.csv\" }"), path + "/s.toml").error().text(); };
    QCOMPARE(QString::fromStdString(read()),
             QString::fromStdString(path + "/s.toml:9:20: " + path +
                                    "/d.csv cannot be read: expected a file with a delay a line"));
    std::ofstream(path + "/d.csv") << "1ms\n  17\n";
    QCOMPARE(QString::fromStdString(read()),
             QString::fromStdString(
                 path + "/d.csv:2:3: \"17\" is no delay: expected one of 0s or more with a unit, such as 1.5ms"));
    std::ofstream(path + "/d.csv") << "# nothing\n";
    QVERIFY(read().find("has no delays") != std::string::npos);
    std::ofstream(path + "/d.csv") << "-1ms\n";
    QVERIFY(read().find("d.csv:1:1: \"-1ms\" is no delay") != std::string::npos);
  }
  void aParetoIsReadAndWritten() {
    const auto scenario = read_scenario(toml("{ pareto = { min = \"1ms\", shape = 1.5 } }"), "s.toml");
    QVERIFY2(scenario.has_value(), scenario ? "" : scenario.error().text().c_str());
    QCOMPARE(scenario->store.latency, Distribution::pareto(1ms, 1'500'000));
    const auto again = read_scenario(scenario_text(*scenario), "s.toml");
    QVERIFY(again.has_value());
    QCOMPARE(again->store.latency, scenario->store.latency);
    for (const char* wrong :
         {"{ pareto = { min = \"1ms\", shape = 0.01 } }", "{ pareto = { min = \"0s\", shape = 2 } }",
          "{ pareto = { min = \"1ms\" } }", "{ pareto = { shape = 2 } }", "{ pareto = 2 }",
          "{ pareto = { min = \"1ms\", shape = 2, mean = \"1s\" } }", "{ uniform = [\"2ms\", \"1ms\"] }"})
      QVERIFY2(!read_scenario(toml(wrong), "s.toml").has_value(), wrong);
  }
  void allWhoListenAreToldOfAChangeLaterByTheSame() {
    const Scenario of =
        written(toml("\"1ms\"\ntells_after = { uniform = [\"20ms\", \"40ms\"] }") +
                "[[contender]]\ncount = 3\n[[fault]]\nat = \"3s\"\nkind = \"stop\"\ntarget = \"owner\"\n");
    const auto run = finished(of);
    std::optional<Duration> later;
    std::size_t heard = 0;
    for (const Event& event : run->history().events) {
      if (event.kind != EventKind::kNotification || event.at() < TrueTime{} + 3s || event.at() > TrueTime{} + 3100ms)
        continue;
      if (event.detail != static_cast<std::uint8_t>(NotificationStep::kReceived)) continue;
      const Duration after = event.at() - (TrueTime{} + 3s) - 2ms;
      if (heard++ < 2) QVERIFY(after == later.value_or(after) && after >= 20ms && after <= 40ms);
      later = after;
    }
    QVERIFY(heard >= 2);
    const auto again = read_scenario(scenario_text(of), "s.toml");
    QVERIFY(again.has_value() && again->store == of.store);
  }
  void aContenderMayHaveItsOwnLatency() {
    const Scenario of =
        written(toml("\"1ms\"") +
                "[[contender]]\nname = \"near\"\n[[contender]]\nname = \"far\"\nlatency = \"70ms\"\n"
                "start = \"10ms\"\n[[contender]]\nname = \"farther\"\nlatency = { uniform = [\"100ms\", "
                "\"100ms\"] }\nstart = \"10ms\"\n");
    const auto run = finished(of);
    const auto first_attempt = [&](const char* name) { return find(run->history(), EventKind::kAttempt, name)->at(); };
    QCOMPARE(first_attempt("near"), TrueTime{} + 4ms);
    QCOMPARE(first_attempt("far"), TrueTime{} + 10ms + 280ms);
    QCOMPARE(first_attempt("farther"), TrueTime{} + 10ms + 400ms);
    const auto again = read_scenario(scenario_text(of), "s.toml");
    QVERIFY(again.has_value());
    QCOMPARE(again->contenders, of.contenders);
  }
};

LEASESCOPE_SUITE(DistributionTest)
#include "distribution_test.moc"
