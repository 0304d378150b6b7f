// A team's history on a real PostgreSQL: each event is there once, whatever becomes of the line; who owned at a moment
// is whoever a pass over all events finds; what is old goes as a whole, and what somebody has to do is said.
#include <QTimer>
#include <algorithm>
#include <array>
#include <atomic>
#include <ctime>
#include <functional>
#include <memory>
#include <random>
#include <thread>

#include "core/history/ownership.h"
#include "core/history/recording/recording_writer.h"
#include "core/history/team/days.h"
#include "core/history/team/team_history.h"
#include "core/history/team/team_reader.h"
#include "core/history/team/team_sink.h"
#include "core/history/team/terms.h"
#include "core/loop/qt/qt_loop.h"
#include "core/store/postgres/store_type.h"
#include "simulator/live/fault_proxy.h"
#include "simulator/live/private_server.h"
#include "tests/support/recordings.h"
#include "tests/support/suite.h"

using namespace leasescope;
using namespace leasescope::tests;
using namespace leasescope::team;
using namespace std::chrono_literals;

namespace {

constexpr std::int64_t kEpoch = 1'764'000'000'000'000'000;  // 24 November 2025

// What a watch would have seen: mutexes that change hands, by looks that lie apart, and a store that is blind at times.
class Seen {
 public:
  explicit Seen(unsigned seed) : draw_(seed) {
    store_ = history_.names.intern("redis://h");
    for (const char* const name : {"orders", "bills", "mail\xff"}) mutexes_.push_back(history_.names.intern(name));
    for (const char* const name : {"a", "b", "c"}) owners_.push_back(history_.names.intern(name));
    for (const Name mutex : mutexes_) {
      tell(EventKind::kUnobservedBegan, store_, mutex);
      tell(EventKind::kUnobservedEnded, store_, mutex);
    }
    held_.resize(mutexes_.size());
  }

  void go_on(int events) {
    for (int i = 0; i < events; ++i) step();
    history_.now = TrueTime(Duration(now_));
    history_.summary.handoffs = history_.last();
  }
  const History& history() const { return history_; }
  Name mutex(std::size_t which) const { return mutexes_[which]; }
  std::int64_t now() const { return now_; }
  bool is_held() const {
    return std::any_of(held_.begin(), held_.end(), [](Name owner) { return !owner.empty(); });
  }
  void pass(Duration time) { now_ += time.count(); }

 private:
  void tell(EventKind kind, Name who, Name mutex, Token token = kNoToken) {
    Event event;
    event.kind = kind;
    event.node = who;
    event.mutex = mutex;
    event.token = token;
    event.hi = TrueTime(Duration(now_));
    event.lo = TrueTime(Duration(now_ - std::min<std::int64_t>(now_, static_cast<std::int64_t>(draw_() % 3'000'000))));
    if (kind == EventKind::kGranted || kind == EventKind::kRenewed) event.a = Duration(10s).count();
    history_.events.push_back(event);
  }
  void step() {
    now_ += static_cast<std::int64_t>(draw_() % 2'000'000);
    const std::size_t at = draw_() % mutexes_.size();
    Name& owner = held_[at];
    if (draw_() % 50 == 0) {
      tell(EventKind::kUnobservedBegan, store_, mutexes_[at]);
      tell(EventKind::kUnobservedEnded, store_, mutexes_[at]);
    }
    if (owner.empty()) {
      owner = owners_[draw_() % owners_.size()];
      tell(EventKind::kGranted, owner, mutexes_[at], ++token_);
    } else if (draw_() % 3 == 0) {
      tell(EventKind::kRenewed, owner, mutexes_[at], token_);
    } else {
      tell(draw_() % 2 == 0 ? EventKind::kReleased : EventKind::kExpired, owner, mutexes_[at]);
      owner = Name{};
    }
  }

  std::mt19937 draw_;
  History history_;
  Name store_;
  std::vector<Name> mutexes_, owners_, held_;
  Token token_ = 0;
  std::int64_t now_ = 1'000'000'000;
};

HistoryHeader header_at(std::int64_t epoch_ns) {
  HistoryHeader out;
  out.program = "9.8.7";
  out.scenario = "watch";
  out.world = "live";
  out.store = "redis://h";
  out.epoch_ns = epoch_ns;
  return out;
}

TeamTerms terms_of(const char* observer) {
  TeamTerms out;
  out.observer = observer;
  out.program = "9.8.7";
  return out;
}

RecordingTerms quick() {
  RecordingTerms out;
  out.written_at = 40;
  out.written_after = 5ms;
  return out;
}

std::unique_ptr<RecordingWriter> writer_to(const StoreUrl& url, const TeamTerms& terms,
                                           std::int64_t epoch_ns = kEpoch) {
  auto sink = TeamSink::open(url, terms);
  if (!sink) qFatal("%s", sink.error().words.c_str());
  auto out = std::make_unique<RecordingWriter>("team", std::move(*sink), quick());
  out->head(header_at(epoch_ns));
  return out;
}

std::string refusal(const StoreUrl& url, const TeamTerms& terms) {
  auto sink = TeamSink::open(url, terms);
  return sink ? std::string() : sink.error().words;
}
// Of one that is refused: whether another time the same may go well.
bool may_pass(const StoreUrl& url, const TeamTerms& terms) {
  auto sink = TeamSink::open(url, terms);
  if (sink) qFatal("it began");
  return sink.error().may_pass;
}

// The only one of that observer; empty where something is wrong.
std::vector<TeamRecording> recordings_of(const StoreUrl& url, const char* observer) {
  auto reading = TeamReading::open(url);
  if (!reading) qFatal("%s", reading.error().c_str());
  return (*reading)->recordings(observer).value();
}

History whole(const StoreUrl& url, const TeamRecording& recording) {
  auto reader = TeamReader::open(TeamReading::open(url).value(), recording);
  if (!reader) qFatal("%s", reader.error().c_str());
  History out = (*reader)->frame();
  while ((*reader)->read_page(out.events)) {
  }
  if (!(*reader)->error().empty()) qFatal("%s", (*reader)->error().c_str());
  return out;
}

std::string by_hand(const StoreUrl& url, const std::string& sql) {
  auto connection = Connection::open(url, {});
  if (!connection) return connection.error().words;
  auto answer = (*connection)->say(sql);
  if (!answer) return answer.error().words;
  return answer->size() == 0 ? std::string() : std::string(answer->text(0, 0));
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

// Each test has a database of its own.
StoreUrl with_database(StoreUrl url, const std::string& name) {
  by_hand(url, "create database " + name);
  url.database = name;
  return url;
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

std::int64_t wall_now_ns() { return std::int64_t{std::time(nullptr)} * 1'000'000'000; }

// Of one that began forty days ago, has told of some who own, and still records.
std::unique_ptr<RecordingWriter> old_writer(const StoreUrl& url, Seen& seen) {
  auto out = writer_to(url, terms_of("api-1"), wall_now_ns() - 40 * kDayNs);
  seen.go_on(300);
  while (!seen.is_held()) seen.go_on(1);
  out->append(seen.history());
  if (!QTest::qWaitFor([&] { return out->written() == seen.history().last(); }, 5'000)) qFatal("it did not write");
  return out;
}

std::string owned_at(TeamReading& reading, const Seen& seen, std::int64_t at_ns) {
  std::string out;
  for (std::size_t i = 0; i < 3; ++i) {
    const auto mutexes = mutexes_of(reading, std::string(seen.history().names.text(seen.mutex(i))), "api-1").value();
    const auto terms = terms_at(reading, mutexes.front(), at_ns);
    for (const TeamTerm& each : terms.value())
      out += fmt::format("{} {} {}, ", i, each.observed ? each.owner : "?", each.token);
  }
  return out;
}

}  // namespace

class TeamSinkTest : public QObject {
  Q_OBJECT

  PrivateServer server_{postgres::store_type(), [] {
                          PrivateServerOptions options;
                          options.remembers = true;
                          return options;
                        }()};

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

  // Forty days of one who is still at it, and one that ended long ago.
  void whatIsOldGoesAndWhatReachesIntoTheRestStays() {
    const StoreUrl url = with_database(server_.url(), "days");
    const std::int64_t now_ns = static_cast<std::int64_t>(std::time(nullptr)) * 1'000'000'000;
    const std::int64_t began_ns = now_ns - 40 * kDayNs;
    {
      Seen seen(8);
      seen.go_on(200);
      auto ended = writer_to(url, terms_of("long-gone"), began_ns);
      QVERIFY(ended->finish(seen.history(), {}).has_value());
    }
    Seen seen(9);
    auto writer = writer_to(url, terms_of("api-1"), began_ns);
    seen.go_on(300);
    while (!seen.is_held()) seen.go_on(1);
    const Sequence old = seen.history().last();
    writer->append(seen.history());
    QVERIFY(QTest::qWaitFor([&] { return writer->written() == old; }, 5'000));
    seen.pass(39 * Duration(kDayNs));
    seen.go_on(300);
    writer->append(seen.history());
    QVERIFY(QTest::qWaitFor([&] { return writer->written() == seen.history().last(); }, 5'000));
    const History& history = seen.history();
    // Whoever owned over all these days, or nobody did.
    const auto owned_at = [&](std::int64_t at_ns) {
      std::string out;
      auto reading = TeamReading::open(url).value();
      for (std::size_t i = 0; i < 3; ++i) {
        const auto mutexes = mutexes_of(*reading, std::string(history.names.text(seen.mutex(i))), "api-1").value();
        const auto terms = terms_at(*reading, mutexes.front(), at_ns);
        for (const TeamTerm& each : terms.value())
          out += fmt::format("{} {} {}, ", i, each.observed ? each.owner : "?", each.token);
      }
      return out;
    };
    const std::int64_t within = now_ns - 10 * kDayNs;
    const std::string before = owned_at(within);
    QVERIFY(!before.empty());

    auto connection = Connection::open(url, {}).value();
    const auto dropped = drop_older(*connection, 30 * Duration(kDayNs));
    QVERIFY2(dropped.has_value(), dropped ? "" : dropped.error().words.c_str());
    QCOMPARE(dropped->days, std::int64_t{1});
    QCOMPARE(dropped->recordings, std::int64_t{1});
    QCOMPARE(recordings_of(url, "long-gone").size(), std::size_t{0});
    QCOMPARE(owned_at(within), before);
    const auto left = recordings_of(url, "api-1");
    QCOMPARE(left.size(), std::size_t{1});
    const History read = whole(url, left[0]);
    QCOMPARE(read.forgotten, old);
    QCOMPARE(read.last(), history.last());
    // What was moved is found when it ends.
    seen.go_on(100);
    writer->append(seen.history());
    writer->close();
    QVERIFY2(writer->error().empty(), writer->error().c_str());
    QCOMPARE(drop_older(*connection, 30 * Duration(kDayNs))->days, std::int64_t{0});
    QCOMPARE(by_hand(url, "select count(*) from leasescope_history.term where end_hi = 9223372036854775807"),
             std::to_string([&] {
               std::size_t out = 0;
               for (std::size_t i = 0; i < 3; ++i) {
                 Ownership of({}, seen.mutex(i));
                 for (const Event& event : history.events) of.append(event, history.names);
                 for (const OwnedStretch& each : of.owned()) out += each.lasts();
                 for (const UnobservedStretch& each : of.unobserved()) out += each.lasts();
               }
               return out;
             }()));
  }

  // Neither at midnight nor where somebody records what was of another day.
  void whoeverReadsHoldsUpNobodyWhoNeedsANewDay() {
    const StoreUrl url = with_database(server_.url(), "midnight");
    QCOMPARE(refusal(url, terms_of("api-1")), std::string());
    ConnectionTerms reads;
    reads.writes = false;
    auto reader = Connection::open(url, reads).value();
    QVERIFY(reader->say("select count(*) from leasescope_history.block; select count(*) from leasescope_history.term"));
    auto observer = Connection::open(url, {}).value();
    const auto made = make_days(*observer, {20'000, 20'001});
    QVERIFY2(made.has_value(), made ? "" : made.error().words.c_str());
    QVERIFY(make_days(*observer, {20'001, 20'002}).has_value());  // what is there stays
    QCOMPARE(by_hand(url,
                     "select count(*) from pg_inherits where inhparent in ('leasescope_history.block'::regclass, "
                     "'leasescope_history.term'::regclass) and inhrelid::regclass::text like '%2024_10%'"),
             std::string("6"));
    QCOMPARE(by_hand(url, "select count(*) from leasescope_history.day where day between 20000 and 20002"),
             std::string("3"));
  }

  // Its batch is not committed yet when its day is moved.
  void aTermThatEndsWhileItsDayIsDroppedIsOver() {
    const StoreUrl url = with_database(server_.url(), "ending");
    Seen seen(11);
    auto writer = old_writer(url, seen);
    auto observer = Connection::open(url, {}).value();
    const std::int64_t end_ns = wall_now_ns();
    const auto ended = observer->say(
        fmt::format("begin; update leasescope_history.term set end_lo = {0}, end_hi = {0}, ended = 'released' where "
                    "observed and end_hi = 9223372036854775807",
                    end_ns));
    QVERIFY2(ended.has_value(), ended ? "" : ended.error().words.c_str());
    std::string error = "not done";
    std::thread drops([&] {
      auto connection = Connection::open(url, {}).value();
      const auto dropped = drop_older(*connection, 30 * Duration(kDayNs));
      error = dropped ? "" : dropped.error().words;
    });
    QTest::qWait(700);
    const bool committed = observer->say("commit").has_value();
    drops.join();
    QVERIFY(committed);
    QCOMPARE(error, std::string());
    const auto count = [&](std::int64_t end) {
      return by_hand(url,
                     fmt::format("select count(*) from leasescope_history.term where observed and end_hi = {}", end));
    };
    QCOMPARE(count(kEver), std::string("0"));
    QVERIFY(count(end_ns) != "0");
  }

  // What was moved from a day that is dropped is not there yet for whoever looks at a moment before that.
  void whoeverReadsSeesWhatIsMovedMeanwhile() {
    const StoreUrl url = with_database(server_.url(), "moved");
    Seen seen(12);
    auto writer = old_writer(url, seen);
    const std::int64_t at_ns = wall_now_ns() - 10 * kDayNs;
    const std::string before = owned_at(*TeamReading::open(url).value(), seen, at_ns);
    QVERIFY(!before.empty());
    auto reading = TeamReading::open(url).value();
    auto connection = Connection::open(url, {}).value();
    const auto dropped = drop_older(*connection, 30 * Duration(kDayNs));
    QVERIFY(!dropped && dropped.error().kind == SqlError::Kind::kAgain);
    QCOMPARE(owned_at(*reading, seen, at_ns), before);
    reading.reset();
    const auto again = drop_older(*connection, 30 * Duration(kDayNs));
    QVERIFY2(again.has_value(), again ? "" : again.error().words.c_str());
    QCOMPARE(owned_at(*TeamReading::open(url).value(), seen, at_ns), before);
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
