// Scenarios after what was observed of a mutex: known histories come to known values, what was not observed is not
// invented, and what a run was given is found again in its history.
#include "simulator/observed/observed_scenario.h"

#include <QTest>

#include "simulator/scenario/reader.h"
#include "tests/engine/runs.h"
#include "tests/support/suite.h"

using namespace leasescope;
using namespace leasescope::tests;
using namespace std::chrono_literals;

namespace {

// A history of the mutex "orders" as a test tells it.
struct Told {
  NameTable names;
  Name mutex = names.intern("orders"), store = names.intern("redis://host");
  std::vector<Event> events;

  Event& add(EventKind kind, std::string_view node, Duration lo, Duration hi, Duration left = {}) {
    Event& event = events.emplace_back();
    event.kind = kind;
    event.node = names.intern(node);
    event.mutex = mutex;
    event.lo = at(lo);
    event.hi = at(hi);
    event.a = left.count();
    return event;
  }
  // The first look, whose answer took that long.
  void begin(Duration took) {
    add(EventKind::kUnobservedBegan, "redis://host", 0s, 1ms);
    add(EventKind::kUnobservedEnded, "redis://host", 1ms, 1ms + took);
  }
  // Seen 2 ms after it was, where the look before it was so much earlier.
  void renewed(std::string_view node, Duration when, Duration lease, Duration before = 1s) {
    add(EventKind::kRenewed, node, when + 2ms - before, when + 2ms, lease - 2ms);
  }
  void attempted(std::string_view node, Duration when, AttemptResult result = AttemptResult::kWon) {
    add(EventKind::kAttempt, node, when, when).detail = static_cast<std::uint8_t>(result);
  }
  ObservedUse use(Duration to, Duration from = {}, SeenBy by = SeenBy::kWatch) const {
    UseFold fold(mutex, by, at(from));
    for (const Event& event : events)
      if (event.at() <= at(to)) fold.append(event, names);
    return fold.use(at(to));
  }
  Estimate estimated(Duration to, Duration from = {}) const { return estimate(use(to, from)); }
  std::string toml(Duration to, Duration from = {}) const {
    return observed_scenario({"orders", "", "simba", "redis"}, estimated(to, from), names);
  }
};

// Leases of 16 s, renewed every 10 s, once half a second late; then it is handed over.
Told known() {
  Told out;
  out.begin(2ms);
  out.add(EventKind::kGranted, "a", 1s, 1'001ms, 15'999ms);
  out.renewed("a", 11s, 16s);
  out.add(EventKind::kQueued, "c", 12s, 12s, Duration(1));
  out.renewed("a", 21s, 16s);
  out.renewed("a", 31'500ms, 16s);
  out.renewed("a", 41'500ms, 16s);
  out.add(EventKind::kReleased, "a", 44'999ms, 45'001ms);
  out.add(EventKind::kGranted, "b", 45'001ms, 45'004ms, 15'996ms);
  return out;
}

Scenario read(const std::string& toml) {
  auto out = read_scenario(toml, "seen.toml");
  if (!out) qFatal("%s\n%s", out.error().text().c_str(), toml.c_str());
  return *out;
}

bool near(Duration a, Duration b, Duration by) { return a >= b - by && a <= b + by; }

Sample drawn(const Distribution& of, int count, int ways) {
  RandomStream stream(7, "test", "delays");
  std::vector<Duration> out(static_cast<std::size_t>(count));
  for (Duration& each : out)
    for (int way = 0; way < ways; ++way) each += of.sample(stream);
  return Sample(std::move(out));
}

// ---- of a watch

struct Seen {
  History history;
  std::unique_ptr<WatchedMutex> mutex;

  std::string scenario(std::string_view model, Duration round_trip) const {
    std::vector<Duration> round_trips;
    if (round_trip > 0s) round_trips.push_back(round_trip);
    return watched_scenario(*mutex, history, model, round_trips);
  }
};

// At its place: the book writes into the history.
std::unique_ptr<Seen> seen(const std::string& name, const std::vector<Sighting>& looks) {
  auto out = std::make_unique<Seen>();
  NameTable& names = out->history.names;
  SeenMutex book(
      {names.intern(name), names.intern("store")},
      [&history = out->history](const Event& event) {
        history.events.push_back(event);
        return history.last();
      },
      [&names](std::string_view text) { return names.intern(text); });
  const std::string_view maker = looks.front().maker;
  out->mutex = std::make_unique<WatchedMutex>(name, name, maker, 0, std::move(book));
  for (const Sighting& look : looks) {
    out->mutex->book.see(look);
    out->history.now = look.answered;
  }
  return out;
}

Sighting look(int ms, const char* owner, std::optional<Duration> left, std::optional<Duration> ttl_left = {}) {
  Sighting out;
  out.owner = owner;
  out.left = left;
  out.ttl_left = ttl_left;
  out.asked = out.answered = at(std::chrono::milliseconds(ms));
  return out;
}

}  // namespace

class ObservedScenarioTest : public QObject {
  Q_OBJECT
 private slots:
  void aKnownHistoryComesToAKnownScenario();
  void eachValueSaysHowOftenItWasObserved();
  void whatIsNotObservedIsNotInvented();
  void aRenewalThatMayHaveBeenUnseenIsNoPause();
  void onlyWhatIsInTheRangeCounts();
  void whatWasBeforeAGapIsNotMeasuredAcrossIt();
  void manyPausesAreThoseOfTheBeginning();
  void namesThatAScenarioRefusesAreLeftOut();
  void aDelayIsFoundAgainInWhatWasDrawn();
  void whatARunWasGivenIsFoundAgain();
  void anAnswerThatNobodyHeardIsNoDelay();
  void ofALiveRunTheRenewalsTellTheDelay();

  void whatAWatchSeesStandsInIt();
  void whatItDoesNotSeeIsSaidToBeAssumed();
  void aTransitionThatDoesNotFitIsNotSaidToBeTheStores();
  void whoeverWaitsContends();
  void aLatchIsALatch();
  void aFencedLockOfOursIsOne();
  void anyNameAndAnyLeaseCanBeRead();
};

void ObservedScenarioTest::aKnownHistoryComesToAKnownScenario() {
  const Scenario scenario = read(known().toml(60s));
  QVERIFY(scenario.terms().ttl == 10s && scenario.terms().transition == 6s);
  QCOMPARE(scenario.mutex_names(), std::vector<std::string>{"orders"});
  QCOMPARE(scenario.contender_names(), (std::vector<std::string>{"a", "c", "b"}));
  QVERIFY(scenario.store.latency == Distribution::constant(1ms));  // half of the one round trip
  QVERIFY(scenario.length() == 160s);                              // ten leases at least
  QCOMPARE(scenario.faults.size(), std::size_t{3});
  const auto is = [&](std::size_t place, const char* kind, Duration when) {
    return scenario.faults[place].kind == kind && scenario.faults[place].at.under(scenario.terms()) == when;
  };
  QVERIFY(is(0, "pause", 31s));
  QVERIFY(scenario.faults[0].duration.under(scenario.terms()) == 500ms);
  QVERIFY(is(1, "stop", 45'001ms) && is(2, "start", 45'004ms));
}

void ObservedScenarioTest::eachValueSaysHowOftenItWasObserved() {
  const std::string toml = known().toml(60s);
  for (const char* line :
       {"# lease: 6 leases, the longest of 16s\n",
        "# from one renewal to the next: 4 observed: median 10s, p90 10500ms, longest 10500ms\nttl = \"10s\"\n",
        "# transition: the lease less the ttl\n", "both ways; 1 observed: 2ms\n", "# contenders: 3 observed",
        "# holding, from a grant to its release: 1 observed: 44s\n",
        "# from a release to the next grant: 1 observed: 3ms\n", "# hand-offs: 1 observed; leases that ran out: 0\n",
        "# pauses: 1 observed: 500ms; renewals that came more than 20ms later than usual", "# jitter: not observed",
        "# loss: not observed"})
    QVERIFY2(toml.find(line) != std::string::npos, (line + ("\n" + toml)).c_str());
}

void ObservedScenarioTest::whatIsNotObservedIsNotInvented() {
  Told told;
  told.add(EventKind::kQueued, "x", 1s, 1s, Duration(1));
  const std::string toml = told.toml(5s);
  const Scenario scenario = read(toml);
  for (const char* line : {"# ttl: not observed; the default\n", "# transition: not observed; the default\n",
                           "# latency: not observed; the default\n", "# pauses: not observed\n"})
    QVERIFY2(toml.find(line) != std::string::npos, (line + ("\n" + toml)).c_str());
  QVERIFY(toml.find("\nlatency = ") == std::string::npos);
  QVERIFY(scenario.store.latency == StoreTable{}.latency);
  QVERIFY(scenario.faults.empty());
  QCOMPARE(scenario.contender_names(), std::vector<std::string>{"x"});
}

// A look that came after the renewal was due, and saw none, proves that it was late.
void ObservedScenarioTest::aRenewalThatMayHaveBeenUnseenIsNoPause() {
  for (const bool proved : {false, true}) {
    Told told;
    told.begin(2ms);
    told.add(EventKind::kGranted, "a", 1s, 1s, 30s);
    told.renewed("a", 11s, 30s);
    told.renewed("a", 21s, 30s);
    told.renewed("a", 41s, 30s, proved ? 5s : 19s);
    const Estimate found = told.estimated(50s);
    QCOMPARE(found.renewals.count(), std::size_t{proved ? 3U : 2U});
    QCOMPARE(found.unsure, std::size_t{proved ? 0U : 1U});
    QCOMPARE(found.pauses.size(), std::size_t{proved ? 1U : 0U});
    if (proved) QVERIFY(found.pauses[0].length == 10s && found.pauses[0].at == at(31s));
  }
}

void ObservedScenarioTest::onlyWhatIsInTheRangeCounts() {
  const Told told = known();
  const Estimate before = told.estimated(30s);
  QCOMPARE(before.renewals.count(), std::size_t{2});
  QVERIFY(before.pauses.empty() && before.released.empty());
  const Estimate after = told.estimated(60s, 35s);
  QCOMPARE(after.renewals.count(), std::size_t{1});  // from 31.5 s to 41.5 s
  QVERIFY(after.pauses.empty());
  QVERIFY(after.length == 25s && after.answers.empty());
  QCOMPARE(after.released.size(), std::size_t{1});
  // Moments are those after its beginning.
  QVERIFY(read(told.toml(60s, 35s)).faults[0].at.under({}) == 10'001ms);
}

void ObservedScenarioTest::whatWasBeforeAGapIsNotMeasuredAcrossIt() {
  Told told;
  told.begin(2ms);
  told.add(EventKind::kGranted, "a", 1s, 1s, 16s);
  told.renewed("a", 11s, 16s);
  told.add(EventKind::kUnobservedBegan, "redis://host", 12s, 12s);
  told.add(EventKind::kUnobservedEnded, "redis://host", 24s, 24'004ms);
  told.renewed("a", 25s, 16s);
  told.renewed("a", 35s, 16s);
  const Estimate found = told.estimated(40s);
  QCOMPARE(found.renewals.count(), std::size_t{2});
  QVERIFY(found.renewals.longest() == 10s && found.pauses.empty());
  QCOMPARE(found.answers.count(), std::size_t{2});  // the first look, and the one after the gap
}

void ObservedScenarioTest::manyPausesAreThoseOfTheBeginning() {
  Told told;
  told.begin(2ms);
  told.add(EventKind::kGranted, "a", 1s, 1s, 16s);
  Duration when = 1s;
  for (int i = 0; i < 450; ++i) {
    when += 10s + (i % 3 == 2 ? 300ms : 0ms);
    told.renewed("a", when, 16s);
  }
  const std::string toml = told.toml(when + 1s);
  const Scenario scenario = read(toml);
  QCOMPARE(scenario.faults.size(), std::size_t{100});
  QVERIFY(toml.find("# of 150 pauses and releases the first 100: the duration ends with them\n") != std::string::npos);
  QVERIFY(toml.find("# pauses: 150 observed: median 300ms") != std::string::npos);
  // All of them had half as much again.
  QVERIFY(near(scenario.length(), (when * 2) / 3, 60s));
}

void ObservedScenarioTest::namesThatAScenarioRefusesAreLeftOut() {
  Told told;
  told.begin(2ms);
  Duration when = 1s;
  for (const char* owner : {"owner", "a@@b", "ends@", "line\nfeed", "good", "c2"}) {
    told.add(EventKind::kGranted, owner, when, when, 16s);
    told.add(EventKind::kReleased, owner, when + 1s, when + 1s);
    when += 2s;
  }
  const Scenario scenario = read(told.toml(when));
  const std::vector<std::string> names = scenario.contender_names();
  QCOMPARE(names.size(), std::size_t{6});
  QCOMPARE((std::vector<std::string>{names[0], names[1]}), (std::vector<std::string>{"good", "c2"}));
  QVERIFY(names[2].starts_with("unseen"));
}

void ObservedScenarioTest::aDelayIsFoundAgainInWhatWasDrawn() {
  const Distribution truth = Distribution::log_normal(2ms, 9ms);
  const FittedDelay way = fitted_way(drawn(truth, 5'000, 1));
  QVERIFY2(near(way.median, 2ms, 100us) && near(way.p99, 9ms, 1'200us), qPrintable(QString::number(way.p99.count())));
  const FittedDelay half = fitted_half(drawn(truth, 5'000, 2));
  QVERIFY2(near(half.median, 2ms, 200us) && near(half.p99, 9ms, 1'500us),
           qPrintable(QString::number(half.p99.count())));
  const FittedDelay few = fitted_way(drawn(truth, 9, 1));
  QVERIFY(!few.spreads());
}

// Pauses that begin just before a renewal is due, every twenty seconds, in a run of twenty minutes.
void ObservedScenarioTest::whatARunWasGivenIsFoundAgain() {
  std::string toml =
      "schema = 1\ntitle = \"truth\"\nduration = \"1200s\"\n[mutex]\nname = \"orders\"\nttl = \"2s\"\n"
      "transition = \"4s\"\n[store]\nlatency = { median = \"2ms\", p99 = \"9ms\" }\n"
      "[[contender]]\ncount = 3\nnames = [\"x\", \"y\", \"z\"]\n";
  std::vector<Duration> late;
  std::vector<Duration> due;
  Duration sent{};
  for (int i = 0; i < 20; ++i) {
    late.push_back((1 + i % 10) * Duration(120ms));
    due.push_back(sent + 20s);
    toml += fmt::format("[[fault]]\nat = \"{}ms\"\nkind = \"pause\"\nduration = \"{}ms\"\n", (due.back() - 100ms) / 1ms,
                        (late.back() + 100ms) / 1ms);
    sent = due.back() + late.back();
  }
  const auto run = finished(written(toml));
  const History& history = run->history();
  UseFold fold(*mutex_titled(history.names, "orders"), SeenBy::kContenders, TrueTime{});
  for (const Event& event : history.events) fold.append(event, history.names);
  const Estimate found = estimate(fold.use(history.now));

  QVERIFY(found.lease.ttl == 2s && found.lease.transition == 4s);
  QVERIFY(found.lease.split == SplitKnown::kByRenewals);
  QCOMPARE(found.contenders, std::size_t{3});
  QVERIFY(found.answers_are_ways && found.answers.count() > 500);
  // 3 and 10 % are the standard errors of the two, of six hundred values.
  QVERIFY2(near(found.latency->median, 2ms, 300us), qPrintable(QString::number(found.latency->median.count())));
  QVERIFY2(near(found.latency->p99, 9ms, 2'700us), qPrintable(QString::number(found.latency->p99.count())));
  QCOMPARE(found.pauses.size(), late.size());
  // Within what the ways of two renewals may differ by.
  for (std::size_t i = 0; i < late.size(); ++i) {
    QVERIFY2(near(found.pauses[i].length, late[i], 40ms), qPrintable(QString::number(i)));
    QVERIFY2(near(found.pauses[i].at - TrueTime{}, due[i], 60ms), qPrintable(QString::number(i)));
  }

  // What comes of it runs, and its pauses strike.
  const Scenario again = read(observed_scenario({"orders", "", "simba", "redis"}, found, history.names));
  QCOMPARE(again.faults.size(), late.size());
  QCOMPARE(count(finished(again)->history(), EventKind::kFaultBegan), late.size());
}

// Of a contender that crashed before it came, and of what a store restored, which nobody had asked for.
void ObservedScenarioTest::anAnswerThatNobodyHeardIsNoDelay() {
  Told told;
  told.add(EventKind::kGranted, "a", 1s, 1s, 16s);  // a crashes
  told.add(EventKind::kExpired, "a", 17s, 17s);
  told.add(EventKind::kGranted, "a", 20s, 20s, 16s);
  told.attempted("a", 20'002ms);
  told.add(EventKind::kGranted, "a", 22s, 22s, 16s).detail = static_cast<std::uint8_t>(GrantKind::kRestored);
  told.add(EventKind::kRenewed, "a", 30s, 30s, 16s);
  told.attempted("a", 30'003ms);
  told.add(EventKind::kRenewed, "a", 40s, 40s, 16s);  // its answer is lost
  told.attempted("a", 41s, AttemptResult::kUnknown);
  told.add(EventKind::kGranted, "a", 42s, 42s, 16s).detail = static_cast<std::uint8_t>(GrantKind::kRestored);
  told.attempted("a", 45s);  // it holds already: no event tells when that was answered
  QCOMPARE(told.use(50s, {}, SeenBy::kContenders).ways, (std::vector<Duration>{2ms, 3ms}));
}

// Of which it is known by when a contender asked and when it heard.
void ObservedScenarioTest::ofALiveRunTheRenewalsTellTheDelay() {
  Told told;
  told.add(EventKind::kGranted, "a", 1s, 1'004ms, 16s);
  told.add(EventKind::kRenewed, "a", 11s, 11'006ms, 16s);
  const std::string toml =
      observed_scenario({"orders", "", "simba", "redis"}, estimate(told.use(20s, {}, SeenBy::kContenders)), told.names);
  QVERIFY2(
      toml.find("# latency, one way: of renewals and their answers, both ways; 1 observed: 6ms\n") != std::string::npos,
      toml.c_str());
  QVERIFY(read(toml).store.latency == Distribution::constant(3ms));
}

void ObservedScenarioTest::whatAWatchSeesStandsInIt() {
  const auto of =
      seen("orders", {look(0, "a", 3'000ms, -3'000ms), look(1'000, "b", 15'950ms, 9'950ms), look(2'000, "", {})});
  const Scenario scenario = read(of->scenario("sql", 3ms));
  QVERIFY(scenario.terms().ttl == 10s && scenario.terms().transition == 6s);
  QCOMPARE(scenario.mutex_names(), std::vector<std::string>{"orders"});
  QCOMPARE(scenario.contender_names(), (std::vector<std::string>{"a", "b"}));
  QCOMPARE(scenario.store.model, std::string("sql"));
  QVERIFY(scenario.store.latency == Distribution::constant(1'500us));
  QVERIFY(scenario.about.find("as long as it was seen, its transition likewise") != std::string::npos);
}

void ObservedScenarioTest::whatItDoesNotSeeIsSaidToBeAssumed() {
  const Scenario whole = read(seen("a", {look(0, "", {}), look(10, "x", 7'990ms)})->scenario("redis", 400us));
  QVERIFY(whole.terms().ttl == 5s && whole.terms().transition == 3s);
  QVERIFY(whole.about.find("assumed to share it as 10 to 6") != std::string::npos);
  const Scenario middle = read(seen("a", {look(0, "x", 2s)})->scenario("redis", 1ms));
  QVERIFY(middle.about.find("met in the middle") != std::string::npos);
  const Scenario none = read(seen("a", {look(0, "", {})})->scenario("redis", {}));
  QVERIFY(none.about.find("defaults") != std::string::npos);
}

// Of a lease of 16 s whose transition is 6 s, 3 s were left when it was met.
void ObservedScenarioTest::aTransitionThatDoesNotFitIsNotSaidToBeTheStores() {
  const std::string late = seen("orders", {look(0, "a", 3s, -3s)})->scenario("sql", 1ms);
  const Scenario middle = read(late);
  QVERIFY2(middle.terms().ttl == 1'875ms && middle.terms().transition == 1'125ms, late.c_str());
  QVERIFY2(late.find("# transition: the store keeps 6s, and no more was seen of the lease; 6 parts of 16") !=
               std::string::npos,
           late.c_str());
  QVERIFY2(middle.about.find("10 to 6: no more than the transition was seen of it") != std::string::npos, late.c_str());
  // One that is seen whole, and kept shorter than a contender needs to renew in time.
  const std::string brief = seen("orders", {look(0, "", {}), look(10, "a", 16s, 15'990ms)})->scenario("sql", 1ms);
  QVERIFY2(read(brief).terms().transition == 325ms, brief.c_str());
  QVERIFY2(brief.find("# transition: as the store keeps it, or as near to that as") != std::string::npos,
           brief.c_str());
  // One that fits.
  const std::string met = seen("orders", {look(0, "a", 9s, 3s)})->scenario("sql", 1ms);
  QVERIFY2(read(met).terms().transition == 6s && read(met).terms().ttl == 3s, met.c_str());
  QVERIFY2(met.find("# transition: as the store keeps it\n") != std::string::npos, met.c_str());
}

void ObservedScenarioTest::whoeverWaitsContends() {
  Sighting crowded = look(0, "a", 16s);
  crowded.waiters = 6;
  const Scenario scenario = read(seen("orders", {crowded})->scenario("redis", 1ms));
  QCOMPARE(scenario.contender_names().size(), std::size_t{7});
  QCOMPARE(scenario.contender_names().front(), std::string("a"));
}

void ObservedScenarioTest::aLatchIsALatch() {
  Sighting led = look(0, "a", {});
  led.system = "latch";
  const Scenario scenario = read(seen("boss", {led})->scenario("zookeeper", 2ms));
  QCOMPARE(scenario.mutex.system, std::string("latch"));
  QCOMPARE(scenario.store.model, std::string("zookeeper"));
}

// Its session's lease is its ttl, and nothing of that is a transition. Of another maker's lock it is said that it is.
void ObservedScenarioTest::aFencedLockOfOursIsOne() {
  const auto of = [](std::string_view maker, std::string_view system) {
    std::vector<Sighting> looks{look(0, "", {}), look(10, "a", 10s), look(3'000, "a", 10s)};
    for (Sighting& each : looks) {
      each.maker = maker;
      each.system = system;
    }
    return seen("orders", looks)->scenario("sql", 2ms);
  };
  const std::string ours = of(kOwnMaker, "fenced lock");
  const Scenario scenario = read(ours);
  QCOMPARE(scenario.mutex.system, std::string("fenced"));
  QCOMPARE(scenario.mutex_names(), std::vector<std::string>{"orders"});
  QCOMPARE(scenario.contender_names(), std::vector<std::string>{"a"});
  QVERIFY2(scenario.terms().ttl == 10s, ours.c_str());
  QVERIFY2(scenario.about.find("as Simba does") == std::string::npos, ours.c_str());
  QVERIFY2(scenario.about.find("transition") == std::string::npos, ours.c_str());
  QVERIFY(count(finished(scenario)->history(), EventKind::kGranted) >= 1);
  const Scenario foreign = read(of("Redisson", "lock"));
  QCOMPARE(foreign.mutex.system, std::string("simba"));
  QVERIFY(foreign.about.find("It is a Redisson lock: here it is contended for as Simba does") != std::string::npos);
}

// Whatever a mutex is called, and however short its lease.
void ObservedScenarioTest::anyNameAndAnyLeaseCanBeRead() {
  for (const std::string& name :
       {std::string("a \"quoted\" \\ name"), std::string(300, 'x'), std::string("}"), std::string("caf\xc3\xa9\n\x01")})
    for (const Duration left : {Duration(1ms), Duration(3'333ms), Duration(24h)})
      read(seen(name, {look(0, "a", left)})->scenario("redis", 1ns));
}

LEASESCOPE_SUITE(ObservedScenarioTest)
#include "observed_scenario_test.moc"
