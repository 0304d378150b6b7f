// What keys do to the live table of a watch, as text without a terminal: mutexes are put in order, looked for and
// chosen, alerts acknowledged, and it is left.
#include <set>

#include "app/watch/watch_screen.h"
#include "core/alerts/alert_kinds.h"
#include "tests/cli/shown_screen.h"
#include "tests/support/suite.h"
#include "tests/support/watched_by_hand.h"

using namespace leasescope;
using namespace leasescope::ctl;
using namespace leasescope::tests;
using namespace std::chrono_literals;

class WatchScreenKeysTest : public QObject {
  Q_OBJECT

 private slots:
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

  // ---- alerts and the other keys

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
};

LEASESCOPE_SUITE(WatchScreenKeysTest)
#include "watch_screen_keys_test.moc"
