// The recordings of one observer as one history: what nobody saw in between is not observed, and whoever owned before
// and after it is told of as what is known.
#include <memory>

#include "core/history/mutex_title.h"
#include "core/history/ownership.h"
#include "core/history/recording/continued_history.h"
#include "tests/support/show.h"
#include "tests/support/suite.h"

using namespace leasescope;
using namespace std::chrono_literals;

namespace {

constexpr std::int64_t kEpoch = 1'700'000'000'000'000'000;

TrueTime ms(int at) { return TrueTime{} + std::chrono::milliseconds(at); }

// What one watch has seen, told by hand.
class Told final : public HistorySource {
 public:
  explicit Told(int began_ms) {
    header_.epoch_ns = kEpoch + Duration(std::chrono::milliseconds(began_ms)).count();
    header_.store = "redis://h";
    store_ = frame_.names.intern("redis://h");
  }
  Told& tell(int lo, int hi, EventKind kind, const char* who, Token token = kNoToken, const char* mutex = "orders",
             Duration lease = 10s) {
    Event event;
    event.lo = ms(lo);
    event.hi = ms(hi);
    event.kind = kind;
    event.node = who == nullptr ? store_ : frame_.names.intern(who);
    event.mutex = frame_.names.intern(mutex);
    event.token = token;
    if (kind == EventKind::kGranted || kind == EventKind::kRenewed) event.a = lease.count();
    events_.push_back(event);
    return *this;
  }
  // Beside others, without an end.
  Told& shares(int at, const char* who) {
    tell(at, at, EventKind::kGranted, who, kNoToken, "orders", Duration(kNoDeadline));
    events_.back().detail = static_cast<std::uint8_t>(GrantKind::kShared);
    return *this;
  }
  // Met in the middle: not observed until it was seen first.
  Told& meets(int at, const char* mutex = "orders") {
    tell(0, at, EventKind::kUnobservedBegan, nullptr, kNoToken, mutex);
    return tell(at, at, EventKind::kUnobservedEnded, nullptr, kNoToken, mutex);
  }
  Told& until(int at) {
    frame_.now = ms(at);
    return *this;
  }
  // Of an alert on `mutex`; of one that keeps what is told of them.
  Told& notes(std::uint64_t alert, AlertDeed deed, int at, const char* mutex = "orders") {
    if (!alerts_) alerts_.emplace();
    alerts_->push_back({alert, deed, ms(at), ms(at), "rule", "no_owner", frame_.names.intern(mutex), "words"});
    return *this;
  }
  Told& ends() {
    outcome_.emplace().simulated_ns = frame_.now.time_since_epoch().count();
    return *this;
  }

  const std::string& path() const override { return path_; }
  const HistoryHeader& header() const override { return header_; }
  const std::optional<RecordedOutcome>& outcome() const override { return outcome_; }
  const History& frame() const override { return frame_; }
  const std::vector<AlertNote>* alerts() const override { return alerts_ ? &*alerts_ : nullptr; }
  std::uint64_t events() const override { return events_.size(); }
  int permille() const override { return 0; }
  const std::vector<std::string>& remarks() const override { return remarks_; }
  bool read_page(std::vector<Event>& events) override {
    const bool any = !read_ && !events_.empty();
    if (any) events.insert(events.end(), events_.begin(), events_.end());
    read_ = true;
    return any;
  }
  const std::string& error() const override { return error_; }

 private:
  std::string path_ = "told", error_;
  HistoryHeader header_;
  std::optional<RecordedOutcome> outcome_;
  History frame_;
  Name store_;
  std::vector<Event> events_;
  std::vector<std::string> remarks_;
  std::optional<std::vector<AlertNote>> alerts_;
  bool read_ = false;
};

struct Read {
  History history;
  std::optional<RecordedOutcome> outcome;
  std::optional<std::vector<AlertNote>> alerts;

  Name named(const std::string& name) const {
    for (std::uint32_t i = 0; i < history.names.size(); ++i)
      if (history.names.text({i}) == name) return {i};
    return {};
  }
  // "a" surely, "?a" perhaps, "*" not observed, "-" nobody.
  QString at(int at_ms, const char* mutex = "orders") const {
    Ownership of(history.legend, named(mutex));
    for (const Event& event : history.events) of.append(event, history.names);
    const Ownership::Moment then = of.at(ms(at_ms));
    QStringList out;
    const auto name = [&](const OwnedStretch* each) {
      return QString::fromStdString(std::string(history.names.text(each->owner)));
    };
    if (then.unobserved != nullptr) out << "*";
    for (const OwnedStretch* each : then.surely) out << name(each);
    for (const OwnedStretch* each : then.perhaps) out << "?" + name(each);
    return out.isEmpty() ? QString("-") : out.join(' ');
  }
};

ContinuedHistory::Part part(Told told, bool goes_on = false) {
  return {std::make_unique<Told>(std::move(told)), goes_on, {"orders"}};
}

Read read(std::vector<ContinuedHistory::Part> parts,
          const std::function<std::string(const std::string&)>& called = {}) {
  auto continued = ContinuedHistory::of("api-1", std::move(parts), called);
  if (!continued) qFatal("%s", continued.error().c_str());
  Read out{(*continued)->frame(), (*continued)->outcome(), std::nullopt};
  if ((*continued)->alerts() != nullptr) out.alerts = *(*continued)->alerts();
  while ((*continued)->read_page(out.history.events)) {
  }
  if (!(*continued)->error().empty()) qFatal("%s", (*continued)->error().c_str());
  return out;
}

template <class... Parts>
Read read_all(Parts&&... parts) {
  std::vector<ContinuedHistory::Part> all;
  (all.push_back(std::forward<Parts>(parts)), ...);
  return read(std::move(all));
}

// Killed at 5 s, while `a` owns; begun again at 9 s.
Told killed() {
  Told out(0);
  out.meets(100).tell(100, 100, EventKind::kGranted, "a", 1).until(5'000);
  return out;
}

}  // namespace

class ContinuedHistoryTest : public QObject {
  Q_OBJECT
 private slots:
  void fromTheEndOfAKilledOneOnNothingIsObserved() {
    const Read told = read_all(part(killed()));
    QVERIFY(!told.outcome);
    QCOMPARE(told.at(4'999), QString("a"));
    QCOMPARE(told.at(5'000), QString("* a"));
    QCOMPARE(told.at(60'000), QString("* a"));
  }
  void ofOneThatGoesOnTheLastIsKnownToBeSo() {
    const Read told = read_all(part(killed(), true));
    QCOMPARE(told.at(5'000), QString("a"));
    QCOMPARE(told.history.events.size(), std::size_t{3});
  }
  void whoeverOwnsBeforeAndAfterItHasGoneOnOwning() {
    Told after(9'000);
    after.meets(200).tell(200, 200, EventKind::kGranted, "a", 1);
    after.tell(1'000, 1'000, EventKind::kReleased, "a", 1).until(2'000).ends();
    const Read told = read_all(part(killed()), part(std::move(after)));
    QCOMPARE(told.at(7'000), QString("* a"));
    QCOMPARE(told.at(9'200), QString("a"));  // by the clock of the first
    QCOMPARE(told.at(9'999), QString("a"));
    QCOMPARE(told.at(10'000), QString("-"));
    QCOMPARE(told.outcome->simulated_ns, Duration(11s).count());
    Ownership of({}, told.named("orders"));
    for (const Event& event : told.history.events) of.append(event, told.history.names);
    QCOMPARE(of.owned().size(), std::size_t{1});
    QCOMPARE(of.unobserved().size(), std::size_t{2 + 1});  // before, between, after
  }
  // Nobody was there to hear that it ended; and what is believed says nothing of who holds.
  void whatWasBelievedIsNotBelievedForEver() {
    Told before = killed();
    before.tell(4'000, 4'000, EventKind::kBelieved, "a", 1).until(5'000);
    Told after(9'000);
    after.tell(100, 100, EventKind::kBelieved, "b", 2);
    after.meets(200).tell(200, 200, EventKind::kGranted, "a", 1).until(2'000).ends();
    const Read told = read_all(part(std::move(before)), part(std::move(after)));
    QCOMPARE(told.at(9'150), QString("* a"));
    QCOMPARE(told.at(9'300), QString("a"));
    Standing standing;
    for (const Event& event : told.history.events) standing.append(event, told.history.names);
    const Standing::Mutex& of = *standing.mutex(told.named("orders"));
    QCOMPARE(of.believers.size(), std::size_t{0});
    int ended = 0;
    for (const Event& event : told.history.events) {
      if (event.kind != EventKind::kDisbelieved || event.node != told.named("a")) continue;
      QVERIFY(event.lo == ms(4'000) && event.hi == ms(5'000) && event.token == 1);
      ++ended;
    }
    QCOMPARE(ended, 1);
  }
  void whoeverOwnsOnlyBeforeItEndedSomewhereInIt() {
    Told after(9'000);
    after.meets(200).tell(200, 200, EventKind::kGranted, "b", 2).until(2'000).ends();
    const Read told = read_all(part(killed()), part(std::move(after)));
    QCOMPARE(told.at(7'000), QString("* ?a ?b"));
    QCOMPARE(told.at(9'200), QString("b"));
  }
  void thoseBesideEachOtherGoOnEachForItself() {
    Told before(0), after(9'000);
    before.meets(100).shares(100, "a").shares(100, "b").until(5'000);
    after.meets(200).shares(200, "a").shares(200, "c");
    after.tell(1'000, 1'000, EventKind::kReleased, "a").until(2'000).ends();
    const Read told = read_all(part(std::move(before)), part(std::move(after)));
    QCOMPARE(told.at(4'999), QString("a b"));
    QCOMPARE(told.at(7'000), QString("* a ?b ?c"));
    QCOMPARE(told.at(9'300), QString("a c"));
    QCOMPARE(told.at(10'000), QString("c"));
    Ownership of({}, told.named("orders"));
    for (const Event& event : told.history.events) of.append(event, told.history.names);
    QCOMPARE(of.owned().size(), std::size_t{3});
  }
  void whoWasAloneIsGoneWhenOthersHoldBesideEachOther() {
    Told after(9'000);
    after.meets(200).shares(200, "b").shares(200, "c").until(2'000).ends();
    const Read told = read_all(part(killed()), part(std::move(after)));
    QCOMPARE(told.at(9'300), QString("b c"));
  }
  void aNewTermOfTheSameOwnerIsANewTerm() {
    Told after(9'000);
    after.meets(200).tell(200, 200, EventKind::kGranted, "a", 2).until(2'000).ends();
    const Read told = read_all(part(killed()), part(std::move(after)));
    QCOMPARE(told.at(7'000), QString("* ?a ?a"));
    QCOMPARE(told.at(9'300), QString("a"));
  }
  void oneThatNobodyHoldsAfterItWasFreedInIt() {
    Told after(9'000);
    after.meets(200).meets(300, "bills").until(2'000).ends();
    const Read told = read_all(part(killed()), part(std::move(after)));
    QCOMPARE(told.at(7'000), QString("* ?a"));
    QCOMPARE(told.at(9'200), QString("-"));
    // With ten seconds of a lease from 0.1 s on it was given back, and ran out by 11 s at the earliest.
    const auto& events = told.history.events;
    QCOMPARE(std::count_if(events.begin(), events.end(), [](const Event& e) { return e.kind == EventKind::kReleased; }),
             std::ptrdiff_t{1});
  }
  // All that there was had been looked at without it: then it is met by a grant, and nobody said that it was seen
  // again.
  void oneThatIsMetByAGrantWasNotThereBefore() {
    Told after(9'000);
    after.meets(100, "bills").tell(150, 1'000, EventKind::kGranted, "b", 2).until(2'000).ends();
    const Read told = read_all(part(killed()), part(std::move(after)));
    QCOMPARE(told.at(7'000), QString("* ?a"));
    QCOMPARE(told.at(9'500), QString("?b"));
    QCOMPARE(told.at(10'500), QString("b"));
  }
  void oneThatIsNotSeenAgainStaysUnknown() {
    Told after(9'000);
    after.meets(100, "bills").until(2'000).ends();
    QCOMPARE(read_all(part(killed()), part(std::move(after))).at(10'500), QString("* a"));
  }
  // Nobody would say that he is gone.
  void whoWaitsWaitsNoLongerThanItIsWatched() {
    Told before(0), after(9'000);
    before.meets(100).tell(100, 100, EventKind::kGranted, "a").tell(200, 300, EventKind::kQueued, "b").until(5'000);
    after.meets(200).tell(200, 200, EventKind::kGranted, "a").until(2'000).ends();
    const Read told = read_all(part(std::move(before)), part(std::move(after)));
    const auto& events = told.history.events;
    const auto gone =
        std::find_if(events.begin(), events.end(), [](auto& e) { return e.kind == EventKind::kDequeued; });
    QVERIFY(gone != events.end() && told.history.names.text(gone->node) == "b" && gone->hi == ms(5'000));
  }
  // By the clock of the first, with numbers of their own; of what lasted when one broke off nobody knows more.
  void whatIsToldOfAlertsIsJoined() {
    Told before = killed(), after(9'000);
    before.notes(1, AlertDeed::kBegan, 1'000).notes(2, AlertDeed::kBegan, 2'000, "bills");
    before.notes(1, AlertDeed::kOver, 3'000);
    after.meets(200).notes(1, AlertDeed::kBegan, 500).until(2'000).ends();
    std::vector<ContinuedHistory::Part> parts;
    parts.push_back(part(std::move(before)));
    parts.push_back(part(std::move(after)));
    const Read told = read(std::move(parts), [](const std::string& title) { return mutex_title(title, "api-1"); });
    QVERIFY(told.alerts.has_value());
    const std::vector<FiredAlert> fired = fired_alerts(*told.alerts);
    QCOMPARE(fired.size(), std::size_t{3});
    QVERIFY(fired[0].from == ms(1'000) && fired[0].to == ms(3'000));
    QVERIFY(fired[1].from == ms(2'000) && fired[1].to == ms(5'000) && fired[1].subject == told.named("bills"));
    QVERIFY(fired[2].from == ms(9'500) && fired[2].lasts());
    QVERIFY(fired[2].subject == told.named("orders @ api-1"));
  }
  void whereNobodyKeepsThemNobodyKnows() {
    QVERIFY(!read_all(part(killed())).alerts);
    Told after(9'000);
    after.meets(200).notes(1, AlertDeed::kBegan, 500).until(2'000).ends();
    QCOMPARE(read_all(part(killed()), part(std::move(after))).alerts->size(), std::size_t{1});
  }
  void itsMutexesMayBeCalledOtherwise() {
    std::vector<ContinuedHistory::Part> parts;
    parts.push_back(part(killed()));
    const Read told = read(std::move(parts), [](const std::string& title) { return mutex_title(title, "api-1"); });
    QCOMPARE(told.at(1'000, "orders @ api-1"), QString("a"));
    QCOMPARE(told.at(1'000), QString("-"));
  }
};

LEASESCOPE_SUITE(ContinuedHistoryTest)
#include "continued_history_test.moc"
