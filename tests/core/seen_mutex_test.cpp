// What looks from outside prove, and within which bounds.
#include <random>

#include "core/observe/seen_mutex.h"

#include "core/base/glob.h"
#include "core/history/history.h"
#include "core/history/ownership.h"
#include "core/history/recorder.h"
#include "core/observe/watch.h"
#include "core/observe/watched_row.h"
#include "tests/support/suite.h"
#include "tests/support/watched_by_hand.h"

using namespace leasescope;
using namespace std::chrono_literals;

namespace {

TrueTime at(Duration since) { return TrueTime(since); }

// One mutex that is looked at; each look takes 2 ms.
struct Seen {
  History history;
  SeenMutex book{{history.names.intern("orders"), history.names.intern("redis")},
                 [this](const Event& event) {
                   history.events.push_back(event);
                   return history.last();
                 },
                 [this](std::string_view text) { return history.names.intern(text); }};

  void look(Duration when, const char* owner, Token token = kNoToken, std::optional<Duration> left = {},
            Duration grain = 1ms) {
    Sighting seen;
    seen.mutex = "orders";
    seen.owner = owner;
    seen.token = token;
    seen.left = left;
    seen.left_grain = grain;
    seen.asked = at(when);
    seen.answered = at(when + 2ms);
    book.see(seen);
  }
  void look_at_nobody(Duration when, std::uint64_t changes) {
    Sighting seen;
    seen.mutex = "orders";
    seen.changes = changes;
    seen.asked = at(when);
    seen.answered = at(when + 2ms);
    book.see(seen);
  }
  void look_at_line(Duration when, const char* owner, const std::vector<std::string>& queue,
                    std::optional<std::uint32_t> waiters = {}, bool now = true) {
    Sighting seen;
    seen.mutex = "orders";
    seen.owner = owner;
    seen.queue = queue;
    seen.waiters = waiters;
    seen.waiters_are_of_now = now;
    seen.asked = at(when);
    seen.answered = at(when + 2ms);
    book.see(seen);
  }
  void look_beside(Duration when, const std::vector<std::string>& holders, std::uint32_t unread = 0) {
    Sighting seen;
    seen.mutex = "orders";
    share(seen, holders, unread);
    seen.asked = at(when);
    seen.answered = at(when + 2ms);
    book.see(seen);
  }
  // "granted a #1 1.000-2.002" of all but the first two, which say that nothing was known before.
  QStringList told() const {
    QStringList out;
    for (std::size_t i = 2; i < history.events.size(); ++i) {
      const Event& event = history.events[i];
      out << QStringLiteral("%1 %2 %3-%4")
                 .arg(QString::fromUtf8(text(event.kind).data()))
                 .arg(QString::fromUtf8(history.names.text(event.node).data()))
                 .arg(static_cast<double>(event.lo.time_since_epoch().count()) / 1e9, 0, 'f', 3)
                 .arg(static_cast<double>(event.hi.time_since_epoch().count()) / 1e9, 0, 'f', 3);
    }
    return out;
  }
};

}  // namespace

class SeenMutexTest : public QObject {
  Q_OBJECT
 private slots:
  void beforeTheFirstLookNothingIsKnown() {
    Seen seen;
    QVERIFY(seen.book.known() == SeenMutex::Known::kNothing);
    seen.look(1s, "a", 7, 5s);
    QVERIFY(seen.history.events[0].kind == EventKind::kUnobservedBegan);
    QVERIFY(seen.history.events[1].kind == EventKind::kUnobservedEnded);
    QCOMPARE(seen.told(), QStringList{"granted a 1.000-1.002"});
    QCOMPARE(seen.history.events[2].token, Token{7});
    QVERIFY(seen.book.since_lo() == TrueTime::min());  // for how long before nobody knows
    QVERIFY(seen.book.known() == SeenMutex::Known::kHeld);
  }
  // A lease of 10 s, which began at 0.5 s: what is left is 9, 8, 7, however often it is asked in the same second.
  void whatIsLeftInWholeSecondsIsNoRenewal() {
    Seen seen;
    seen.look(600ms, "a", 7, 9s, 1s);
    seen.look(1400ms, "a", 7, 9s, 1s);
    seen.look(1550ms, "a", 7, 8s, 1s);
    seen.look(2450ms, "a", 7, 8s, 1s);
    QCOMPARE(seen.told(), QStringList{"granted a 0.600-0.602"});
    QVERIFY(seen.book.end_lo() > at(10400ms) && seen.book.end_hi() < at(10600ms));
    seen.look(3s, "a", 7, 9s, 1s);  // it would be 7
    QCOMPARE(seen.told().size(), 2);
    QVERIFY(seen.told().back().startsWith("renewed a"));
  }
  // It was looked for, and was not there: that is not the same as not to have looked.
  void whoComesLaterThanTheFirstLookAtAllWasFreeBefore() {
    Seen seen;
    seen.book.was_free(at(1s));
    seen.book.heard_grant("a", at(7s));
    seen.look(8s, "a", 1, 5s);
    QCOMPARE(seen.history.events.size(), std::size_t{1});
    QVERIFY(seen.history.events[0].kind == EventKind::kGranted && seen.history.events[0].lo == at(7s));
  }
  void whoIsSeenToHoldWasGrantedItSinceTheLastLook() {
    Seen seen;
    seen.look(1s, "");
    seen.look(2s, "a", 1, 5s);
    QCOMPARE(seen.told(), QStringList{"granted a 1.000-2.002"});
    QVERIFY(seen.book.since_lo() == at(1s) && seen.book.since_hi() == at(2002ms));
  }
  void aMessageTellsMoreCloselyWhen() {
    Seen seen;
    seen.look(1s, "");
    seen.book.heard_grant("a", at(1750ms));
    seen.look(2s, "a", 1, 5s);
    seen.book.heard_release("a", at(3500ms));
    seen.look(4s, "");
    QCOMPARE(seen.told(), (QStringList{"granted a 1.750-2.002", "released a 3.500-4.002"}));
  }
  // By a message of another's grant nothing is told more closely.
  void aMessageAboutAnotherDoesNot() {
    Seen seen;
    seen.look(1s, "");
    seen.book.heard_grant("b", at(1750ms));
    seen.look(2s, "a", 1, 5s);
    QCOMPARE(seen.told(), QStringList{"granted a 1.000-2.002"});
  }
  void aLeaseThatEndsLaterThanItCouldWasRenewed() {
    Seen seen;
    seen.look(0s, "a", 1, 5s);
    seen.look(1s, "a", 1, 4s);
    seen.look(4s, "a", 1, 4s);
    QCOMPARE(seen.told(), (QStringList{"granted a 0.000-0.002", "renewed a 1.000-4.002"}));
    QVERIFY(seen.book.end_lo() == at(7998ms));
  }
  void looksMakeTheEndMoreCertain() {
    Seen seen;
    seen.look(0s, "a", 1, 5s);
    QVERIFY(seen.book.end_lo() == at(4997500us) && seen.book.end_hi() == at(5005500us));  // by clocks that go apart
    seen.look(1s, "a", 1, 4s);
    QVERIFY(seen.book.end_lo() == at(4998ms) && seen.book.end_hi() == at(5005ms));
  }
  void whatIsOverBeforeItCouldRunOutWasReleased() {
    Seen seen;
    seen.look(0s, "a", 1, 5s);
    seen.look(2s, "");
    seen.look(3s, "b", 2, 5s);
    QCOMPARE(seen.told(), (QStringList{"granted a 0.000-0.002", "released a 0.000-2.002", "granted b 2.000-3.002"}));
    QCOMPARE(seen.book.handoffs(), std::uint64_t{1});
  }
  void whatIsOverLaterRanOut() {
    Seen seen;
    seen.look(0s, "a", 1, 5s);
    seen.look(6s, "b", 2, 5s);
    QCOMPARE(seen.told(), (QStringList{"granted a 0.000-0.002", "expired a 0.000-6.002", "granted b 0.000-6.002"}));
  }
  void aLockOfASessionIsReleased() {
    Seen seen;
    seen.look(0s, "a", 1);
    QVERIFY(seen.book.end_hi() == TrueTime::max());
    seen.look(60s, "");
    QCOMPARE(seen.told().last(), QStringLiteral("released a 0.000-60.002"));
  }
  void aLeaseWhoseEndWasTakenAwayHasNone() {
    Seen seen;
    seen.look(0s, "a", 1, 5s);
    seen.look(1s, "a", 1);
    QVERIFY(seen.book.end_lo() == TrueTime::max() && seen.book.end_hi() == TrueTime::max());
    seen.look(2s, "a", 1, Duration::max());  // as good as none
    QVERIFY(seen.book.end_hi() == TrueTime::max());
    seen.look(3s, "a", 1, 5s);
    QVERIFY(seen.book.end_lo() > at(7s) && seen.book.end_hi() < at(9s));
    QCOMPARE(seen.told(), QStringList{"granted a 0.000-0.002"});
  }
  void anotherTokenOfTheSameOwnerIsAnotherTerm() {
    Seen seen;
    seen.look(0s, "a", 1, 5s);
    seen.look(1s, "a", 2, 5s);
    QCOMPARE(seen.told(), (QStringList{"granted a 0.000-0.002", "released a 0.000-1.002", "granted a 0.000-1.002"}));
    QCOMPARE(seen.book.handoffs(), std::uint64_t{0});
  }
  void whileTheStoreIsSilentNobodyIsSaidToBeGone() {
    Seen seen;
    seen.look(0s, "a", 1, 5s);
    seen.book.blind(at(3s));
    seen.book.blind(at(4s));
    QVERIFY(seen.book.known() == SeenMutex::Known::kNothing);
    seen.look(20s, "a", 1, 4s);
    QCOMPARE(seen.told(), (QStringList{"granted a 0.000-0.002", "unobserved_began redis 3.000-3.000",
                                       "unobserved_ended redis 20.000-20.002", "renewed a 0.000-20.002"}));
    QVERIFY(seen.book.known() == SeenMutex::Known::kHeld);
  }
  // Whoever took it and gave it back between two looks.
  void whatTheStoreCountedBetweenTwoLooksThatFindItFreeWasNotObserved() {
    Seen seen;
    seen.look_at_nobody(1s, 4);
    seen.look_at_nobody(2s, 4);
    QCOMPARE(seen.told(), QStringList{});
    seen.look_at_nobody(3s, 6);
    QCOMPARE(seen.told(), (QStringList{"unobserved_began redis 2.000-2.000", "unobserved_ended redis 3.000-3.002"}));
    QVERIFY(seen.book.known() == SeenMutex::Known::kFree && seen.book.since_hi() == at(3002ms));
    seen.look(4s, "a", 8, 5s);  // that of before ended, or this began, in between: nothing is claimed
    seen.look_at_nobody(5s, 11);
    QCOMPARE(seen.told().size(), 4);
  }
  void anAnswerOfALookBeforeTheLastIsNotTaken() {
    Seen seen;
    seen.look(2s, "b", 2, 5s);
    seen.look(1s, "a", 1, 5s);
    QCOMPARE(seen.told(), QStringList{"granted b 2.000-2.002"});
  }
  void patternsAreThoseOfAShell() {
    QVERIFY(is_like("*", "") && is_like("orders", "orders") && is_like("or*s", "orders") &&
            is_like("o?ders*", "orders"));
    QVERIFY(!is_like("orders", "order") && !is_like("?", "") && !is_like("*x", "orders") &&
            is_like("*a*b*", "xxaxxbxx"));
    QVERIFY(is_like("***", "a") && is_like("*?", "*"));
  }
  void thoseWhoHoldBesideEachOtherComeAndGoForThemselves() {
    Seen seen;
    seen.look_beside(0s, {"a"});
    seen.look_beside(1s, {"a", "b"});
    seen.look_beside(2s, {"b", "b"});  // two permits of one
    seen.look_beside(3s, {});
    QCOMPARE(seen.told(), (QStringList{"granted a 0.000-0.002", "granted b 0.000-1.002", "released a 1.000-2.002",
                                       "released b 2.000-3.002"}));
    for (const Event& event : seen.history.events)
      if (event.kind == EventKind::kGranted) QCOMPARE(event.detail, static_cast<std::uint8_t>(GrantKind::kShared));
    QCOMPARE(seen.book.handoffs(), std::uint64_t{0});
    QVERIFY(seen.book.known() == SeenMutex::Known::kFree);
  }
  void aWriterAfterReadersIsAHandoffAndOtherReadersAreNone() {
    Seen seen;
    seen.look_beside(0s, {"a", "b"});
    seen.look_beside(1s, {"c"});  // nobody held on
    QCOMPARE(seen.book.handoffs(), std::uint64_t{0});
    seen.look(2s, "d");
    QCOMPARE(seen.book.handoffs(), std::uint64_t{1});
    QCOMPARE(seen.told(), (QStringList{"granted a 0.000-0.002", "granted b 0.000-0.002", "released a 0.000-1.002",
                                       "released b 0.000-1.002", "granted c 0.000-1.002", "released c 1.000-2.002",
                                       "granted d 1.000-2.002"}));
  }
  // Who stood behind the first few, and was not asked for, may have held as long as they.
  void whoWasNotAskedForMayHaveHeldBefore() {
    Seen seen;
    seen.look(0s, "");
    seen.look_beside(1s, {"a", "b"}, 1);
    seen.look_beside(5s, {"b", "c"});
    QCOMPARE(seen.told().last(), QStringLiteral("granted c 0.000-5.002"));
  }
  void severalHoldersAreNamedUpToAFew() {
    Sighting seen;
    share(seen, {"a", "b"});
    QCOMPARE(owner_text(seen), std::string("2: a, b"));
    seen.permits = 5;
    QCOMPARE(owner_text(seen), std::string("2 of 5: a, b"));
    share(seen, {"a", "b", "c", "d", "e", "f", "g"}, 3);
    seen.permits.reset();
    QCOMPARE(owner_text(seen), std::string("10: a, b, c, d, e and 5 more"));
    QVERIFY(seen.is_held_by("g") && !seen.is_held_by("h"));
  }
  void theHistoryOfThoseBesideEachOtherNamesAllAndHasNoIncident() {
    Seen seen;
    seen.look_beside(1s, {"a", "b"});
    seen.look_beside(2s, {"a", "b", "c"});
    const Name orders = seen.history.names.intern("orders");
    Ownership of(Legend{}, orders);
    Recorder recorder(seen.history.names, {});
    for (const Event& event : seen.history.events) {
      of.append(event, seen.history.names);
      recorder.append(event);
    }
    recorder.finish(at(3s));
    QCOMPARE(of.at(at(3s)).surely.size(), std::size_t{3});
    QVERIFY(recorder.history().incidents.empty());
    QCOMPARE(recorder.history().summary.handoffs, std::uint64_t{0});
  }
  void whoWaitsIsToldWhenHeComesAndWhenHeIsGone() {
    Seen seen;
    seen.look_at_line(1s, "a", {"b"});
    seen.look_at_line(2s, "a", {"b", "c", "b"});
    QCOMPARE(seen.told(), (QStringList{"granted a 1.000-1.002", "queued b 1.000-1.002", "queued c 1.000-2.002"}));
    QCOMPARE(seen.history.events.back().a, std::int64_t{2});
    seen.look_at_line(3s, "b", {"c"});
    QCOMPARE(seen.told().mid(3),
             (QStringList{"released a 2.000-3.002", "granted b 2.000-3.002", "dequeued b 2.000-3.002"}));
    seen.book.blind(at(4s));
    seen.look_at_line(9s, "b", {});
    QCOMPARE(seen.told().back(), QString("dequeued c 3.000-9.002"));
  }
  void whereNobodySaysWhoWaitsSomebodyDoes() {
    Seen seen;
    seen.look_at_line(1s, "a", {}, 3);
    seen.look_at_line(2s, "a", {}, 2);
    QCOMPARE(seen.told(), (QStringList{"granted a 1.000-1.002", "queued somebody 1.000-1.002"}));
    // What was counted a while ago says nothing of now: it was so from one count to the next.
    seen.look_at_line(3s, "a", {}, 0, false);
    QCOMPARE(seen.told().size(), 2);
    seen.look_at_line(4s, "a", {}, 0);
    QCOMPARE(seen.told().back(), QString("dequeued somebody 2.000-4.002"));
    seen.look_at_line(5s, "a", {}, 1, false);
    seen.look_at_line(6s, "a", {}, 1);
    QCOMPARE(seen.told().back(), QString("queued somebody 4.000-6.002"));
  }
  void ofALongLineTheFirstAreTold() {
    Seen seen;
    std::vector<std::string> line;
    for (int i = 0; i < 500; ++i) line.push_back(std::to_string(i));
    seen.look_at_line(1s, "a", line);
    QCOMPARE(seen.told().size(), 21);
  }
  void aRowSaysForHowLongAtLeast() {
    Seen seen;
    seen.look(10s, "a", 3, 5s);
    WatchedMutex of("orders", "orders", "", 0, std::move(seen.book));
    const WatchedRow row = row_of(of, at(12s));
    QVERIFY(row.state == WatchState::kHeld && row.owner == "a" && row.token == 3);
    QVERIFY(row.lasts_least == Duration(1998ms) && !row.lasts_most);
    QVERIFY(*row.left == Duration(2997500us) && row.age == Duration(1998ms));
    of.book.blind(at(13s));
    QVERIFY(row_of(of, at(14s)).state == WatchState::kNotObserved);
  }
  void waitersThatWereCountedBeforeAreSoOld() {
    Seen seen;
    seen.look_at_line(10s, "a", {}, 3);
    WatchedMutex now("orders", "orders", "", 0, std::move(seen.book));
    QVERIFY(row_of(now, at(12s)).waiters_age == Duration(1998ms));
    QVERIFY(counted_text(row_of(now, at(12s))).empty());  // as old as the rest
    Sighting later = now.book.last();
    later.asked = later.answered = at(30s);
    later.waiters_are_of_now = false;
    later.waiters_counted = at(12s);
    now.book.see(later);
    const WatchedRow row = row_of(now, at(31s));
    QVERIFY(row.age == Duration(1s) && row.waiters == 3U && row.waiters_age == Duration(19s));
    QCOMPARE(counted_text(row), std::string("counted 19.0 s ago"));
    later.asked = later.answered = at(40s);
    later.waiters.reset();
    now.book.see(later);
    QVERIFY(!row_of(now, at(41s)).waiters_age && counted_text(row_of(now, at(41s))).empty());
  }
  // Whoever asks what else somebody owns gets what a look at all of them would tell, however they go from hand to hand.
  void whatSomebodyHoldsIsKnownWithoutALookAtAll() {
    tests::WatchedByHand watched({"redis://a", "redis://b"});
    std::mt19937 draw(7);
    const std::vector<std::string> owners{"a", "b", "c", "d", "e", ""};
    const auto one = [&] { return owners[draw() % owners.size()]; };
    for (int i = 0; i < 4'000; ++i) {
      Sighting seen = tests::WatchedByHand::seen("m" + std::to_string(draw() % 40), one(), Token(i + 1));
      if (draw() % 4 == 0 && !seen.owner.empty()) share(seen, {one() + "x", one() + "x", seen.owner});
      watched.tell(seen, draw() % 2);
      watched.pass(10ms);
      const std::vector<std::string> asked{one(), one() + "x"};
      std::vector<const WatchedMutex*> expected;
      for (const auto& each : watched.watch().mutexes()) {
        const Sighting& last = each->book.last();
        if (last.is_held_by(asked[0]) || last.is_held_by(asked[1])) expected.push_back(each.get());
      }
      QVERIFY2(watched.watch().held_by(asked) == expected, std::to_string(i).c_str());
    }
  }
  // However many mutexes it has, and if there is none.
  void aStoreThatCannotBeSeenIsToldOfOnce() {
    tests::WatchedByHand watched({"redis://a", "redis://b"});
    watched.tell(tests::WatchedByHand::seen("orders", "x"));
    watched.tell(tests::WatchedByHand::seen("bills", "y"));
    watched.pass(1s);
    const TrueTime since = watched.now();
    watched.blind(0, "gone");
    watched.pass(1s);
    watched.blind(0, "refused");
    watched.blind(1, "gone");
    watched.pass(1s);
    watched.sighted(0);
    watched.sighted(0);
    watched.watch().remove(1);
    watched.watch().remove(0);
    QStringList told;
    const History& history = watched.watch().history();
    for (const Event& each : history.events) {
      if (each.kind != EventKind::kDisconnected && each.kind != EventKind::kConnected) continue;
      QVERIFY(each.mutex.empty());
      told << QString::fromStdString(std::string(text(each.kind)) + " " + std::string(history.names.text(each.node)));
      told.back() += QString(" %1").arg((each.hi - since) / 1ms);
    }
    QCOMPARE(told,
             (QStringList{"disconnected redis://a 0", "disconnected redis://b 1000", "connected redis://a 2000"}));
  }
  // Where nothing was asked for a while it was seen nevertheless, as long as it would have told of a change.
  void aStoreIsAwaySinceItWouldHaveTold() {
    tests::WatchedByHand watched;
    watched.tell(tests::WatchedByHand::seen("orders", "x"));
    const TrueTime asked = watched.now();
    watched.pass(10s);
    watched.quiet(watched.now());
    watched.blind(0, "gone", asked);
    const std::vector<Event>& events = watched.watch().history().events;
    const auto away = std::find_if(events.begin(), events.end(),
                                   [](const Event& each) { return each.kind == EventKind::kDisconnected; });
    QVERIFY(away != events.end());
    QCOMPARE(away->lo, watched.now());
  }
  void aLengthIsShort() {
    for (const auto& [length, words] : {std::pair<Duration, const char*>{4200ms, "4.2 s"},
                                        {12min + 5s, "12:05"},
                                        {3h + 12s, "3:00:12"},
                                        {76h + 12min, "3 d 04:12"}})
      QCOMPARE(QString::fromStdString(length_text(length)), QString::fromLatin1(words));
  }
};

LEASESCOPE_SUITE(SeenMutexTest)
#include "seen_mutex_test.moc"
