// What a team's history keeps of the alerts of its watches, on a real PostgreSQL: each thing once, whatever becomes of
// the line, for as long as its days, and in a history that was begun in the form before.
#include <atomic>
#include <ctime>
#include <memory>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include <fmt/format.h>

#include "core/base/embedded.h"
#include "core/history/recording/recording_writer.h"
#include "core/history/team/days.h"
#include "core/history/team/team_history.h"
#include "core/loop/qt/qt_loop.h"
#include "core/store/postgres/store_type.h"
#include "simulator/live/fault_proxy.h"
#include "simulator/live/private_server.h"
#include "tests/live/seen_handoffs.h"
#include "tests/live/team_database.h"
#include "tests/support/suite.h"

namespace leasescope::embedded {
std::vector<File> team_texts();
}

using namespace leasescope;
using namespace leasescope::tests;
using namespace leasescope::team;
using namespace std::chrono_literals;

namespace {

AlertNote note(std::uint64_t alert, AlertDeed deed, TrueTime at, Name subject) {
  AlertNote out;
  out.alert = alert;
  out.deed = deed;
  out.at = out.until = at;
  if (deed == AlertDeed::kMuted) out.until = at + 1h;
  out.rule = "nobody pays: \"now\", or {never}";
  out.kind = "no_owner";
  out.subject = subject;
  out.words = "nobody has owned it for more than 1s; mail\xff was the last";
  return out;
}

// All that an observer's account tells of them; none: it keeps none.
std::optional<std::vector<AlertNote>> told_of(const StoreUrl& url, const char* observer) {
  const auto reading = TeamReading::open(url).value();
  const auto source = history_of(reading, reading->recordings(observer).value());
  if (!source) qFatal("%s", source.error().c_str());
  if ((*source)->alerts() == nullptr) return std::nullopt;
  return *(*source)->alerts();
}

bool writes_all(RecordingWriter& writer, const Seen& seen, int ms = 20'000) {
  return QTest::qWaitFor(
      [&] {
        writer.offer(seen.history());
        return writer.written() == seen.history().last();
      },
      ms);
}

// As an earlier version made and wrote it: its only form was the first one.
void make_first_form(const StoreUrl& url) {
  by_hand(url, "create schema leasescope_history");
  const std::string made = by_hand(url, embedded::team_texts().front().text);
  if (!made.empty()) qFatal("%s", made.c_str());
  by_hand(url,
          "update leasescope_history.form set number = 1, program = '1.0'; "
          "insert into leasescope_history.recording (observer, name_lock, epoch_ns, ended) values ('old', 7, 1, true)");
}

}  // namespace

class TeamAlertsTest : public QObject {
  Q_OBJECT

  PrivateServer server_{postgres::store_type(), that_remembers()};

 private slots:
  void initTestCase() {
    const auto started = server_.start();
    QVERIFY2(started.has_value(), started ? "" : started.error().c_str());
  }

  void whatWasToldIsReadAsItWas() {
    const StoreUrl url = with_database(server_.url(), "told");
    Seen seen(1);
    seen.go_on(50);
    auto writer = writer_to(url, terms_of("api-1"));
    writer->note(seen.history(), {});
    QVERIFY(writes_all(*writer, seen));
    const TrueTime at = seen.history().now;
    const std::vector<AlertNote> all{
        note(1, AlertDeed::kBegan, at, seen.mutex(0)), note(1, AlertDeed::kAcknowledged, at + 1s, seen.mutex(0)),
        note(2, AlertDeed::kBegan, at + 2s, seen.mutex(2)), note(2, AlertDeed::kMuted, at + 3s, seen.mutex(2)),
        note(1, AlertDeed::kOver, at + 4s, seen.mutex(0))};
    writer->note(seen.history(), {all[0], all[1]});
    seen.go_on(50);
    QVERIFY(writes_all(*writer, seen));
    writer->note(seen.history(), {all[2], all[3], all[4]});
    QVERIFY(writer->finish(seen.history(), {}).has_value());
    const auto told = told_of(url, "api-1");
    QVERIFY(told.has_value());
    QVERIFY(*told == all);
    const auto counts = TeamReading::open(url).value()->alerts();
    QVERIFY2(counts.has_value(), counts ? "" : counts.error().c_str());
    QCOMPARE(counts->at(recordings_of(url, "api-1")[0].id), std::uint64_t{2});
  }

  // Whoever tells nothing of alerts is not taken for one where none fired.
  void thatNoneFiredIsToldFromThatNobodyKnows() {
    const StoreUrl url = with_database(server_.url(), "none");
    Seen seen(2);
    seen.go_on(50);
    for (const char* observer : {"knows", "knows-not"}) {
      auto writer = writer_to(url, terms_of(observer));
      if (std::string(observer) == "knows") writer->note(seen.history(), {});
      QVERIFY(writer->finish(seen.history(), {}).has_value());
    }
    QVERIFY(told_of(url, "knows").has_value() && told_of(url, "knows")->empty());
    QVERIFY(!told_of(url, "knows-not").has_value());
  }

  // It was killed while one lasted, and told of that in vain; begun again it tells of its own.
  void whatLastedWhenOneBrokeOffIsOverThen() {
    const StoreUrl url = with_database(server_.url(), "broken");
    Seen seen(3);
    seen.go_on(50);
    const TrueTime at = seen.history().now;
    for (int turn = 0; turn < 2; ++turn) {
      auto writer = writer_to(url, terms_of("api-1"), kEpoch + turn * Duration(1h).count());
      writer->note(seen.history(), {note(1, AlertDeed::kBegan, at, seen.mutex(1))});
      QVERIFY(writes_all(*writer, seen));
      writer->close();
    }
    const auto told = told_of(url, "api-1").value();
    const std::vector<FiredAlert> fired = fired_alerts(told);
    QCOMPARE(fired.size(), std::size_t{2});
    QVERIFY(fired[0].from == at && fired[0].to >= at && fired[0].to < at + 1h);
    QVERIFY(fired[1].from == at + 1h && fired[1].lasts());
    // Of several observers each one's mutexes bear its name, and its alerts are of these.
    {
      auto other = writer_to(url, terms_of("api-2"), kEpoch + Duration(1ms).count());
      other->note(seen.history(), {note(1, AlertDeed::kBegan, at, seen.mutex(1))});
      QVERIFY(other->finish(seen.history(), {}).has_value());
    }
    const auto reading = TeamReading::open(url).value();
    const auto all = history_of(reading, reading->recordings().value());
    QVERIFY2(all.has_value(), all ? "" : all.error().c_str());
    QVERIFY((*all)->alerts() != nullptr);
    QStringList subjects;
    for (const FiredAlert& each : fired_alerts(*(*all)->alerts()))
      subjects << QString::fromStdString(std::string((*all)->frame().names.text(each.subject)));
    subjects.sort();
    QCOMPARE(subjects, QStringList({"bills @ api-1", "bills @ api-1", "bills @ api-2"}));
  }

  // A commit whose answer is lost is asked after; nothing is told twice.
  void whateverBecomesOfTheLineEachIsThereOnce() {
    const StoreUrl url = with_database(server_.url(), "lines");
    QCOMPARE(refusal(url, terms_of("api-0")), std::string());  // so that there are tables
    QtLoop loop;
    FaultProxy proxy(loop, url.endpoint, postgres::store_type(), false);
    StoreUrl through = url;
    through.endpoint = proxy.listen().value();
    through.options["sslmode"] = "disable";
    TeamTerms terms = terms_of("api-1");
    terms.patience = 300ms;
    std::unique_ptr<RecordingWriter> writer;
    std::atomic<bool> begun = false;
    std::thread begins([&] {
      writer = writer_to(through, terms);
      begun = true;
    });
    const bool in_time = QTest::qWaitFor([&] { return begun.load(); }, 15'000);
    begins.join();
    QVERIFY(in_time);
    Seen seen(4);
    std::vector<AlertNote> all;
    for (std::uint64_t i = 1; i <= 60; ++i) {
      seen.go_on(10);
      all.push_back(note(i, AlertDeed::kBegan, seen.history().now, seen.mutex(i % 3)));
      all.push_back(note(i, AlertDeed::kOver, seen.history().now, seen.mutex(i % 3)));
      writer->offer(seen.history());
      writer->note(seen.history(), {all[all.size() - 2], all.back()});
      if (i % 3 == 0) proxy.stall(LinkDirection::kFromStore);  // it is done, and nobody hears of it
      QTest::qWait(20);
      if (i % 3 == 0) {
        proxy.reset();
        proxy.resume(LinkDirection::kFromStore);
      }
      if (i % 3 == 1) proxy.cut();
      QVERIFY2(writer->error().empty(), writer->error().c_str());
    }
    proxy.heal();
    QVERIFY(writes_all(*writer, seen));
    tl::expected<void, std::string> done;
    std::atomic<bool> over = false;
    std::thread ends([&] {
      done = writer->finish(seen.history(), {});
      over = true;
    });
    const bool ended = QTest::qWaitFor([&] { return over.load(); }, 15'000);
    ends.join();
    QVERIFY2(ended && done.has_value(), done ? "" : done.error().c_str());
    QVERIFY(told_of(url, "api-1").value() == all);
  }

  // Whoever records brings it up to date; who reads needs no right anew, and nobody else gets one.
  void aHistoryOfTheFormBeforeIsBroughtUpToDate() {
    const StoreUrl url = with_database(server_.url(), "form_one");
    make_first_form(url);
    by_hand(url,
            "create role alerts_reader login; create role alerts_stranger login; "
            "grant usage on schema leasescope_history to alerts_reader, alerts_stranger; "
            "grant select on all tables in schema leasescope_history to alerts_reader");
    // Before that it is read, and kept to its days, as it is.
    {
      const auto reading = TeamReading::open(url);
      QVERIFY2(reading.has_value(), reading ? "" : reading.error().c_str());
      QVERIFY((*reading)->alerts().value().empty());
      QCOMPARE((*reading)->recordings("old").value().size(), std::size_t{1});
    }
    auto connection = Connection::open(url, {}).value();
    const auto dropped = drop_older(*connection, {36'500 * Duration(24h), 0});
    QVERIFY2(dropped.has_value(), dropped ? "" : dropped.error().words.c_str());
    Seen seen(5);
    seen.go_on(50);
    auto writer = writer_to(url, terms_of("api-1"));
    writer->note(seen.history(), {note(1, AlertDeed::kBegan, seen.history().now, seen.mutex(0))});
    QVERIFY(writer->finish(seen.history(), {}).has_value());
    QCOMPARE(by_hand(url, "select number from leasescope_history.form"), std::to_string(current_form()));
    QVERIFY(current_form() >= 2);
    QCOMPARE(by_hand(url, "select count(*) from leasescope_history.recording"), std::string("2"));
    StoreUrl reader = url, stranger = url;
    reader.user = "alerts_reader";
    stranger.user = "alerts_stranger";
    QCOMPARE(told_of(reader, "api-1").value().size(), std::size_t{1});
    QVERIFY(by_hand(stranger, "select count(*) from leasescope_history.alert").find("denied") != std::string::npos);
    QVERIFY(by_hand(reader, "delete from leasescope_history.alert").find("denied") != std::string::npos);
    QCOMPARE(by_hand(url,
                     "select count(distinct relowner) from pg_class where relnamespace = "
                     "'leasescope_history'::regnamespace and relkind in ('r', 'p')"),
             std::string("1"));
  }

  // Those that were over by then; one that lasts stays, with when it began. A recording goes with all of its own.
  void theyGoWithTheirDays() {
    const StoreUrl url = with_database(server_.url(), "days");
    const std::int64_t began_ns = (std::int64_t{std::time(nullptr)} - 40 * 86'400) * 1'000'000'000;
    Seen seen(6);
    seen.go_on(300);
    {
      auto gone = writer_to(url, terms_of("long-gone"), began_ns);
      gone->note(seen.history(), {note(1, AlertDeed::kBegan, seen.history().now, seen.mutex(0))});
      QVERIFY(gone->finish(seen.history(), {}).has_value());
    }
    auto writer = writer_to(url, terms_of("api-1"), began_ns);
    const TrueTime old = seen.history().now;
    writer->note(
        seen.history(),
        {note(1, AlertDeed::kBegan, old, seen.mutex(0)), note(1, AlertDeed::kOver, old + 1s, seen.mutex(0)),
         note(2, AlertDeed::kBegan, old + 2s, seen.mutex(1)), note(3, AlertDeed::kBegan, old + 3s, seen.mutex(2))});
    QVERIFY(writes_all(*writer, seen));
    seen.pass(39 * Duration(kDayNs));
    seen.go_on(300);
    writer->note(seen.history(), {note(3, AlertDeed::kOver, seen.history().now, seen.mutex(2))});
    QVERIFY(writes_all(*writer, seen));
    auto connection = Connection::open(url, {}).value();
    const auto dropped = drop_older(*connection, {30 * Duration(kDayNs), 0});
    QVERIFY2(dropped.has_value(), dropped ? "" : dropped.error().words.c_str());
    QCOMPARE(dropped->recordings, std::int64_t{1});
    const std::vector<FiredAlert> left = fired_alerts(told_of(url, "api-1").value());
    QCOMPARE(left.size(), std::size_t{2});
    QVERIFY(left[0].subject == seen.mutex(1) && left[0].from == old + 2s && left[0].lasts());
    QVERIFY(left[1].from == old + 3s && left[1].to == seen.history().now);
    QCOMPARE(by_hand(url, "select count(*) from leasescope_history.alert"), std::string("3"));
    // It goes on, with numbers that nobody has had.
    writer->note(seen.history(), {note(4, AlertDeed::kBegan, seen.history().now, seen.mutex(0))});
    seen.go_on(10);
    QVERIFY(writer->finish(seen.history(), {}).has_value());
    QCOMPARE(fired_alerts(told_of(url, "api-1").value()).size(), std::size_t{3});
  }
};

LEASESCOPE_SUITE(TeamAlertsTest)
#include "team_alerts_test.moc"
