// A recording of another version of the program, in another form or with other words, and what is none.
#include "core/history/recording/schema.h"

#include <QFile>
#include <QTemporaryDir>

#include "core/history/recording/compact.h"
#include "core/history/recording/database.h"
#include "core/history/recording/event_block.h"
#include "core/history/recording/recording_reader.h"
#include "tests/core/told_recording.h"
#include "tests/support/suite.h"

using namespace leasescope;
using namespace leasescope::tests;

namespace {

// A later form, as there is none yet.
const RecordingSchema& fourth_form() {
  static const RecordingSchema schema = [] {
    RecordingSchema out = RecordingSchema::current();
    out.version = 4;
    out.migrations.push_back({3, "ALTER TABLE mutex ADD COLUMN colour TEXT; CREATE TABLE note(text TEXT)"});
    return out;
  }();
  return schema;
}

}  // namespace

class RecordingFormsTest : public QObject {
  Q_OBJECT
 private slots:
  void aLaterFormIsRefusedAndSaysWhoReadsIt();
  void anEarlierFormIsReadAsItIs();
  void anEarlierFormIsBroughtUpWhenItIsWrittenTo();
  void whatHadNoSumGetsOneWhenItIsBroughtUp();
  void otherNumbersForTheSameWordsAreTheSameEvents();
  void ofAnOlderFileAClockThatChangedIsBothClocks();
  void anIncidentOfAnUnknownKindIsLeftOutAndSaid();
  void anEventOfAnUnknownKindEndsWhatCanBeRead();
  void anotherProgramsFileIsToldFromARecording();

 private:
  std::string path(const char* name) const { return folder_.filePath(name).toStdString(); }
  QTemporaryDir folder_;
};

void RecordingFormsTest::aLaterFormIsRefusedAndSaysWhoReadsIt() {
  QCOMPARE(record(path("tomorrow"), ToldHistory().history(), told_outcome()), std::string());
  QVERIFY(compact_recording(path("tomorrow"), fourth_form()).has_value());
  const auto reader = RecordingReader::open(path("tomorrow"));
  QVERIFY(!reader.has_value());
  QVERIFY2(has(reader.error(),
               "tomorrow is a recording of form 4, and this program reads none above 3: read it with "
               "leasescope 9.8.7 or a newer one"),
           reader.error().c_str());
  const auto compacted = compact_recording(path("tomorrow"));
  QVERIFY(!compacted.has_value());
  QCOMPARE(compacted.error(), reader.error());
}

void RecordingFormsTest::anEarlierFormIsReadAsItIs() {
  ToldHistory told;
  told.grow(5'000);
  QCOMPARE(record(path("yesterday"), told.history(), told_outcome()), std::string());
  QFile file(folder_.filePath("yesterday"));
  QVERIFY(file.open(QIODevice::ReadOnly));
  const QByteArray before = file.readAll();
  auto reader = RecordingReader::open(path("yesterday"), fourth_form());
  QVERIFY2(reader.has_value(), reader ? "" : reader.error().c_str());
  QCOMPARE(reader->form(), std::int64_t{3});
  QCOMPARE(difference(told.history(), reader->read().value()), std::string());
  QVERIFY(file.seek(0));
  QVERIFY2(file.readAll() == before, "reading changes nothing");
}

void RecordingFormsTest::anEarlierFormIsBroughtUpWhenItIsWrittenTo() {
  ToldHistory told;
  told.grow(5'000);
  QCOMPARE(record(path("brought"), told.history(), told_outcome()), std::string());
  QVERIFY(compact_recording(path("brought"), fourth_form()).has_value());
  auto reader = RecordingReader::open(path("brought"), fourth_form());
  QVERIFY2(reader.has_value(), reader ? "" : reader.error().c_str());
  QCOMPARE(reader->form(), std::int64_t{4});
  QCOMPARE(difference(told.history(), reader->read().value()), std::string());
  // What fails half-way leaves it as it was.
  const RecordingSchema broken{6, {{4, "CREATE TABLE third(a)"}, {5, "CREATE TABLE note(text TEXT)"}}};
  const auto failed = compact_recording(path("brought"), broken);
  QVERIFY(!failed.has_value());
  QVERIFY2(has(failed.error(), "note already exists"), failed.error().c_str());
  const auto database = Database::open(path("brought"), Database::Mode::kRead);
  QCOMPARE((*database)->number("PRAGMA user_version"), std::int64_t{4});
  QCOMPARE((*database)->number("SELECT count(*) FROM sqlite_schema WHERE name = 'third'"), std::int64_t{0});
}

// Before the third form nobody summed up what stands beside the events: brought up, it is known from then on.
void RecordingFormsTest::whatHadNoSumGetsOneWhenItIsBroughtUp() {
  ToldHistory told;
  told.grow(100);
  told.add_incident(IncidentKind::kStorm, false);
  QCOMPARE(record(path("unsummed"), told.history(), told_outcome()), std::string());
  const auto run = [&](const char* sql) {
    const auto database = Database::open(path("unsummed"), Database::Mode::kChange);
    QVERIFY((*database)->run(sql));
  };
  run("DELETE FROM fact WHERE key IN ('frame.sum', 'words.sum'); PRAGMA user_version = 2");
  QCOMPARE(difference_of(path("unsummed"), told.history()), std::string());
  QVERIFY(compact_recording(path("unsummed")).has_value());
  QCOMPARE(RecordingReader::open(path("unsummed"))->form(), std::int64_t{3});
  QCOMPARE(difference_of(path("unsummed"), told.history()), std::string());
  run("UPDATE incident SET cause = 'nothing'");
  QVERIFY(has(difference_of(path("unsummed"), told.history()), "what stands beside its events was changed"));
  run("DELETE FROM fact WHERE key = 'frame.sum'");  // of this form it must be there
  QVERIFY(has(difference_of(path("unsummed"), told.history()), "what stands beside its events was changed"));
}

// A version of the program whose kinds and details stand in another order.
void RecordingFormsTest::otherNumbersForTheSameWordsAreTheSameEvents() {
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
  sum_up_again(**database);
  database->reset();
  QCOMPARE(difference_of(path("renumbered"), told.history()), std::string());
}

// Which clock it was had no word once; a file that has such words, and not the one that is meant, is broken all the
// same.
void RecordingFormsTest::ofAnOlderFileAClockThatChangedIsBothClocks() {
  ToldHistory told;
  told.grow(static_cast<std::size_t>(EventKind::kClockChanged));
  QVERIFY(told.history().events.back().kind == EventKind::kClockChanged && told.history().events.back().detail == 0);
  QCOMPARE(record(path("older"), told.history(), told_outcome()), std::string());
  auto database = Database::open(path("older"), Database::Mode::kChange);
  const std::string clocks = std::to_string(static_cast<int>(EventKind::kClockChanged));
  QVERIFY((*database)->run(("DELETE FROM detail WHERE kind = " + clocks + " AND detail = 0").c_str()));
  sum_up_again(**database);
  const std::string broken = difference_of(path("older"), told.history());
  QVERIFY2(has(broken, "events and") || has(broken, "detail"), broken.c_str());
  QVERIFY((*database)->run(("DELETE FROM detail WHERE kind = " + clocks).c_str()));
  sum_up_again(**database);
  database->reset();
  QCOMPARE(difference_of(path("older"), told.history()), std::string());
}

void RecordingFormsTest::anIncidentOfAnUnknownKindIsLeftOutAndSaid() {
  ToldHistory told;
  told.grow(10);
  told.add_incident(IncidentKind::kStorm, false);
  told.add_incident(IncidentKind::kFlapping, false);
  QCOMPARE(record(path("unknown"), told.history(), told_outcome()), std::string());
  auto database = Database::open(path("unknown"), Database::Mode::kChange);
  QVERIFY((*database)->run("UPDATE incident SET kind = 'tempest' WHERE kind = 'storm'"));
  sum_up_again(**database);
  database->reset();
  const auto reader = RecordingReader::open(path("unknown"));
  QVERIFY2(reader.has_value(), reader ? "" : reader.error().c_str());
  QCOMPARE(reader->frame().incidents.size(), std::size_t{1});
  QVERIFY(same(reader->frame().incidents[0], told.history().incidents[1]));
  QCOMPARE(reader->remarks().size(), std::size_t{1});
  QVERIFY2(has(reader->remarks()[0], "1 incident of the kind tempest left out, which leasescope 9.8.7 knows"),
           reader->remarks()[0].c_str());
}

void RecordingFormsTest::anEventOfAnUnknownKindEndsWhatCanBeRead() {
  ToldHistory told;
  told.grow(4'096 + 30);
  QCOMPARE(record(path("kind"), told.history(), told_outcome()), std::string());
  auto database = Database::open(path("kind"), Database::Mode::kChange);
  QVERIFY((*database)->run("UPDATE kind SET word = 'borrowed' WHERE word = 'granted'"));
  sum_up_again(**database);
  database->reset();
  auto reader = RecordingReader::open(path("kind"));
  QVERIFY2(reader.has_value(), reader ? "" : reader.error().c_str());
  std::vector<Event> events;
  QVERIFY(!reader->read_page(events));
  QVERIFY(events.empty());
  QVERIFY2(has(reader->error(), "one is of a kind that has no word") && has(reader->error(), "9.8.7"),
           reader->error().c_str());
}

void RecordingFormsTest::anotherProgramsFileIsToldFromARecording() {
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

LEASESCOPE_SUITE(RecordingFormsTest)
#include "recording_forms_test.moc"
