// What processes say of what they believe: the message, their clocks beside ours, and what is known by it of a mutex.
#include "core/observe/belief.h"

#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>
#include <QFile>
#include <QFileInfo>
#include <QRegularExpression>
#include <QTemporaryDir>
#include <algorithm>
#include <map>

#include <fmt/format.h>

#include "core/loop/epoll/epoll_loop.h"
#include "core/loop/one_shot.h"
#include "core/observe/belief_outlet.h"
#include "core/observe/belief_socket.h"
#include "core/observe/belief_way.h"
#include "core/observe/watched_row.h"
#include "tests/support/suite.h"
#include "tests/support/watched_by_hand.h"

using namespace leasescope;
using namespace leasescope::tests;
using namespace std::chrono_literals;

namespace {

TrueTime at(Duration since) { return TrueTime(since); }

Belief owns(const char* owner, Token fence, Duration left, std::uint64_t number) {
  Belief out;
  out.mutex = "orders";
  out.owner = owner;
  out.what = Belief::What::kOwns;
  out.fence = fence;
  out.left = left;
  out.number = number;
  out.host = "api-2";
  out.pid = 4242;
  return out;
}

// Sent now by a clock that shows the watch's time, and so much more.
std::string message(const WatchedByHand& watched, Belief belief, Duration ahead = {}) {
  belief.sent_ms = (watched.now().time_since_epoch() + ahead) / 1ms;
  return belief_text(belief);
}

// "believed a 100.000", of the events of a watch.
QStringList told(Watch& watch) {
  QStringList out;
  const History& history = watch.history();
  for (const Event& event : history.events)
    if (event.kind == EventKind::kBelieved || event.kind == EventKind::kDisbelieved)
      out << QString::fromStdString(fmt::format("{} {} {:.3f}", text(event.kind), history.names.text(event.node),
                                                static_cast<double>(event.hi.time_since_epoch().count()) / 1e9));
  return out;
}

// So often its socket was full.
class Counting final : public BeliefSender {
 public:
  Counting(const std::string& path, int& full) : to_(*send_to_socket(path)), full_(full) {}
  bool send(const std::string& mutex, const std::string& text) override {
    const bool sent = to_->send(mutex, text);
    full_ += !sent;
    return sent;
  }

 private:
  std::unique_ptr<BeliefSender> to_;
  int& full_;
};

class Keeping final : public BeliefSender {
 public:
  explicit Keeping(std::vector<Belief>& all) : all_(all) {}
  bool send(const std::string&, const std::string& text) override {
    all_.push_back(*parse_belief(text));
    return true;
  }

 private:
  std::vector<Belief>& all_;
};

}  // namespace

class BeliefTest : public QObject {
  Q_OBJECT
 private slots:
  // ---- the message
  void aMessageIsOneLineOfJson() {
    Belief belief = owns("a", 7, 5s, 3);
    belief.sent_ms = 1'764'000'000'000;
    belief.store = "redis://host";
    const std::string text = belief_text(belief);
    QVERIFY(text.find('\n') == std::string::npos && text.size() <= kMostBelief);
    QVERIFY(text.find("\"v\":1") != std::string::npos);
    const auto read = parse_belief(text);
    QVERIFY2(read.has_value(), read ? "" : read.error().c_str());
    QVERIFY(*read == belief);
  }
  void whatIsNoMessageIsRefusedWithAReason_data() {
    QTest::addColumn<QByteArray>("text");
    QTest::addColumn<QByteArray>("why");
    const QByteArray good =
        R"({"v":1,"mutex":"m","owner":"a","what":"owns","left_ns":5,"sent_ms":9,"number":1,"host":"h","pid":2})";
    const auto with = [&](const char* from, const char* to) { return QByteArray(good).replace(from, to); };
    QTest::newRow("garbage") << QByteArray("\x00\xff{", 3) << QByteArray("no object of JSON");
    QTest::newRow("a list") << QByteArray("[1]") << QByteArray("no object of JSON");
    QTest::newRow("too long") << with("\"h\"", '"' + QByteArray(3000, 'h') + '"') << QByteArray("longer than 2048");
    QTest::newRow("no version") << with("\"v\":1,", "") << QByteArray("\"v\": expected a whole number");
    QTest::newRow("a later version") << with("\"v\":1", "\"v\":2") << QByteArray("of version 2");
    QTest::newRow("no owner") << with("\"owner\":\"a\",", "") << QByteArray("\"owner\": expected a text");
    QTest::newRow("a blank mutex") << with("\"m\"", "\"\"") << QByteArray("\"mutex\": expected a text");
    QTest::newRow("another word") << with("\"owns\"", "\"rules\"") << QByteArray("\"what\": expected one of");
    QTest::newRow("less than nothing left") << with("\"left_ns\":5", "\"left_ns\":-5") << QByteArray("\"left_ns\"");
    QTest::newRow("left for ever") << with("\"left_ns\":5", "\"left_ns\":9223372036854775807")
                                   << QByteArray("\"left_ns\"");
    QTest::newRow("no number") << with("\"number\":1", "\"number\":1.5") << QByteArray("\"number\"");
    QTest::newRow("a huge number") << with("\"number\":1", "\"number\":18446744073709551615")
                                   << QByteArray("\"number\"");
    QTest::newRow("no time") << with("\"sent_ms\":9", "\"sent_ms\":\"9\"") << QByteArray("\"sent_ms\"");
  }
  void whatIsNoMessageIsRefusedWithAReason() {
    QFETCH(QByteArray, text);
    QFETCH(QByteArray, why);
    const auto read = parse_belief(text.toStdString());
    QVERIFY(!read.has_value());
    QVERIFY2(QByteArray::fromStdString(read.error()).contains(why), read.error().c_str());
  }
  void whatDoesNotFitIsNotSaid() {
    Belief belief = owns("a", 7, 5s, 1);
    belief.mutex = std::string(kMostBeliefText + 1, 'm');
    QCOMPARE(belief_text(belief), std::string());
  }
  void waysAreAChannelOrASocket() {
    QVERIFY(parse_belief_way("channel")->is_channel());
    QCOMPARE(parse_belief_way("unix:/run/b.sock")->socket, std::string("/run/b.sock"));
    for (const char* wrong : {"", "unix:", "tcp:1", "chan"}) QVERIFY(!parse_belief_way(wrong).has_value());
    const auto longer = parse_belief_way("unix:/" + std::string(107, 'p'));
    QVERIFY(!longer && longer.error().find("108 bytes: expected 107") != std::string::npos);
  }

  // ---- clocks
  void theQuickestMessageBoundsTheClock() {
    BeliefClock clock;  // 250 ms ahead of ours
    QVERIFY(!clock.offset(at(1s)));
    clock.heard(1250, at(1040ms));  // under way for 40 ms
    clock.heard(2250, at(2005ms));  // for 5
    clock.heard(3250, at(3090ms));
    const auto by = clock.offset(at(3090ms));
    QVERIFY(by && !by->proved);
    // -245 ms is what was seen, and a second's drift may be in it.
    QVERIFY(by->most >= -245'000'000 && by->most <= -244'000'000);
    QCOMPARE(by->least, by->most - BeliefClock::kLongestQuickest.count());
    const auto sent = clock.moment(3250, at(3090ms));
    QVERIFY(sent.lo <= at(3s) && at(3s) <= sent.hi && sent.hi < at(3007ms));
  }
  void whatFollowsSomethingSeenBoundsItFromBelow() {
    BeliefClock clock;
    clock.heard(1250, at(1010ms));
    clock.was_sent_after(1250, at(995ms));
    const auto by = clock.offset(at(1010ms));
    QVERIFY(by && by->proved);
    QVERIFY(by->least <= -250'000'000 && by->least >= -257'000'000 && by->most >= -250'000'000);
  }
  void aBoundThatContradictsAnotherProvesNothing() {
    BeliefClock clock;
    clock.heard(1000, at(1s));
    clock.was_sent_after(1000, at(5s));
    QVERIFY(!clock.offset(at(5s))->proved);
  }
  void aClockThatWasSetBackIsNoticed() {
    BeliefClock clock;
    for (int i = 1; i <= 10; ++i) clock.heard(i * 1000, at(i * 1s + 2ms));
    for (int i = 11; i < 11 + BeliefClock::kLateOnes; ++i) clock.heard((i - 60) * 1000, at(i * 1s));
    const auto by = clock.offset(at(15s));
    QVERIFY2(by->most > 59'000'000'000, std::to_string(by->most).c_str());
    QCOMPARE(clock.messages(), static_cast<std::size_t>(BeliefClock::kLateOnes));
  }
  // And what was proved from the other side until then is no more, and may be proved anew.
  void aBoundOfBeforeItWasSetForwardIsGivenUp() {
    BeliefClock clock;
    clock.heard(1000, at(1s));
    clock.was_sent_after(1000, at(990ms));
    QVERIFY(clock.offset(at(1s))->proved);
    clock.heard(62'000, at(2s));
    QVERIFY(!clock.offset(at(2s))->proved);
    clock.was_sent_after(62'000, at(1990ms));
    const auto by = clock.offset(at(2s));
    QVERIFY(by->proved && by->least >= -60'020'000'000 && by->least <= -60'000'000'000);
  }
  // What is asked of a moment before the message that bounds it is not better known than what is asked of one after it.
  void boundsWidenBothWays() {
    BeliefClock clock;
    clock.heard(100'000, at(100s));
    QCOMPARE(clock.offset(at(98s))->most, clock.offset(at(102s))->most);
  }
  // Set forward, the next message shows it.
  void aClockThatWasSetForwardIsNoticedAtOnce() {
    BeliefClock clock;
    clock.heard(1000, at(1s));
    clock.heard(62'000, at(2s));
    QVERIFY(clock.offset(at(2s))->most <= -60'000'000'000);
  }

  // ---- what is known of a mutex
  void beliefStandsBesideTheTruth() {
    WatchedByHand watched;
    watched.tell(WatchedByHand::seen("orders", "a", 7, 5s));
    watched.watch().hear_belief(message(watched, owns("a", 7, 5s, 1)));
    const WatchedMutex& of = watched.mutex("orders");
    QVERIFY(of.beliefs != nullptr);
    QCOMPARE(of.beliefs->owners(), std::size_t{1});
    const WatchedRow row = row_of(of, watched.now());
    QVERIFY(row.believers == 1 && !row.at_odds);
    QCOMPARE(state_text(row), std::string("held"));
    QVERIFY(belief_words(of.beliefs->all()[0], watched.now()).find("owns #7, 5.0 s left") == 0);
    QCOMPARE(told(watched.watch()), QStringList({"believed a 100.000"}));
  }
  void whoBelievesBesideTheOwnerIsTold() {
    WatchedByHand watched;
    watched.tell(WatchedByHand::seen("orders", "b", 8, 5s));
    watched.watch().hear_belief(message(watched, owns("a", 7, 5s, 1)));
    QVERIFY(row_of(watched.mutex("orders"), watched.now()).at_odds);
    watched.watch().hear_belief(message(watched, owns("b", 8, 5s, 1)));
    QCOMPARE(state_text(row_of(watched.mutex("orders"), watched.now())),
             std::string("held; 2 believe that they own it"));
    // Two at once are an incident, as in any history.
    watched.pass(1s);
    bool found = false;
    for (const Incident& each : watched.watch().history().incidents) found |= each.kind == IncidentKind::kBeliefOverlap;
    QVERIFY(found);
  }
  // A token above the one that was seen is of a later term than the look.
  void whatIsNewerThanTheLookIsNotAtOdds() {
    WatchedByHand watched;
    watched.tell(WatchedByHand::seen("orders", "a", 7, 5s));
    watched.watch().hear_belief(message(watched, owns("b", 8, 5s, 1)));
    QVERIFY(!row_of(watched.mutex("orders"), watched.now()).at_odds);
    watched.pass(1s);
    watched.tell(WatchedByHand::seen("orders", "c", 9, 5s));
    QVERIFY(row_of(watched.mutex("orders"), watched.now()).at_odds);
    // Who is not observed may own it.
    watched.blind(0, "gone");
    QVERIFY(!row_of(watched.mutex("orders"), watched.now()).at_odds);
  }
  // Without tokens it is at odds from the first look on that was asked for after it came to believe.
  void withoutATokenTheLookHasToBeLater() {
    WatchedByHand watched;
    watched.tell(WatchedByHand::seen("orders", "a"));
    watched.watch().hear_belief(message(watched, owns("b", kNoToken, 5s, 1)));
    QVERIFY(!row_of(watched.mutex("orders"), watched.now()).at_odds);
    watched.pass(1s);
    watched.tell(WatchedByHand::seen("orders", "a"));
    QVERIFY(row_of(watched.mutex("orders"), watched.now()).at_odds);
  }
  // The one's deadline may have come when the other says that he owns: how long messages take is not known that well.
  void aHandOverAtTheEndOfALeaseIsNoOverlap() {
    WatchedByHand watched;
    watched.tell(WatchedByHand::seen("orders", "a", 7, 5s));
    watched.watch().hear_belief(message(watched, owns("a", 7, 5s, 1)));
    watched.pass(4990ms);
    watched.watch().hear_belief(message(watched, owns("b", 8, 5s, 2)));
    watched.pass(1s);
    QCOMPARE(told(watched.watch()), QStringList({"believed a 100.000", "disbelieved a 104.990", "believed b 104.990"}));
    for (const Incident& each : watched.watch().history().incidents) QVERIFY(each.kind != IncidentKind::kBeliefOverlap);
  }
  // Whoever contends for several under one id believes of each for itself.
  void oneIdMayOwnSeveral() {
    WatchedByHand watched;
    watched.tell(WatchedByHand::seen("orders", "a", 7, 5s));
    watched.pass(10ms);
    watched.tell(WatchedByHand::seen("orders", "b", 8, 5s));
    watched.tell(WatchedByHand::seen("stock", "a", 3, 5s));
    Belief other = owns("a", 3, 5s, 1);
    other.mutex = "stock";
    watched.watch().hear_belief(message(watched, other));
    watched.watch().hear_belief(message(watched, owns("b", 8, 5s, 2)));
    watched.pass(1s);
    for (const Incident& each : watched.watch().history().incidents) QVERIFY(each.kind != IncidentKind::kBeliefOverlap);
    watched.watch().hear_belief(message(watched, owns("a", 7, 3s, 3)));
    watched.pass(1s);
    int overlaps = 0;
    const History& history = watched.watch().history();
    for (const Incident& each : history.incidents) {
      if (each.kind != IncidentKind::kBeliefOverlap) continue;
      QCOMPARE(std::string(history.names.text(each.mutex)), std::string("orders"));
      ++overlaps;
    }
    QCOMPARE(overlaps, 1);
  }
  // It says nothing more: it may stand still, or be no more. By its own clock it owns no more.
  void aBeliefEndsAtItsOwnDeadline() {
    WatchedByHand watched;
    watched.tell(WatchedByHand::seen("orders", "a", 7, 5s));
    watched.watch().hear_belief(message(watched, owns("a", 7, 5s, 1)));
    watched.pass(4900ms);
    QCOMPARE(watched.mutex("orders").beliefs->owners(), std::size_t{1});
    watched.pass(200ms);
    QCOMPARE(watched.mutex("orders").beliefs->owners(), std::size_t{0});
    QVERIFY(belief_words(watched.mutex("orders").beliefs->all()[0], watched.now()).find("said nothing since") !=
            std::string::npos);
    const QStringList events = told(watched.watch());
    QVERIFY2(events.size() == 2 && events[1].startsWith("disbelieved a 105.00"), qPrintable(events.join(", ")));
  }
  void aDeadlineIsPlacedOnOurClock() {
    WatchedByHand watched;
    watched.tell(WatchedByHand::seen("orders", "a", 7, 5s));
    watched.watch().hear_belief(message(watched, owns("a", 7, 5s, 1), 1h));  // its clock is an hour ahead
    const ToldBelief& of = watched.mutex("orders").beliefs->all()[0];
    QVERIFY(of.until_hi >= at(105s) && of.until_hi < at(105s + 10ms));
    // Ours at its zero: 0.
    QVERIFY2(clock_words(of, 0).find("its clock is ahead of ours by 36000") == 0, clock_words(of, 0).c_str());
  }
  void anOlderMessageThatComesLateIsNoNews() {
    WatchedByHand watched;
    watched.tell(WatchedByHand::seen("orders", "a", 7, 5s));
    watched.watch().hear_belief(message(watched, owns("a", 7, 5s, 2)));
    Belief older = owns("a", 7, 5s, 1);
    older.what = Belief::What::kStopped;
    watched.watch().hear_belief(message(watched, older));
    QCOMPARE(watched.mutex("orders").beliefs->owners(), std::size_t{1});
  }
  // In a container it is the process number 1 of the same host again, and counts its messages from 1.
  void whoIsStartedAgainIsHeard() {
    WatchedByHand watched;
    watched.tell(WatchedByHand::seen("orders", "a", 7, 5s));
    watched.watch().hear_belief(message(watched, owns("a", 7, 5s, 400)));
    watched.pass(1s);
    Belief again = owns("a", kNoToken, 0s, 1);
    again.what = Belief::What::kWaits;
    again.left.reset();
    watched.watch().hear_belief(message(watched, again));
    QCOMPARE(watched.mutex("orders").beliefs->owners(), std::size_t{0});
  }
  // Whom no clock ends may have been killed.
  void aBeliefWithoutAnEndLastsForTenMinutes() {
    WatchedByHand watched;
    watched.tell(WatchedByHand::seen("orders", "a", 7));
    Belief endless = owns("a", 7, 0s, 1);
    endless.left.reset();
    watched.watch().hear_belief(message(watched, endless));
    watched.pass(9min);
    QCOMPARE(watched.mutex("orders").beliefs->owners(), std::size_t{1});
    watched.pass(2min);
    QCOMPARE(watched.mutex("orders").beliefs->owners(), std::size_t{0});
    QCOMPARE(told(watched.watch()).size(), 2);
  }
  // What is heard before its mutex is met is told when it is.
  void whatComesEarlyIsKept() {
    WatchedByHand watched;
    watched.watch().hear_belief(message(watched, owns("a", 7, 5s, 1)));
    QVERIFY(watched.watch().mutexes().empty());
    watched.tell(WatchedByHand::seen("orders", "a", 7, 5s));
    QVERIFY(watched.mutex("orders").beliefs != nullptr);
  }
  // Of a socket no store is known: that which the sender names is meant, or the only one.
  void ofSeveralStoresTheSendersIsMeant() {
    WatchedByHand watched({"redis://a", "redis://b"});
    for (const std::size_t store : {0U, 1U}) watched.tell(WatchedByHand::seen("orders", "a", 7, 5s), store);
    Belief belief = owns("a", 7, 5s, 1);
    watched.watch().hear_belief(message(watched, belief));
    for (const auto& each : watched.watch().mutexes()) QVERIFY(each->beliefs == nullptr);
    belief.store = "redis://b";
    belief.number = 2;
    watched.watch().hear_belief(message(watched, belief));
    QVERIFY(watched.watch().mutexes()[0]->beliefs == nullptr && watched.watch().mutexes()[1]->beliefs != nullptr);
  }
  // A mutex of that name at a store that is not watched is another one.
  void whatIsOfAnotherStoreIsNotTaken() {
    WatchedByHand watched({"redis://a"});
    watched.tell(WatchedByHand::seen("orders", "a", 7, 5s));
    Belief belief = owns("stranger", 7, 5s, 1);
    belief.store = "redis://b";
    watched.watch().hear_belief(message(watched, belief));
    QVERIFY(watched.mutex("orders").beliefs == nullptr);
    // Its name is written otherwise, and its owner was seen here.
    belief.owner = "a";
    belief.number = 2;
    watched.watch().hear_belief(message(watched, belief));
    QCOMPARE(watched.mutex("orders").beliefs->owners(), std::size_t{1});
  }
  void whatIsRefusedIsCounted() {
    WatchedByHand watched;
    watched.watch().hear_belief("nonsense");
    QCOMPARE(watched.watch().belief_counts().refused, std::uint64_t{1});
    QVERIFY(!watched.watch().belief_counts().why.empty());
    // On the channel of one mutex nothing is said of another: its server may allow the one and not the other.
    watched.tell(WatchedByHand::seen("orders", "a", 7, 5s));
    watched.watch().hear_belief(message(watched, owns("a", 7, 5s, 1)), 0, "stock");
    QVERIFY(watched.mutex("orders").beliefs == nullptr);
    QCOMPARE(watched.watch().belief_counts().refused, std::uint64_t{2});
    watched.watch().hear_belief(message(watched, owns("a", 7, 5s, 2)), 0, "orders");
    QCOMPARE(watched.mutex("orders").beliefs->owners(), std::size_t{1});
  }
  // Whoever sends for ever new owners takes no more room than a hundred.
  void anybodyMaySendAsManyAsHeLikes() {
    WatchedByHand watched;
    watched.tell(WatchedByHand::seen("orders", "a", 7, 5s));
    for (int i = 0; i < 1000; ++i)
      watched.watch().hear_belief(message(watched, owns(std::to_string(i).c_str(), 7, 5s, 1)));
    QCOMPARE(watched.mutex("orders").beliefs->all().size(), BeliefBook::kMost);
    QCOMPARE(watched.mutex("orders").beliefs->owners(), BeliefBook::kMost);
    // Nor do the events of it without end.
    QCOMPARE(told(watched.watch()).filter(QRegularExpression("^believed ")).size(),
             static_cast<int>(BeliefBook::kAtOnce));
    QCOMPARE(watched.watch().belief_counts().refused, std::uint64_t{1000 - static_cast<int>(BeliefBook::kAtOnce)});
    watched.pass(1s);
    watched.watch().hear_belief(message(watched, owns("a", 7, 5s, 2000)));
    QCOMPARE(told(watched.watch()).filter(QRegularExpression("^believed a ")).size(), 1);
  }

  // ---- the socket
  void aSocketCarriesWhatIsSentToIt() {
    QTemporaryDir folder;
    const std::string path = folder.filePath("beliefs").toStdString();
    EpollLoop loop;
    std::vector<std::string> heard;
    auto socket = BeliefSocket::open(loop, path, [&](std::string_view text) {
      heard.emplace_back(text);
      if (heard.size() == 3) loop.quit();
    });
    QVERIFY2(socket.has_value(), socket ? "" : socket.error().c_str());
    // Each who watches has one of his own.
    const auto second = BeliefSocket::open(loop, path, {});
    QVERIFY(!second && second.error().find("somebody listens there already") != std::string::npos);
    BeliefOutlet outlet(loop, "redis://host", [&](BeliefSender::Events) { return *send_to_socket(path); }, {});
    outlet.waits("orders", "a");
    outlet.owns("orders", "a", 7, loop.now() + 5s);
    outlet.stopped("orders", "a");
    loop.run();
    const auto first = parse_belief(heard[0]), then = parse_belief(heard[1]), last = parse_belief(heard[2]);
    QVERIFY(first && then && last);
    QVERIFY(first->what == Belief::What::kWaits && !first->left);
    QVERIFY(then->what == Belief::What::kOwns && then->fence == 7 && then->store == "redis://host");
    QVERIFY(then->left && *then->left <= 5s && *then->left > 4s);
    QVERIFY(last->what == Belief::What::kStopped && last->pid == ::getpid());
    QVERIFY(then->number == first->number + 1 && last->number == then->number + 1);
  }
  void whereNobodyListensItIsNotTriedAgain() {
    QTemporaryDir folder;
    const auto sender = send_to_socket(folder.filePath("nobody").toStdString());
    QVERIFY(sender.has_value());
    QVERIFY((*sender)->send("orders", "{}"));
  }
  // A socket takes a few, until he who listens has read them: what was said last comes when he has.
  void whatABusyListenerMissesComesLater() {
    QTemporaryDir folder;
    const std::string path = folder.filePath("beliefs").toStdString();
    EpollLoop loop;
    constexpr int kMutexes = 600;  // more than any system lets wait
    std::map<std::string, Belief> heard;
    auto socket = BeliefSocket::open(loop, path, [&](std::string_view text) {
      const auto belief = parse_belief(text);
      if (!belief) return;
      heard[belief->mutex] = *belief;
      const auto over = [](const auto& each) { return each.second.what == Belief::What::kNotOwner; };
      if (heard.size() == kMutexes && std::all_of(heard.begin(), heard.end(), over)) loop.quit();
    });
    QVERIFY(socket.has_value());
    int full = 0;
    BeliefOutlet outlet(loop, {}, [&](BeliefSender::Events) { return std::make_unique<Counting>(path, full); }, {});
    for (int i = 0; i < kMutexes; ++i) outlet.owns(std::to_string(i), "a", 7, loop.now() + 60s);
    for (int i = 0; i < kMutexes; ++i) outlet.not_owner(std::to_string(i), "a");
    QVERIFY(full > 0);
    OneShot late(loop);
    late.arm(60s, [&] { loop.quit(); });
    loop.run();
    QVERIFY(late.armed());
    QCOMPARE(heard.size(), std::size_t{kMutexes});
  }
  // Who is told a second time where to tell counts on, or nobody would believe him.
  void numbersRiseInAProcess() {
    EpollLoop loop;
    std::vector<Belief> sent;
    for (int i = 0; i < 2; ++i) {
      BeliefOutlet outlet(loop, {}, [&](BeliefSender::Events) { return std::make_unique<Keeping>(sent); }, {});
      outlet.waits("orders", "a");
    }
    QVERIFY(sent.size() == 2 && sent[1].number > sent[0].number);
  }
  // Of a socket that was taken away nothing is left to clean up: what lies there then is somebody else's.
  void whatLiesThereLaterIsLeft() {
    QTemporaryDir folder;
    const QString path = folder.filePath("beliefs");
    EpollLoop loop;
    auto first = BeliefSocket::open(loop, path.toStdString(), {});
    QVERIFY(first.has_value());
    QVERIFY(QFile::rename(path, path + ".old"));
    auto second = BeliefSocket::open(loop, path.toStdString(), {});
    QVERIFY(second.has_value());
    first->reset();
    QVERIFY(QFileInfo::exists(path));
    second->reset();
    QVERIFY(!QFileInfo::exists(path));
  }
  void whatAListenerThatIsGoneHasLeftIsReplaced() {
    QTemporaryDir folder;
    const std::string path = folder.filePath("beliefs").toStdString();
    const int left = ::socket(AF_UNIX, SOCK_DGRAM, 0);
    sockaddr_un address{};
    address.sun_family = AF_UNIX;
    path.copy(address.sun_path, sizeof address.sun_path - 1);
    QCOMPARE(::bind(left, reinterpret_cast<const sockaddr*>(&address), sizeof address), 0);
    ::close(left);
    EpollLoop loop;
    QVERIFY(BeliefSocket::open(loop, path, {}).has_value());
    QFile file(folder.filePath("file"));
    QVERIFY(file.open(QIODevice::WriteOnly));
    QVERIFY(!BeliefSocket::open(loop, file.fileName().toStdString(), {}).has_value());
    QVERIFY(file.exists());
  }
};

LEASESCOPE_SUITE(BeliefTest)
#include "belief_test.moc"
