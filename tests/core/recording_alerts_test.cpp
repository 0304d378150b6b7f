// What was told of alerts is in a recording; where it never was, or is not ours, that is told.
#include <QTemporaryDir>

#include "core/history/recording/compact.h"
#include "core/history/recording/database.h"
#include "core/history/recording/recording_reader.h"
#include "core/history/recording/recording_writer.h"
#include "tests/core/told_recording.h"
#include "tests/support/suite.h"

using namespace leasescope;
using namespace leasescope::tests;

namespace {

// As a program of form 1 left it.
void make_first_form(const std::string& path) {
  const auto database = Database::open(path, Database::Mode::kChange);
  QVERIFY(
      (*database)->run("DROP TABLE alert; DELETE FROM fact WHERE key IN ('alerts.kept', 'frame.sum', 'words.sum'); "
                       "PRAGMA user_version = 1"));
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

class RecordingAlertsTest : public QObject {
  Q_OBJECT
 private slots:
  void whatWasToldOfAlertsIsKept();
  void aRecordingOfTheFirstFormHasNoAlertsAndIsRead();
  void anAlertThatIsNotOursIsToldOrLeftOut();

 private:
  std::string path(const char* name) const { return folder_.filePath(name).toStdString(); }
  QTemporaryDir folder_;
};

void RecordingAlertsTest::whatWasToldOfAlertsIsKept() {
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
  QCOMPARE(reader->form(), std::int64_t{3});
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

void RecordingAlertsTest::aRecordingOfTheFirstFormHasNoAlertsAndIsRead() {
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
  QCOMPARE(reader->form(), std::int64_t{3});
  QVERIFY(reader->alerts() == nullptr);  // nobody kept them
  QCOMPARE(difference_of(path("first"), told.history()), std::string());
}

void RecordingAlertsTest::anAlertThatIsNotOursIsToldOrLeftOut() {
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
    sum_up_again(**database);
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

LEASESCOPE_SUITE(RecordingAlertsTest)
#include "recording_alerts_test.moc"
