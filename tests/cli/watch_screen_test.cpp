// The live table of a watch as text, without a terminal: what stands where, at any width, whatever others call their
// mutexes, and what keys do.
#include "app/watch/watch_screen.h"

#include <algorithm>
#include <set>

#include "app/watch/mutex_page.h"
#include "core/alerts/alert_kinds.h"
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
constexpr ScreenSize kUsual{120, 30};

// A watch, a desk and a screen over them.
struct Shown {
  WatchedByHand stores;
  AlertDesk desk{std::vector<AlertRule>{}};
  WatchScreen screen;
  std::string message;
  Sequence judged = 0;

  explicit Shown(const std::vector<std::string>& names = {"redis://host"}, Letters letters = Letters::kUtf8)
      : stores(names), screen(letters) {}

  void tell(const Sighting& seen, std::size_t store = 0) {
    stores.tell(seen, store);
    screen.note_change();
  }
  WatchNews news() {
    const History& history = stores.watch().history();
    for (; judged < history.last(); ++judged) desk.append(history.event(judged + 1), history.names);
    desk.advance(stores.now(), history.names);
    return {stores.watch(), desk, stores.now(), 0, "", message, message.empty() ? 0U : 1U};
  }
  std::vector<TextLine> picture(ScreenSize size = kUsual) { return screen.lines(news(), size); }
  QStringList lines(ScreenSize size = kUsual) {
    QStringList out;
    for (const TextLine& each : picture(size)) out << QString::fromStdString(each.text());
    return out;
  }
  QString text(ScreenSize size = kUsual) { return lines(size).join('\n'); }
  // Of the table's header.
  QString titles(ScreenSize size) {
    for (const TextLine& each : picture(size))
      if (each.ground == Ground::kHeader && each.text().find("Mutex") != std::string::npos)
        return QString::fromStdString(each.text());
    return {};
  }
  // The mutexes of the table, from above; each is called by one word.
  QStringList rows(ScreenSize size = kUsual) {
    const QStringList all = lines(size);
    QStringList out;
    const auto head =
        std::find_if(all.begin(), all.end(), [](const QString& each) { return each.startsWith(" Mutex"); });
    for (auto at = head == all.end() ? head : head + 1; at != all.end() && !at->mid(1).trimmed().isEmpty(); ++at) {
      if (at->startsWith(" Events") || at->startsWith(" none bears")) break;
      out << at->mid(1).section(' ', 0, 0);
    }
    return out;
  }
  // The row of the chosen one; -1: none is.
  int chosen_line() {
    const auto all = picture();
    for (std::size_t i = 0; i < all.size(); ++i)
      if (all[i].ground == Ground::kChosen) return static_cast<int>(i);
    return -1;
  }

  KeyWish press(Key::Kind kind) { return screen.press({kind}); }
  KeyWish type(const char* letters) {
    KeyWish out = KeyWish::kNone;
    for (const char* at = letters; *at != '\0'; ++at) out = screen.press({Key::kLetter, static_cast<char32_t>(*at)});
    return out;
  }
};

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

// "orders" at two stores, as an operator sees it.
void tell_of_orders(Shown& shown) {
  for (std::size_t store = 0; store < shown.stores.watch().stores().size(); ++store) {
    Sighting seen = WatchedByHand::seen("orders", "api-2:873", 8812, 8s);
    seen.waiters = 2;
    shown.tell(seen, store);
  }
  shown.stores.pass(1s);
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

  // ---- order and words

  void eachColumnSorts_data() {
    QTest::addColumn<int>("column");
    QTest::addColumn<QString>("order");
    const auto row = [](MutexColumn column, const char* order) {
      QTest::newRow(std::string(title(column)).c_str()) << static_cast<int>(column) << order;
    };
    row(MutexColumn::kMutex, "a b c");
    row(MutexColumn::kStore, "b c a");
    row(MutexColumn::kSystem, "c a b");  // curator's, ours, ours
    row(MutexColumn::kOwner, "b c a");   // nobody, x, y
    row(MutexColumn::kHeldFor, "c b a");
    row(MutexColumn::kLease, "c a b");  // no lease: no end
    row(MutexColumn::kWaiters, "c a b");
    row(MutexColumn::kToken, "b c a");
    row(MutexColumn::kHandoffs, "b c a");
    row(MutexColumn::kChanged, "a b c");
    row(MutexColumn::kState, "a c b");
  }
  void eachColumnSorts() {
    QFETCH(int, column);
    QFETCH(QString, order);
    Shown shown({"redis://z", "redis://a"});
    Sighting a = WatchedByHand::seen("a", "x", 8, 20s);
    a.waiters = 1;
    shown.tell(a);
    shown.stores.pass(1s);
    a.owner = "y";
    a.token = 9;
    shown.tell(a);  // a hand-off
    shown.stores.pass(1s);
    Sighting b = WatchedByHand::seen("b", "");
    b.waiters = 3;
    shown.tell(b, 1);
    shown.stores.pass(1s);
    Sighting c = WatchedByHand::seen("c", "x", 5, 5s);
    c.maker = "Curator";
    shown.tell(c, 1);
    const auto wanted = static_cast<MutexColumn>(column);
    shown.picture({200, 30});
    for (std::size_t i = 0; i < kMutexColumns && shown.screen.list().column() != wanted; ++i) shown.type(">");
    QCOMPARE(static_cast<int>(shown.screen.list().column()), column);
    QCOMPARE(shown.rows({200, 30}).join(' '), order);
    shown.type("r");
    QVERIFY(shown.screen.list().descending());
    const QString first = order.section(' ', 0, 0), now = shown.rows({200, 30}).join(' ');
    const std::set<MutexColumn> alike{MutexColumn::kStore, MutexColumn::kSystem, MutexColumn::kHandoffs,
                                      MutexColumn::kState};  // some rows, which stay by name
    if (alike.count(wanted) == 0) QVERIFY2(now.endsWith(first), qPrintable(now));
    QVERIFY2(shown.titles({200, 30}).contains("▼"), qPrintable(shown.titles({200, 30})));
    shown.type("r<");
    QVERIFY(shown.screen.list().column() != wanted);
  }

  void onlyWhatBearsTheWordsIsShown() {
    Shown shown;
    for (const char* name : {"orders-eu", "orders-us", "bills"})
      shown.tell(WatchedByHand::seen(name, std::string("API-") + name, 40 + std::string(name).size(), 5s));
    shown.tell(WatchedByHand::seen("free-one", ""));
    shown.picture();
    shown.type("/");
    shown.type("orders");
    QCOMPARE(shown.rows(), (QStringList{"orders-eu", "orders-us"}));
    QVERIFY2(shown.text().contains("2 of 4 mutexes: 2 held · with orders"), qPrintable(shown.text()));
    shown.type(" api-orders-us");
    QCOMPARE(shown.rows(), QStringList{"orders-us"});
    shown.press(Key::kEscape);
    QCOMPARE(shown.rows().size(), 4);
    shown.type("/45");  // a token, and whole
    QCOMPARE(shown.rows(), QStringList{"bills"});
    shown.press(Key::kBackspace);
    QCOMPARE(shown.rows(), QStringList{});
    QVERIFY(shown.text().contains("none bears these words"));
    shown.press(Key::kEscape);
    shown.type("/free");
    shown.press(Key::kEnter);
    QCOMPARE(shown.rows(), QStringList{"free-one"});
    QVERIFY(shown.type("j") == KeyWish::kNone);  // no letter of the words any more
    shown.press(Key::kEscape);
    QCOMPARE(shown.rows().size(), 4);
  }

  void whatIsChosenStaysChosenWhereverItMovesTo() {
    Shown shown;
    for (int i = 0; i < 60; ++i)
      shown.tell(WatchedByHand::seen("m" + std::to_string(10 + i), "o", static_cast<Token>(1000 + i), 50s));
    shown.picture();
    while (shown.screen.list().column() != MutexColumn::kToken) shown.type(">");
    for (int i = 0; i < 5; ++i) shown.press(Key::kDown), shown.picture();
    const WatchedMutex* const chosen = shown.screen.chosen();
    QVERIFY(chosen != nullptr);
    QCOMPARE(chosen->name, std::string("m14"));
    const int line = shown.chosen_line();
    // It gets the highest token: it is the last now.
    shown.stores.pass(1s);
    shown.tell(WatchedByHand::seen("m14", "p", 9999, 50s));
    shown.picture();
    QVERIFY(shown.screen.chosen() == chosen);
    QVERIFY(shown.chosen_line() >= 0);
    QVERIFY2(shown.lines()[shown.chosen_line()].contains("m14"), qPrintable(shown.text()));
    // And when it is in the middle again, it stands where it stood.
    shown.stores.pass(1s);
    shown.tell(WatchedByHand::seen("m14", "q", 1030, 50s));
    const int there = shown.chosen_line();
    shown.stores.pass(1s);
    shown.tell(WatchedByHand::seen("m14", "r", 1032, 50s));
    QCOMPARE(shown.chosen_line(), there);
    QVERIFY(line >= 0 && shown.lines()[there].contains("m14"));
  }
  void whatDoesNotBearTheWordsIsChosenNoMore() {
    Shown shown;
    for (const char* name : {"a1", "b1"}) shown.tell(WatchedByHand::seen(name, "o", 1, 5s));
    shown.picture();
    shown.press(Key::kHome);
    shown.type("/b");
    shown.picture();
    QVERIFY(shown.screen.chosen() == nullptr);
    QCOMPARE(shown.chosen_line(), -1);
  }
  void oneGoesThroughThemByLineAndByScreen() {
    Shown shown;
    for (int i = 0; i < 60; ++i) shown.tell(WatchedByHand::seen("m" + std::to_string(10 + i), "o", 1, 50s));
    shown.picture();
    const auto chosen = [&] {
      shown.picture();
      return shown.screen.chosen() == nullptr ? std::string() : shown.screen.chosen()->name;
    };
    shown.type("j");
    QCOMPARE(chosen(), std::string("m10"));
    shown.press(Key::kDown);
    QCOMPARE(chosen(), std::string("m11"));
    shown.type("k");
    QCOMPARE(chosen(), std::string("m10"));
    shown.press(Key::kEnd);
    QCOMPARE(chosen(), std::string("m69"));
    QVERIFY(shown.rows().contains("m69"));
    const int seen = static_cast<int>(shown.rows().size());
    shown.press(Key::kPageUp);
    QCOMPARE(chosen(), "m" + std::to_string(69 - seen));
    shown.type("g");
    QCOMPARE(chosen(), std::string("m10"));
    shown.press(Key::kPageUp);
    QCOMPARE(chosen(), std::string("m10"));
    shown.press(Key::kEscape);
    QCOMPARE(chosen(), std::string());
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

  // ---- one mutex, alerts, keys

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
  void anAlertStandsAboveUntilItIsAcknowledged() {
    Shown shown;
    AlertRule rule;
    rule.name = "nobody pays";
    rule.kind = find_alert_kind("no_owner");
    rule.length = 5s;
    shown.desk = AlertDesk({rule});
    shown.tell(WatchedByHand::seen("bills", "fin-1", 3, 50s));
    shown.stores.pass(1s);
    shown.tell(WatchedByHand::seen("bills", ""));
    shown.stores.pass(7s);
    const QStringList lines = shown.lines();
    QVERIFY2(lines[2].startsWith("! nobody pays · bills: nobody has owned it"), qPrintable(shown.text()));
    QVERIFY(shown.picture()[2].ground == Ground::kAlarm);
    QVERIFY(shown.type("a") == KeyWish::kAcknowledge);
    const auto alert = shown.screen.shown_alert();
    QVERIFY(alert.has_value());
    shown.desk.acknowledge(*alert);
    QVERIFY(!shown.text().contains("nobody pays"));
    QVERIFY(!shown.screen.shown_alert().has_value());
  }
  // Nobody acknowledges what he does not see: not what came to stand before it since the picture, what has no room, or
  // what stands on another page.
  void onlyAnAlertThatIsSeenIsAcknowledged() {
    Shown shown({"redis://a", "redis://b", "redis://c"});
    AlertRule slow, quick;
    slow.name = "slow";
    slow.kind = quick.kind = find_alert_kind("no_owner");
    slow.length = 5s;
    slow.mutex = "bills";
    quick.name = "quick";
    quick.length = 1s;
    quick.mutex = "orders";
    shown.desk = AlertDesk({slow, quick});
    for (const char* mutex : {"bills", "orders"}) shown.tell(WatchedByHand::seen(mutex, "fin-1", 3, 50s));
    shown.stores.pass(1s);
    shown.tell(WatchedByHand::seen("bills", ""));
    shown.stores.pass(6s);
    QVERIFY2(shown.lines()[2].startsWith("! slow"), qPrintable(shown.text()));
    const auto seen = shown.screen.shown_alert();
    QVERIFY(seen.has_value());
    // Another begins before it and is found behind it.
    AlertRule early = slow;
    early.name = "early";
    early.length = 1s;
    AlertDesk more({slow, quick, early}, shown.desk, shown.stores.watch().seen_history().names);
    shown.desk = more;
    shown.news();
    QCOMPARE(shown.desk.standing(shown.stores.now()).size(), std::size_t{2});
    QVERIFY(shown.desk.standing(shown.stores.now()).front() != *seen);
    QCOMPARE(shown.screen.shown_alert(), seen);
    QVERIFY2(shown.lines()[2].startsWith("! early"), qPrintable(shown.text()));
    QVERIFY(shown.screen.shown_alert() != seen);
    shown.type("?");
    shown.lines();
    QVERIFY(!shown.screen.shown_alert().has_value());
    shown.type("?");
    for (const std::size_t other : {1, 2}) shown.stores.blind(other, "refused");
    QVERIFY2(shown.text().contains("and 2 more") && !shown.text().contains("! early"), qPrintable(shown.text()));
    QVERIFY(!shown.screen.shown_alert().has_value());
  }
  void ofManyAlertsItIsSaidHowManyMore() {
    Shown shown({"redis://a", "redis://b", "redis://c", "redis://d", "redis://e"});
    for (std::size_t i = 0; i < 5; ++i) shown.stores.blind(i, "refused");
    const QStringList lines = shown.lines();
    QVERIFY2(lines[2].contains("redis://a") && lines[3].contains("redis://b") && lines[4] == "and 3 more",
             qPrintable(shown.text()));
  }
  void qEndsItButNotWhileItIsTyped() {
    Shown shown;
    tell_of_orders(shown);
    shown.picture();
    shown.type("/");
    QVERIFY(shown.type("q") == KeyWish::kNone);
    QVERIFY(shown.text().contains("Show only: q_"));
    shown.press(Key::kEscape);
    QVERIFY(shown.type("q") == KeyWish::kQuit);
  }
  void allKeysAreListed() {
    Shown shown;
    shown.type("?");
    const QString page = shown.text();
    for (const char* words : {"Enter", "PgUp PgDn", "s > <", "acknowledge", "mute", "^C"})
      QVERIFY2(page.contains(words), qPrintable(page));
    shown.type("?");
    QVERIFY(shown.text().contains("no mutex has been seen yet"));
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
