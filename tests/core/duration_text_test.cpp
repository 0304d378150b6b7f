#include "core/time/duration_text.h"

#include <limits>

#include "tests/support/suite.h"

using namespace leasescope;
using namespace std::chrono_literals;

class DurationTextTest : public QObject {
  Q_OBJECT
 private slots:
  void everyUnitIsRead_data();
  void everyUnitIsRead();
  void theShortestExactFormIsWritten_data();
  void theShortestExactFormIsWritten();
  void whatIsWrittenReadsBackEqual();
  void badFormsAreRefusedWithWhatWasExpected_data();
  void badFormsAreRefusedWithWhatWasExpected();
  void theLongestDurationIsReadAndOneMoreIsRefused();
  void secondsAreRoundedHalfAwayFromZero();
};

Q_DECLARE_METATYPE(leasescope::Duration)

void DurationTextTest::everyUnitIsRead_data() {
  QTest::addColumn<std::string>("text");
  QTest::addColumn<Duration>("value");
  const auto row = [](const char* text, Duration value) { QTest::newRow(text) << std::string(text) << value; };
  row("1ns", 1ns);
  row("2us", 2us);
  row("250ms", 250ms);
  row("5s", 5s);
  row("2m", 2min);
  row("1h", 1h);
  row("0s", 0s);
  row("-200ms", -200ms);
  row("+3s", 3s);
  row("1.5s", 1500ms);
  row("0.25h", 15min);
  row(".5s", 500ms);
  row("1.s", 1s);
  row("007s", 7s);
  row("1.000000001s", Duration(1'000'000'001));
}

void DurationTextTest::everyUnitIsRead() {
  QFETCH(std::string, text);
  QFETCH(Duration, value);
  const auto read = parse_duration(text);
  QVERIFY2(read, read ? "" : read.error().c_str());
  QCOMPARE(read->count(), value.count());
}

void DurationTextTest::theShortestExactFormIsWritten_data() {
  QTest::addColumn<Duration>("value");
  QTest::addColumn<std::string>("text");
  const auto row = [](Duration value, const char* text) { QTest::newRow(text) << value << std::string(text); };
  row(0s, "0s");
  row(1h, "1h");
  row(60s, "1m");
  row(90s, "90s");
  row(1500ms, "1500ms");
  row(-200ms, "-200ms");
  row(1001us, "1001us");
  row(Duration(1'000'000'001), "1000000001ns");
}

void DurationTextTest::theShortestExactFormIsWritten() {
  QFETCH(Duration, value);
  QFETCH(std::string, text);
  QCOMPARE(format_duration(value), text);
}

void DurationTextTest::whatIsWrittenReadsBackEqual() {
  for (const std::int64_t ns :
       {std::int64_t{1}, std::int64_t{-1}, std::int64_t{999'999'999}, std::int64_t{-3'600'000'000'000},
        std::numeric_limits<std::int64_t>::max(), -std::numeric_limits<std::int64_t>::max()}) {
    const auto read = parse_duration(format_duration(Duration(ns)));
    QVERIFY(read);
    QCOMPARE(read->count(), ns);
  }
}

void DurationTextTest::badFormsAreRefusedWithWhatWasExpected_data() {
  QTest::addColumn<std::string>("text");
  for (const char* text : {"",     "-",    "5",      "s",    ".s",   "5 s",  " 5s",   "5s ", "5sec", "5S",
                           "--5s", "+-5s", "1.2.3s", "1e3s", "0x5s", "5,5s", "5ms5s", "inf", "nan",  "-.ms"})
    QTest::newRow(*text ? text : "nothing") << std::string(text);
}

void DurationTextTest::badFormsAreRefusedWithWhatWasExpected() {
  QFETCH(std::string, text);
  const auto read = parse_duration(text);
  QVERIFY(!read);
  QVERIFY2(read.error().find('"' + text + '"') != std::string::npos, read.error().c_str());
  QVERIFY2(read.error().find("expected") != std::string::npos, read.error().c_str());
}

void DurationTextTest::theLongestDurationIsReadAndOneMoreIsRefused() {
  const auto longest = parse_duration("9223372036854775807ns");
  QVERIFY(longest);
  QCOMPARE(longest->count(), std::numeric_limits<std::int64_t>::max());
  QVERIFY(!parse_duration("9223372036854775808ns"));
  QVERIFY(!parse_duration("9223372036855s"));
  QVERIFY(!parse_duration("9223372036854775807h"));
  QVERIFY(!parse_duration("99999999999999999999999999999999999999999999ns"));
}

void DurationTextTest::secondsAreRoundedHalfAwayFromZero() {
  QCOMPARE(format_seconds(17'189ms), std::string("17.189"));
  QCOMPARE(format_seconds(1'999'600us), std::string("2.000"));
  QCOMPARE(format_seconds(500us), std::string("0.001"));
  QCOMPARE(format_seconds(499us), std::string("0.000"));
  QCOMPARE(format_seconds(-499us), std::string("0.000"));
  QCOMPARE(format_seconds(-1500ms), std::string("-1.500"));
  QCOMPARE(format_seconds(1500ms, 0), std::string("2"));
  QCOMPARE(format_seconds(1049ms, 1), std::string("1.0"));
  QCOMPARE(format_seconds(Duration::max()), std::string("9223372036.855"));
  QCOMPARE(format_seconds(Duration::min(), 9), std::string("-9223372036.854775807"));
}

LEASESCOPE_SUITE(DurationTextTest)
#include "duration_text_test.moc"
