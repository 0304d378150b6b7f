#include "core/base/random_stream.h"

#include <array>

#include "tests/support/suite.h"

using namespace leasescope;

class RandomStreamTest : public QObject {
  Q_OBJECT
 private slots:
  void theDrawsAreTheSameOnEveryCompiler();
  void anotherSeedNameOrPurposeIsAnotherStream();
  void aNameAndAPurposeDoNotRunTogether();
  void aCopyGoesOnLikeTheOriginal();
  void belowReachesEveryValueAndNeverTheBound();
  void belowIsFair();
  void chanceIsFairAndNeverDrawsForZero();
};

void RandomStreamTest::theDrawsAreTheSameOnEveryCompiler() {
  RandomStream stream(7, "c-1", "jitter");
  const std::array<std::uint64_t, 4> expected{0xeedffde1ae47fd4b, 0x39743eb6049b74c5, 0xe2e44996068342bb,
                                              0xa29364eceb6967d2};
  for (const std::uint64_t value : expected) QCOMPARE(stream.next(), value);
  const std::array<std::uint64_t, 6> small{736, 657, 428, 612, 569, 63};
  for (const std::uint64_t value : small) QCOMPARE(stream.below(1200), value);
}

void RandomStreamTest::anotherSeedNameOrPurposeIsAnotherStream() {
  const std::uint64_t first = RandomStream(7, "c-1", "jitter").next();
  QVERIFY(RandomStream(8, "c-1", "jitter").next() != first);
  QVERIFY(RandomStream(7, "c-2", "jitter").next() != first);
  QVERIFY(RandomStream(7, "c-1", "link up").next() != first);
  QCOMPARE(RandomStream(7, "c-1", "jitter").next(), first);
}

void RandomStreamTest::aNameAndAPurposeDoNotRunTogether() {
  QVERIFY(RandomStream(1, "ab", "c").next() != RandomStream(1, "a", "bc").next());
  QVERIFY(RandomStream(1, "a", "b").next() != RandomStream(1, "b", "a").next());
}

void RandomStreamTest::aCopyGoesOnLikeTheOriginal() {
  RandomStream stream(3, "node", "loss");
  for (int i = 0; i < 100; ++i) stream.next();
  RandomStream copy = stream;
  for (int i = 0; i < 100; ++i) QCOMPARE(copy.next(), stream.next());
}

void RandomStreamTest::belowReachesEveryValueAndNeverTheBound() {
  RandomStream stream(11, "node", "below");
  std::array<int, 7> seen{};
  for (int i = 0; i < 1000; ++i) {
    const std::uint64_t value = stream.below(7);
    QVERIFY(value < 7);
    ++seen[value];
  }
  for (const int count : seen) QVERIFY(count > 0);
  for (int i = 0; i < 100; ++i) QCOMPARE(stream.below(1), std::uint64_t{0});
  // A bound just over half the range rejects nearly half the draws: where bias would show.
  const std::uint64_t half = (std::uint64_t{1} << 63) + 1;
  for (int i = 0; i < 1000; ++i) QVERIFY(stream.below(half) < half);
}

void RandomStreamTest::belowIsFair() {
  RandomStream stream(5, "node", "fair");
  std::array<int, 10> seen{};
  for (int i = 0; i < 100'000; ++i) ++seen[stream.below(10)];
  for (const int count : seen) QVERIFY(count > 9'500 && count < 10'500);
}

void RandomStreamTest::chanceIsFairAndNeverDrawsForZero() {
  RandomStream stream(5, "node", "chance");
  RandomStream untouched = stream;
  for (int i = 0; i < 10; ++i) QVERIFY(!stream.chance_ppm(0));
  QCOMPARE(stream.next(), untouched.next());
  int hits = 0;
  for (int i = 0; i < 100'000; ++i) hits += stream.chance_ppm(10'000) ? 1 : 0;
  QVERIFY(hits > 850 && hits < 1150);
  for (int i = 0; i < 100; ++i) QVERIFY(stream.chance_ppm(1'000'000));
}

LEASESCOPE_SUITE(RandomStreamTest)
#include "random_stream_test.moc"
