#include "core/loop/qt/qt_loop.h"
#include "simulator/live/fault_proxy.h"
#include "simulator/live/toxics/plan.h"
#include "tests/live/wire_ends.h"
#include "tests/support/event_wait.h"
#include "tests/support/stores.h"
#include "tests/support/suite.h"

using namespace leasescope;
using namespace leasescope::tests;
using std::chrono::milliseconds;

namespace {

constexpr milliseconds kSoon{3000};

// Clients, the proxy under a plan, and a server behind it.
struct Bench {
  Bench(const std::string& plan, bool echoes = true, const StoreType* type = nullptr)
      : server(loop, echoes), proxy(loop, server.at, type, type != nullptr) {
    proxy.pass_half_closes();
    const auto read = read_toxic_plan("schema = 1\n" + plan, "plan.toml");
    if (!read) throw std::runtime_error(read.error().text());
    at = proxy.listen().value();
    schedule = std::make_unique<ToxicSchedule>(
        loop, proxy, *read, 7,
        ToxicSchedule::Log{[this](const Injection& what) { log.push_back(what); },
                           [this](const ToxicRow& row, bool began) { changed.emplace_back(row.number, began); }});
    schedule->begin();
  }

  std::unique_ptr<WireEnd> client() {
    const auto descriptor = begin_connect(at);
    wait_until([&] { return false; }, milliseconds(20));
    return std::make_unique<WireEnd>(loop, *descriptor);
  }
  bool refuses() {
    const auto descriptor = begin_connect(at);
    if (!descriptor) return true;
    wait_until([&] { return false; }, milliseconds(20));
    const std::string error = connect_error(*descriptor);
    ::close(*descriptor);
    return !error.empty();
  }
  bool was(std::string_view what) const {
    return std::any_of(log.begin(), log.end(),
                       [&](const Injection& each) { return each.what.find(what) != std::string::npos; });
  }

  QtLoop loop;
  WireServer server;
  std::vector<Injection> log;
  std::vector<std::pair<int, bool>> changed;
  FaultProxy proxy;
  Endpoint at;
  std::unique_ptr<ToxicSchedule> schedule;
};

std::string toxic(const std::string& kind, const std::string& keys = {}) {
  return "[[toxic]]\nkind = \"" + kind + "\"\n" + keys + "\n";
}

const std::string kMessage = "*3\r\n$7\r\nmessage\r\n$1\r\nc\r\n$2\r\nhi\r\n";

const StoreType& redis() { return *find_store_type("redis"); }
const StoreType& zookeeper() { return *find_store_type("zookeeper"); }

std::string jute(int number, const std::string& body) {
  std::string out{'\0', '\0', '\0', static_cast<char>(body.size() + 4)};
  for (int shift = 24; shift >= 0; shift -= 8) out += static_cast<char>(number >> shift & 0xff);
  return out + body;
}

}  // namespace

class ToxicsTest : public QObject {
  Q_OBJECT
 private slots:
  void latencyHoldsBytesUpAndKeepsTheirOrder() {
    Bench bench(toxic("latency", "by = \"100ms\"\njitter = \"60ms\"\ndirection = \"to_store\""));
    const auto client = bench.client();
    const TrueTime sent = bench.loop.now();
    std::string all;
    for (int i = 0; i < 20; ++i) {
      const std::string word = std::to_string(i) + ";";
      all += word;
      client->say(word);
      wait_until([] { return false; }, milliseconds(3));
    }
    QVERIFY(wait_until([&] { return client->heard.size() == all.size(); }, kSoon));
    QCOMPARE(client->heard, all);
    QVERIFY(client->last - sent >= milliseconds(150));
    std::set<std::string> drawn;
    for (const Injection& each : bench.log) drawn.insert(each.what);
    QVERIFY(drawn.size() > 3);  // jitter
  }

  void theSameSeedDrawsTheSame() {
    std::vector<std::vector<std::string>> drawn(2);
    for (auto& of : drawn) {
      Bench bench(toxic("latency", "by = \"1ms\"\njitter = \"5ms\"\ndirection = \"to_store\""));
      const auto client = bench.client();
      for (int i = 0; i < 5; ++i) {
        client->say("x");
        QVERIFY(wait_until([&] { return client->heard.size() == static_cast<std::size_t>(i + 1); }, kSoon));
      }
      for (const Injection& each : bench.log) of.push_back(each.what);
    }
    QCOMPARE(drawn[0].size(), std::size_t{5});
    QCOMPARE(drawn[0], drawn[1]);
  }

  void bandwidthIsKept() {
    Bench bench(toxic("bandwidth", "bytes_per_second = 100000\ndirection = \"to_store\""), false);
    const auto client = bench.client();
    const TrueTime sent = bench.loop.now();
    client->say(std::string(50'000, 'x'));
    QVERIFY(
        wait_until([&] { return !bench.server.ends.empty() && bench.server.ends[0]->heard.size() == 50'000; }, kSoon));
    QVERIFY(bench.server.ends[0]->last - sent >= milliseconds(450));
  }

  // What the kernel takes makes the sender wait: neither a stall nor a flood fills the proxy's memory.
  void aFloodIntoAStallWaitsOutside() {
    Bench bench(toxic("stall", "direction = \"to_store\"\nduration = \"2s\""), false);
    const auto client = bench.client();
    const std::string flood(64 * 1024, 'x');
    std::size_t said = 0;
    TrueTime taken = bench.loop.now();
    const bool rests = wait_until(
        [&] {
          const std::size_t more = client->say(flood);
          said += more;
          if (more > 0) taken = bench.loop.now();
          return bench.loop.now() - taken > milliseconds(300);
        },
        milliseconds(1900));
    QVERIFY2(rests && said < 24 * 1024 * 1024, std::to_string(said).c_str());
    QVERIFY(wait_until([&] { return bench.server.ends[0]->heard.size() == said; }, kSoon));
  }

  void aSlicerCutsAndWaitsBetween() {
    Bench bench(toxic("slicer", "size = 3\ngap = \"10ms\"\ndirection = \"from_store\""));
    const auto client = bench.client();
    const TrueTime sent = bench.loop.now();
    client->say("0123456789");
    QVERIFY(wait_until([&] { return client->heard == "0123456789"; }, kSoon));
    QVERIFY(client->last - sent >= milliseconds(30));
    QVERIFY(client->pieces.size() >= 3);
    for (const std::size_t piece : client->pieces) QVERIFY(piece <= 6);
  }

  void aStallDeliversAtItsEnd() {
    Bench bench(toxic("stall", "at = \"50ms\"\nduration = \"200ms\""));
    const auto client = bench.client();
    QVERIFY(wait_until([&] { return bench.changed.size() == 1; }, kSoon));
    client->say("held");
    wait_until([] { return false; }, milliseconds(80));
    QCOMPARE(client->heard, "");
    QVERIFY(wait_until([&] { return client->heard == "held"; }, kSoon));
    QCOMPARE(bench.changed, (std::vector<std::pair<int, bool>>{{1, true}, {1, false}}));
    QVERIFY(bench.was("held"));
  }

  void aStallThatLosesLeavesTheConnectionSilent() {
    Bench bench(toxic("stall", "then = \"lost\"\nduration = \"150ms\"\ndirection = \"to_store\""));
    const auto victim = bench.client(), quiet = bench.client();
    victim->say("lost");
    QVERIFY(wait_until([&] { return bench.changed.size() == 2; }, kSoon));
    victim->say("later");
    quiet->say("fine");
    QVERIFY(wait_until([&] { return quiet->heard == "fine"; }, kSoon));
    QCOMPARE(victim->heard, "");
    QVERIFY(!victim->ended && !victim->reset);
  }

  void aBlackHoleSwallowsWithoutAWord() {
    Bench bench(toxic("black_hole", "direction = \"from_store\"\nduration = \"100ms\""));
    const auto client = bench.client();
    client->say("one");
    QVERIFY(wait_until([&] { return bench.changed.size() == 2; }, kSoon));
    QCOMPARE(bench.server.ends[0]->heard, "one");
    client->say("two");
    QVERIFY(wait_until([&] { return bench.server.ends[0]->heard == "onetwo"; }, kSoon));
    wait_until([] { return false; }, milliseconds(50));
    QCOMPARE(client->heard, "");
    QVERIFY(!client->ended && !client->reset);
  }

  void newConnectionsAreRefusedAndTheOldGoOn() {
    Bench bench(toxic("refuse", "at = \"100ms\"\nduration = \"300ms\""));
    const auto client = bench.client();
    QVERIFY(wait_until([&] { return bench.changed.size() == 1; }, kSoon));
    QVERIFY(bench.refuses());
    client->say("old");
    QVERIFY(wait_until([&] { return client->heard == "old"; }, kSoon));
    QVERIFY(wait_until([&] { return bench.changed.size() == 2; }, kSoon));
    QVERIFY(!bench.refuses());
    const auto again = bench.client();
    again->say("new");
    QVERIFY(wait_until([&] { return again->heard == "new"; }, kSoon));
  }

  void aResetIsOneOnBothSides() {
    Bench bench(toxic("reset", "at = \"100ms\""));
    const auto client = bench.client();
    client->say("x");
    QVERIFY(wait_until([&] { return client->reset; }, kSoon));
    QVERIFY(wait_until([&] { return bench.server.ends[0]->reset; }, kSoon));
    QVERIFY(wait_until([&] { return bench.proxy.connections() == 0; }, kSoon));
  }

  void whoClosesIsKnownToHaveLater() {
    Bench bench(toxic("slow_close", "by = \"200ms\"\ndirection = \"to_store\""), false);
    const auto client = bench.client();
    client->say("last words");
    client->say_no_more();
    const TrueTime closed = bench.loop.now();
    QVERIFY(
        wait_until([&] { return !bench.server.ends.empty() && bench.server.ends[0]->heard == "last words"; }, kSoon));
    QVERIFY(!bench.server.ends[0]->ended);
    QVERIFY(wait_until([&] { return bench.server.ends[0]->ended; }, kSoon));
    QVERIFY(bench.server.ends[0]->last - closed >= milliseconds(190));
  }

  void aHalfCloseLeavesTheOtherHalf() {
    Bench bench(toxic("half_close", "at = \"100ms\"\ndirection = \"to_store\""), false);
    const auto client = bench.client();
    client->say("before");
    QVERIFY(wait_until([&] { return !bench.server.ends.empty() && bench.server.ends[0]->ended; }, kSoon));
    client->say("after");
    bench.server.ends[0]->say("still here");
    QVERIFY(wait_until([&] { return client->heard == "still here"; }, kSoon));
    QCOMPARE(bench.server.ends[0]->heard, "before");
    QVERIFY(!client->ended && !client->reset);
  }

  // As `nc` does: the question, its end, then the whole answer.
  void aClientsOwnHalfCloseIsPassedOn() {
    Bench bench(toxic("latency", "by = \"30ms\""), false);
    const auto client = bench.client();
    client->say("question");
    client->say_no_more();
    QVERIFY(wait_until([&] { return !bench.server.ends.empty() && bench.server.ends[0]->ended; }, kSoon));
    bench.server.ends[0]->say("answer");
    bench.server.ends[0]->close();
    QVERIFY(wait_until([&] { return client->ended; }, kSoon));
    QCOMPARE(client->heard, "answer");
    QVERIFY(wait_until([&] { return bench.proxy.connections() == 0; }, kSoon));
  }

  void bytesBeyondTheLimitEndTheConnection_data() {
    QTest::addColumn<QString>("then");
    QTest::newRow("close") << "close";
    QTest::newRow("reset") << "reset";
    QTest::newRow("silence") << "silence";
  }
  void bytesBeyondTheLimitEndTheConnection() {
    QFETCH(QString, then);
    Bench bench(toxic("limit_bytes", "bytes = 5\ndirection = \"to_store\"\nthen = \"" + then.toStdString() + "\""),
                false);
    const auto client = bench.client();
    client->say("0123456789");
    QVERIFY(wait_until([&] { return !bench.server.ends.empty() && bench.server.ends[0]->heard == "01234"; }, kSoon));
    if (then == "close") QVERIFY(wait_until([&] { return client->ended || client->reset; }, kSoon));
    if (then == "reset") QVERIFY(wait_until([&] { return client->reset && bench.server.ends[0]->reset; }, kSoon));
    if (then == "silence") {
      client->say("more");
      wait_until([] { return false; }, milliseconds(60));
      QVERIFY(!client->ended && !client->reset);
    }
    QCOMPARE(bench.server.ends[0]->heard, "01234");
  }

  void timeEndsAConnection() {
    Bench bench(toxic("limit_time", "after = \"150ms\"\nthen = \"reset\""));
    const TrueTime began = bench.loop.now();
    const auto client = bench.client();
    client->say("x");
    QVERIFY(wait_until([&] { return client->reset; }, kSoon));
    QVERIFY(client->last - began >= milliseconds(140));
    QVERIFY(bench.was("its time is over"));
  }

  // ---- frames

  void theSecondRequestIsLateAndWhatFollowsWaits() {
    Bench bench(toxic("delay_frame", "nth = 2\nby = \"200ms\""), true, &redis());
    const auto client = bench.client();
    const TrueTime sent = bench.loop.now();
    client->say("*1\r\n$1\r\na\r\n*1\r\n$1\r\nb\r\n*1\r\n$1\r\nc\r\n");
    QVERIFY(wait_until([&] { return client->heard.size() == 11; }, kSoon));
    QVERIFY(client->last - sent < milliseconds(190));
    QVERIFY(wait_until([&] { return client->heard.size() == 33; }, kSoon));
    QVERIFY(client->last - sent >= milliseconds(200));
    QCOMPARE(bench.log.size(), std::size_t{1});
  }

  // Its answer would be taken for that to the next.
  void afterALostRequestNothingMoreComesOnThatConnection() {
    Bench bench(toxic("drop_frame", "nth = 2"), true, &redis());
    const auto client = bench.client(), other = bench.client();
    const std::string each = "*1\r\n$1\r\na\r\n";
    client->say(each + each + each);
    QVERIFY(wait_until([&] { return client->heard == each; }, kSoon));
    client->say(each);
    other->say(each);
    QVERIFY(wait_until([&] { return other->heard == each; }, kSoon));
    QCOMPARE(client->heard, each);
    QVERIFY(bench.was("silent from now on"));
  }

  void aLostRequestOfZookeeperIsLostAlone() {
    Bench bench(toxic("drop_frame", "nth = 1"), false, &zookeeper());
    const auto client = bench.client();
    const std::string hello = jute(0, "session.");
    client->say(hello + jute(1, "lost") + jute(2, "there"));
    QVERIFY(wait_until(
        [&] { return !bench.server.ends.empty() && bench.server.ends[0]->heard == hello + jute(2, "there"); }, kSoon));
  }

  void aLateRequestOfZookeeperLetsOthersPast() {
    Bench bench(toxic("delay_frame", "nth = 1\nby = \"100ms\""), false, &zookeeper());
    const auto client = bench.client();
    const std::string hello = jute(0, "session.");
    client->say(hello + jute(1, "late") + jute(2, "first"));
    QVERIFY(wait_until(
        [&] {
          return !bench.server.ends.empty() &&
                 bench.server.ends[0]->heard == hello + jute(2, "first") + jute(1, "late");
        },
        kSoon));
  }

  void messagesAreLateInTheirOrderAndRepliesAreNot() {
    Bench bench(toxic("delay_push", "by = \"150ms\"\nduration = \"100ms\""), false, &redis());
    const auto client = bench.client();
    QVERIFY(wait_until([&] { return !bench.server.ends.empty(); }, kSoon));
    const std::string second = "*3\r\n$7\r\nmessage\r\n$1\r\nc\r\n$2\r\nho\r\n";
    bench.server.ends[0]->say(kMessage + "+OK\r\n");
    QVERIFY(wait_until([&] { return client->heard == "+OK\r\n"; }, kSoon));
    QVERIFY(wait_until([&] { return bench.changed.size() == 2; }, kSoon));
    bench.server.ends[0]->say(second + "+OK\r\n");
    QVERIFY(wait_until([&] { return client->heard.size() == 10 + 2 * kMessage.size(); }, kSoon));
    const std::string late = client->heard.substr(client->heard.find('*'));
    QVERIFY(late.find(kMessage) < late.find("ho"));
  }

  void theSecondMessageIsLost() {
    Bench bench(toxic("drop_push", "nth = 2\ncount = 1"), false, &redis());
    const auto client = bench.client();
    QVERIFY(wait_until([&] { return !bench.server.ends.empty(); }, kSoon));
    bench.server.ends[0]->say(kMessage + kMessage + kMessage + "+OK\r\n");
    QVERIFY(wait_until([&] { return client->heard == kMessage + kMessage + "+OK\r\n"; }, kSoon));
  }

  void aMessageComesTwiceAndAReplyDoesNot() {
    Bench bench(toxic("duplicate_frame", "nth = 1\ncount = 5"), false, &redis());
    const auto client = bench.client();
    QVERIFY(wait_until([&] { return !bench.server.ends.empty(); }, kSoon));
    bench.server.ends[0]->say("+OK\r\n" + kMessage + "+OK\r\n");
    QVERIFY(wait_until([&] { return client->heard == "+OK\r\n" + kMessage + kMessage + "+OK\r\n"; }, kSoon));
  }

  void aRequestComesTwiceAndIsAnsweredOnce() {
    Bench bench(toxic("duplicate_frame", "nth = 2\ndirection = \"to_store\""), false, &redis());
    const auto client = bench.client();
    QVERIFY(wait_until([&] { return !bench.server.ends.empty(); }, kSoon));
    const std::string a = "*1\r\n$1\r\na\r\n", b = "*1\r\n$1\r\nb\r\n", c = "*1\r\n$1\r\nc\r\n";
    client->say(a + b + c);
    QVERIFY(wait_until([&] { return bench.server.ends[0]->heard == a + b + b + c; }, kSoon));
    bench.server.ends[0]->say("+a\r\n+b\r\n-twice\r\n+c\r\n");
    QVERIFY(wait_until([&] { return client->heard == "+a\r\n+b\r\n+c\r\n"; }, kSoon));
    QVERIFY(bench.was("answered once"));
  }

  void aRequestWaitsForThatOfAnother() {
    Bench bench(toxic("reorder_frame", "nth = 1\nwithin = \"2s\""), false, &redis());
    const auto first = bench.client(), second = bench.client();
    first->say("*1\r\n$1\r\na\r\n");
    wait_until([] { return false; }, milliseconds(60));
    QVERIFY(wait_until([&] { return bench.server.ends.size() == 2; }, kSoon));
    const auto heard = [&](const char* word) {
      for (const auto& end : bench.server.ends)
        if (end->heard.find(word) != std::string::npos) return end->last;
      return TrueTime::max();
    };
    QCOMPARE(heard("a"), TrueTime::max());
    second->say("*1\r\n$1\r\nb\r\n");
    QVERIFY(
        wait_until([&] { return heard("a") != TrueTime::max() && heard("b") != TrueTime::max(); }, milliseconds(1000)));
    QVERIFY(heard("b") <= heard("a"));
  }

  void nobodyComesAndTheRequestGoesOn() {
    Bench bench(toxic("reorder_frame", "nth = 1\nwithin = \"100ms\""), false, &redis());
    const auto client = bench.client();
    client->say("*1\r\n$1\r\na\r\n");
    QVERIFY(wait_until([&] { return !bench.server.ends.empty() && bench.server.ends[0]->heard.size() == 11; }, kSoon));
  }

  void garbagePassesUnderFrameToxics() {
    Bench bench(toxic("drop_frame", "nth = 1\ncount = 1000") + toxic("delay_push", "by = \"10ms\""), true, &redis());
    const auto client = bench.client();
    const std::string garbage = std::string("GET / HTTP/1.1\r\n\r\n") + std::string(200'000, '\xff');
    std::size_t said = 0;
    QVERIFY(wait_until(
        [&] {
          said += client->say(std::string_view(garbage).substr(said));
          return client->heard.size() == garbage.size();
        },
        kSoon));
    QCOMPARE(client->heard, garbage);
  }

  // A run's time begins after its connections: what had been written before was waited for again.
  void aClockThatIsSetBackHoldsNothingUp() {
    Bench bench(toxic("drop_push"), true, &redis());
    wait_until([] { return false; }, milliseconds(2500));
    const auto client = bench.client();
    client->say("*0\r\n");
    QVERIFY(wait_until([&] { return client->heard.size() == 4; }, kSoon));
    bench.loop.set_zero();
    client->say("*0\r\n");
    QVERIFY(wait_until([&] { return client->heard.size() == 8; }, milliseconds(1500)));
    bench.server.ends[0]->say_no_more();
    QVERIFY(wait_until([&] { return client->ended; }, milliseconds(800)));
  }

  // ---- the plan

  void toxicsOfOneMomentAreArmedAtOnce() {
    Bench bench(toxic("latency", "at = \"100ms\"\nby = \"100ms\"\ndirection = \"to_store\"") +
                toxic("latency", "at = \"100ms\"\nby = \"50ms\"\ndirection = \"to_store\""));
    const auto client = bench.client();
    QVERIFY(wait_until([&] { return !bench.changed.empty(); }, kSoon));
    QCOMPARE(bench.changed, (std::vector<std::pair<int, bool>>{{1, true}, {2, true}}));
    const TrueTime sent = bench.loop.now();
    client->say("x");
    QVERIFY(wait_until([&] { return client->heard == "x"; }, kSoon));
    QVERIFY(client->last - sent >= milliseconds(150));
    QCOMPARE(bench.log.size(), std::size_t{2});
    QCOMPARE(bench.log[1].row->number, 2);
  }

  void aWrongPlanIsAnsweredWithPlaceAndRemedy_data() {
    QTest::addColumn<QString>("plan");
    QTest::addColumn<QString>("says");
    const auto row = [](const char* name, const char* plan, const char* says) { QTest::newRow(name) << plan << says; };
    row("no schema", "[[toxic]]\nkind = \"reset\"", "schema is missing: expected a whole number from 1 to 1");
    row("another schema", "schema = 2", "plan.toml:1:10: schema is 2: expected a whole number from 1 to 1");
    row("nothing to do", "schema = 1", "expected at least one table [[toxic]]");
    row("an unknown kind", "schema = 1\n[[toxic]]\nkind = \"latenzy\"",
        "plan.toml:3:8: toxic.0.kind is \"latenzy\" (did you mean latency?): expected latency, ");
    row("a kind that is missing", "schema = 1\n[[toxic]]\nat = \"1s\"", "plan.toml:2");
    row("a key that is missing", "schema = 1\n[[toxic]]\nkind = \"latency\"",
        "toxic.0.by is missing: expected a duration");
    row("a key of another", "schema = 1\n[[toxic]]\nkind = \"reset\"\nby = \"1s\"",
        "plan.toml:4:1: toxic.0.by is not a key of a plan");
    row("a number out of range", "schema = 1\n[[toxic]]\nkind = \"slicer\"\nsize = 0",
        "plan.toml:4:8: toxic.0.size is 0: expected a whole number from 1 to 65536");
    row("no direction", "schema = 1\n[[toxic]]\nkind = \"drop_frame\"\ndirection = \"both\"",
        "expected to_store, from_store");
    row("a time without a unit", "schema = 1\n[[toxic]]\nkind = \"reset\"\nat = 5", "expected a duration in quotes");
    row("no TOML", "schema = 1\n[[toxic", "plan.toml:2:");
    row("a duration of what is done at once", "schema = 1\n[[toxic]]\nkind = \"reset\"\nduration = \"1s\"",
        "toxic.0.duration is not a key of a plan");
  }
  void aWrongPlanIsAnsweredWithPlaceAndRemedy() {
    QFETCH(QString, plan);
    QFETCH(QString, says);
    const auto read = read_toxic_plan(plan.toStdString(), "plan.toml");
    QVERIFY(!read.has_value());
    QVERIFY2(read.error().text().find(says.toStdString()) != std::string::npos, read.error().text().c_str());
  }
};

LEASESCOPE_SUITE(ToxicsTest)
#include "toxics_test.moc"
