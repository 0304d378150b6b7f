#include "core/time/duration_text.h"

#include <rapidcheck.h>

#include "tests/support/suite.h"

using namespace leasescope;

class DurationTextProperties : public QObject {
  Q_OBJECT
 private slots:
  void whatIsWrittenReadsBackEqual();
  void anyTextIsReadOrRefusedWithItsName();
  void aFractionIsExact();
};

void DurationTextProperties::whatIsWrittenReadsBackEqual() {
  QVERIFY(rc::check("parse(format(d)) == d", [] {
    // Whole multiples of every unit as well as odd nanoseconds; the one value without a positive twin is not text.
    const auto unit = *rc::gen::element<std::int64_t>(1, 1'000, 1'000'000, 1'000'000'000, 60'000'000'000);
    const auto count = *rc::gen::inRange<std::int64_t>(-INT64_MAX / unit, INT64_MAX / unit);
    const Duration duration(count * unit);
    const auto read = parse_duration(format_duration(duration));
    RC_ASSERT(read.has_value());
    RC_ASSERT(read->count() == duration.count());
  }));
}

void DurationTextProperties::anyTextIsReadOrRefusedWithItsName() {
  QVERIFY(rc::check("no text breaks the reader", [] {
    const auto text =
        *rc::gen::container<std::string>(rc::gen::elementOf(std::string("0123456789.+- nusmhE\xc2\xb5x")));
    const auto read = parse_duration(text);
    if (read) {
      const auto again = parse_duration(format_duration(*read));
      RC_ASSERT(again.has_value() && *again == *read);
    } else {
      RC_ASSERT(read.error().find('"' + text + '"') != std::string::npos);
    }
  }));
}

void DurationTextProperties::aFractionIsExact() {
  QVERIFY(rc::check("whole.thousandths s == ms", [] {
    const auto ms = *rc::gen::inRange(0, 100'000'000);
    const std::string digits = std::to_string(1000 + ms % 1000).substr(1);
    const auto read = parse_duration(std::to_string(ms / 1000) + "." + digits + "s");
    RC_ASSERT(read.has_value());
    RC_ASSERT(*read == std::chrono::milliseconds(ms));
  }));
}

LEASESCOPE_SUITE(DurationTextProperties)
#include "duration_text_test.moc"
