// Recordings of observers who saw the same mutex: by how much their clocks are apart, and what comes of them.
#include <algorithm>
#include <set>

#include <QTemporaryDir>

#include "core/history/ownership.h"
#include "core/history/recording/joint_account.h"
#include "core/history/recording/merged_observers.h"
#include "core/history/recording/offset_between.h"
#include "tests/support/merged.h"
#include "tests/support/observed.h"
#include "tests/support/suite.h"

using namespace leasescope;
using namespace leasescope::tests;

class MergedObserversTest : public QObject {
  Q_OBJECT
 private slots:
  void init() { ++turn_; }
  void anOffsetIsWhatMostAllow();
  void whoContradictEachOtherHaveNone();
  void anOffsetIsSaidInWords();
  void clocksMayHaveGoneApartMeanwhile();
  void aGrantThatWasOnlyMetSaysNothing();
  void gapsThatAnOffsetWidensBecomeOne();
  void whoLastedWhenItsObserverWentIsNotWhoOwnsLater();
  void whoIsNotThereWhenTheOtherLooksAgainHasEnded();
  void eachHandOffIsThereOnce();
  void whatOneDidNotSeeTheOtherTells();
  void withoutOffsetsTheyAreKeptApart();
  void anOffsetIsTakenAsItIsGiven();
  void otherStoresMutexesAreNotTheSame();
  void clocksThatGoApartAreSaidAndKeptApart();
  void whoStaysApartIsSaidWhicheverCameFirst();
  void aThirdStandsBesideThem();
  void onlyWhatMayBeJoinedIsHeldInMemory();
  void whatMakesNoSenseIsRefused();

 private:
  std::string path(const char* name) const {
    return folder_.filePath(QString("%1-%2").arg(name).arg(turn_)).toStdString();
  }
  std::string recorded(const char* name, const Recorded& what) const {
    const std::string error = record(path(name), what);
    if (!error.empty()) qFatal("%s", error.c_str());
    return path(name);
  }
  QTemporaryDir folder_;
  int turn_ = 0;
};

namespace {

constexpr std::int64_t kMs = 1'000'000, kBegin = 1'700'000'000'000'000'000;

// a, b and c in turn, ten seconds each, with tokens from 1 on; the last ends after 200 s.
std::vector<TrueTerm> three_in_turn() {
  std::vector<TrueTerm> out;
  for (int i = 0; i < 20; ++i)
    out.push_back({std::string(1, static_cast<char>('a' + i % 3)), static_cast<Token>(i + 1), kBegin + i * 10'000 * kMs,
                   kBegin + (i + 1) * 10'000 * kMs});
  return out;
}

// From and to, in seconds after the begin: each 100 ms a look, whose answer takes 10 ms. `blind`: not between those.
std::vector<Look> looks(int from_s, int to_s, std::pair<int, int> blind = {0, 0}) {
  std::vector<Look> out;
  bool was_blind = false;
  for (std::int64_t at = kBegin + from_s * 1'000 * kMs + 37 * kMs; at < kBegin + to_s * 1'000 * kMs; at += 100 * kMs) {
    const bool is_blind = at >= kBegin + blind.first * 1'000 * kMs && at < kBegin + blind.second * 1'000 * kMs;
    if (!is_blind) out.push_back({at, at + 5 * kMs, at + 10 * kMs, was_blind});
    was_blind = is_blind;
  }
  return out;
}

Recorded watched(const std::vector<Look>& how, std::int64_t ahead_ns, const char* store = "redis://host") {
  Recorded out;
  const Seen of = seen(three_in_turn(), how, ahead_ns, out.history.names);
  out.header = told_header();
  out.header.scenario = "watch";
  out.header.title = "What was seen";
  out.header.fork.reset();
  out.header.until_ns.reset();
  out.header.store = store;
  out.header.epoch_ns = of.epoch_ns;
  out.history.events = of.events;
  out.history.now = of.now;
  out.outcome.emplace();
  out.outcome->simulated_ns = of.now.time_since_epoch().count();
  return out;
}

// The same of another mutex.
Recorded of_bills(Recorded of) {
  NameTable names;
  for (std::uint32_t handle = 1; handle < of.history.names.size(); ++handle) {
    const std::string was(of.history.names.text({handle}));
    names.intern(was == "orders" ? "bills" : was);
  }
  of.history.names = std::move(names);
  return of;
}

struct Merged {
  Recorded of;
  std::vector<std::string> said;
  std::size_t held = 0;
};
Merged merged_by(const std::vector<std::string>& paths, const MergeTerms& terms = {}) {
  Merged out;
  auto made = merged_observers(paths, terms);
  if (!made) {
    out.of.error = made.error();
    return out;
  }
  out.said = made->said;
  out.held = made->held;
  out.of.header = made->source->header();
  out.of.history = made->source->frame();
  while (made->source->read_page(out.of.history.events)) {
  }
  out.of.outcome = made->source->outcome();
  out.of.error = made->source->error();
  return out;
}

std::size_t count(const History& history, EventKind kind) {
  return static_cast<std::size_t>(std::count_if(history.events.begin(), history.events.end(),
                                                [&](const Event& event) { return event.kind == kind; }));
}

std::string mutexes_of(const History& history) {
  std::set<std::string> names;
  for (const Event& event : history.events) names.emplace(history.names.text(event.mutex));
  std::string out;
  for (const std::string& each : names) out += (out.empty() ? "" : "; ") + each;
  return out;
}

// "b", "b?" where it is not sure, "?" where it is not observed, "" for nobody.
std::string owner_told(const Recorded& of, std::int64_t wall_ns) {
  Name mutex;
  for (const Event& event : of.history.events) mutex = event.mutex.empty() ? mutex : event.mutex;
  Ownership owners(of.history.legend, mutex);
  for (const Event& event : of.history.events) owners.append(event, of.history.names);
  const Ownership::Moment moment = owners.at(TrueTime(Duration(wall_ns - *of.header.epoch_ns)));
  if (moment.unobserved != nullptr) return "?";
  std::string out;
  for (const OwnedStretch* const each : moment.surely) out += of.history.names.text(each->owner);
  for (const OwnedStretch* const each : moment.perhaps) out += std::string(of.history.names.text(each->owner)) + "?";
  return out;
}

TrueTime second(int of) { return TrueTime(std::chrono::seconds(of)); }

// What a watch tells, in seconds by its clock.
void tell(ObservedAccount& to, EventKind kind, Name node, Name mutex, int lo, int hi, Token token = kNoToken) {
  Event event;
  event.kind = kind;
  event.node = node;
  event.mutex = mutex;
  event.token = token;
  event.lo = second(lo);
  event.hi = second(hi);
  if (kind == EventKind::kGranted) event.a = kNoDeadline;
  if (!to.tell(event)) qFatal("an event that no watch tells of");
}

bool says(const std::vector<std::string>& all, const std::string& part) {
  return std::any_of(all.begin(), all.end(),
                     [&](const std::string& each) { return each.find(part) != std::string::npos; });
}

}  // namespace

void MergedObserversTest::anOffsetIsWhatMostAllow() {
  const auto bounds = [](int lo, int hi) { return OffsetBounds{Duration(lo), Duration(hi)}; };
  const auto offset = agreed_offset({bounds(0, 10), bounds(5, 15), bounds(8, 9), bounds(7, 30), bounds(100, 200)});
  QVERIFY(offset && offset->is_known());
  QCOMPARE(offset->bounds.lo.count(), std::int64_t{8});
  QCOMPARE(offset->bounds.hi.count(), std::int64_t{9});
  QCOMPARE(offset->agree, std::size_t{4});
  QCOMPARE(offset->shared, std::size_t{5});
  // Touching is agreeing.
  QCOMPARE(agreed_offset({bounds(0, 5), bounds(5, 9)})->agree, std::size_t{2});
  // Where two are allowed by as many, all between them.
  const auto two = agreed_offset({bounds(0, 1), bounds(10, 11)});
  QCOMPARE(two->bounds.lo.count(), std::int64_t{0});
  QCOMPARE(two->bounds.hi.count(), std::int64_t{11});
  QVERIFY(!agreed_offset({}));
}

void MergedObserversTest::whoContradictEachOtherHaveNone() {
  std::vector<OffsetBounds> all;
  for (int i = 0; i < 20; ++i) all.push_back({Duration(i * 10), Duration(i * 10 + 45)});
  const auto offset = agreed_offset(all);
  QCOMPARE(offset->agree, std::size_t{5});
  QVERIFY(!offset->is_known());
  // Three that agree are too few.
  QVERIFY(!agreed_offset({all[0], all[1], all[2]})->is_known());
}

void MergedObserversTest::anOffsetIsSaidInWords() {
  QCOMPARE(offset_text({Duration(112 * kMs), Duration(128 * kMs)}, "a's"),
           std::string("120 ms ± 8.000 ms ahead of a's"));
  QCOMPARE(offset_text({Duration(-3 * kMs), Duration(-1 * kMs)}, "a's"), std::string("2.000 ms ± 1.000 ms behind a's"));
}

void MergedObserversTest::clocksMayHaveGoneApartMeanwhile() {
  // The second's clock gains 30 ms in 1000 s; in the middle both know to 1 ms when a was granted, at either end less.
  NameTable names;
  const Name mutex = names.intern("orders"), owner = names.intern("a");
  ObservedAccount a, b;
  const auto granted = [&](ObservedAccount& to, Token token, Duration lo, Duration hi) {
    Event event;
    event.kind = EventKind::kGranted;
    event.node = owner;
    event.mutex = mutex;
    event.token = token;
    event.lo = TrueTime(lo);
    event.hi = TrueTime(hi);
    QVERIFY(to.tell(event));
  };
  Token token = 0;
  for (const int s : {1, 500, 501, 1'001}) {
    const Duration at = std::chrono::seconds(s), ahead(s * 30'000), unsure(s == 1 || s == 1'001 ? 20 * kMs : kMs);
    granted(a, ++token, at, at);
    granted(b, token, at + ahead - unsure, at + ahead + unsure);
  }
  a.finish(second(1'001));
  b.finish(second(1'001));
  const auto offset = offset_between(a, b, Duration{});
  QVERIFY(offset && offset->is_known());
  QCOMPARE(offset->agree, std::size_t{7});  // with each grant but the last the one before it ended
  // It was 0 when they began, and 30 ms when they ended.
  QVERIFY(offset->bounds.lo <= Duration{} && offset->bounds.hi >= Duration(30 * kMs));
  // And no wider than the events say: 1 ms before and after what those in the middle make of it.
  QVERIFY(offset->bounds.lo >= Duration(-2 * kMs) && offset->bounds.hi <= Duration(32 * kMs));
}

void MergedObserversTest::aGrantThatWasOnlyMetSaysNothing() {
  // The second begins in the middle of c's first term, long after it was granted.
  NameTable names;
  const Seen a = seen(three_in_turn(), looks(1, 60), 0, names), b = seen(three_in_turn(), looks(25, 28), 0, names);
  const ObservedAccount of_a = a.account(), of_b = b.account();
  QCOMPARE(of_b.mutexes().front().stretches.size(), std::size_t{1});
  QVERIFY(of_b.mutexes().front().stretches.front().met);
  QVERIFY(shared_bounds(of_a, of_b, Duration(b.epoch_ns - a.epoch_ns)).empty());
}

void MergedObserversTest::gapsThatAnOffsetWidensBecomeOne() {
  // Two gaps with a second between them, by a clock that is known to 2 s.
  NameTable names;
  ObservedAccount of;
  const Name mutex = names.intern("orders"), store = names.intern("redis://host");
  tell(of, EventKind::kUnobservedEnded, store, mutex, 0, 0);
  tell(of, EventKind::kUnobservedBegan, store, mutex, 10, 10);
  tell(of, EventKind::kUnobservedEnded, store, mutex, 13, 14);
  tell(of, EventKind::kUnobservedBegan, store, mutex, 15, 15);
  tell(of, EventKind::kUnobservedEnded, store, mutex, 18, 19);
  of.finish(second(40));
  of.shift(-second(1).time_since_epoch(), second(1).time_since_epoch());
  const std::vector<BlindStretch>& blind = of.mutexes().front().blind;
  QCOMPARE(blind.size(), std::size_t{3});  // the first and the last are from before it began, and from after its end
  QVERIFY(blind[1].begin == second(9) && blind[1].end_lo == second(17) && blind[1].end_hi == second(20));
  // What is told of it is one gap, too, and nothing from 15 to 20 is told as seen.
  Ownership owners(Legend{}, mutex);
  for (const Event& event : joint_events({{&of, {}}})) owners.append(event, names);
  for (const int at : {9, 12, 14, 15, 16, 19}) QVERIFY(owners.at(second(at)).unobserved != nullptr);
  for (const int at : {8, 20, 38}) QVERIFY(owners.at(second(at)).unobserved == nullptr);
}

void MergedObserversTest::whoLastedWhenItsObserverWentIsNotWhoOwnsLater() {
  // No tokens. The first stops looking while x holds; the second sees y after a gap, and then x again.
  NameTable names;
  const Name mutex = names.intern("orders"), store = names.intern("redis://host");
  const Name x = names.intern("x"), y = names.intern("y");
  ObservedAccount a, b;
  tell(a, EventKind::kUnobservedEnded, store, mutex, 0, 0);
  tell(a, EventKind::kGranted, x, mutex, 100, 101);
  tell(a, EventKind::kUnobservedBegan, store, mutex, 160, 160);
  a.finish(second(160));
  tell(b, EventKind::kUnobservedEnded, store, mutex, 0, 0);
  tell(b, EventKind::kUnobservedBegan, store, mutex, 70, 70);
  tell(b, EventKind::kUnobservedEnded, store, mutex, 219, 220);
  tell(b, EventKind::kGranted, y, mutex, 219, 220);
  tell(b, EventKind::kReleased, y, mutex, 760, 761);
  tell(b, EventKind::kGranted, x, mutex, 760, 761);
  tell(b, EventKind::kReleased, x, mutex, 1'360, 1'361);
  b.finish(second(1'400));
  Ownership owners(Legend{}, mutex);
  for (const Event& event : joint_events({{&a, {}}, {&b, {}}})) owners.append(event, names);
  const std::vector<OwnedStretch>& owned = owners.owned();
  QCOMPARE(owned.size(), std::size_t{3});
  QVERIFY(owned[0].owner == x && owned[0].end_lo == second(160) && owned[0].end_hi == second(220));
  QVERIFY(owned[1].owner == y && owned[1].end_lo == second(760) && owned[1].end_hi == second(761));
  QVERIFY(owned[2].owner == x && owned[2].begin_lo == second(760) && owned[2].end_hi == second(1'361));
}

void MergedObserversTest::whoIsNotThereWhenTheOtherLooksAgainHasEnded() {
  // The last look of the first began at 12 and was answered at 20: x was there, since 10 at the earliest. What the
  // second saw before 20 says nothing, as x may have begun after that; what he saw later does.
  const auto ended = [](std::vector<std::pair<int, int>> blind) {
    NameTable names;
    const Name mutex = names.intern("orders"), store = names.intern("redis://host"), x = names.intern("x");
    ObservedAccount a, b;
    tell(a, EventKind::kUnobservedEnded, store, mutex, 0, 0);
    tell(a, EventKind::kGranted, x, mutex, 10, 20);
    tell(a, EventKind::kUnobservedBegan, store, mutex, 12, 12);
    a.finish(second(20));
    tell(b, EventKind::kUnobservedEnded, store, mutex, 0, 0);
    for (const auto& [from, to] : blind) {
      tell(b, EventKind::kUnobservedBegan, store, mutex, from, from);
      tell(b, EventKind::kUnobservedEnded, store, mutex, to - 1, to);
    }
    b.finish(second(90));
    for (const Event& event : joint_events({{&a, {}}, {&b, {}}}))
      if (event.kind == EventKind::kReleased) return event;
    return Event{};
  };
  const Event looked_last = ended({{11, 15}, {40, 51}});
  QVERIFY(looked_last.kind == EventKind::kReleased);
  QVERIFY(looked_last.lo == second(12) && looked_last.hi == second(40));
  const Event saw_again = ended({{18, 31}});  // he looks on at 12, and last before 20 at 18
  QVERIFY(saw_again.kind == EventKind::kReleased);
  QVERIFY(saw_again.lo == second(12) && saw_again.hi == second(31));
}

void MergedObserversTest::eachHandOffIsThereOnce() {
  const std::string a = recorded("a", watched(looks(1, 195), 0)), b = recorded("b", watched(looks(4, 205), 120 * kMs));
  const Merged both = merged_by({a, b});
  QCOMPARE(both.of.error, std::string());
  QCOMPARE(both.said.size(), std::size_t{1});
  QVERIFY2(says(both.said, b + ": its clock is 1") &&
               says(both.said, " ms ahead of " + a + "'s by 38 grants and ends") &&
               says(both.said, ", if neither is more than 15 ppm off"),
           both.said.front().c_str());
  QVERIFY2(both.of.header.title.find("What was seen; b-") == 0, both.of.header.title.c_str());
  QVERIFY2(both.of.header.title.find(" ms ahead of ") != std::string::npos, both.of.header.title.c_str());
  QCOMPARE(mutexes_of(both.of.history), std::string("orders"));
  QCOMPARE(count(both.of.history, EventKind::kGranted), std::size_t{20});
  QCOMPARE(both.of.history.summary.handoffs, std::uint64_t{19});
  // By a's clock, which is right.
  for (int s = 3; s < 200; s += 5) {
    const char owner = static_cast<char>('a' + s / 10 % 3);
    QCOMPARE(owner_told(both.of, kBegin + s * 1'000 * kMs + 500 * kMs), std::string(1, owner));
  }
  QCOMPARE(count(both.of.history, EventKind::kUnobservedBegan), std::size_t{2});  // before both and after both
  // The bounds of a hand-off are no wider than the first one's own.
  for (const Event& event : both.of.history.events)
    if (event.kind == EventKind::kGranted && event.token > 1 && event.token < 20)
      QVERIFY(event.hi - event.lo <= Duration(110 * kMs));
}

void MergedObserversTest::whatOneDidNotSeeTheOtherTells() {
  const std::string a = recorded("a", watched(looks(1, 195, {52, 88}), 0));
  const std::string b = recorded("b", watched(looks(1, 195, {81, 118}), -3'000 * kMs));
  const Merged both = merged_by({a, b});
  QCOMPARE(both.of.error, std::string());
  QVERIFY2(says(both.said, " ms behind " + a), both.said.empty() ? "" : both.said.front().c_str());
  QCOMPARE(owner_told(both.of, kBegin + 65'000 * kMs), std::string("a"));   // a is blind: b tells
  QCOMPARE(owner_told(both.of, kBegin + 105'000 * kMs), std::string("b"));  // b is blind: a tells
  QCOMPARE(owner_told(both.of, kBegin + 85'000 * kMs), std::string("?"));   // both are
  QCOMPARE(owner_told(both.of, kBegin + 89'000 * kMs), std::string("c"));
  QCOMPARE(count(both.of.history, EventKind::kGranted), std::size_t{20});
  QCOMPARE(count(both.of.history, EventKind::kUnobservedBegan), std::size_t{3});
}

void MergedObserversTest::withoutOffsetsTheyAreKeptApart() {
  const std::string a = recorded("a", watched(looks(1, 195), 0)), b = recorded("b", watched(looks(4, 205), 120 * kMs));
  MergeTerms terms;
  terms.by_shared_events = false;
  const Merged both = merged_by({a, b}, terms);
  QCOMPARE(both.said.size(), std::size_t{0});
  QCOMPARE(mutexes_of(both.of.history), std::string("orders; orders (2)"));
  QCOMPARE(difference(both.of.history, merged({a, b}).history), std::string());
}

void MergedObserversTest::anOffsetIsTakenAsItIsGiven() {
  const std::string a = recorded("a", watched(looks(1, 195), 0)), b = recorded("b", watched(looks(4, 205), 120 * kMs));
  MergeTerms terms;
  terms.ahead[b] = Duration(120 * kMs);
  const Merged both = merged_by({a, b}, terms);
  QCOMPARE(both.said, (std::vector<std::string>{b + ": its clock is taken to be 120ms ahead of " + a + "'s"}));
  QCOMPARE(count(both.of.history, EventKind::kGranted), std::size_t{20});
  QCOMPARE(owner_told(both.of, kBegin + 198'000 * kMs), std::string("b"));
}

void MergedObserversTest::otherStoresMutexesAreNotTheSame() {
  const std::string a = recorded("a", watched(looks(1, 195), 0));
  const std::string b = recorded("b", watched(looks(4, 205), 0, "redis://other"));
  const Merged both = merged_by({a, b});
  QCOMPARE(both.said.size(), std::size_t{0});
  QCOMPARE(mutexes_of(both.of.history), std::string("orders; orders (2)"));
}

void MergedObserversTest::clocksThatGoApartAreSaidAndKeptApart() {
  // By a tenth of the time: no two hand-offs agree.
  Recorded drifting = watched(looks(4, 205), 0);
  for (Event& event : drifting.history.events) {
    event.lo += event.lo.time_since_epoch() / 10;
    event.hi += event.hi.time_since_epoch() / 10;
  }
  drifting.history.now += drifting.history.now.time_since_epoch() / 10;
  const std::string a = recorded("a", watched(looks(1, 195), 0)), b = recorded("b", drifting);
  const Merged both = merged_by({a, b});
  QCOMPARE(both.said, (std::vector<std::string>{
                          b + ": no offset of its clock from " + a +
                          "'s fits most of the 38 grants and ends that both saw (2 at most): each has its own rows, by "
                          "the wall clock"}));
  QCOMPARE(mutexes_of(both.of.history), std::string("orders; orders (2)"));
}

void MergedObserversTest::whoStaysApartIsSaidWhicheverCameFirst() {
  // The first and the last saw one hand-off, which is an end and a grant, and the two others nearly all.
  const std::string a = recorded("a", watched(looks(15, 29), 0)), b = recorded("b", watched(looks(1, 195), 0));
  const std::string c = recorded("c", watched(looks(4, 205), 120 * kMs)),
                    d = recorded("d", watched(looks(15, 29), 7 * kMs));
  const auto too_little = [](const std::string& of, const std::string& with) {
    return of + ": it has too little in common with " + with + " to know how far their clocks are apart (2)";
  };
  const Merged all = merged_by({a, b, c, d});
  QCOMPARE(all.of.error, std::string());
  QVERIFY2(all.said.size() == 6, all.said.empty() ? "" : all.said.back().c_str());
  QVERIFY(says(all.said, c + ": its clock is 1"));
  for (const std::string& of : {a, d})
    for (const std::string& with : {b, c}) QVERIFY(says(all.said, too_little(of, with)));
  // Of two who both stay apart once.
  QVERIFY(says(all.said, too_little(d, a)));
  QVERIFY(!says(all.said, too_little(a, d)));
}

void MergedObserversTest::aThirdStandsBesideThem() {
  const Recorded other = of_bills(watched(looks(2, 50), 7 * kMs));
  const std::string a = recorded("a", watched(looks(1, 195), 0)), b = recorded("b", watched(looks(4, 205), 120 * kMs));
  const Merged all = merged_by({a, recorded("c", other), b});
  QCOMPARE(all.of.error, std::string());
  QCOMPARE(all.said.size(), std::size_t{1});
  QCOMPARE(mutexes_of(all.of.history), std::string("bills; orders"));
  QVERIFY(all.of.outcome.has_value());
}

void MergedObserversTest::onlyWhatMayBeJoinedIsHeldInMemory() {
  const std::string a = recorded("a", watched(looks(1, 60), 0)), b = recorded("b", watched(looks(4, 60), 120 * kMs));
  const std::string bills = recorded("bills", of_bills(watched(looks(2, 60), 0)));
  const std::string elsewhere = recorded("elsewhere", watched(looks(3, 60), 0, "redis://other"));
  QCOMPARE(merged_by({a, bills, b}).held, std::size_t{2});
  // "orders" is another mutex at another store.
  QCOMPARE(merged_by({a, bills, elsewhere}).held, std::size_t{0});
  QCOMPARE(merged_by({a, elsewhere, b}).held, std::size_t{2});
  // Whose offset is given is read, whatever it tells of.
  MergeTerms terms;
  terms.ahead[bills] = Duration(kMs);
  QCOMPARE(merged_by({a, elsewhere, bills}, terms).held, std::size_t{2});
  QCOMPARE(merged_by({a, bills}).of.error, std::string());
}

void MergedObserversTest::whatMakesNoSenseIsRefused() {
  const std::string a = recorded("a", watched(looks(1, 60), 0)), b = recorded("b", watched(looks(4, 60), 0));
  const auto refused = [&](const std::string& of) {
    MergeTerms terms;
    terms.ahead[of] = Duration(5);
    return merged_by({a, b}, terms).of.error;
  };
  QCOMPARE(refused("c"), std::string("c: an offset is given of it, and it is none of the recordings"));
  QCOMPARE(refused(a), a + ": it is the first, by whose clock the others are ahead or behind: give theirs");
  QVERIFY(merged_by({a, a}).of.error.find("name it once") != std::string::npos);
  QVERIFY(merged_by({a, path("missing")}).of.error.find("No such file") != std::string::npos);
}

LEASESCOPE_SUITE(MergedObserversTest)
#include "merged_observers_test.moc"
