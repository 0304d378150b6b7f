// Moments as people say them of a night.
#include "core/time/day_moment.h"

#include "tests/support/suite.h"

using namespace leasescope;

namespace {

constexpr std::int64_t kSecond = 1'000'000'000, kDay = 86'400 * kSecond;
// 2026-11-27 00:00:00 UTC.
constexpr std::int64_t kThatDay = std::int64_t{1'795'737'600} * kSecond;

}  // namespace

class DayMomentTest : public QObject {
  Q_OBJECT
 private slots:
  void everyFormIsRead_data() {
    QTest::addColumn<QString>("text");
    QTest::addColumn<qint64>("ns");
    QTest::newRow("minutes") << "03:12" << qint64((3 * 3600 + 12 * 60) * kSecond);
    QTest::newRow("seconds") << "03:12:04" << qint64((3 * 3600 + 12 * 60 + 4) * kSecond);
    QTest::newRow("a fraction") << "00:00:00.25" << qint64(kSecond / 4);
    QTest::newRow("Zulu") << "23:59:59Z" << qint64(kDay - kSecond);
  }
  void everyFormIsRead() {
    QFETCH(const QString, text);
    QFETCH(const qint64, ns);
    const auto read = parse_day_moment(text.toStdString());
    QVERIFY2(read, read ? "" : read.error().c_str());
    QVERIFY(!read->day);
    QCOMPARE(qint64(read->of_day_ns), ns);
  }
  void aDayIsCounted() {
    for (const char* text : {"2026-11-27 03:12", "2026-11-27T03:12:00Z"}) {
      const auto read = parse_day_moment(text);
      QVERIFY(read && read->day);
      QCOMPARE(qint64(*read->day * kDay), qint64(kThatDay));
    }
    QCOMPARE(*parse_day_moment("1970-01-01 00:00")->day, std::int64_t{0});
    QCOMPARE(*parse_day_moment("2024-02-29 00:00")->day, std::int64_t{19'782});
  }
  void whatIsNoneIsRefused_data() {
    QTest::addColumn<QString>("text");
    for (const char* text : {"", "3:12", "24:00", "03:60", "03:12:60", "03:12:", "03:12 pm", "2026-02-29 03:12",
                             "2026-13-01 00:00", "2026-11-27", "03:12:04.", "-03:12", "+3:12"})
      QTest::addRow("%s", *text == 0 ? "nothing" : text) << text;
  }
  void whatIsNoneIsRefused() {
    QFETCH(const QString, text);
    const auto read = parse_day_moment(text.toStdString());
    QVERIFY(!read);
    QVERIFY(read.error().find("expected a moment in UTC") != std::string::npos);
  }
  // Of a night over midnight it is the one within it; of several nights the last.
  void theLastOneWithinIsMeant() {
    const DayMoment three = *parse_day_moment("03:12");
    const std::int64_t evening = kThatDay + 20 * 3600 * kSecond, morning = kThatDay + kDay + 6 * 3600 * kSecond;
    QCOMPARE(last_of(three, evening, morning), std::optional(kThatDay + kDay + three.of_day_ns));
    QCOMPARE(last_of(three, kThatDay - kDay, evening), std::optional(kThatDay + three.of_day_ns));
    QCOMPARE(last_of(*parse_day_moment("21:00"), evening, morning), std::optional(kThatDay + 21 * 3600 * kSecond));
    QCOMPARE(last_of(*parse_day_moment("12:00"), evening, morning), std::nullopt);
    QCOMPARE(last_of(*parse_day_moment("2026-11-27 03:12"), evening, morning), std::nullopt);
    QCOMPARE(last_of(*parse_day_moment("2026-11-27 21:00"), evening, morning),
             std::optional(kThatDay + 21 * 3600 * kSecond));
  }
  void theFirstOneWithinIsMeantWhereThatIsAskedFor() {
    const DayMoment three = *parse_day_moment("03:12");
    const std::int64_t evening = kThatDay + 20 * 3600 * kSecond, later = kThatDay + 3 * kDay;
    QCOMPARE(first_of(three, evening, later), std::optional(kThatDay + kDay + three.of_day_ns));
    QCOMPARE(first_of(three, kThatDay, later), std::optional(kThatDay + three.of_day_ns));
    QCOMPARE(first_of(three, kThatDay + three.of_day_ns, later), std::optional(kThatDay + three.of_day_ns));
    QCOMPARE(first_of(three, evening, evening + 3600 * kSecond), std::nullopt);
    QCOMPARE(first_of(*parse_day_moment("2026-11-27 21:00"), kThatDay, later),
             std::optional(kThatDay + 21 * 3600 * kSecond));
  }
};

LEASESCOPE_SUITE(DayMomentTest)
#include "day_moment_test.moc"
