// A recording: what is read is what was recorded, also while it is written.
#include "core/history/recording/recording_writer.h"

#include <sys/wait.h>
#include <unistd.h>

#include <thread>

#include <QFile>
#include <QTemporaryDir>

#include "core/history/recording/compact.h"
#include "core/history/recording/database.h"
#include "core/history/recording/recording_reader.h"
#include "tests/core/told_recording.h"
#include "tests/support/suite.h"

using namespace leasescope;
using namespace leasescope::tests;

class RecordingTest : public QObject {
  Q_OBJECT
 private slots:
  void whatIsReadIsWhatWasRecorded();
  void everyWordIsInside();
  void headerAndOutcomeAreKept();
  void aRecordingThatIsDoneIsOneFile();
  void anIncidentThatChangesIsTheNewOne();
  void aRecordingThatBeginsLaterKeepsItsNumbers();
  void whatIsForgottenBeforeItWasTakenIsTold();
  void whoeverOffersDoesNotWait();
  void whoeverForgetsWaitsAndNothingIsMissing();
  void itIsReadWhileItIsWritten();
  void aReaderStaysWithWhatItSaw();
  void aPageIsFoundByItsTime();
  void whatIsThereIsNotWrittenOver();
  void whereNothingCanBeWrittenIsTold();
  void itIsReadFromWhereNothingCanBeWritten();
  void howAWatchLookedIsKept();
  void compactingTakesTheLogIn();
  void aRecordingThatIsWrittenIsNotCompacted();

 private:
  std::string path(const char* name) const { return folder_.filePath(name).toStdString(); }
  QTemporaryDir folder_;
};

void RecordingTest::whatIsReadIsWhatWasRecorded() {
  for (const std::size_t events : {0, 1, 4095, 4096, 4097, 40'000}) {
    ToldHistory told;
    told.grow(events);
    for (const IncidentKind kind : kAllIncidentKinds) told.add_incident(kind, kind == IncidentKind::kStorm);
    const std::string file = path(fmt::format("whole-{}", events).c_str());
    QCOMPARE(record(file, told.history(), told_outcome()), std::string());
    QCOMPARE(difference_of(file, told.history()), std::string());
  }
}

void RecordingTest::everyWordIsInside() {
  QCOMPARE(record(path("words"), ToldHistory().history(), told_outcome()), std::string());
  const auto database = Database::open(path("words"), Database::Mode::kRead);
  Statement kinds(**database, "SELECT kind, word FROM kind ORDER BY kind");
  for (int kind = 0; kind < kEventKinds; ++kind) {
    QVERIFY(kinds.step());
    QCOMPARE(kinds.integer(0), std::int64_t{kind});
    QCOMPARE(kinds.text(1), std::string(text(static_cast<EventKind>(kind))));
  }
  Statement details(**database, "SELECT word FROM detail WHERE kind = ? ORDER BY detail");
  details.bind(static_cast<std::int64_t>(EventKind::kAttempt));
  for (const char* const word : {"won", "lost", "failed", "unknown"}) {
    QVERIFY(details.step());
    QCOMPARE(details.text(0), std::string(word));
  }
}

void RecordingTest::headerAndOutcomeAreKept() {
  const RecordedOutcome told = told_outcome();
  QCOMPARE(record(path("outcome"), ToldHistory().history(), told), std::string());
  const auto reader = RecordingReader::open(path("outcome"));
  QVERIFY2(reader.has_value(), reader ? "" : reader.error().c_str());
  HistoryHeader header = told_header();
  QCOMPARE(header_line(reader->header()), header_line(header));
  const RecordedOutcome& read = reader->outcome().value();
  QCOMPARE(read.simulated_ns, told.simulated_ns);
  QCOMPARE(read.wall_ns, told.wall_ns);
  QCOMPARE(read.inputs, told.inputs);
  QCOMPARE(read.trace_hash.value(), told.trace_hash.value());
  QCOMPARE(read.forked_at_ns.value(), std::int64_t{6});
  QCOMPARE(read.as_expected.value(), false);
  QVERIFY(read.reasons == told.reasons);
  QCOMPARE(read.legal->model, std::string("lease"));
  QCOMPARE(read.legal->undecided, std::uint64_t{6});
  QCOMPARE(read.legal->reason, told.legal->reason);
  QVERIFY(read.legal->excused && read.legal->too_many);
}

void RecordingTest::aRecordingThatIsDoneIsOneFile() {
  QCOMPARE(record(path("one"), ToldHistory().history(), told_outcome()), std::string());
  QVERIFY(QFile::exists(folder_.filePath("one")));
  QVERIFY(!QFile::exists(folder_.filePath("one-wal")));
  QVERIFY(!QFile::exists(folder_.filePath("one-shm")));
}

void RecordingTest::anIncidentThatChangesIsTheNewOne() {
  ToldHistory told;
  told.grow(10);
  for (int i = 0; i < 100; ++i) told.add_incident(IncidentKind::kBeliefOverlap, true);
  auto writer = RecordingWriter::create(path("changes"), {1024, 1, std::chrono::milliseconds(1), 0});
  (*writer)->append(told.history());
  for (int i = 0; i < 100; i += 7) {
    Incident& incident = told.history().incidents.edit(static_cast<std::size_t>(i));
    incident.open = false;
    incident.cause = "it is over";
    incident.contenders = {Name{3}};
    incident.tokens.clear();
    told.grow(1);
    (*writer)->append(told.history());
  }
  QVERIFY((*writer)->finish(told.history(), {}).has_value());
  QCOMPARE(difference_of(path("changes"), told.history()), std::string());
}

void RecordingTest::aRecordingThatBeginsLaterKeepsItsNumbers() {
  ToldHistory told;
  told.grow(1'000);
  told.history().forgotten = 700;
  told.history().events.erase(told.history().events.begin(), told.history().events.begin() + 700);
  QCOMPARE(record(path("later"), told.history(), told_outcome()), std::string());
  QCOMPARE(difference_of(path("later"), told.history()), std::string());
}

void RecordingTest::whatIsForgottenBeforeItWasTakenIsTold() {
  ToldHistory told;
  told.grow(10);
  auto writer = RecordingWriter::create(path("gap"));
  (*writer)->append(told.history());
  told.grow(10);
  told.history().forgotten = 20;
  told.history().events.clear();
  (*writer)->append(told.history());
  QVERIFY2(has((*writer)->error(), "gap: the events 11 to 20 were forgotten"), (*writer)->error().c_str());
}

// Another program holds the file: the writer's thread stands still, and nobody else does.
void RecordingTest::whoeverOffersDoesNotWait() {
  ToldHistory told;
  const RecordingTerms terms{1'000, 100, std::chrono::milliseconds(1), 0};
  auto writer = RecordingWriter::create(path("held"), terms);
  auto holder = Database::open(path("held"), Database::Mode::kChange);
  QVERIFY((*holder)->run("BEGIN IMMEDIATE"));
  const auto began = std::chrono::steady_clock::now();
  for (int i = 0; i < 100; ++i) {
    told.grow(100);
    (*writer)->offer(told.history());
  }
  const auto took = std::chrono::steady_clock::now() - began;
  QVERIFY2(took < std::chrono::milliseconds(500), "a hundred times, beside a file that nobody can write to");
  QVERIFY2((*writer)->taken() <= 2 * terms.most_waiting, "what it keeps is bounded");
  QVERIFY((*holder)->run("ROLLBACK"));
  QVERIFY((*writer)->finish(told.history(), {}).has_value());
  QCOMPARE(difference_of(path("held"), told.history()), std::string());
}

void RecordingTest::whoeverForgetsWaitsAndNothingIsMissing() {
  ToldHistory told, all;
  auto writer = RecordingWriter::create(path("forgets"), {1'000, 500, std::chrono::milliseconds(1), 0});
  for (int i = 0; i < 20; ++i) {
    told.grow(1'777);
    all.grow(1'777);
    (*writer)->append(told.history());
    QCOMPARE((*writer)->taken(), told.history().last());
    told.history().forgotten = told.history().last();
    told.history().events.clear();
  }
  QVERIFY((*writer)->finish(told.history(), {}).has_value());
  QCOMPARE(difference_of(path("forgets"), all.history()), std::string());
}

void RecordingTest::itIsReadWhileItIsWritten() {
  ToldHistory told;
  auto writer = RecordingWriter::create(path("growing"), {100'000, 1'000, std::chrono::milliseconds(1), 0});
  (*writer)->head(told_header());
  std::uint64_t seen = 0;
  for (int i = 0; i < 30; ++i) {
    told.grow(997);
    (*writer)->append(told.history());
    auto reader = RecordingReader::open(path("growing"));
    QVERIFY2(reader.has_value(), reader ? "" : reader.error().c_str());
    QVERIFY(!reader->outcome());
    const auto read = reader->read();
    QVERIFY2(read.has_value(), read ? "" : read.error().c_str());
    QVERIFY2(read->events.size() >= seen, "it only grows");
    seen = read->events.size();
    for (std::size_t at = 0; at < read->events.size(); ++at)
      QVERIFY(same(read->events[at], ToldHistory::event(at + 1)));
  }
  QVERIFY((*writer)->finish(told.history(), {}).has_value());
  QCOMPARE(difference_of(path("growing"), told.history()), std::string());
}

void RecordingTest::aReaderStaysWithWhatItSaw() {
  ToldHistory told;
  told.grow(5'000);
  const RecordingTerms terms{100'000, 1, std::chrono::milliseconds(1), 0};
  auto writer = RecordingWriter::create(path("stays"), terms);
  (*writer)->append(told.history());
  while ((*writer)->written() < 5'000) std::this_thread::sleep_for(std::chrono::milliseconds(1));
  auto reader = RecordingReader::open(path("stays"));
  QVERIFY2(reader.has_value(), reader ? "" : reader.error().c_str());
  std::vector<Event> events;
  QVERIFY(reader->read_page(events));
  told.grow(5'000);
  (*writer)->append(told.history());
  while ((*writer)->written() < 10'000) std::this_thread::sleep_for(std::chrono::milliseconds(1));
  while (reader->read_page(events)) {
  }
  QCOMPARE(reader->error(), std::string());
  QCOMPARE(events.size(), std::size_t{5'000});
}

void RecordingTest::aPageIsFoundByItsTime() {
  ToldHistory told;
  told.grow(50'000);
  QCOMPARE(record(path("times"), told.history(), told_outcome()), std::string());
  auto reader = RecordingReader::open(path("times"));
  for (const std::uint64_t number : {1U, 4'096U, 4'097U, 33'333U, 50'000U}) {
    const TrueTime at = ToldHistory::event(number).hi;
    reader->seek(at);
    const std::uint64_t first = reader->next();
    std::vector<Event> page;
    QVERIFY(reader->read_page(page));
    QVERIFY(first <= number && number < first + page.size());
    QVERIFY(same(page[number - first], ToldHistory::event(number)));
  }
  std::vector<Event> page;
  reader->seek(TrueTime::max());
  QVERIFY(!reader->read_page(page) && reader->error().empty());
}

void RecordingTest::whatIsThereIsNotWrittenOver() {
  QFile file(folder_.filePath("mine"));
  QVERIFY(file.open(QIODevice::WriteOnly) && file.write("a week of it") > 0);
  file.close();
  const auto refused = RecordingWriter::create(path("mine"));
  QVERIFY(!refused.has_value());
  QVERIFY2(has(refused.error(), "mine is there already"), refused.error().c_str());
  QVERIFY(file.open(QIODevice::ReadOnly));
  QCOMPARE(file.readAll(), QByteArray("a week of it"));
  QVERIFY(QFile(folder_.filePath("empty")).open(QIODevice::WriteOnly));
  QCOMPARE(record(path("empty"), ToldHistory().history(), told_outcome()), std::string());
}

void RecordingTest::whereNothingCanBeWrittenIsTold() {
  const auto nowhere = RecordingWriter::create(path("no/such/folder"));
  QVERIFY(!nowhere.has_value());
  QVERIFY2(has(nowhere.error(), "does not exist"), nowhere.error().c_str());
  const auto device = RecordingWriter::create("/dev/full");
  QVERIFY(!device.has_value());
  QVERIFY2(has(device.error(), "/dev/full is no plain file"), device.error().c_str());
}

void RecordingTest::itIsReadFromWhereNothingCanBeWritten() {
  ToldHistory told;
  told.grow(100);
  QVERIFY(QDir(folder_.path()).mkdir("shelf"));
  QCOMPARE(record(path("shelf/frozen"), told.history(), told_outcome()), std::string());
  QVERIFY(QFile::setPermissions(folder_.filePath("shelf"), QFile::Permissions(0x5555)));
  QVERIFY(
      QFile::setPermissions(folder_.path(), QFile::permissions(folder_.path()) | QFile::ExeGroup | QFile::ExeOther));
  QVERIFY(QFile::setPermissions(folder_.filePath("shelf/frozen"), QFile::Permissions(0x4444)));
  // Root may write anywhere.
  const pid_t reader = fork();
  if (reader == 0) {
    const bool nobody = getuid() != 0 || setuid(65'534) == 0;
    const bool shut = access(path("shelf").c_str(), W_OK) != 0;
    if (!nobody || !shut) _exit(2);
    const std::string differs = difference_of(path("shelf/frozen"), told.history());
    std::fputs(differs.c_str(), stderr);
    _exit(differs.empty() ? 0 : 1);
  }
  int status = -1;
  QCOMPARE(waitpid(reader, &status, 0), reader);
  QFile::setPermissions(folder_.filePath("shelf"), QFile::ReadOwner | QFile::WriteOwner | QFile::ExeOwner);
  QCOMPARE(status, 0);
}

// It may look otherwise later: as it did last it is told.
void RecordingTest::howAWatchLookedIsKept() {
  HistoryHeader header = told_header();
  WatchSettings& watch = header.watch.emplace();
  watch.stores = {{"redis://host:6379/0", 1'000'000'000, "certain", true}, {"postgresql://host/db", 50, "none", false}};
  watch.mutexes = "orders-*";
  watch.belief_socket = true;
  watch.rules = "schema = 1\n";
  HistoryHeader later = header;
  later.watch->stores.pop_back();
  later.watch->stores[0].foreign = "likely";
  later.watch->rules = "";
  const auto read_after = [&](const char* name, const std::vector<HistoryHeader>& heads) {
    auto writer = RecordingWriter::create(path(name));
    for (const HistoryHeader& each : heads) (*writer)->head(each);
    if (!(*writer)->finish(ToldHistory().history(), told_outcome())) qFatal("%s was not written", name);
    return RecordingReader::open(path(name))->header();
  };
  QVERIFY(read_after("looked", {header}).watch == header.watch);
  QVERIFY(read_after("looked-later", {header, later}).watch == later.watch);
  QVERIFY(!read_after("ran", {told_header()}).watch);
}

void RecordingTest::compactingTakesTheLogIn() {
  ToldHistory told;
  told.grow(20'000);
  // As a killed program leaves it: a copy of both files while they are written.
  auto writer = RecordingWriter::create(path("alive"), {100'000, 1, std::chrono::milliseconds(1), 0});
  (*writer)->append(told.history());
  while ((*writer)->written() < 20'000) std::this_thread::sleep_for(std::chrono::milliseconds(1));
  QVERIFY(QFile::copy(folder_.filePath("alive"), folder_.filePath("dead")));
  QVERIFY(QFile::copy(folder_.filePath("alive-wal"), folder_.filePath("dead-wal")));
  const auto compacted = compact_recording(path("dead"));
  QVERIFY2(compacted.has_value(), compacted ? "" : compacted.error().c_str());
  QVERIFY(compacted->after < compacted->before);
  QVERIFY(!QFile::exists(folder_.filePath("dead-wal")));
  QCOMPARE(difference_of(path("dead"), told.history()), std::string());
}

void RecordingTest::aRecordingThatIsWrittenIsNotCompacted() {
  ToldHistory told;
  told.grow(10);
  auto writer = RecordingWriter::create(path("busy"), {100'000, 1, std::chrono::milliseconds(1), 0});
  (*writer)->append(told.history());
  while ((*writer)->written() < 10) std::this_thread::sleep_for(std::chrono::milliseconds(1));
  const auto refused = compact_recording(path("busy"));
  QVERIFY(!refused.has_value());
  QVERIFY2(has(refused.error(), "busy is held by another program"), refused.error().c_str());
  told.grow(10);
  QVERIFY((*writer)->finish(told.history(), {}).has_value());
  QCOMPARE(difference_of(path("busy"), told.history()), std::string());
}

LEASESCOPE_SUITE(RecordingTest)
#include "recording_test.moc"
