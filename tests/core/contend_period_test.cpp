#include "core/simba/contend_period.h"

#include <algorithm>

#include "tests/support/suite.h"
#include "tests/support/vectors.h"

using namespace leasescope;
using namespace std::chrono_literals;
using leasescope::tests::Vector;
using leasescope::tests::vectors;

class ContendPeriodTest : public QObject {
  Q_OBJECT
 private slots:
  void everyVectorAnswersAlikeAndBothEndsAreReached();
  void theJitterIsConfigurable();
  void anEmptyRangeGivesItsLowerEnd();
  void noDelayIsNegative();
};

namespace {

struct Reach {
  std::int64_t least = INT64_MAX;
  std::int64_t most = INT64_MIN;
  bool whole = true;

  void add(Duration delay) {
    const std::int64_t ms = delay / 1ms;
    whole = whole && delay % 1ms == 0ms;
    least = std::min(least, ms);
    most = std::max(most, ms);
  }
};

}  // namespace

void ContendPeriodTest::everyVectorAnswersAlikeAndBothEndsAreReached() {
  const std::vector<Vector> all = vectors("contend-period");
  QCOMPARE(all.size(), std::size_t{86});
  RandomStream stream(1, "contend period", "jitter");
  for (const Vector& vector : all) {
    const auto ms = [&](const char* field) {
      const auto value = vector.given.at(field).get<std::int64_t>();
      return value == INT64_MAX ? WallTime::max() : WallTime(value * 1ms);
    };
    MutexOwner owner;
    owner.ttl_at = ms("ttl_at");
    owner.transition_at = ms("transition_at");
    const WallTime now = ms("now");
    // Simba's Long.MAX milliseconds is our last moment; both mean "never", so what lies beyond it is compared.
    const bool endless = vector.given.at("ttl_at").get<std::int64_t>() == INT64_MAX;
    const Duration ours = endless ? WallTime::max() - now : Duration::zero();
    const std::int64_t theirs = endless ? INT64_MAX - vector.given.at("now").get<std::int64_t>() : 0;
    Reach next, ensured;
    const bool owns = vector.given.at("role") == "owner";
    // 60 000 draws as in the vectors: that an end of 1 200 values is missed has a probability below 1e-20.
    for (int i = 0; i < (owns ? 1 : 60'000); ++i) {
      const Duration delay =
          owns ? ContendPeriod::next_delay_of_owner(owner, now)
               : ContendPeriod::next_delay_of_contender(
                     owner, now, ContendPeriod::draw(ContendPeriod::range(owner, JitterRange{}), stream));
      next.add(delay - ours);
      ensured.add(ContendPeriod::ensure(delay) - ours);
    }
    const nlohmann::json got = {{"next_delay_min", theirs + next.least},
                                {"next_delay_max", theirs + next.most},
                                {"ensured_min", theirs + ensured.least},
                                {"ensured_max", theirs + ensured.most}};
    QVERIFY2(got == vector.then, (vector.describe + " gave " + got.dump()).c_str());
    QVERIFY(next.whole);
  }
}

void ContendPeriodTest::theJitterIsConfigurable() {
  MutexOwner owner;
  owner.ttl_at = WallTime(1s);
  owner.transition_at = WallTime(2s);
  RandomStream stream(1, "contend period", "own range");
  Reach reach;
  for (int i = 0; i < 1000; ++i) reach.add(ContendPeriod::draw(ContendPeriod::range(owner, {5ms, 8ms}), stream));
  QCOMPARE(reach.least, std::int64_t{5});
  QCOMPARE(reach.most, std::int64_t{7});
}

void ContendPeriodTest::anEmptyRangeGivesItsLowerEnd() {
  RandomStream stream(1, "contend period", "empty");
  QCOMPARE(ContendPeriod::draw({7ms, 7ms}, stream), 7ms);
  // Without a transition the lower end is lifted to zero, which may empty the range.
  MutexOwner owner;
  owner.ttl_at = owner.transition_at = WallTime(1s);
  QCOMPARE(ContendPeriod::draw(ContendPeriod::range(owner, {-200ms, -100ms}), stream), 0ms);
}

void ContendPeriodTest::noDelayIsNegative() {
  QCOMPARE(ContendPeriod::ensure(-1ns), 0ns);
  QCOMPARE(ContendPeriod::ensure(0ns), 0ns);
  QCOMPARE(ContendPeriod::ensure(1ns), 1ns);
}

LEASESCOPE_SUITE(ContendPeriodTest)
#include "contend_period_test.moc"
