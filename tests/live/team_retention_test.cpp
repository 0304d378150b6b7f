// What is old of a team's history, on a real PostgreSQL: days go as a whole, what reaches into the rest is moved to it,
// and whoever reads or writes meanwhile is neither held up nor misled.
#include <ctime>
#include <memory>
#include <string>
#include <thread>

#include <fmt/format.h>

#include "core/history/ownership.h"
#include "core/history/recording/recording_writer.h"
#include "core/history/team/days.h"
#include "core/history/team/terms.h"
#include "core/store/postgres/store_type.h"
#include "simulator/live/private_server.h"
#include "tests/live/seen_handoffs.h"
#include "tests/live/team_database.h"
#include "tests/support/suite.h"

using namespace leasescope;
using namespace leasescope::tests;
using namespace leasescope::team;

namespace {

const Retention kThirtyDays{30 * Duration(kDayNs), 0};

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

class TeamRetentionTest : public QObject {
  Q_OBJECT

  PrivateServer server_{postgres::store_type(), that_remembers()};

 private slots:
  void initTestCase() {
    const auto started = server_.start();
    QVERIFY2(started.has_value(), started ? "" : started.error().c_str());
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
    const auto dropped = drop_older(*connection, kThirtyDays);
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
    QCOMPARE(drop_older(*connection, kThirtyDays)->days, std::int64_t{0});
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

  // The first days go until the rest fits; the last stays whatever its size, and so does what is still owned.
  void whatIsTooMuchGoesDayByDay() {
    const StoreUrl url = with_database(server_.url(), "sizes");
    Seen seen(13);
    auto writer = old_writer(url, seen);
    for (int stretch = 0; stretch < 2; ++stretch) {
      seen.pass(10 * Duration(kDayNs));
      seen.go_on(300);
      while (!seen.is_held()) seen.go_on(1);
      writer->append(seen.history());
      QVERIFY(QTest::qWaitFor([&] { return writer->written() == seen.history().last(); }, 5'000));
    }
    const std::int64_t now_ns = wall_now_ns();
    const int first = day_of(now_ns) - 40;
    const auto held = [&] { return owned_at(*TeamReading::open(url).value(), seen, now_ns - 5 * kDayNs); };
    const std::string before = held();
    QVERIFY(!before.empty());
    const auto days = [&] {
      return by_hand(url, fmt::format("select string_agg((day - {})::text, ' ' order by day) from "
                                      "leasescope_history.day where exists (select from leasescope_history.block b "
                                      "where b.day = leasescope_history.day.day)",
                                      first));
    };
    QCOMPARE(days(), std::string("0 10 20"));
    const auto room = [&](int from) {
      return std::stoull(by_hand(url, fmt::format("select sum(pg_total_relation_size(c.oid)) from pg_class c join "
                                                  "pg_inherits i on i.inhrelid = c.oid where c.relkind = 'r' and "
                                                  "right(c.relname, 10) >= '{}'",
                                                  [&] {
                                                    std::string out = date_of(first + from);
                                                    for (char& each : out)
                                                      if (each == '-') each = '_';
                                                    return out;
                                                  }())));
    };
    auto connection = Connection::open(url, {}).value();
    const std::uint64_t all = room(0), last_two = room(10);
    QVERIFY(all > last_two && last_two > room(20));
    QCOMPARE(drop_older(*connection, {std::nullopt, all})->days, std::int64_t{0});
    QCOMPARE(days(), std::string("0 10 20"));
    const auto dropped = drop_older(*connection, {std::nullopt, all - 1});
    QVERIFY2(dropped.has_value(), dropped ? "" : dropped.error().words.c_str());
    QCOMPARE(dropped->first, first + 10);
    QCOMPARE(days(), std::string("10 20"));
    QCOMPARE(held(), before);
    // Of two limits the narrower one holds: 25 days ago is between the two that are left.
    QCOMPARE(drop_older(*connection, {25 * Duration(kDayNs), all})->first, first + 15);
    QCOMPARE(days(), std::string("20"));
    QVERIFY(drop_older(*connection, {std::nullopt, 1}).has_value());
    QCOMPARE(held(), before);
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
      const auto dropped = drop_older(*connection, kThirtyDays);
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
    const auto dropped = drop_older(*connection, kThirtyDays);
    QVERIFY(!dropped && dropped.error().kind == SqlError::Kind::kAgain);
    QCOMPARE(owned_at(*reading, seen, at_ns), before);
    reading.reset();
    const auto again = drop_older(*connection, kThirtyDays);
    QVERIFY2(again.has_value(), again ? "" : again.error().words.c_str());
    QCOMPARE(owned_at(*TeamReading::open(url).value(), seen, at_ns), before);
  }
};

LEASESCOPE_SUITE(TeamRetentionTest)
#include "team_retention_test.moc"
