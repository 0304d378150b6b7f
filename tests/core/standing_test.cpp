// The one fold: who is up, believes and holds, and what disturbs whom.
#include "core/history/standing.h"

#include <array>
#include <random>

#include "core/simba/lease_terms.h"
#include "tests/support/suite.h"

#include <QTest>

using namespace leasescope;
using namespace std::chrono_literals;

namespace {

constexpr Duration kLease = 7s;

// Events by hand: times in ms.
class Fold {
 public:
  explicit Fold(std::uint32_t capacity = 1) : standing_(legend(capacity)) {}

  Change tell(int at_ms, EventKind kind, const char* who, Token token = 0, Duration a = {}, std::uint8_t detail = 0) {
    Event event;
    event.lo = event.hi = TrueTime{} + std::chrono::milliseconds(at_ms);
    event.node = names_.intern(who);
    event.mutex = names_.intern("m");
    event.kind = kind;
    event.token = token;
    event.a = a.count();
    event.detail = detail;
    return standing_.append(event, names_);
  }
  Change granted(int at_ms, const char* who, Token token) {
    return tell(at_ms, EventKind::kGranted, who, token, kLease);
  }

  const Standing& standing() const { return standing_; }
  const Standing::Contender& of(const char* who) { return *standing_.contender(names_.intern(who)); }
  const Standing::Mutex& mutex() { return *standing_.mutex(names_.intern("m")); }
  std::vector<std::string> holders() {
    std::vector<std::string> out;
    for (const Standing::Hold& hold : mutex().holds)
      out.emplace_back(names_.text(standing_.contender(hold.contender).name));
    return out;
  }

 private:
  static Legend legend(std::uint32_t capacity) {
    Legend out;
    out.faults = {{"pause", "pause", "", "", Disturbs::kPauses, BandKind::kPause, true},
                  {"store_crash", "store crash", "", "", Disturbs::kRestarts, BandKind::kServer, true}};
    out.mutexes = {{"m", capacity}};
    out.contenders = {"a", "b", "c"};
    return out;
  }

  NameTable names_;
  Standing standing_;
};

using Names = std::vector<std::string>;

}  // namespace

class StandingTest : public QObject {
  Q_OBJECT

  // All that a standing tells of one mutex, with names where it has places.
  static std::string known_of(const Standing& standing, Name mutex, const NameTable& names) {
    const Standing::Mutex& of = *standing.mutex(mutex);
    std::string out;
    const auto put = [&](std::string_view what, std::uint32_t place) {
      out.append(what).append(place == Standing::kNone ? "nobody" : names.text(standing.contender(place).name));
    };
    for (const Standing::Hold& each : of.holds) {
      put(" holds ", each.contender);
      out += "#" + std::to_string(each.token) + "/" + std::to_string(standing.contender(each.contender).holds);
    }
    for (const Standing::Promise& each : of.promises) put(" promised ", each.contender);
    for (const std::uint32_t each : of.believers) put(" believes ", each);
    for (const std::uint32_t each : of.queue) put(" waits ", each);
    for (const std::uint32_t each : standing.displaced()) put(" displaced ", each);
    put(" last ", of.grantee);
    out += of.unobserved ? " unobserved" : "";
    return out + " ending " + std::to_string(static_cast<int>(of.ending));
  }

 private slots:
  void aGrantDisplacesTheHolderOfAMutexThatOneMayHold() {
    Fold fold;
    QCOMPARE(fold.granted(0, "a", 1).hold, Change::Hold::kGranted);
    QVERIFY(fold.standing().displaced().empty());
    fold.granted(7000, "b", 2);
    QCOMPARE(fold.holders(), Names{"b"});
    QCOMPARE(fold.standing().displaced().size(), std::size_t{1});
    QCOMPARE(fold.of("a").holds, 0u);
  }
  void theEndOfADisplacedHolderChangesNothing() {
    Fold fold;
    fold.granted(0, "a", 1);
    fold.granted(7000, "b", 2);
    QCOMPARE(fold.tell(7001, EventKind::kExpired, "a").hold, Change::Hold::kSame);
    QCOMPARE(fold.tell(7002, EventKind::kRenewed, "a", 1, kLease).hold, Change::Hold::kSame);
    QCOMPARE(fold.holders(), Names{"b"});
  }
  void asManyHoldAsTheLegendAllowsAndTheLeaseThatEndsFirstGoes() {
    Fold fold(2);
    fold.granted(0, "a", 1);
    fold.granted(1000, "b", 2);
    QCOMPARE(fold.holders(), (Names{"a", "b"}));
    QVERIFY(!fold.mutex().free());
    fold.tell(2000, EventKind::kRenewed, "a", 1, kLease);
    fold.granted(8000, "c", 3);
    QCOMPARE(fold.holders(), (Names{"a", "c"}));
    fold.tell(8500, EventKind::kReleased, "a");
    QVERIFY(!fold.mutex().free());
    fold.tell(9000, EventKind::kReleased, "c");
    QCOMPARE(fold.mutex().free_since, TrueTime{} + 9s);
  }
  void aRenewalAfterTheLeaseRanOutTakesTheMutexUpAgain() {
    Fold fold;
    fold.granted(0, "a", 1);
    QCOMPARE(fold.tell(7000, EventKind::kExpired, "a").hold, Change::Hold::kEnded);
    QCOMPARE(fold.tell(7500, EventKind::kRenewed, "a", 1, kLease).hold, Change::Hold::kTakenUp);
    QCOMPARE(fold.holders(), Names{"a"});
  }
  void aPromiseOutlivesAnEarlyEndButNotARelease() {
    Fold fold;
    fold.granted(0, "a", 1);
    fold.tell(3000, EventKind::kExpired, "a");
    QCOMPARE(fold.mutex().promises.size(), std::size_t{1});
    fold.tell(3001, EventKind::kReleased, "a");
    QVERIFY(fold.mutex().promises.empty());
  }
  void aCrashEndsABeliefThatNobodyWasToldTheEndOf() {
    Fold fold;
    fold.tell(0, EventKind::kStarted, "a");
    QCOMPARE(fold.tell(1, EventKind::kBelieved, "a", 1, kLease).belief, Change::Belief::kBegan);
    QCOMPARE(fold.tell(2, EventKind::kBelieved, "a", 1, kLease).belief, Change::Belief::kAgain);
    QCOMPARE(fold.tell(3, EventKind::kCrashed, "a").belief, Change::Belief::kEnded);
    QVERIFY(!fold.of("a").up && !fold.of("a").contends && fold.mutex().believers.empty());
    fold.tell(4, EventKind::kRestarted, "a");
    QVERIFY(fold.of("a").up && !fold.of("a").contends);
  }
  void aFaultMayComeBeforeWhomItHitsHasDoneAnything() {
    Fold fold;
    fold.tell(0, EventKind::kFaultBegan, "a");
    fold.tell(1, EventKind::kFaultBegan, "a");
    fold.tell(2, EventKind::kFaultEnded, "a");
    QVERIFY(fold.of("a").is(Disturbs::kPauses));
    fold.tell(3, EventKind::kFaultEnded, "a");
    QVERIFY(!fold.of("a").is(Disturbs::kPauses));
    QVERIFY(fold.of("a").spell(Disturbs::kPauses).covers(TrueTime{} + 2ms));
  }
  void theClockOfAContenderThatHasDoneNothingYetIsNotTheStores() {
    Fold fold;
    fold.tell(0, EventKind::kClockChanged, "a", 0, 3s);
    QVERIFY(fold.standing().store_clock().at == TrueTime::max());
    fold.tell(1, EventKind::kClockChanged, "redis (model)", 0, 2s);
    QCOMPARE(fold.standing().store_clock().by, Duration(2s));
  }
  void whatTheStoreForgotIsTheStoresFault() {
    Fold fold;
    fold.granted(0, "a", 1);
    fold.tell(1000, EventKind::kFaultBegan, "redis (model)", 0, {}, 1);
    fold.tell(1500, EventKind::kExpired, "a", 0, {}, static_cast<std::uint8_t>(LeaseEnd::kForgotten));
    QCOMPARE(fold.mutex().ending, Standing::Ending::kRestarted);
  }
  void whatIsNotObservedIsNotSeenToBeHeld() {
    Fold fold;
    fold.granted(0, "a", 1);
    fold.tell(1000, EventKind::kUnobservedBegan, "redis (model)");
    QVERIFY(!fold.standing().seen_to_hold(fold.of("a")));
    fold.tell(2000, EventKind::kUnobservedEnded, "redis (model)");
    QVERIFY(fold.standing().seen_to_hold(fold.of("a")));
  }
  // Of a long watch in which all sorts of things happen to ever new owners, and to some who come again: whoever lets go
  // of those who are gone knows the same as who remembers all.
  void whoIsGoneIsLetGoOfAndNothingElse() {
    constexpr int kEvents = 60'000;
    std::mt19937 random(7);
    const auto below = [&](int bound) { return static_cast<int>(random() % static_cast<unsigned>(bound)); };
    constexpr std::array kKinds{EventKind::kGranted,     EventKind::kGranted,         EventKind::kGranted,
                                EventKind::kRenewed,     EventKind::kReleased,        EventKind::kExpired,
                                EventKind::kQueued,      EventKind::kDequeued,        EventKind::kBelieved,
                                EventKind::kDisbelieved, EventKind::kUnobservedBegan, EventKind::kUnobservedEnded};
    NameTable names;
    Standing all, some;
    for (int i = 0; i < kEvents; ++i) {
      Event event;
      event.kind = kKinds[static_cast<std::size_t>(below(static_cast<int>(kKinds.size())))];
      event.lo = event.hi = TrueTime{} + i * 20ms;
      event.mutex = names.intern("m" + std::to_string(below(20)));
      const bool of_store = event.kind == EventKind::kUnobservedBegan || event.kind == EventKind::kUnobservedEnded;
      const Standing::Mutex* const of = all.mutex(event.mutex);
      const auto name_of = [&](std::uint32_t place) { return all.contender(place).name; };
      if (of_store)
        event.node = names.intern("redis");
      else if (event.kind == EventKind::kDequeued && of != nullptr && !of->queue.empty())
        event.node = name_of(of->queue.front());
      else if (event.kind == EventKind::kDisbelieved && of != nullptr && !of->believers.empty())
        event.node = name_of(of->believers.front());
      else if (of != nullptr && !of->free() && below(2) == 0)
        event.node = name_of(of->holds.front().contender);
      else
        event.node = names.intern("o" + std::to_string(below(10) == 0 ? below(i + 1) : i));
      event.token = static_cast<Token>(i + 1);
      event.a = kLease.count();
      if (event.kind == EventKind::kGranted && below(8) == 0)
        event.detail = static_cast<std::uint8_t>(GrantKind::kShared);
      const Change a = all.append(event, names), b = some.append(event, names);
      QVERIFY(a.hold == b.hold && a.belief == b.belief && a.mutex == b.mutex);
      QCOMPARE(known_of(some, event.mutex, names), known_of(all, event.mutex, names));
      some.forget_gone();
    }
    QVERIFY2(all.seated() > 10'000, std::to_string(all.seated()).c_str());
    QVERIFY2(some.contenders().size() < 6'000, std::to_string(some.contenders().size()).c_str());
    for (const Standing::Mutex& each : all.mutexes())
      QCOMPARE(known_of(some, each.name, names), known_of(all, each.name, names));
  }
};

LEASESCOPE_SUITE(StandingTest)
#include "standing_test.moc"
