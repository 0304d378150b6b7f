// Moments of what is known, as the terminal and the window read them.
#include "core/history/known_times.h"

#include "tests/support/suite.h"

using namespace leasescope;
using namespace std::chrono_literals;

namespace {

// 2026-11-28 03:10:00 UTC.
constexpr std::int64_t kEpoch = std::int64_t{1'795'835'400} * 1'000'000'000;

}  // namespace

class KnownTimesTest : public QObject {
  Q_OBJECT
 private slots:
  void aMomentIsFound_data() {
    QTest::addColumn<QString>("text");
    QTest::addColumn<int>("s");
    QTest::newRow("of any day") << "03:12" << 120;
    QTest::newRow("to the second") << "03:12:04" << 124;
    QTest::newRow("of a day") << "2026-11-28 03:12" << 120;
    QTest::newRow("after the beginning") << "15s" << 15;
  }
  void aMomentIsFound() {
    QFETCH(const QString, text);
    QFETCH(const int, s);
    const auto at = known_moment(text.toStdString(), {TrueTime{}, TrueTime(1h), kEpoch});
    QVERIFY2(at, at ? "" : at.error().c_str());
    QCOMPARE(qint64(at->time_since_epoch().count()), qint64(Duration(std::chrono::seconds(s)).count()));
  }
  void whatIsNotKnownIsRefused_data() {
    QTest::addColumn<QString>("text");
    QTest::addColumn<QString>("said");
    QTest::newRow("beyond") << "05:00"
                            << "05:00: what was seen is from 2026-11-28 03:10:00.000 to "
                               "2026-11-28 04:10:00.000 CET";
    QTest::newRow("after the end") << "2h"
                                   << "2h: what was seen is from ";
    QTest::newRow("no moment") << "noon"
                               << "noon: expected a moment";
  }
  void whatIsNotKnownIsRefused() {
    QFETCH(const QString, text);
    QFETCH(const QString, said);
    const auto at =
        known_moment(text.toStdString(), {TrueTime{}, TrueTime(1h), kEpoch, true, "what was seen is", "CET"});
    QVERIFY(!at);
    QVERIFY2(QString::fromStdString(at.error()).startsWith(said), at.error().c_str());
  }
  // Of a run in virtual time there is no clock, and of several recordings no one beginning.
  void theOtherWayIsNamed() {
    const auto clock = known_moment("03:12", {TrueTime{}, TrueTime(1h), {}});
    QVERIFY(!clock && QString::fromStdString(clock.error()).contains("such as 15s"));
    const auto after = known_moment("15s", {TrueTime{}, TrueTime(1h), kEpoch, false});
    QVERIFY(!after && QString::fromStdString(after.error()).contains("such as 03:12"));
  }
};

LEASESCOPE_SUITE(KnownTimesTest)
#include "known_times_test.moc"
