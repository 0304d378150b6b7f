// Rules over events: each begins at the moment at which it is due, and ends with what ends it.
#include <algorithm>
#include <random>

#include <fmt/format.h>

#include "core/alerts/alert_desk.h"
#include "core/alerts/alert_kinds.h"
#include "tests/support/suite.h"

#include <QTest>

using namespace leasescope;
using namespace std::chrono_literals;

namespace {

TrueTime at_ms(int ms) { return TrueTime{} + std::chrono::milliseconds(ms); }

AlertRule rule(std::string_view kind, Duration length = {}, std::int64_t count = 0, const char* mutex = "*") {
  AlertRule out;
  out.name = std::string(kind);
  out.kind = find_alert_kind(kind);
  out.length = length;
  out.count = count;
  out.mutex = mutex;
  return out;
}

class Told {
 public:
  template <class... Rules>
  explicit Told(Rules... of) : engine_({std::move(of)...}) {}

  Told& tell(int lo_ms, int hi_ms, EventKind kind, const char* who, Token token = kNoToken, int lease_ms = 10'000,
             const char* mutex = "orders", GrantKind how = GrantKind::kAsked) {
    Event event;
    event.detail = static_cast<std::uint8_t>(how);
    event.lo = at_ms(lo_ms);
    event.hi = at_ms(hi_ms);
    event.kind = kind;
    event.node = names_.intern(who);
    if (*mutex != '\0') event.mutex = names_.intern(mutex);
    event.token = token;
    event.a = Duration(std::chrono::milliseconds(lease_ms)).count();
    engine_.append(event, names_);
    return *this;
  }
  Told& granted(int ms, const char* who, Token token = kNoToken, int lease_ms = 10'000) {
    return tell(ms, ms, EventKind::kGranted, who, token, lease_ms);
  }
  Told& renewed(int ms, const char* who) { return tell(ms, ms, EventKind::kRenewed, who); }
  Told& waits(int ms, const char* who) { return tell(ms, ms, EventKind::kQueued, who); }
  Told& waits_no_more(int ms, const char* who) { return tell(ms, ms, EventKind::kDequeued, who); }
  Told& released(int ms, const char* who) { return tell(ms, ms, EventKind::kReleased, who); }
  // Of a store, of which no mutex need be known.
  Told& away(int lo_ms, int hi_ms, const char* store) {
    return tell(lo_ms, hi_ms, EventKind::kDisconnected, store, kNoToken, 0, "");
  }
  Told& back(int ms, const char* store) { return tell(ms, ms, EventKind::kConnected, store, kNoToken, 0, ""); }
  Told& dark(int ms) { return tell(ms, ms, EventKind::kUnobservedBegan, "store"); }
  Told& seen_at(const char* store, int ms) { return tell(ms, ms, EventKind::kUnobservedEnded, store); }
  Told& seen(int ms) { return tell(ms, ms, EventKind::kUnobservedEnded, "store"); }
  void replace(std::vector<AlertRule> rules) { engine_ = AlertEngine(std::move(rules), engine_, names_); }
  Told& until(int ms) {
    engine_.advance(at_ms(ms), names_);
    return *this;
  }
  // "12000-15000 20000-", in ms.
  QString alerts() const {
    QStringList out;
    const auto ms = [](TrueTime at) { return QString::number(at.time_since_epoch().count() / 1'000'000); };
    for (const Alert& each : engine_.alerts()) out << ms(each.from) + "-" + (each.lasts() ? QString() : ms(each.to));
    return out.join(' ');
  }
  const AlertEngine& engine() const { return engine_; }

 private:
  NameTable names_;
  AlertEngine engine_;
};

}  // namespace

class AlertsTest : public QObject {
  Q_OBJECT
 private slots:
  void nobodyOwnsItForSoLong() {
    Told t(rule("no_owner", 5s));
    t.granted(0, "a").released(1000, "a").until(5999);
    QCOMPARE(t.alerts(), QString());
    // Due at 6 s, though it is looked at a second later.
    QCOMPARE(t.until(7000).alerts(), QString("6000-"));
    QCOMPARE(t.granted(8000, "b").alerts(), QString("6000-8000"));
    QVERIFY(t.engine().alerts()[0].words.find("a was the last") != std::string::npos);
    // A gap that ends just in time is none.
    QCOMPARE(t.released(9000, "b").granted(13'999, "c").alerts(), QString("6000-8000"));
  }
  void aGapThatOnlyEventsTellOfIsFoundAllTheSame() {
    Told t(rule("no_owner", 5s));
    QCOMPARE(t.granted(0, "a").released(1000, "a").granted(60'000, "b").alerts(), QString("6000-60000"));
  }
  void whatIsNotObservedIsNotFree() {
    Told t(rule("no_owner", 5s));
    t.granted(0, "a").released(1000, "a").dark(3000).until(20'000);
    QCOMPARE(t.alerts(), QString());
    // It may have been owned meanwhile: the time counts anew.
    QCOMPARE(t.seen(21'000).until(25'999).alerts(), QString());
    QCOMPARE(t.until(26'000).alerts(), QString("26000-"));
  }
  // A silence is told seconds after it began: what came to be due meanwhile was not observed.
  void aSilenceCountsFromItsBegin() {
    Told t(rule("no_owner", 5s));
    t.granted(0, "a").released(1000, "a").tell(5500, 8000, EventKind::kUnobservedBegan, "store");
    QCOMPARE(t.until(20'000).alerts(), QString());
  }
  void whatOthersHoldBesideItIsNotFree() {
    Legend two;
    two.mutexes = {{"orders", 2}};
    NameTable names;
    AlertEngine engine({rule("no_owner", 1s)}, two);
    const auto tell = [&](int ms, EventKind kind, const char* who) {
      Event event;
      event.lo = event.hi = at_ms(ms);
      event.kind = kind;
      event.node = names.intern(who);
      event.mutex = names.intern("orders");
      event.a = Duration(60s).count();
      engine.append(event, names);
    };
    tell(0, EventKind::kGranted, "a");
    tell(1, EventKind::kGranted, "b");
    tell(10, EventKind::kReleased, "b");
    engine.advance(at_ms(5000), names);
    QVERIFY(engine.alerts().empty());
    tell(5000, EventKind::kReleased, "a");
    engine.advance(at_ms(7000), names);
    QCOMPARE(engine.alerts().size(), std::size_t{1});
  }
  void aMutexOfOneOfSeveralStoresBearsItsName() {
    Told t(rule("no_owner", 1s, 0, "orders"));
    t.tell(0, 0, EventKind::kGranted, "a", 1, 1000, "orders @ redis://b");
    t.tell(10, 10, EventKind::kReleased, "a", 1, 0, "orders @ redis://b");
    QCOMPARE(t.until(5000).alerts(), QString("1010-"));
  }
  void moreBelieveThanMay() {
    Told t(rule("two_believe", 100ms));
    const auto tell = [&](int ms, EventKind kind, const char* who) { t.tell(ms, ms, kind, who); };
    tell(0, EventKind::kBelieved, "a");
    tell(1000, EventKind::kBelieved, "a");  // renewed
    t.until(5000);
    QCOMPARE(t.alerts(), QString());
    tell(6000, EventKind::kBelieved, "b");
    tell(6050, EventKind::kDisbelieved, "a");  // too short
    QCOMPARE(t.until(7000).alerts(), QString());
    tell(8000, EventKind::kBelieved, "a");
    tell(8500, EventKind::kBelieved, "b");
    QCOMPARE(t.until(9000).alerts(), QString("8100-"));
    QVERIFY(t.engine().alerts()[0].words.find("2 believe that they own it") == 0);
    tell(9500, EventKind::kDisbelieved, "b");
    QCOMPARE(t.alerts(), QString("8100-9500"));
  }
  // Who reads beside others may believe so beside them.
  void whoSharesIsNotOneTooMany() {
    Told t(rule("two_believe", 100ms));
    for (const char* who : {"a", "b"}) {
      t.tell(0, 0, EventKind::kGranted, who, kNoToken, 10'000, "orders", GrantKind::kShared);
      t.tell(1, 1, EventKind::kBelieved, who);
    }
    QCOMPARE(t.until(5000).alerts(), QString());
    t.tell(5000, 5000, EventKind::kBelieved, "c");
    QCOMPARE(t.until(6000).alerts(), QString("5100-"));
  }
  // One who goes by one id everywhere believes of each mutex for itself.
  void whoOwnsAnotherTooIsNotOneTooMany() {
    Told t(rule("two_believe", 100ms));
    t.granted(0, "a").released(10, "a").granted(20, "b");
    t.tell(30, 30, EventKind::kBelieved, "a", kNoToken, 10'000, "stock");
    t.tell(40, 40, EventKind::kBelieved, "b");
    QCOMPARE(t.until(5000).alerts(), QString());
  }
  void whatNobodyHasSeenYetIsNotFree() {
    Told t(rule("no_owner", 5s));
    QCOMPARE(t.dark(0).until(60'000).alerts(), QString());
  }
  void itGoesFromOwnerToOwnerTooOften() {
    Told t(rule("handoffs", 10s, 2));
    t.granted(0, "a").granted(1000, "b").granted(2000, "a").until(3000);
    QCOMPARE(t.alerts(), QString());
    // The third within ten seconds; over when the first of them is ten seconds ago.
    QCOMPARE(t.granted(4000, "b").until(10'999).alerts(), QString("4000-"));
    QCOMPARE(t.until(11'000).alerts(), QString("4000-11000"));
    QCOMPARE(t.until(11'200).until(11'400).alerts(), QString("4000-11000"));
    // Another one is another, and each is told once.
    QCOMPARE(t.granted(11'800, "a").until(11'900).alerts(), QString("4000-11000 11800-"));
    QCOMPARE(t.until(13'000).until(14'000).alerts(), QString("4000-11000 11800-12000"));
    // Who takes it again is no hand-off.
    Told same(rule("handoffs", 10s, 0));
    QCOMPARE(same.granted(0, "a").released(1, "a").granted(2, "a").until(9).alerts(), QString());
  }
  // Told when it is known, from when it was due; what may have been in time is not late.
  void anOwnerThatRenewsLateOrNotAtAll() {
    Told t(rule("late_renewal", 3s));
    t.granted(0, "a").renewed(5000, "a").until(14'999);
    QCOMPARE(t.alerts(), QString());
    QCOMPARE(t.renewed(13'000, "a").until(20'000).alerts(), QString("12000-13000"));
    QCOMPARE(t.tell(23'000, 23'100, EventKind::kExpired, "a").until(60'000).alerts(),
             QString("12000-13000 20000-23100"));
    // Between two looks, the first of which was in time.
    Told bounds(rule("late_renewal", 3s));
    QCOMPARE(bounds.granted(0, "a").tell(5000, 9000, EventKind::kRenewed, "a").until(10'000).alerts(), QString());
    // Who gives it back owes no renewal.
    QCOMPARE(bounds.released(14'000, "a").until(60'000).alerts(), QString());
    Told endless(rule("late_renewal", 3s));
    QCOMPARE(endless.granted(0, "a", 1, 2'000'000'000).until(100'000).alerts(), QString());
    // Nobody knows what was while nobody looked.
    Told gap(rule("late_renewal", 3s));
    gap.granted(0, "a").dark(2000).seen(50'000).tell(1900, 50'000, EventKind::kRenewed, "a");
    QCOMPARE(gap.until(51'000).alerts(), QString());
  }
  void somebodyWaitsAndItGoesToNobody() {
    Told t(rule("waiters_stuck", 5s));
    t.granted(0, "a").until(60'000);
    QCOMPARE(t.alerts(), QString());  // nobody waits
    t.waits(60'000, "b").waits(61'000, "c").renewed(62'000, "a").until(64'999);
    QCOMPARE(t.alerts(), QString());
    QCOMPARE(t.until(65'000).alerts(), QString("65000-"));
    QVERIFY(t.engine().alerts()[0].words.find("b and 1 more wait") == 0);
    QVERIFY(t.engine().alerts()[0].words.find("a owns it") != std::string::npos);
    // One goes on waiting, and it moves.
    t.released(70'000, "a").granted(70'100, "b").waits_no_more(70'100, "b").until(75'099);
    QCOMPARE(t.alerts(), QString("65000-70000"));
    QCOMPARE(t.until(75'100).alerts(), QString("65000-70000 75100-"));
    QVERIFY(t.engine().alerts()[1].words.find("c waits") == 0);
    // Who has given up waits no more.
    QCOMPARE(t.waits_no_more(80'000, "c").until(200'000).alerts(), QString("65000-70000 75100-80000"));
  }
  // Nobody takes it though it is free; and nobody knows what moved while nobody looked.
  void whoWaitsForWhatIsFreeIsStuckToo() {
    Told t(rule("waiters_stuck", 5s));
    t.granted(0, "a").waits(100, "b").released(1000, "a").until(6000);
    QCOMPARE(t.alerts(), QString("6000-"));
    QVERIFY(t.engine().alerts()[0].words.find("nobody owns it") != std::string::npos);
    t.dark(7000).until(20'000);
    QCOMPARE(t.alerts(), QString("6000-7000"));
    QCOMPARE(t.seen(30'000).until(34'999).alerts(), QString("6000-7000"));
    QCOMPARE(t.until(35'000).alerts(), QString("6000-7000 35000-"));
  }
  // A quarter of ten seconds, and of twenty.
  void whatIsLeftIsAShareOfTheLease() {
    AlertRule quarter = rule("not_renewed");
    quarter.leases = 250'000;
    Told t(quarter);
    t.granted(0, "a").renewed(1000, "a").until(8499);
    QCOMPARE(t.alerts(), QString());
    QCOMPARE(t.until(8500).alerts(), QString("8500-"));
    QVERIFY(t.engine().alerts()[0].words.find("no more than 2500ms of its lease") != std::string::npos);
    t.tell(9000, 9000, EventKind::kRenewed, "a", kNoToken, 20'000).until(23'999);
    QCOMPARE(t.alerts(), QString("8500-9000"));
    QCOMPARE(t.until(24'000).alerts(), QString("8500-9000 24000-"));
    AlertRule half = rule("late_renewal", 1s);
    half.leases = 500'000;
    Told late(half);
    QCOMPARE(late.granted(0, "a").renewed(3999, "a").renewed(9000, "a").until(20'000).alerts(), QString("7999-9000"));
    QVERIFY(late.engine().alerts()[0].words.find("when 6s or less of its lease was left") != std::string::npos);
  }
  // While it can still be renewed, where that would be known.
  void aLeaseThatIsNotRenewedInTime() {
    Told t(rule("not_renewed", 3s));
    t.granted(0, "a").renewed(5000, "a").until(11'999);
    QCOMPARE(t.alerts(), QString());
    QCOMPARE(t.until(12'000).alerts(), QString("12000-"));
    QVERIFY(t.engine().alerts()[0].words.find("a has not renewed it") == 0);
    QCOMPARE(t.renewed(13'000, "a").alerts(), QString("12000-13000"));
    QCOMPARE(t.renewed(18'000, "a").until(24'999).alerts(), QString("12000-13000"));
    QCOMPARE(t.until(26'000).tell(28'100, 28'100, EventKind::kExpired, "a").until(60'000).alerts(),
             QString("12000-13000 25000-28100"));
    // Who gives it back in time owes none.
    t.granted(60'000, "b").released(66'000, "b").until(90'000);
    QCOMPARE(t.alerts(), QString("12000-13000 25000-28100"));
  }
  // From outside a renewal is known late: a poll of a second, and one that looks when the lease ends alone.
  void whatMayHaveBeenRenewedIsNotToldOf() {
    Told poll(rule("not_renewed", 3s));
    poll.granted(0, "a").tell(4000, 5000, EventKind::kRenewed, "a").until(12'999);
    QCOMPARE(poll.alerts(), QString());  // its lease ends at 14 s at the earliest
    QCOMPARE(poll.until(13'000).alerts(), QString("13000-"));
    Told end(rule("not_renewed", 3s));
    end.granted(0, "a").tell(10, 10'000, EventKind::kRenewed, "a").until(9'999);
    QCOMPARE(end.until(100'000).alerts(), QString());
    // Before it is known how soon one would be known nothing is said.
    Told first(rule("not_renewed", 3s));
    QCOMPARE(first.granted(0, "a").until(100'000).alerts(), QString());
    // The look after a gap says two things.
    Told gap(rule("not_renewed", 3s));
    gap.granted(0, "a").renewed(1000, "a").dark(2000).seen(50'000).tell(1900, 50'000, EventKind::kRenewed, "a");
    QCOMPARE(gap.until(50'001).alerts(), QString());
  }
  void aTokenThatDoesNotRise() {
    Told t(rule("fence_regression"));
    t.granted(0, "a", 7).released(10, "a").granted(20, "b", 8);
    QCOMPARE(t.alerts(), QString());
    QCOMPARE(t.granted(30, "c", 3).until(40).alerts(), QString("30-"));
    QVERIFY(t.engine().alerts()[0].words.find("not above #8") != std::string::npos);
    QCOMPARE(t.granted(50, "d", 9).alerts(), QString("30-50"));
  }
  void aStoreThatDoesNotAnswer() {
    Told t(rule("not_observed", 2s));
    t.granted(0, "a").dark(1000).seen(2900);
    QCOMPARE(t.alerts(), QString());
    QCOMPARE(t.dark(5000).until(60'000).alerts(), QString("7000-"));
    QCOMPARE(t.seen(61'000).alerts(), QString("7000-61000"));
  }
  // A mutex that the watch has met late was not there to be silent of: it is told of from the beginning on, all the
  // same.
  void whatIsMetLateWasNotSilentBefore() {
    Told t(rule("not_observed", 2s), rule("no_owner", 5s));
    t.granted(0, "a");  // the watch is at work
    const auto tell = [&](int lo, int hi, EventKind kind) { t.tell(lo, hi, kind, "store", kNoToken, 0, "late"); };
    tell(0, 60'000, EventKind::kUnobservedBegan);
    tell(60'000, 60'002, EventKind::kUnobservedEnded);
    QCOMPARE(t.until(65'001).alerts(), QString());
    // Nobody has owned it since it was looked at first.
    QCOMPARE(t.until(65'002).alerts(), QString("65002-"));
    tell(66'000, 66'500, EventKind::kUnobservedBegan);
    QCOMPARE(t.until(70'000).alerts(), QString("65002-66500 68000-"));
  }
  // Whoever watches for weeks lets go of what is over; what lasts keeps its place, however old it is.
  // Nothing is found later, or otherwise, where somebody looks more seldom.
  void howOftenSomebodyLooksChangesNothing() {
    for (int seed = 1; seed <= 20; ++seed) {
      std::mt19937 draw(static_cast<unsigned>(seed));
      const auto one_of = [&](std::initializer_list<int> of) { return of.begin()[draw() % of.size()]; };
      const auto made = [] {
        return Told(rule("no_owner", 700ms), rule("handoffs", 3s, 2), rule("not_observed", 500ms),
                    rule("waiters_stuck", 900ms), rule("not_renewed", 300ms), rule("late_renewal", 2s),
                    rule("fence_regression"), rule("two_believe", 400ms), rule("no_owner", 2s, 0, "m1*"));
      };
      Told often = made(), seldom = made();
      int at = 0;
      for (int i = 0; i < 1'500; ++i) {
        const int next = at + one_of({1, 20, 20, 150, 900});
        for (; at < next; at = std::min(next, at + 7)) often.until(at);
        const std::string mutex = "m" + std::to_string(draw() % 15), who = "w" + std::to_string(draw() % 4);
        const auto kind = static_cast<EventKind>(one_of(
            {int(EventKind::kGranted), int(EventKind::kGranted), int(EventKind::kRenewed), int(EventKind::kReleased),
             int(EventKind::kExpired), int(EventKind::kQueued), int(EventKind::kDequeued), int(EventKind::kBelieved),
             int(EventKind::kDisbelieved), int(EventKind::kUnobservedBegan), int(EventKind::kUnobservedEnded)}));
        const bool dark = kind == EventKind::kUnobservedBegan || kind == EventKind::kUnobservedEnded;
        const int token = one_of({1, 2, 3, 4}), lease = one_of({500, 2'000, 8'000});
        for (Told* const each : {&often, &seldom})
          each->tell(at, at, kind, dark ? "store" : who.c_str(), Token(token), lease, mutex.c_str());
      }
      often.until(at + 60'000);
      seldom.until(at + 60'000);
      QStringList found = often.alerts().split(' '), expected = seldom.alerts().split(' ');
      found.sort();
      expected.sort();
      QVERIFY(found.size() > 100);
      QCOMPARE(found, expected);
    }
  }
  void alertsThatAreOverAreLetGoOf() {
    constexpr int kTimes = 10'000;
    NameTable names;
    AlertDesk desk({rule("no_owner", 1s)});
    const auto tell = [&](int ms, EventKind kind, const char* mutex) {
      Event event;
      event.lo = event.hi = at_ms(ms);
      event.kind = kind;
      event.node = names.intern("a");
      event.mutex = names.intern(mutex);
      desk.append(event, names);
    };
    const auto fall = [&](int ms, const char* mutex) {
      tell(ms, EventKind::kGranted, mutex);
      tell(ms + 1, EventKind::kReleased, mutex);
    };
    fall(0, "lasting");
    desk.advance(at_ms(2000), names);
    desk.acknowledge(0);
    for (int i = 0; i < kTimes; ++i) {
      fall(10'000 + 5000 * i, "orders");
      desk.advance(at_ms(13'000 + 5000 * i), names);
      desk.forget_over();
      QVERIFY(desk.engine().alerts().held() <= 2 * AlertDesk::kOverHeld);
    }
    const AlertList& alerts = desk.engine().alerts();
    QCOMPARE(alerts.size(), std::size_t{kTimes + 1});
    QVERIFY(alerts.held() >= AlertDesk::kOverHeld && !alerts.holds(1) && alerts.holds(kTimes));
    QVERIFY(alerts[0].lasts() && desk.is_acknowledged(0) && desk.engine().lasting().count(0) == 1);
    QCOMPARE(desk.standing(at_ms(13'000 + 5000 * kTimes)), std::vector<std::size_t>{kTimes});
    // Who pressed a key a moment too late changes nothing.
    desk.mute(1, TrueTime::max());
    QVERIFY(!desk.is_muted(1, at_ms(0)) && !desk.is_muted(kTimes, at_ms(0)));
    tell(13'000 + 5000 * kTimes, EventKind::kGranted, "lasting");
    QVERIFY(!alerts[0].lasts());
  }
  // However many mutexes are there, and if there is none.
  void oneOutageOfAStoreIsOneAlert() {
    Told t(rule("store_away", 2s), rule("not_observed", 2s, 0, "orders"));
    std::vector<std::string> mutexes{"orders"};
    for (int i = 1; i < 100; ++i) mutexes.push_back("m" + std::to_string(i));
    for (const std::string& each : mutexes) t.tell(0, 0, EventKind::kGranted, "a", 1, 60'000, each.c_str());
    for (const std::string& each : mutexes)
      t.tell(1000, 1000, EventKind::kUnobservedBegan, "redis://a", kNoToken, 0, each.c_str());
    t.away(1000, 1900, "redis://a").until(2999);
    QCOMPARE(t.alerts(), QString());
    QCOMPARE(t.until(10'000).alerts(), QString("3000- 3000-"));  // of that mutex, and of the store
    const AlertEngine& engine = t.engine();
    const auto of_store = [&](const Alert& each) { return engine.rules()[each.rule].kind->of_stores; };
    QCOMPARE(std::count_if(engine.alerts().begin(), engine.alerts().end(), of_store), std::ptrdiff_t{1});
    // It is back once, though each mutex says so, too.
    t.back(11'000, "redis://a");
    for (const std::string& each : mutexes)
      t.tell(11'000, 11'200, EventKind::kUnobservedEnded, "redis://a", kNoToken, 0, each.c_str());
    QCOMPARE(t.until(60'000).alerts(), QString("3000-11200 3000-11000"));
    // The next outage is another one.
    QCOMPARE(t.away(70'000, 71'000, "redis://a").back(71'500, "redis://a").until(80'000).alerts(),
             QString("3000-11200 3000-11000"));
    QCOMPARE(t.away(90'000, 91'000, "redis://a").until(95'000).alerts(), QString("3000-11200 3000-11000 92000-"));
  }
  void ofSeveralStoresEachIsOneOfThem() {
    AlertRule ours = rule("store_away", 2s);
    ours.store = "redis://*";
    Told t(ours);
    t.away(0, 1000, "postgresql://b").away(1000, 1500, "redis://a").until(60'000);
    QCOMPARE(t.alerts(), QString("3000-"));
    // Of a recording that was begun anew, in which nobody says that it is back, its mutexes say so.
    QCOMPARE(t.seen_at("redis://a", 61'000).until(90'000).alerts(), QString("3000-61000"));
    // A contender whose connection breaks is no store, and one mutex that is refused is not the store.
    Told run(rule("store_away", 1s));
    run.tell(0, 0, EventKind::kStarted, "a");
    run.away(10, 10, "a").tell(20, 20, EventKind::kDisconnected, "a").dark(30).until(60'000);
    QCOMPARE(run.alerts(), QString());
  }
  void otherRulesGoOnWhereAStoreIsAway() {
    const AlertRule away = rule("store_away", 2s);
    Told t(away);
    t.away(0, 1000, "redis://a").until(5000);
    t.replace({rule("no_owner", 1s), away});
    QCOMPARE(t.until(5000).alerts(), QString("2000-"));
    QCOMPARE(t.back(6000, "redis://a").alerts(), QString("2000-6000"));
  }
  void aRuleIsAboutTheMutexesThatItNames() {
    Told t(rule("no_owner", 5s, 0, "bill*"));
    t.granted(0, "a").released(10, "a").until(60'000);
    QCOMPARE(t.alerts(), QString());
    t.tell(0, 60'000, EventKind::kGranted, "a", 1, 1000, "bills")
        .tell(61'000, 61'000, EventKind::kReleased, "a", 1, 0, "bills");
    QCOMPARE(t.until(70'000).alerts(), QString("66000-"));
  }
  void whatIsAcknowledgedOrMutedIsNotToldOf() {
    AlertDesk desk({rule("not_observed", 1s), rule("no_owner", 5s)});
    NameTable names;
    const auto tell = [&](int ms, EventKind kind, const char* who) {
      Event event;
      event.lo = event.hi = at_ms(ms);
      event.kind = kind;
      event.node = names.intern(who);
      event.mutex = names.intern("orders");
      desk.append(event, names);
    };
    using Places = std::vector<std::size_t>;
    tell(0, EventKind::kUnobservedBegan, "store");
    desk.advance(at_ms(2000), names);
    QVERIFY(desk.standing(at_ms(2000)) == Places{0});
    desk.acknowledge(0);
    QVERIFY(desk.standing(at_ms(2000)).empty());
    // The next one is another, and is told of.
    tell(3000, EventKind::kUnobservedEnded, "store");
    tell(4000, EventKind::kUnobservedBegan, "store");
    desk.advance(at_ms(6000), names);
    QVERIFY(desk.standing(at_ms(6000)) == Places{1});
    desk.mute(1, at_ms(60'000));
    QVERIFY(desk.standing(at_ms(6000)).empty() && desk.is_muted(1, at_ms(59'999)));
    QVERIFY(desk.standing(at_ms(60'000)) == Places{1});
    // Another rule of the same mutex is not muted with it.
    tell(61'000, EventKind::kUnobservedEnded, "store");
    desk.advance(at_ms(70'000), names);
    QVERIFY(desk.standing(at_ms(70'000)) == Places{2});
  }
  // Whoever has said something of an alert has not to say it again because the rules are read anew: not of one that
  // goes on, and not of one that comes again while it is muted.
  void whatWasSaidOfAnAlertIsTrueByOtherRulesToo() {
    const AlertRule dark = rule("not_observed", 1s), nobody = rule("no_owner", 5s);
    AlertDesk desk({dark});
    NameTable names;
    const auto tell = [&](AlertDesk& of, int ms, EventKind kind, const char* mutex) {
      Event event;
      event.lo = event.hi = at_ms(ms);
      event.kind = kind;
      event.node = names.intern("store");
      event.mutex = names.intern(mutex);
      of.append(event, names);
    };
    tell(desk, 0, EventKind::kUnobservedBegan, "bills");
    tell(desk, 0, EventKind::kUnobservedBegan, "orders");
    desk.advance(at_ms(2000), names);
    QCOMPARE(desk.standing(at_ms(2000)).size(), std::size_t{2});
    desk.acknowledge(0);
    desk.mute(1, at_ms(60'000));
    tell(desk, 3000, EventKind::kUnobservedEnded, "orders");
    desk.advance(at_ms(4000), names);
    AlertDesk next({nobody, dark}, desk, names);
    next.take_over(desk);
    next.advance(at_ms(4000), names);
    QCOMPARE(next.engine().lasting().size(), std::size_t{1});
    QVERIFY(next.standing(at_ms(4000)).empty());
    tell(next, 5000, EventKind::kUnobservedBegan, "orders");
    next.advance(at_ms(20'000), names);
    QCOMPARE(next.engine().lasting().size(), std::size_t{2});
    QVERIFY(next.standing(at_ms(20'000)).empty());
    QCOMPARE(next.standing(at_ms(60'000)).size(), std::size_t{1});
    // Of a rule that says something else nothing was said.
    AlertDesk other({rule("not_observed", 2s)}, next, names);
    other.advance(at_ms(20'000), names);
    other.take_over(next);
    QCOMPARE(other.standing(at_ms(20'000)).size(), std::size_t{2});
  }
  // Rules are read anew while a watch goes on: what both have goes on, and of a new one what holds is found.
  void otherRulesGoOnWhereTheOldOnesWere() {
    const AlertRule nobody = rule("no_owner", 5s), often = rule("handoffs", 10s, 1), late = rule("no_owner", 60s);
    Told t(nobody, often);
    t.granted(0, "a").granted(1000, "b").granted(2000, "c").released(3000, "c").until(9000);
    QCOMPARE(t.alerts(), QString("2000- 8000-"));
    t.replace({often, late});
    QCOMPARE(t.until(9000).alerts(), QString("2000-"));
    QCOMPARE(t.engine().alerts()[0].rule, std::size_t{0});
    QCOMPARE(t.until(70'000).alerts(), QString("2000-11000 63000-"));
    t.replace({rule("no_owner", 7s)});
    QCOMPARE(t.until(70'000).alerts(), QString("10000-"));
    QCOMPARE(t.granted(71'000, "a").alerts(), QString("10000-71000"));
  }
  void everyKindHasItsWords() {
    for (const AlertKind* kind : alert_kinds()) {
      QVERIFY(kind->span != nullptr && kind->words != nullptr && !kind->word.empty());
      QCOMPARE(find_alert_kind(kind->word), kind);
      NameTable names;
      QVERIFY(!kind->words(rule(kind->word, 5s, 2), AlertSubject{}, names).empty());
    }
    QVERIFY(find_alert_kind("no_such") == nullptr);
  }
};

LEASESCOPE_SUITE(AlertsTest)
#include "alerts_test.moc"
