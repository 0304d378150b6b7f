// A recording that is looked at again and again while it is written: nothing twice, nothing left out, and no thread in
// another's way. The thread sanitizer runs it, too (tests/sanitize tsan).
#include <atomic>
#include <thread>

#include <QTemporaryDir>

#include "core/history/recording/recording_growth.h"
#include "core/history/recording/recording_reader.h"
#include "core/history/recording/recording_writer.h"
#include "tests/support/recordings.h"
#include "tests/support/suite.h"

using namespace leasescope;
using namespace leasescope::tests;
using namespace std::chrono_literals;

class RecordingGrowthTest : public QObject {
  Q_OBJECT
 private slots:
  void init() { path_ = folder_.filePath(QString::number(++turn_)).toStdString(); }
  void aPageBeginsWithTheEventThatIsAskedFor();
  void whatComesIsGivenOnceAndInOrder();
  void whereNothingComesNothingIsGiven();
  void theEndOfTheRunIsToldWithIt();
  void anotherRecordingInItsPlaceIsTold();
  void manyFollowOneThatIsWritten();

 private:
  std::string path_;
  QTemporaryDir folder_;
  int turn_ = 0;
};

namespace {

RecordingTerms quick() {
  RecordingTerms terms;
  terms.written_after = 2ms;
  return terms;
}

// Follows to the end of the run; what was wrong, or empty.
std::string follow(const std::string& path, std::uint64_t expected) {
  RecordingWatch watch(path, 0);
  std::uint64_t last = 0;
  for (int looks = 0; looks < 20'000; ++looks) {
    const auto come = watch.look();
    if (!come) return come.error();
    if (!*come) {
      std::this_thread::sleep_for(1ms);
      continue;
    }
    const History& more = (*come)->more;
    if (more.forgotten != last) return fmt::format("{} are forgotten after {}", more.forgotten, last);
    for (const Event& event : more.events)
      if (!same(event, ToldHistory::event(++last))) return fmt::format("event {}", last);
    if (more.summary.renewals != last) return fmt::format("a summary of {} events at {}", more.summary.renewals, last);
    if ((*come)->outcome) return last == expected ? std::string() : fmt::format("{} events", last);
  }
  return "no end";
}

}  // namespace

void RecordingGrowthTest::aPageBeginsWithTheEventThatIsAskedFor() {
  ToldHistory told;
  told.grow(10'000);
  QVERIFY(RecordingWriter::create(path_).value()->finish(told.history(), {}));
  auto reader = RecordingReader::open(path_);
  QVERIFY(reader.has_value());
  for (const std::uint64_t number : {1, 2, 4'096, 4'097, 9'999, 10'000, 10'001, 1'000'000, 5'000, 0}) {
    reader->seek(number);
    const std::uint64_t first = std::clamp<std::uint64_t>(number, 1, 10'001);
    QCOMPARE(reader->next(), first);
    std::vector<Event> events;
    while (reader->read_page(events)) {
    }
    QCOMPARE(events.size(), std::size_t{10'001} - first);
    for (std::size_t i = 0; i < events.size(); ++i) QVERIFY(same(events[i], ToldHistory::event(first + i)));
  }
  QCOMPARE(reader->error(), std::string());
}

void RecordingGrowthTest::whatComesIsGivenOnceAndInOrder() {
  auto writer = RecordingWriter::create(path_, quick()).value();
  ToldHistory told;
  RecordingWatch watch(path_, 0);
  Sequence last = 0;
  for (const std::size_t more : {1, 100, 4'000, 9'000, 3}) {
    told.grow(more);
    if (more == 100) told.add_incident(IncidentKind::kStorm, true);
    writer->append(told.history());
    QTRY_VERIFY(writer->written() == told.history().last());
    const auto come = watch.look();
    QVERIFY(come && *come);
    QCOMPARE((*come)->more.forgotten, last);
    QCOMPARE((*come)->more.events.size(), more);
    QCOMPARE((*come)->more.incidents.size(), told.history().incidents.size());
    QVERIFY(!(*come)->outcome);
    last = told.history().last();
  }
}

void RecordingGrowthTest::whereNothingComesNothingIsGiven() {
  auto writer = RecordingWriter::create(path_, quick()).value();
  ToldHistory told;
  told.grow(100);
  writer->append(told.history());
  QTRY_COMPARE(writer->written(), std::uint64_t{100});
  RecordingWatch watch(path_, 0);
  QVERIFY(watch.look().value());
  for (int i = 0; i < 3; ++i) QVERIFY(!watch.look().value());
  // Time goes on without an event.
  told.history().now += 1s;
  writer->append(told.history());
  std::optional<RecordingGrowth> come;
  QTRY_VERIFY(come || (come = watch.look().value()).has_value());  // which it gives once
  QCOMPARE(come->more.now, told.history().now);
  QVERIFY(come->more.events.empty());
}

void RecordingGrowthTest::theEndOfTheRunIsToldWithIt() {
  auto writer = RecordingWriter::create(path_, quick()).value();
  ToldHistory told;
  told.grow(50);
  RecordedOutcome outcome;
  outcome.simulated_ns = 7;
  QVERIFY(writer->finish(told.history(), outcome));
  RecordingWatch watch(path_, 50);
  const auto come = watch.look();
  QVERIFY(come && *come);
  QCOMPARE((*come)->more.events.size(), std::size_t{0});
  QCOMPARE((*come)->outcome.value().simulated_ns, std::int64_t{7});
}

void RecordingGrowthTest::anotherRecordingInItsPlaceIsTold() {
  ToldHistory told;
  told.grow(50);
  QVERIFY(RecordingWriter::create(path_).value()->finish(told.history(), {}));
  RecordingWatch watch(path_, 200);
  const auto come = watch.look();
  QVERIFY(!come);
  QVERIFY2(come.error().find("is another recording by now: read it again") != std::string::npos, come.error().c_str());
  RecordingWatch gone(path_ + "-none", 1);
  QVERIFY(!gone.look());
}

void RecordingGrowthTest::manyFollowOneThatIsWritten() {
  constexpr std::uint64_t kEvents = 60'000;
  auto writer = RecordingWriter::create(path_, quick()).value();
  ToldHistory told;
  told.grow(1);
  writer->append(told.history());
  QTRY_COMPARE(writer->written(), std::uint64_t{1});
  std::vector<std::string> wrong(3, "did not end");
  std::vector<std::thread> followers;
  for (std::string& mine : wrong) followers.emplace_back([&] { mine = follow(path_, kEvents); });
  while (told.history().last() < kEvents) {
    told.grow(std::min<std::size_t>(1'777, kEvents - told.history().last()));
    writer->append(told.history());
    std::this_thread::sleep_for(1ms);
  }
  const auto done = writer->finish(told.history(), {});
  for (std::thread& each : followers) each.join();
  QVERIFY2(done.has_value(), done ? "" : done.error().c_str());
  for (const std::string& mine : wrong) QCOMPARE(mine, std::string());
}

LEASESCOPE_SUITE(RecordingGrowthTest)
#include "recording_growth_test.moc"
