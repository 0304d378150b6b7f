// The live table of a watch as text, without a terminal: what stands where, at any width, whatever others call their
// mutexes.
#include "app/watch/watch_screen.h"

#include <algorithm>

#include "app/watch/mutex_columns.h"
#include "tests/cli/shown_screen.h"
#include "tests/support/suite.h"
#include "tests/support/watched_by_hand.h"

using namespace leasescope;
using namespace leasescope::ctl;
using namespace leasescope::tests;
using namespace std::chrono_literals;

namespace {

const std::string kClear = "\x1b[2J";         // what a terminal would do, were it sent
const std::string kTurned = "\xe2\x80\xae";   // from right to left
const std::string kNothing = "\xe2\x80\x8b";  // a space without a width
const std::string kAccent = "e\xcc\x81";      // of two characters, of which one takes no cell
const std::string kWide = "例え";             // each takes two

// All that others call things may be as bad as this.
void tell_of_bad_names(Shown& shown) {
  int number = 0;
  for (const std::string& bad : {kClear, kTurned, kNothing, kAccent, kWide, std::string("\xff\xfe"), std::string("\n"),
                                 std::string(5000, 'x'), kWide + kWide + kWide + kWide + kWide + kWide}) {
    Sighting seen = WatchedByHand::seen("m" + std::to_string(number) + bad, "o" + bad, 1'000'000'000'000, 5s);
    seen.queue = {bad, "w"};
    seen.raw = {{bad, bad + bad}};
    shown.tell(seen, static_cast<std::size_t>(number++) % shown.stores.watch().stores().size());
  }
}

}  // namespace

class WatchScreenTest : public QObject {
  Q_OBJECT

 private slots:
  // ---- cells

  void whatDoesNotFitEndsWithAMark() {
    QCOMPARE(presented("orders", 6, Letters::kUtf8), std::string("orders"));
    QCOMPARE(presented("orders", 5, Letters::kUtf8), std::string("orde…"));
    QCOMPARE(presented("orders", 5, Letters::kAscii), std::string("orde~"));
    QCOMPARE(presented("orders", 0, Letters::kUtf8), std::string());
  }
  void wideCharactersTakeTwoCells() {
    QCOMPARE(width_of(presented(kWide, 10, Letters::kUtf8)), std::size_t{4});
    QCOMPARE(presented(kWide + kWide, 5, Letters::kUtf8), kWide + "…");
    QCOMPARE(presented(kWide + kWide, 4, Letters::kUtf8), std::string("例…"));
    QCOMPARE(presented("例", 20, Letters::kAscii), std::string("\\xe4\\xbe\\x8b"));
  }
  void whatMovesACursorOrTakesNoCellIsSpelled() {
    QCOMPARE(presented(kClear, 40, Letters::kUtf8), std::string("\\x1b[2J"));
    QCOMPARE(presented("a" + kNothing + "b", 40, Letters::kUtf8), std::string("a\\xe2\\x80\\x8bb"));
    QCOMPARE(presented(kAccent, 40, Letters::kUtf8), std::string("e\\xcc\\x81"));
    QCOMPARE(presented(kTurned, 40, Letters::kUtf8), std::string("\\xe2\\x80\\xae"));
  }
  void whereThereIsOnlyAsciiOurOwnSignsAreSpelledOut() {
    QCOMPARE(presented("≥ 4.2 s · –", 40, Letters::kAscii), std::string(">= 4.2 s - -"));
  }
  void longTextsGoOnInTheNextLine() {
    const std::vector<std::string> lines = wrapped("abcdefghij", 4, 3, Letters::kUtf8);
    QCOMPARE(lines.size(), std::size_t{3});
    QCOMPARE(lines[0] + "|" + lines[1] + "|" + lines[2], std::string("abcd|efgh|…"));
  }

  void theBarCountsDown_data() {
    QTest::addColumn<double>("left");
    QTest::addColumn<double>("transition");
    QTest::addColumn<QString>("bar");
    QTest::addColumn<QString>("plain");
    QTest::newRow("whole") << 1.0 << 0.0 << "████"
                           << "####";
    QTest::newRow("half") << 0.5 << 0.0 << "··██"
                          << "..##";
    QTest::newRow("with its transition at the end") << 1.0 << 0.5 << "██▒▒"
                                                    << "##==";
    QTest::newRow("in transition") << 0.25 << 0.25 << "···▒"
                                   << "...=";
    QTest::newRow("nearly over") << 0.01 << 0.0 << "···▐"
                                 << "...#";
    QTest::newRow("over") << 0.0 << 0.0 << "····"
                          << "....";
  }
  void theBarCountsDown() {
    QFETCH(double, left);
    QFETCH(double, transition);
    QFETCH(QString, bar);
    QFETCH(QString, plain);
    LeaseShares shares;
    shares.left = left;
    shares.transition = transition;
    QCOMPARE(QString::fromStdString(bar_text(shares, 4, Letters::kUtf8)), bar);
    QCOMPARE(QString::fromStdString(bar_text(shares, 4, Letters::kAscii)), plain);
  }
  void ofWhatIsNotObservedTheBarSaysSo() {
    LeaseShares shares;
    shares.unobserved = true;
    QCOMPARE(bar_text(shares, 3, Letters::kUtf8), std::string("???"));
  }

  // ---- the picture

  void noLineIsWiderThanTheTerminal_data() {
    QTest::addColumn<int>("columns");
    QTest::addColumn<int>("rows");
    for (const auto& [columns, rows] :
         {std::pair(1, 1), {5, 3}, {39, 24}, {40, 10}, {60, 20}, {80, 24}, {120, 40}, {200, 60}})
      QTest::addRow("%d x %d", columns, rows) << columns << rows;
  }
  void noLineIsWiderThanTheTerminal() {
    QFETCH(int, columns);
    QFETCH(int, rows);
    const ScreenSize size{static_cast<std::size_t>(columns), static_cast<std::size_t>(rows)};
    for (const Letters letters : {Letters::kUtf8, Letters::kAscii}) {
      Shown shown({"redis://" + std::string(90, 'h'), "postgresql://host/db"}, letters);
      tell_of_bad_names(shown);
      shown.message = kClear + std::string(500, 'm');
      // The table, what is looked for, one in detail to its end, the keys.
      for (const Key::Kind key : {Key::kDown, Key::kEnter, Key::kEnd, Key::kEscape}) {
        shown.press(key);
        fits(shown.picture(size), size, letters);
      }
      shown.type("?");
      fits(shown.picture(size), size, letters);
      shown.type("/m");
      fits(shown.picture(size), size, letters);
      shown.stores.blind(0, kClear + "refused");
      fits(shown.picture(size), size, letters);
    }
  }

  void whatGoesFirstWhereItIsNarrow() {
    Shown shown({"redis://eu", "redis://us"});
    tell_of_orders(shown);
    const auto has = [&](std::size_t columns, const QStringList& there, const QStringList& gone) {
      const QString titles = shown.titles({columns, 24});
      for (const QString& each : there) QVERIFY2(titles.contains(each), qPrintable(each + " in: " + titles));
      for (const QString& each : gone) QVERIFY2(!titles.contains(each), qPrintable(each + " not in: " + titles));
    };
    has(60, {"Mutex", "Owner", "State", "Lease left", "Held for", "Waiters"}, {"Token", "Store", "System"});
    has(80, {"Token", "Store"}, {"Hand-offs/h", "Last change", "System"});
    has(100, {"Token", "Store", "Hand-offs/h"}, {"Last change", "System"});
    has(120, {"Hand-offs/h", "Last change", "System"}, {});
    has(200,
        {"Mutex", "Store", "System", "Owner", "Held for", "Lease left", "Waiters", "Token", "Hand-offs/h",
         "Last change", "State"},
        {});
  }
  void aLoneStoreStandsAboveTheTable() {
    Shown shown;
    tell_of_orders(shown);
    QVERIFY2(!shown.titles({100, 24}).contains("Store"), qPrintable(shown.titles({100, 24})));
    QVERIFY(shown.lines()[0].contains("redis://host · read only"));
  }
  void theBarHasRoomWhereItIsWide() {
    Shown shown({"redis://eu", "redis://us"});
    tell_of_orders(shown);
    QVERIFY(!shown.text({80, 24}).contains("█"));
    QVERIFY(shown.text({120, 24}).contains("█"));
  }

  void whoOwnsWhatStandsInItsRow() {
    Shown shown;
    tell_of_orders(shown);
    const QString row = shown.lines().filter("orders").first();
    for (const char* words : {"api-2:873", "≥ 1.0 s", "7.0 s", " 2 ", "8812", "held", "≤ 00:01:40"})
      QVERIFY2(row.contains(words), qPrintable(row + " | " + words));
    QVERIFY(shown.text().contains("1 mutex: 1 held"));
  }
  void ofWhatIsNotObservedNothingIsClaimed() {
    Shown shown;
    tell_of_orders(shown);
    shown.tell(WatchedByHand::seen("orders", "api-2:873", 8812, 7s));
    shown.stores.blind(0, "connection refused");
    shown.stores.pass(10s);
    const QStringList lines = shown.lines();
    const QString row = lines.filter("api-2:873").first();
    QVERIFY2(row.contains("not observed") && row.contains("≥ 1.0 s") && !row.contains("7.0 s"), qPrintable(row));
    QVERIFY2(lines[2].startsWith("! Not observed · redis://host: connection refused · for 10.0 s"),
             qPrintable(lines[2]));
    QVERIFY(shown.text().contains("1 not observed"));
  }
  void aTerminalThatIsTooSmallIsTold() {
    Shown shown;
    tell_of_orders(shown);
    QVERIFY2(shown.lines({39, 24})[0].startsWith("too small: 39 × 24, at least 40 × 10"),
             qPrintable(shown.lines({39, 24})[0]));
    QVERIFY(shown.lines({200, 9})[0].startsWith("too small"));
    QCOMPARE(shown.lines({3, 2}).size(), 2);
  }
  void whatWasComplainedOfStandsBelow() {
    Shown shown;
    shown.message = "redis://host: answers";
    const QStringList lines = shown.lines();
    QCOMPARE(lines[lines.size() - 2], QString("redis://host: answers"));
    QVERIFY(lines.last().startsWith("? keys"));
  }
  void eventsStandBelowTheTableUntilTheyAreNotWanted() {
    Shown shown;
    shown.stores.all_seen();
    shown.stores.pass(1s);
    tell_of_orders(shown);
    QVERIFY2(shown.text().contains("orders  granted to api-2:873 #8812"), qPrintable(shown.text()));
    shown.type("e");
    QVERIFY(!shown.text().contains("granted to"));
    shown.type("e");
    QVERIFY(shown.text().contains("granted to"));
    QVERIFY(!shown.text({120, 15}).contains("granted to"));  // no room
  }

  // All are looked at when something has changed, four times a second at most, and once a second while time goes by;
  // never because a picture is made.
  void aPictureOfTenThousandLooksAtThoseThatAreSeen() {
    Shown shown;
    for (int i = 0; i < 10'000; ++i)
      shown.tell(WatchedByHand::seen("m" + std::to_string(i), "o" + std::to_string(i % 500), static_cast<Token>(i + 1),
                                     Duration(5s) + i * 1ms));
    shown.picture();
    const MutexList& list = shown.screen.list();
    QCOMPARE(list.rows(), std::size_t{10'000});
    const auto looks = list.looks(), arranged = list.arranged();
    for (int i = 0; i < 50; ++i) {
      shown.press(Key::kPageDown);
      shown.picture();
    }
    QCOMPARE(list.looks(), looks);
    QCOMPARE(list.arranged(), arranged);
    for (int i = 0; i < 20; ++i) {  // a second in which all the time something changes
      shown.stores.pass(50ms);
      shown.screen.note_change();
      shown.picture();
    }
    QCOMPARE(list.looks(), looks + 4);
    for (int i = 0; i < 20; ++i) {  // and two in which nothing does
      shown.stores.pass(100ms);
      shown.picture();
    }
    QVERIFY2(list.looks() - looks <= 4 + 3, qPrintable(QString::number(list.looks() - looks)));
  }
  void theyArePutInOrderOnlyWhereTheyAreNot() {
    Shown shown;
    for (int i = 0; i < 100; ++i) shown.tell(WatchedByHand::seen("m" + std::to_string(100 + i), "o", 1, 50s));
    shown.picture();
    const auto sorts = shown.screen.list().sorts();
    for (int i = 0; i < 10; ++i) {
      shown.stores.pass(1s);
      shown.tell(WatchedByHand::seen("m150", "o" + std::to_string(i), static_cast<Token>(2 + i), 50s));
      shown.picture();
    }
    QCOMPARE(shown.screen.list().sorts(), sorts);  // by name
  }

  // ---- one mutex, alerts

  void oneInDetailSaysWhatIsKnownAndWhatIsNot() {
    Shown shown;
    Sighting seen = WatchedByHand::seen("orders", "api-1", 7, 16s);
    seen.ttl_left = 10s;
    seen.raw = {{"simba:{orders}", "api-1"}};
    shown.tell(seen);
    shown.stores.pass(4s);
    seen.owner = "api-2";
    seen.token = 8;
    seen.queue = {"api-3", "api-4"};
    shown.tell(seen);
    shown.stores.pass(2s);
    shown.picture();
    shown.press(Key::kEnter);
    const QString page = shown.text({100, 50});
    for (const char* words :
         {"orders", "redis://host · simba", "State", "held", "api-2", "Not before", "00:01:39.998", "14.0 s left",
          "for 16.0 s", "Transition", "Looked at", "2.0 s ago", "Owners · since · for · token", "api-1",
          "≤ 00:01:40.000", "Wait queue", "api-3", "api-4", "simba:{orders}"})
      QVERIFY2(page.contains(words), qPrintable(QString(words) + "\n" + page));
    QVERIFY(page.indexOf("api-2") < page.indexOf("api-1"));
    shown.press(Key::kEscape);
    QVERIFY(shown.text().contains("Held for"));
  }
  void waitersThatWereCountedBeforeSaySo() {
    Shown shown;
    Sighting seen = WatchedByHand::seen("orders", "api-1", 7, 60s);
    seen.waiters = 3;
    seen.waiters_are_of_now = false;
    seen.waiters_counted = shown.stores.now();
    shown.tell(seen);
    shown.picture();
    shown.press(Key::kEnter);
    QVERIFY2(!shown.text({100, 50}).contains("counted"), qPrintable(shown.text({100, 50})));
    shown.stores.pass(12s);
    shown.tell(seen);
    QVERIFY2(shown.text({100, 50}).contains("3, counted 12.0 s ago"), qPrintable(shown.text({100, 50})));
  }
  void whatAStoreDoesNotTellIsSaid() {
    Shown shown;
    shown.tell(WatchedByHand::seen("orders", "api-1"));
    shown.stores.blind(0, "connection refused");
    shown.picture();
    shown.press(Key::kEnter);
    const QString page = shown.text({100, 50});
    for (const char* words :
         {"not observed: connection refused", "api-1, when it was last seen", "none is known",
          "not known: it may be over", "the store does not tell", "it was so when it was first seen"})
      QVERIFY2(page.contains(words), qPrintable(QString(words) + "\n" + page));
  }
  void ofManyAlertsItIsSaidHowManyMore() {
    Shown shown({"redis://a", "redis://b", "redis://c", "redis://d", "redis://e"});
    for (std::size_t i = 0; i < 5; ++i) shown.stores.blind(i, "refused");
    const QStringList lines = shown.lines();
    QVERIFY2(lines[2].contains("redis://a") && lines[3].contains("redis://b") && lines[4] == "and 3 more",
             qPrintable(shown.text()));
  }

 private:
  // As many lines as there are rows, none too wide, and nothing in them that a terminal would not just show.
  void fits(const std::vector<TextLine>& lines, ScreenSize size, Letters letters) {
    QCOMPARE(lines.size(), size.rows);
    for (const TextLine& line : lines) {
      const std::string text = line.text();
      QVERIFY2(width_of(text) <= size.columns, text.c_str());
      QCOMPARE(presented(text, size.columns, letters), text);
      if (letters == Letters::kAscii)
        QVERIFY2(std::all_of(text.begin(), text.end(), [](char c) { return c >= ' ' && c < 0x7f; }), text.c_str());
    }
  }
};

LEASESCOPE_SUITE(WatchScreenTest)
#include "watch_screen_test.moc"
