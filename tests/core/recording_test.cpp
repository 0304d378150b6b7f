// A recording: what is read is what was recorded, also while it is written, and with another version.
#include "core/history/recording/recording_writer.h"

#include <sys/wait.h>
#include <unistd.h>

#include <thread>

#include <QFile>
#include <QTemporaryDir>

#include "core/history/recording/compact.h"
#include "core/history/recording/database.h"
#include "core/history/recording/event_block.h"
#include "core/history/recording/recording_file.h"
#include "core/history/recording/recording_reader.h"
#include "core/history/recording/schema.h"
#include "tests/support/recordings.h"
#include "tests/support/suite.h"

using namespace leasescope;
using namespace leasescope::tests;

namespace {

bool has(const std::string& text, const char* part) { return text.find(part) != std::string::npos; }

RecordedOutcome told_outcome() {
  RecordedOutcome out;
  out.simulated_ns = 60'000'000'000;
  out.wall_ns = 1;
  out.inputs = UINT64_MAX;
  out.trace_hash = 0x0123456789abcdef;
  out.forked_at_ns = 6;
  out.as_expected = false;
  out.reasons = {"double_grants is 1: expected 0", ""};
  out.legal = RecordedOutcome::Legality{"lease", 2, 3, 4, 5, 6, 7, "at 1 s …", true, true};
  return out;
}

// The whole of it, as one would record a run that is over.
std::string record(const std::string& path, const History& history, const std::optional<RecordedOutcome>& outcome) {
  auto writer = RecordingWriter::create(path);
  if (!writer) return writer.error();
  (*writer)->head(told_header());
  (*writer)->append(history);
  if (!outcome) return (*writer)->error();
  const auto done = (*writer)->finish(history, *outcome);
  return done ? std::string() : done.error();
}

// What is read there is not that history; empty: it is.
std::string difference_of(const std::string& path, const History& history) {
  auto reader = RecordingReader::open(path);
  if (!reader) return reader.error();
  const auto read = reader->read();
  return read ? difference(history, *read) : read.error();
}

// A later form, as there is none yet.
const RecordingSchema& third_form() {
  static const RecordingSchema schema = [] {
    RecordingSchema out = RecordingSchema::current();
    out.version = 3;
    out.migrations.push_back({2, "ALTER TABLE mutex ADD COLUMN colour TEXT; CREATE TABLE note(text TEXT)"});
    return out;
  }();
  return schema;
}

// As a program of form 1 left it.
void make_first_form(const std::string& path) {
  const auto database = Database::open(path, Database::Mode::kChange);
  QVERIFY((*database)->run("DROP TABLE alert; DELETE FROM fact WHERE key = 'alerts.kept'; PRAGMA user_version = 1"));
}

// Of ToldHistory's mutex "orders".
std::vector<AlertNote> told_alerts() {
  const auto at = [](std::int64_t ns) { return TrueTime(Duration(ns)); };
  return {{1, AlertDeed::kBegan, at(5), at(5), "nobody\xff", "no_owner", Name{1}, "nobody has owned it"},
          {1, AlertDeed::kMuted, at(6), at(INT64_MAX), "nobody\xff", "no_owner", Name{1}, "nobody has owned it"},
          {1, AlertDeed::kAcknowledged, at(7), at(7), "nobody\xff", "no_owner", Name{1}, "nobody has owned it"},
          {1, AlertDeed::kOver, at(8), at(8), "nobody\xff", "no_owner", Name{1}, "nobody has owned it"}};
}

}  // namespace

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
  void aLaterFormIsRefusedAndSaysWhoReadsIt();
  void anEarlierFormIsReadAsItIs();
  void anEarlierFormIsBroughtUpWhenItIsWrittenTo();
  void howAWatchLookedIsKept();
  void whatWasToldOfAlertsIsKept();
  void aRecordingOfTheFirstFormHasNoAlertsAndIsRead();
  void anAlertThatIsNotOursIsToldOrLeftOut();
  void otherNumbersForTheSameWordsAreTheSameEvents();
  void ofAnOlderFileAClockThatChangedIsBothClocks();
  void anIncidentOfAnUnknownKindIsLeftOutAndSaid();
  void anEventOfAnUnknownKindEndsWhatCanBeRead();
  void anotherProgramsFileIsToldFromARecording();
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

void RecordingTest::aLaterFormIsRefusedAndSaysWhoReadsIt() {
  QCOMPARE(record(path("tomorrow"), ToldHistory().history(), told_outcome()), std::string());
  QVERIFY(compact_recording(path("tomorrow"), third_form()).has_value());
  const auto reader = RecordingReader::open(path("tomorrow"));
  QVERIFY(!reader.has_value());
  QVERIFY2(has(reader.error(),
               "tomorrow is a recording of form 3, and this program reads none above 2: read it with "
               "leasescope 9.8.7 or a newer one"),
           reader.error().c_str());
  const auto compacted = compact_recording(path("tomorrow"));
  QVERIFY(!compacted.has_value());
  QCOMPARE(compacted.error(), reader.error());
}

void RecordingTest::anEarlierFormIsReadAsItIs() {
  ToldHistory told;
  told.grow(5'000);
  QCOMPARE(record(path("yesterday"), told.history(), told_outcome()), std::string());
  QFile file(folder_.filePath("yesterday"));
  QVERIFY(file.open(QIODevice::ReadOnly));
  const QByteArray before = file.readAll();
  auto reader = RecordingReader::open(path("yesterday"), third_form());
  QVERIFY2(reader.has_value(), reader ? "" : reader.error().c_str());
  QCOMPARE(reader->form(), std::int64_t{2});
  QCOMPARE(difference(told.history(), reader->read().value()), std::string());
  QVERIFY(file.seek(0));
  QVERIFY2(file.readAll() == before, "reading changes nothing");
}

void RecordingTest::anEarlierFormIsBroughtUpWhenItIsWrittenTo() {
  ToldHistory told;
  told.grow(5'000);
  QCOMPARE(record(path("brought"), told.history(), told_outcome()), std::string());
  QVERIFY(compact_recording(path("brought"), third_form()).has_value());
  auto reader = RecordingReader::open(path("brought"), third_form());
  QVERIFY2(reader.has_value(), reader ? "" : reader.error().c_str());
  QCOMPARE(reader->form(), std::int64_t{3});
  QCOMPARE(difference(told.history(), reader->read().value()), std::string());
  // What fails half-way leaves it as it was.
  const RecordingSchema broken{5, {{3, "CREATE TABLE third(a)"}, {4, "CREATE TABLE note(text TEXT)"}}};
  const auto failed = compact_recording(path("brought"), broken);
  QVERIFY(!failed.has_value());
  QVERIFY2(has(failed.error(), "note already exists"), failed.error().c_str());
  const auto database = Database::open(path("brought"), Database::Mode::kRead);
  QCOMPARE((*database)->number("PRAGMA user_version"), std::int64_t{3});
  QCOMPARE((*database)->number("SELECT count(*) FROM sqlite_schema WHERE name = 'third'"), std::int64_t{0});
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

void RecordingTest::whatWasToldOfAlertsIsKept() {
  ToldHistory told;
  told.grow(100);
  const std::vector<AlertNote> notes = told_alerts();
  {
    auto writer = RecordingWriter::create(path("alerts"));
    QVERIFY(writer.has_value());
    (*writer)->head(told_header());
    // Its mutex is one that has not been handed over yet.
    (*writer)->note(told.history(), {notes[0], notes[1]});
    (*writer)->append(told.history());
    (*writer)->note(told.history(), {notes[2], notes[3]});
    QVERIFY((*writer)->finish(told.history(), told_outcome()).has_value());
  }
  const auto reader = RecordingReader::open(path("alerts"));
  QVERIFY2(reader.has_value(), reader ? "" : reader.error().c_str());
  QCOMPARE(reader->form(), std::int64_t{2});
  QVERIFY(reader->alerts() != nullptr);
  QVERIFY(*reader->alerts() == notes);
  // Whoever looks with another program sees them in words.
  const auto database = Database::open(path("alerts"), Database::Mode::kRead);
  Statement row(**database, "SELECT what, at_ns, rule, words FROM alert WHERE number = 3");
  QVERIFY(row.step());
  QCOMPARE(row.text(0), std::string("acknowledged"));
  QCOMPARE(row.integer(1), std::int64_t{7});
  QCOMPARE(row.text(3), notes[2].words);
  // That nothing fired is another thing than that nobody would know.
  QCOMPARE(record(path("silent"), told.history(), told_outcome()), std::string());
  QVERIFY(RecordingReader::open(path("silent"))->alerts() == nullptr);
  {
    auto writer = RecordingWriter::create(path("quiet"));
    (*writer)->note(told.history(), {});
    QVERIFY((*writer)->finish(told.history(), told_outcome()).has_value());
  }
  const auto quiet = RecordingReader::open(path("quiet"));
  QVERIFY(quiet.has_value() && quiet->alerts() != nullptr && quiet->alerts()->empty());
}

void RecordingTest::aRecordingOfTheFirstFormHasNoAlertsAndIsRead() {
  ToldHistory told;
  told.grow(5'000);
  QCOMPARE(record(path("first"), told.history(), told_outcome()), std::string());
  make_first_form(path("first"));
  {
    const auto reader = RecordingReader::open(path("first"));
    QVERIFY2(reader.has_value(), reader ? "" : reader.error().c_str());
    QCOMPARE(reader->form(), std::int64_t{1});
    QVERIFY(reader->alerts() == nullptr);
  }
  QCOMPARE(difference_of(path("first"), told.history()), std::string());
  const auto compacted = compact_recording(path("first"));
  QVERIFY2(compacted.has_value(), compacted ? "" : compacted.error().c_str());
  const auto reader = RecordingReader::open(path("first"));
  QCOMPARE(reader->form(), std::int64_t{2});
  QVERIFY(reader->alerts() == nullptr);  // nobody kept them
  QCOMPARE(difference_of(path("first"), told.history()), std::string());
}

void RecordingTest::anAlertThatIsNotOursIsToldOrLeftOut() {
  ToldHistory told;
  told.grow(10);
  const auto with_alerts = [&](const char* name) {
    auto writer = RecordingWriter::create(path(name));
    (*writer)->note(told.history(), told_alerts());
    QVERIFY((*writer)->finish(told.history(), told_outcome()).has_value());
  };
  const auto changed = [&](const char* name, const char* sql) {
    with_alerts(name);
    const auto database = Database::open(path(name), Database::Mode::kChange);
    QVERIFY((*database)->run(sql));
  };
  changed("deed", "UPDATE alert SET what = 'delegated' WHERE number = 2");
  QCOMPARE(RecordingReader::open(path("deed"))->alerts()->size(), std::size_t{3});
  changed("name", "UPDATE alert SET mutex = 99");
  QVERIFY(!RecordingReader::open(path("name")).has_value());
  changed("table", "DROP TABLE alert");
  const auto gone = RecordingReader::open(path("table"));
  QVERIFY(!gone.has_value());
  QVERIFY2(has(gone.error(), "not all tables of a recording are there"), gone.error().c_str());
  changed("view", "ALTER TABLE alert RENAME TO other; CREATE VIEW alert AS SELECT * FROM other");
  QVERIFY(!RecordingReader::open(path("view")).has_value());
}

// A version of the program whose kinds and details stand in another order.
void RecordingTest::otherNumbersForTheSameWordsAreTheSameEvents() {
  ToldHistory told;
  told.grow(500);
  QCOMPARE(record(path("renumbered"), told.history(), told_outcome()), std::string());
  auto database = Database::open(path("renumbered"), Database::Mode::kChange);
  std::vector<Event> events = told.history().events;
  for (Event& event : events) {
    if (details_of(event.kind) > 1) event.detail = static_cast<std::uint8_t>(event.detail + 3);
    event.kind = static_cast<EventKind>(static_cast<int>(event.kind) + 100);
  }
  std::string packed;
  pack_events(events.data(), events.size(), 1, packed);
  Statement block(**database, "UPDATE block SET events = ?, sum = ?");
  QVERIFY(block.bind_bytes(packed).bind(sum_of(packed, 1)).run());
  QVERIFY((*database)->run("UPDATE kind SET kind = kind + 100"));
  QVERIFY((*database)->run("UPDATE detail SET detail = detail + 100"));
  QVERIFY((*database)->run("UPDATE detail SET kind = kind + 100, detail = detail - 97"));
  database->reset();
  QCOMPARE(difference_of(path("renumbered"), told.history()), std::string());
}

// Which clock it was had no word once; a file that has such words, and not the one that is meant, is broken all the
// same.
void RecordingTest::ofAnOlderFileAClockThatChangedIsBothClocks() {
  ToldHistory told;
  told.grow(static_cast<std::size_t>(EventKind::kClockChanged));
  QVERIFY(told.history().events.back().kind == EventKind::kClockChanged && told.history().events.back().detail == 0);
  QCOMPARE(record(path("older"), told.history(), told_outcome()), std::string());
  auto database = Database::open(path("older"), Database::Mode::kChange);
  const std::string clocks = std::to_string(static_cast<int>(EventKind::kClockChanged));
  QVERIFY((*database)->run(("DELETE FROM detail WHERE kind = " + clocks + " AND detail = 0").c_str()));
  const std::string broken = difference_of(path("older"), told.history());
  QVERIFY2(has(broken, "events and") || has(broken, "detail"), broken.c_str());
  QVERIFY((*database)->run(("DELETE FROM detail WHERE kind = " + clocks).c_str()));
  database->reset();
  QCOMPARE(difference_of(path("older"), told.history()), std::string());
}

void RecordingTest::anIncidentOfAnUnknownKindIsLeftOutAndSaid() {
  ToldHistory told;
  told.grow(10);
  told.add_incident(IncidentKind::kStorm, false);
  told.add_incident(IncidentKind::kFlapping, false);
  QCOMPARE(record(path("unknown"), told.history(), told_outcome()), std::string());
  auto database = Database::open(path("unknown"), Database::Mode::kChange);
  QVERIFY((*database)->run("UPDATE incident SET kind = 'tempest' WHERE kind = 'storm'"));
  database->reset();
  const auto reader = RecordingReader::open(path("unknown"));
  QVERIFY2(reader.has_value(), reader ? "" : reader.error().c_str());
  QCOMPARE(reader->frame().incidents.size(), std::size_t{1});
  QVERIFY(same(reader->frame().incidents[0], told.history().incidents[1]));
  QCOMPARE(reader->remarks().size(), std::size_t{1});
  QVERIFY2(has(reader->remarks()[0], "1 incident of the kind tempest left out, which leasescope 9.8.7 knows"),
           reader->remarks()[0].c_str());
}

void RecordingTest::anEventOfAnUnknownKindEndsWhatCanBeRead() {
  ToldHistory told;
  told.grow(4'096 + 30);
  QCOMPARE(record(path("kind"), told.history(), told_outcome()), std::string());
  auto database = Database::open(path("kind"), Database::Mode::kChange);
  QVERIFY((*database)->run("UPDATE kind SET word = 'borrowed' WHERE word = 'granted'"));
  database->reset();
  auto reader = RecordingReader::open(path("kind"));
  QVERIFY2(reader.has_value(), reader ? "" : reader.error().c_str());
  std::vector<Event> events;
  QVERIFY(!reader->read_page(events));
  QVERIFY(events.empty());
  QVERIFY2(has(reader->error(), "one is of a kind that has no word") && has(reader->error(), "9.8.7"),
           reader->error().c_str());
}

void RecordingTest::anotherProgramsFileIsToldFromARecording() {
  {
    auto database = Database::open(path("other"), Database::Mode::kCreate);
    QVERIFY((*database)->run("CREATE TABLE fact(key, value)"));
  }
  const auto other = RecordingReader::open(path("other"));
  QVERIFY(!other.has_value());
  QVERIFY2(has(other.error(), "other is no recording, but another program's SQLite file"), other.error().c_str());
  QFile text(folder_.filePath("text"));
  QVERIFY(text.open(QIODevice::WriteOnly) && text.write(QByteArray(2'000, 'x')) > 0);
  text.close();
  const auto none = RecordingReader::open(path("text"));
  QVERIFY(!none.has_value());
  QVERIFY2(has(none.error(), "text is no recording: expected a file that run --record wrote"), none.error().c_str());
  for (const char* const missing : {"nothing", "."}) QVERIFY(!RecordingReader::open(path(missing)).has_value());
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
