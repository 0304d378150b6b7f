// Who owned what at a moment that is past, as a watch saw it: surely, perhaps, or not observed.
#include "core/observe/past_watch.h"
#include "tests/support/suite.h"
#include "tests/support/watched_by_hand.h"

#include <QTest>

using namespace leasescope;
using namespace leasescope::tests;
using namespace std::chrono_literals;

namespace {

TrueTime at_ms(int ms) { return TrueTime{} + std::chrono::milliseconds(ms); }

}  // namespace

class PastWatchTest : public QObject {
  Q_OBJECT

  // orders, looked at first at 100 s: a, and nobody from 105 s on; blind from 110 s to 115 s, and b since. `past` hears
  // of it as it comes.
  static void watch_orders(WatchedByHand& hand, PastWatch& past) {
    const auto tell = [&](const char* owner, Token token, Duration left) {
      hand.tell(*owner == '\0' ? WatchedByHand::seen("orders", "") : WatchedByHand::seen("orders", owner, token, left));
      past.append(hand.watch().seen_history());
    };
    tell("a", 1, 20s);
    hand.pass(4990ms);
    tell("a", 1, 15010ms);
    hand.pass(10ms);
    tell("", kNoToken, 0s);
    hand.pass(5s);
    tell("", kNoToken, 0s);
    hand.blind(0, "gone");
    hand.pass(5s);
    tell("b", 2, 20s);
    hand.pass(5s);
    past.append(hand.watch().seen_history());
  }

 private slots:
  void itIsToldWhoOwnedItThen_data() {
    QTest::addColumn<int>("ms");
    QTest::addColumn<QString>("owner");
    QTest::addColumn<WatchState>("state");
    QTest::newRow("before it was looked at") << 50'000 << "" << WatchState::kNotObserved;
    QTest::newRow("its owner") << 102'000 << "a" << WatchState::kHeld;
    QTest::newRow("between two looks that differ") << 104'995 << "perhaps a" << WatchState::kNotObserved;
    QTest::newRow("nobody") << 107'000 << "" << WatchState::kFree;
    QTest::newRow("within a gap") << 112'000 << "perhaps b" << WatchState::kNotObserved;
    QTest::newRow("the next one") << 116'000 << "b" << WatchState::kHeld;
  }
  void itIsToldWhoOwnedItThen() {
    QFETCH(const int, ms);
    QFETCH(const QString, owner);
    QFETCH(const WatchState, state);
    WatchedByHand hand;
    PastWatch past;
    watch_orders(hand, past);
    const NameTable& names = hand.watch().seen_history().names;
    const WatchedRow then = past_row(past.of(hand.mutex("orders")), names, at_ms(ms));
    QCOMPARE(QString::fromStdString(then.owner), owner);
    QCOMPARE(then.state, state);
    QVERIFY(!then.left && !then.waiters);
    // The same where all of it is read at once, and by the reckoning of a recording.
    PastWatch late;
    late.append(hand.watch().seen_history());
    QCOMPARE(past_row(late.of(hand.mutex("orders")), names, at_ms(ms)).owner, then.owner);
  }
  // Who held it already when it was first looked at has held it for longer, nobody knows how much.
  void forHowLongItLastedIsNotGuessed() {
    WatchedByHand hand;
    PastWatch past;
    watch_orders(hand, past);
    const NameTable& names = hand.watch().seen_history().names;
    const MutexOwnership* const of = past.of(hand.mutex("orders"));
    const WatchedRow a = past_row(of, names, at_ms(102'000)), b = past_row(of, names, at_ms(116'000));
    QCOMPARE(a.token, Token{1});
    QVERIFY(a.lasts_least == 2s);
    QVERIFY(!a.lasts_most);
    QCOMPARE(b.token, Token{2});
    QVERIFY(b.lasts_least == 1s);
    QVERIFY(b.lasts_most == std::optional<Duration>(6002ms));
  }
  void whoHeldBesideOthersIsNamedBesideThem() {
    WatchedByHand hand;
    Sighting seen = WatchedByHand::seen("docs", "");
    seen.maker = "Redisson";
    seen.system = "read lock";
    share(seen, {"one", "two"});
    hand.tell(seen);
    hand.pass(5s);
    PastWatch past;
    past.append(hand.watch().seen_history());
    const WatchedRow then = past_row(past.of(hand.mutex("docs")), hand.watch().seen_history().names, at_ms(103'000));
    QCOMPARE(then.owner, std::string("2: one, two"));
    QCOMPARE(then.held, 2U);
    QCOMPARE(then.state, WatchState::kHeld);
  }
  void ofWhatNothingWasToldNothingIsKnown() {
    WatchedByHand hand, other;
    other.tell(WatchedByHand::seen("bills", "a", 1, 20s));
    PastWatch past;
    past.append(hand.watch().seen_history());
    QVERIFY(past.of(other.mutex("bills")) == nullptr);
    const WatchedRow then = past_row(nullptr, hand.watch().seen_history().names, at_ms(103'000));
    QCOMPARE(then.state, WatchState::kNotObserved);
    QVERIFY(then.owner.empty());
  }
};

LEASESCOPE_SUITE(PastWatchTest)
#include "past_watch_test.moc"
