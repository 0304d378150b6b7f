// A team's history on a real PostgreSQL: each event is there once, whatever becomes of the line; who owned at a moment
// is whoever a pass over all events finds; and what somebody has to do is said.
#include <QTimer>
#include <algorithm>
#include <array>
#include <atomic>
#include <functional>
#include <memory>
#include <random>
#include <thread>

#include "core/history/ownership.h"
#include "core/history/recording/recording_writer.h"
#include "core/history/team/schema.h"
#include "core/history/team/team_sink.h"
#include "core/history/team/terms.h"
#include "core/loop/qt/qt_loop.h"
#include "core/store/postgres/store_type.h"
#include "simulator/live/fault_proxy.h"
#include "simulator/live/private_server.h"
#include "tests/live/seen_handoffs.h"
#include "tests/live/team_database.h"
#include "tests/support/recordings.h"
#include "tests/support/suite.h"

using namespace leasescope;
using namespace leasescope::tests;
using namespace leasescope::team;
using namespace std::chrono_literals;

namespace {

// Of one that is refused: whether another time the same may go well.
bool may_pass(const StoreUrl& url, const TeamTerms& terms) {
  auto sink = TeamSink::open(url, terms);
  if (sink) qFatal("it began");
  return sink.error().may_pass;
}

// On another thread, while this one's loop goes round; false: it took too long.
bool meanwhile(const std::function<void()>& work, int ms = 15'000) {
  std::atomic<bool> over = false;
  std::thread thread([&] {
    work();
    over = true;
  });
  const bool in_time = QTest::qWaitFor([&] { return over.load(); }, ms);
  thread.join();
  return in_time;
}

// A line to it that can be held up.
struct HeldLine {
  explicit HeldLine(const StoreUrl& to) : proxy(loop, to.endpoint, postgres::store_type(), false), url(to) {
    url.endpoint = proxy.listen().value();
    url.options["sslmode"] = "disable";
    terms.patience = 300ms;
  }
  // Which has written those events.
  std::unique_ptr<RecordingWriter> writer(const Seen& seen) {
    std::unique_ptr<RecordingWriter> out;
    if (!meanwhile([&] { out = writer_to(url, terms); })) qFatal("it did not begin");
    out->offer(seen.history());
    if (!QTest::qWaitFor([&] { return out->written() == seen.history().last(); }, 10'000)) qFatal("it did not write");
    return out;
  }

  QtLoop loop;
  FaultProxy proxy;
  StoreUrl url;
  TeamTerms terms = terms_of("api-1");
};

}  // namespace

class TeamSinkTest : public QObject {
  Q_OBJECT

  PrivateServer server_{postgres::store_type(), that_remembers()};

 private slots:
  void initTestCase() {
    const auto started = server_.start();
    QVERIFY2(started.has_value(), started ? "" : started.error().c_str());
  }

  void whatIsWrittenIsReadAsItWas() {
    const StoreUrl url = with_database(server_.url(), "plain");
    Seen seen(1);
    auto writer = writer_to(url, terms_of("api-1"));
    for (int i = 0; i < 20; ++i) {
      seen.go_on(700);
      writer->append(seen.history());
    }
    RecordedOutcome outcome;
    outcome.simulated_ns = seen.now();
    const auto done = writer->finish(seen.history(), outcome);
    QVERIFY2(done.has_value(), done ? "" : done.error().c_str());
    const auto recordings = recordings_of(url, "api-1");
    QCOMPARE(recordings.size(), std::size_t{1});
    QCOMPARE(recordings[0].state, TeamRecording::State::kEnded);
    QCOMPARE(recordings[0].events, std::uint64_t{seen.history().last()});
    QCOMPARE(recordings[0].mutexes, std::uint64_t{3});
    QCOMPARE(recordings[0].begin_ns, kEpoch);
    QCOMPARE(difference(whole(url, recordings[0]), seen.history()), std::string());
  }

  // Lines are cut, reset, made deaf and dead; a commit whose answer is lost is asked after.
  void whateverBecomesOfTheLineEachEventIsThereOnce() {
    const StoreUrl url = with_database(server_.url(), "lines");
    QtLoop loop;
    FaultProxy proxy(loop, url.endpoint, postgres::store_type(), false);
    StoreUrl through = url;
    through.endpoint = proxy.listen().value();
    through.options["sslmode"] = "disable";
    TeamTerms terms = terms_of("api-1");
    terms.patience = 300ms;
    QCOMPARE(refusal(url, terms_of("api-0")), std::string());  // so that there are tables
    std::unique_ptr<RecordingWriter> writer;
    QVERIFY(meanwhile([&] { writer = writer_to(through, terms); }));

    Seen seen(2);
    std::mt19937 draw(3);
    int troubles = 0;
    for (int i = 0; i < 250; ++i) {
      seen.go_on(30);
      writer->offer(seen.history());
      QTest::qWait(static_cast<int>(draw() % 12));
      switch (draw() % 12) {
        case 0:
          proxy.cut();
          ++troubles;
          break;
        case 1:
          proxy.reset();
          ++troubles;
          break;
        case 2:  // it is done, and nobody hears of it
          proxy.stall(LinkDirection::kFromStore);
          QTest::qWait(static_cast<int>(draw() % 30));
          proxy.reset();
          proxy.resume(LinkDirection::kFromStore);
          ++troubles;
          break;
        case 3:  // the server keeps a session that nobody has any more
          proxy.half_open();
          QTest::qWait(20);
          ++troubles;
          break;
        default:
          break;
      }
      QVERIFY2(writer->error().empty(), writer->error().c_str());
    }
    proxy.heal();
    RecordedOutcome outcome;
    outcome.simulated_ns = seen.now();
    QVERIFY(QTest::qWaitFor(
        [&] {
          writer->offer(seen.history());
          return writer->written() == seen.history().last();
        },
        20'000));
    tl::expected<void, std::string> done;
    QVERIFY(meanwhile([&] { done = writer->finish(seen.history(), outcome); }));
    QVERIFY2(done.has_value(), done ? "" : done.error().c_str());
    QVERIFY(troubles > 30);
    const auto recordings = recordings_of(url, "api-1");
    QCOMPARE(recordings.size(), std::size_t{1});
    QCOMPARE(difference(whole(url, recordings[0]), seen.history()), std::string());
    const History& history = seen.history();
    std::size_t terms_there = 0;
    for (std::size_t i = 0; i < 3; ++i) {
      Ownership of({}, seen.mutex(i));
      for (const Event& event : history.events) of.append(event, history.names);
      terms_there += of.owned().size() + of.unobserved().size();
    }
    QCOMPARE(by_hand(url, "select count(*) from leasescope_history.term"), std::to_string(terms_there));
  }

  void whoOwnedIsWhoeverAPassFinds() {
    const StoreUrl url = with_database(server_.url(), "moments");
    Seen seen(4);
    seen.go_on(3'000);
    auto writer = writer_to(url, terms_of("api-1"));
    writer->append(seen.history());
    writer->close();
    auto reading = TeamReading::open(url).value();
    const History& history = seen.history();
    std::mt19937 draw(5);
    for (std::size_t i = 0; i < 3; ++i) {
      Ownership of({}, seen.mutex(i));
      for (const Event& event : history.events) of.append(event, history.names);
      const auto mutexes = mutexes_of(*reading, std::string(history.names.text(seen.mutex(i))), {});
      QVERIFY2(mutexes && mutexes->size() == 1, mutexes ? "none" : mutexes.error().c_str());
      for (int turn = 0; turn < 200; ++turn) {
        const auto at = static_cast<std::int64_t>(draw()) % (seen.now() + 1'000'000);
        const Ownership::Moment then = of.at(TrueTime(Duration(at)));
        const auto rows = terms_at(*reading, mutexes->front(), kEpoch + at);
        QVERIFY2(rows.has_value(), rows ? "" : rows.error().c_str());
        std::vector<std::string> told, meant;
        bool dark = false;
        for (const TeamTerm& each : *rows) {
          dark = dark || !each.observed;
          if (each.observed) told.push_back(fmt::format("{} {} {}", each.owner, each.token, each.begin_hi - kEpoch));
        }
        for (const auto* const list : {&then.surely, &then.perhaps})
          for (const OwnedStretch* const each : *list)
            meant.push_back(fmt::format("{} {} {}", history.names.text(each->owner), each->token,
                                        each->begin_hi.time_since_epoch().count()));
        std::sort(told.begin(), told.end());
        std::sort(meant.begin(), meant.end());
        QCOMPARE(told, meant);
        QCOMPARE(dark, then.unobserved != nullptr);
      }
    }
  }

  void threeThatBeginAtOnceMakeTheTablesOnce() {
    const StoreUrl url = with_database(server_.url(), "begins");
    std::array<std::string, 3> errors;
    std::vector<std::thread> threads;
    for (std::size_t i = 0; i < 3; ++i)
      threads.emplace_back([&, i] { errors[i] = refusal(url, terms_of(fmt::format("api-{}", i).c_str())); });
    for (std::thread& each : threads) each.join();
    for (const std::string& error : errors) QCOMPARE(error, std::string());
    QCOMPARE(by_hand(url, "select number from leasescope_history.form"), std::to_string(current_form()));
  }

  void aNameIsOneObserversAtATime() {
    const StoreUrl url = with_database(server_.url(), "names");
    auto first = TeamSink::open(url, terms_of("api-1"));
    QVERIFY2(first.has_value(), first ? "" : first.error().words.c_str());
    const std::string why = refusal(url, terms_of("api-1"));
    QVERIFY2(why.find("an observer of the name api-1 records there already") != std::string::npos &&
                 why.find("--observer NAME") != std::string::npos,
             why.c_str());
    QCOMPARE(refusal(url, terms_of("api-2")), std::string());
    first->reset();
    QCOMPARE(refusal(url, terms_of("api-1")), std::string());
    QVERIFY(refusal(url, terms_of("api 1")).find("expected a name of at most") != std::string::npos);
  }

  void aServerThatGoesAndComesAgainHasAllOfIt() {
    const StoreUrl url = with_database(server_.url(), "outage");
    Seen seen(6);
    auto writer = writer_to(url, terms_of("api-1"));
    seen.go_on(500);
    writer->append(seen.history());
    QVERIFY(QTest::qWaitFor([&] { return writer->written() == seen.history().last(); }, 5'000));
    server_.kill();
    seen.go_on(500);
    writer->offer(seen.history());
    QVERIFY(QTest::qWaitFor([&] { return !writer->away().empty(); }, 5'000));
    const auto again = server_.start_again();
    QVERIFY2(again.has_value(), again ? "" : again.error().c_str());
    QVERIFY(QTest::qWaitFor([&] { return writer->written() == seen.history().last(); }, 15'000));
    QVERIFY(writer->away().empty());
    writer->close();
    QVERIFY2(writer->error().empty(), writer->error().c_str());
    const auto recordings = recordings_of(url, "api-1");
    QCOMPARE(recordings[0].state, TeamRecording::State::kBrokenOff);
    QCOMPARE(difference(whole(url, recordings[0]), seen.history()), std::string());
  }

  void whoeverLeavesWhileItIsAwayIsNotKept() {
    const StoreUrl url = with_database(server_.url(), "leaves");
    Seen seen(7);
    auto writer = writer_to(url, terms_of("api-1"));
    server_.kill();
    seen.go_on(100);
    writer->offer(seen.history());
    const auto began = std::chrono::steady_clock::now();
    const auto done = writer->finish(seen.history(), {});
    QVERIFY(std::chrono::steady_clock::now() - began < 6s);
    QVERIFY(!done && done.error().find("are not in it") != std::string::npos);
    const auto again = server_.start_again();
    QVERIFY2(again.has_value(), again ? "" : again.error().c_str());
  }

  // It has been away for longer than that already.
  void whoeverLeavesIsWaitedForFromThenOn() {
    const StoreUrl url = with_database(server_.url(), "farewell");
    QCOMPARE(refusal(url, terms_of("api-0")), std::string());  // so that there are tables
    HeldLine line(url);
    Seen seen(13);
    seen.go_on(50);
    auto writer = line.writer(seen);
    line.proxy.stall(LinkDirection::kBoth);
    seen.go_on(50);
    writer->offer(seen.history());
    QVERIFY(QTest::qWaitFor([&] { return !writer->away().empty(); }, 5'000));
    QTest::qWait(static_cast<int>(Limit::kFarewell.count()) + 500);
    QTimer::singleShot(700, [&] { line.proxy.heal(); });
    tl::expected<void, std::string> done;
    QVERIFY(meanwhile([&] { done = writer->finish(seen.history(), {}); }));
    QVERIFY2(done.has_value(), done ? "" : done.error().c_str());
    QCOMPARE(difference(whole(url, recordings_of(url, "api-1").front()), seen.history()), std::string());
  }

  void whatIsAtItsEndIsNotSaidToBeThereAgain() {
    const StoreUrl url = with_database(server_.url(), "over");
    QCOMPARE(refusal(url, terms_of("api-0")), std::string());
    HeldLine line(url);
    Seen seen(14);
    seen.go_on(50);
    auto writer = line.writer(seen);
    line.proxy.stall(LinkDirection::kBoth);
    seen.go_on(50);
    writer->offer(seen.history());
    QVERIFY(QTest::qWaitFor([&] { return !writer->away().empty(); }, 5'000));
    by_hand(url, "delete from leasescope_history.recording");
    line.proxy.heal();
    QVERIFY(QTest::qWaitFor([&] { return !writer->error().empty(); }, 10'000));
    QVERIFY(!writer->away().empty());
  }

  void whatMayPassIsToldFromWhatDoesNot() {
    const StoreUrl url = with_database(server_.url(), "passes");
    StoreUrl nobody = url, other = url;
    nobody.endpoint = {"127.0.0.1", 1};
    other.database = "no_such_database";
    QVERIFY(may_pass(nobody, terms_of("api-1")));
    QVERIFY(!may_pass(other, terms_of("api-1")));
    QVERIFY(!may_pass(url, terms_of("api 1")));
    auto first = TeamSink::open(url, terms_of("api-1"));
    QVERIFY2(first.has_value(), first ? "" : first.error().words.c_str());
    QVERIFY(!may_pass(url, terms_of("api-1")));
    // Of a machine that is gone the session stays for a while, and says nothing: whoever is started anew on it waits.
    QTest::qWait(3'500);
    QVERIFY(may_pass(url, terms_of("api-1")));
  }

  void aLaterFormNamesTheVersionThatWroteIt() {
    const StoreUrl url = with_database(server_.url(), "later");
    QCOMPARE(refusal(url, terms_of("api-1")), std::string());
    by_hand(url, "update leasescope_history.form set number = 99, program = '77.1'");
    const auto reading = TeamReading::open(url);
    QVERIFY(!reading);
    for (const std::string& why : {refusal(url, terms_of("api-1")), reading.error()})
      QVERIFY2(why.find("is of form 99") != std::string::npos &&
                   why.find("use leasescope 77.1 or a newer one") != std::string::npos,
               why.c_str());
  }

  void whatRightsAreMissingIsSaid() {
    const StoreUrl url = with_database(server_.url(), "rights");
    by_hand(url, "create user stranger");
    StoreUrl stranger = url;
    stranger.user = "stranger";
    const std::string make = refusal(stranger, terms_of("api-1"));
    QVERIFY2(make.find("grant create on database rights to stranger") != std::string::npos, make.c_str());
    const auto none = TeamReading::open(stranger);
    QVERIFY2(!none && none.error().find("holds no team's history") != std::string::npos, none.error().c_str());
    QCOMPARE(refusal(url, terms_of("api-1")), std::string());
    const auto read = TeamReading::open(stranger);
    QVERIFY2(!read && read.error().find("grant usage on schema leasescope_history to stranger") != std::string::npos,
             read.error().c_str());
    by_hand(url,
            "grant usage on schema leasescope_history to stranger; "
            "grant select on all tables in schema leasescope_history to stranger");
    QVERIFY(TeamReading::open(stranger).has_value());
    const std::string write = refusal(stranger, terms_of("api-2"));
    QVERIFY2(write.find("has to be the user that made the tables") != std::string::npos, write.c_str());
  }

  void aRecordingThatIsTakenAwayEndsWithWhatToDo() {
    const StoreUrl url = with_database(server_.url(), "taken");
    Seen seen(10);
    auto writer = writer_to(url, terms_of("api-1"));
    seen.go_on(50);
    writer->append(seen.history());
    QVERIFY(QTest::qWaitFor([&] { return writer->written() == seen.history().last(); }, 5'000));
    by_hand(url, "delete from leasescope_history.recording");
    seen.go_on(50);
    writer->append(seen.history());
    QVERIFY(QTest::qWaitFor([&] { return !writer->error().empty(); }, 5'000));
    QVERIFY2(writer->error().find("begin another recording: start the watch again") != std::string::npos,
             writer->error().c_str());
  }
};

LEASESCOPE_SUITE(TeamSinkTest)
#include "team_sink_test.moc"
