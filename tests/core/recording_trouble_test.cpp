// What a killed program, a full disk and a damaged file leave of a recording.
// LEASESCOPE_RECORDING_KILLS is how often a writer is killed, LEASESCOPE_RECORDING_MUTATED how many files are changed;
// tests/recording_campaign sets them.
#include <fcntl.h>
#include <spawn.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <cstdlib>
#include <random>
#include <thread>

#include <QFile>
#include <QTemporaryDir>

#include "core/history/recording/compact.h"
#include "core/history/recording/recorded_header.h"
#include "core/history/recording/recorded_outcome.h"
#include "core/history/recording/recording_reader.h"
#include "core/history/recording/recording_writer.h"
#include "tests/core/told_recording.h"
#include "tests/support/recordings.h"
#include "tests/support/size_limit.h"
#include "tests/support/suite.h"

using namespace leasescope;
using namespace leasescope::tests;
using namespace std::chrono_literals;

extern char** environ;

namespace {

int asked(const char* variable, int otherwise) {
  const char* const value = std::getenv(variable);
  return value == nullptr ? otherwise : std::atoi(value);
}

// So many events are in it, and they are the first ones.
std::string wrong_events(const std::string& path, std::uint64_t expected) {
  auto reader = RecordingReader::open(path);
  if (!reader) return reader.error();
  const auto read = reader->read();
  if (!read) return read.error();
  if (read->events.size() != expected) return fmt::format("{} events", read->events.size());
  for (std::size_t i = 0; i < read->events.size(); ++i)
    if (!same(read->events[i], ToldHistory::event(i + 1))) return fmt::format("event {}", i + 1);
  return {};
}

// What a process and its killer share: how many events it has handed over so far.
class SharedCount {
 public:
  explicit SharedCount(const std::string& path) {
    const int descriptor = ::open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0600);
    if (descriptor < 0 || ::ftruncate(descriptor, sizeof *count_) != 0) return;
    void* const shared = ::mmap(nullptr, sizeof *count_, PROT_READ | PROT_WRITE, MAP_SHARED, descriptor, 0);
    ::close(descriptor);
    if (shared != MAP_FAILED) count_ = static_cast<std::atomic<std::uint64_t>*>(shared);
  }
  ~SharedCount() {
    if (count_ != nullptr) ::munmap(count_, sizeof *count_);
  }
  SharedCount(const SharedCount&) = delete;
  SharedCount& operator=(const SharedCount&) = delete;

  std::atomic<std::uint64_t>* get() const { return count_; }

 private:
  std::atomic<std::uint64_t>* count_ = nullptr;
};

// Fifty thousand events a second, until it is killed.
[[noreturn]] void record_without_end(const std::string& path) {
  ToldHistory told;
  const SharedCount count(path + ".count");
  auto writer = RecordingWriter::create(path);
  if (!writer || count.get() == nullptr) _exit(1);
  auto next = std::chrono::steady_clock::now();
  while (true) {
    told.grow(500);
    (*writer)->offer(told.history());
    *count.get() = (*writer)->taken();
    std::this_thread::sleep_until(next += 10ms);
  }
}

// This program once more, as one that does nothing else: a process that was forked may not have threads of its own
// where the one before had some.
constexpr const char* kToRecord = "LEASESCOPE_RECORD_WITHOUT_END";
[[maybe_unused]] const bool records = [] {
  if (const char* const path = std::getenv(kToRecord)) record_without_end(path);
  return false;
}();

pid_t start_writer(const std::string& path) {
  qputenv(kToRecord, path.c_str());
  char program[] = "/proc/self/exe";
  char* words[] = {program, nullptr};
  pid_t child = -1;
  if (posix_spawn(&child, program, nullptr, nullptr, words, environ) != 0) child = -1;
  qunsetenv(kToRecord);
  return child;
}

class Mutator {
 public:
  explicit Mutator(unsigned seed) : random_(seed) {}

  void change(QByteArray& bytes) {
    for (std::size_t i = 1 + below(4); i > 0 && !bytes.isEmpty(); --i) {
      const auto at = static_cast<qsizetype>(below(static_cast<std::size_t>(bytes.size())));
      switch (below(6)) {
        case 0:
        case 1:
          bytes[at] = static_cast<char>(bytes[at] ^ 1 << below(8));
          break;
        case 2:
          bytes[at] = static_cast<char>(below(256));
          break;
        case 3:
          bytes.truncate(at);
          break;
        case 4:  // a piece of it over another
          bytes.replace(at, 64, bytes.mid(static_cast<qsizetype>(below(static_cast<std::size_t>(bytes.size()))), 64));
          break;
        default:  // one of SQLite's pages is gone, or nothing but zeros
          bytes.replace(at / 4096 * 4096, 4096, QByteArray(below(2) == 0 ? 0 : 4096, '\0'));
      }
    }
  }
  std::size_t below(std::size_t bound) { return std::uniform_int_distribution<std::size_t>(0, bound - 1)(random_); }

 private:
  std::mt19937 random_;
};

}  // namespace

class RecordingTroubleTest : public QObject {
  Q_OBJECT
 private slots:
  void aKilledWriterLosesTheLastSecondAtMost();
  void aFullDiskLosesNothingBefore();
  void aLimitOnItsSizeLosesNothingBefore();
  void aFullDiskAtTheStartIsTold();
  void whatWasNotFinishedIsKept();
  void aChangedFileGivesAnErrorOrTheTruth();
  void whateverStandsBesideTheEventsIsKnownToBeChanged_data();
  void whateverStandsBesideTheEventsIsKnownToBeChanged();
  void aDamagedBlockLeavesThoseBefore();

 private:
  std::string path(const char* name) const { return folder_.filePath(name).toStdString(); }
  QTemporaryDir folder_;
};

void RecordingTroubleTest::aKilledWriterLosesTheLastSecondAtMost() {
  for (int i = 0; i < asked("LEASESCOPE_RECORDING_KILLS", 1); ++i) {
    const std::string file = path(fmt::format("killed-{}", i).c_str());
    const SharedCount count(file + ".count");
    QVERIFY(count.get() != nullptr);
    const std::atomic<std::uint64_t>& handed_over = *count.get();
    const pid_t writer = start_writer(file);
    QVERIFY(writer > 0);
    for (int waited = 0; handed_over == 0 && waited < 30'000; ++waited) std::this_thread::sleep_for(1ms);
    std::this_thread::sleep_for(1s + 37ms * i);
    const std::uint64_t a_second_before = handed_over;
    std::this_thread::sleep_for(1s);
    ::kill(writer, SIGKILL);
    int status = 0;
    QCOMPARE(waitpid(writer, &status, 0), writer);
    QVERIFY(WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL);

    std::uint64_t kept = 0;
    {
      const auto reader = RecordingReader::open(file);
      QVERIFY2(reader.has_value(), reader ? "" : reader.error().c_str());
      QVERIFY(!reader->outcome());
      kept = reader->events();
    }
    QVERIFY2(a_second_before > 10'000, fmt::format("{} events in a second", a_second_before).c_str());
    QVERIFY2(kept >= a_second_before, fmt::format("{} of {}", kept, a_second_before).c_str());
    QCOMPARE(wrong_events(file, kept), std::string());
    const auto compacted = compact_recording(file);
    QVERIFY2(compacted.has_value(), compacted ? "" : compacted.error().c_str());
    QCOMPARE(wrong_events(file, kept), std::string());
  }
}

void RecordingTroubleTest::aFullDiskLosesNothingBefore() {
  ToldHistory told;
  auto writer = RecordingWriter::create(path("full"), {10'000, 5'000, 1ms, 200});
  for (int i = 0; i < 100; ++i) {
    told.grow(5'000);
    (*writer)->append(told.history());
  }
  const auto done = (*writer)->finish(told.history(), {});
  QVERIFY(!done.has_value());
  QVERIFY2(has(done.error(), "full could not be written any further: ") && has(done.error(), ": make room"),
           done.error().c_str());
  const std::uint64_t written = (*writer)->written();
  QVERIFY2(has(done.error(), fmt::format("The {} events before are in it", written).c_str()), done.error().c_str());
  QVERIFY2(written >= 5'000 && written < told.history().last(), fmt::format("{}", written).c_str());
  QCOMPARE(wrong_events(path("full"), written), std::string());
}

void RecordingTroubleTest::aLimitOnItsSizeLosesNothingBefore() {
  ToldHistory told;
  std::uint64_t written = 0;
  const auto done = with_room_for(1'000'003, [&] {
    auto writer = RecordingWriter::create(path("limit"), {10'000, 5'000, 1ms, 0});
    for (int i = 0; i < 100; ++i) {
      told.grow(5'000);
      (*writer)->append(told.history());
    }
    auto finished = (*writer)->finish(told.history(), {});
    written = (*writer)->written();
    return finished;
  });
  QVERIFY(!done.has_value());
  QVERIFY2(has(done.error(), "limit could not be written any further: File too large: make room"),
           done.error().c_str());
  QVERIFY2(written >= 5'000 && written < told.history().last(), fmt::format("{}", written).c_str());
  QCOMPARE(wrong_events(path("limit"), written), std::string());
}

void RecordingTroubleTest::aFullDiskAtTheStartIsTold() {
  const auto refused = with_room_for(10'000, [&] { return RecordingWriter::create(path("small")); });
  QVERIFY(!refused.has_value());
  QVERIFY2(has(refused.error(), "small could not be "), refused.error().c_str());
}

void RecordingTroubleTest::whatWasNotFinishedIsKept() {
  ToldHistory told;
  told.grow(70'000);
  {
    auto writer = RecordingWriter::create(path("left"));
    (*writer)->append(told.history());
  }
  QCOMPARE(wrong_events(path("left"), 70'000), std::string());
  QVERIFY(!RecordingReader::open(path("left"))->outcome());
}

namespace {

// Everything that can stand in one, and what is read of it when nothing was changed.
struct Recorded {
  ToldHistory told;
  std::vector<AlertNote> alerts;

  Recorded() {
    told.grow(9'000);
    for (const IncidentKind kind : kAllIncidentKinds) told.add_incident(kind, kind == IncidentKind::kStorm);
    const auto at = [](std::int64_t ns) { return TrueTime(Duration(ns)); };
    alerts = {{1, AlertDeed::kBegan, at(5), at(5), "nobody pays", "no_owner", Name{1}, "nobody has owned it for 1 s"},
              {1, AlertDeed::kMuted, at(6), at(9), "nobody pays", "no_owner", Name{1}, "nobody has owned it for 1 s"},
              {2, AlertDeed::kBegan, at(7), at(7), "hot", "handoffs", Name{1}, "4 hand-offs in 1 s"},
              {1, AlertDeed::kOver, at(8), at(8), "nobody pays", "no_owner", Name{1}, "nobody has owned it for 1 s"}};
  }
  std::string write(const std::string& path) const {
    auto writer = RecordingWriter::create(path);
    if (!writer) return writer.error();
    (*writer)->head(told_header());
    (*writer)->note(told.history(), alerts);
    const auto done = (*writer)->finish(told.history(), told_outcome());
    return done ? std::string() : done.error();
  }

  // What of a recording that opens, and of whose damage nothing was said, is not what was recorded; empty: nothing.
  std::string lie_of(const RecordingReader& reader) const {
    const History& is = reader.frame();
    const History& was = told.history();
    if (!same(is.legend, was.legend)) return "its legend";
    if (!std::equal(is.incidents.begin(), is.incidents.end(), was.incidents.begin(), was.incidents.end(),
                    [](const Incident& a, const Incident& b) { return same(a, b); }))
      return "its incidents";
    if (!same(is.summary, was.summary)) return "its summary";
    if (is.now != was.now || is.forgotten != 0) return "how far it is known";
    if (reader.alerts() != nullptr && *reader.alerts() != alerts) return "its alerts";
    if (facts_of(reader.header()) != facts_of(told_header())) return "its header";
    if (!reader.outcome()) return "that it has ended";
    return facts_of(*reader.outcome()) != facts_of(told_outcome()) ? "its outcome" : std::string();
  }

 private:
  // As they are written, by key.
  class Told final : public FactWriter {
   public:
    void put(std::string_view key, std::int64_t value) override { all[std::string(key)] = value; }
    void put(std::string_view key, std::string_view value) override { all[std::string(key)] = std::string(value); }
    std::map<std::string, FactValue> all;
  };
  static std::map<std::string, FactValue> facts_of(const HistoryHeader& header) {
    Told facts;
    put_header(header, facts);
    return facts.all;
  }
  static std::map<std::string, FactValue> facts_of(const RecordedOutcome& outcome) {
    Told facts;
    put_outcome(outcome, facts);
    return facts.all;
  }
};

}  // namespace

void RecordingTroubleTest::aChangedFileGivesAnErrorOrTheTruth() {
  const Recorded recorded;
  const ToldHistory& told = recorded.told;
  QCOMPARE(recorded.write(path("whole")), std::string());
  {
    const auto reader = RecordingReader::open(path("whole"));
    QVERIFY2(reader.has_value(), reader ? "" : reader.error().c_str());
    QCOMPARE(recorded.lie_of(*reader), std::string());
    QVERIFY(reader->alerts() != nullptr);
  }
  QFile whole(folder_.filePath("whole"));
  QVERIFY(whole.open(QIODevice::ReadOnly));
  const QByteArray bytes = whole.readAll();
  Mutator mutator(static_cast<unsigned>(asked("LEASESCOPE_RECORDING_SEED", 1)));
  const int files = asked("LEASESCOPE_RECORDING_MUTATED", 300);
  int refused = 0, cut = 0;
  for (int i = 0; i < files; ++i) {
    QByteArray changed = bytes;
    mutator.change(changed);
    QFile file(folder_.filePath("changed"));
    QVERIFY(file.open(QIODevice::WriteOnly | QIODevice::Truncate) && file.write(changed) == changed.size());
    file.close();
    auto reader = RecordingReader::open(path("changed"));
    if (!reader) {
      QVERIFY2(has(reader.error(), "changed"), reader.error().c_str());
      ++refused;
      continue;
    }
    std::vector<Event> events;
    while (reader->read_page(events)) {
    }
    const bool damaged = !reader->error().empty();
    if (damaged) ++cut;
    if (!damaged) QCOMPARE(events.size(), std::size_t{9'000});
    for (std::size_t at = 0; at < events.size(); ++at)
      QVERIFY2(same(events[at], ToldHistory::event(at + 1)), fmt::format("file {}, event {}", i, at + 1).c_str());
    for (std::uint32_t handle = 0; handle < told.history().names.size(); ++handle)
      QCOMPARE(reader->frame().names.text({handle}), told.history().names.text({handle}));
    const std::string lie = damaged ? std::string() : recorded.lie_of(*reader);
    QVERIFY2(lie.empty(), fmt::format("file {}: {}", i, lie).c_str());
  }
  QVERIFY2(refused > files / 5 && cut > files / 20 && refused + cut < files,
           fmt::format("{} of {} refused, {} cut short", refused, files, cut).c_str());
}

void RecordingTroubleTest::whateverStandsBesideTheEventsIsKnownToBeChanged_data() {
  QTest::addColumn<QString>("change");
  for (const char* change : {"UPDATE fact SET value = 'another' WHERE key = 'title'",
                             "UPDATE fact SET value = value + 1 WHERE key = 'epoch_unix_ns'",
                             "UPDATE fact SET value = '8' WHERE key = 'seed'",
                             "UPDATE fact SET value = 1 WHERE key = 'outcome.as_expected'",
                             "DELETE FROM fact WHERE key = 'until_ns'",
                             "INSERT INTO fact VALUES('known_ns', 5)",
                             "UPDATE kind SET word = 'granted' WHERE kind = 0",
                             "UPDATE detail SET word = word || 'x'",
                             "UPDATE fault SET began = '{who} goes on' WHERE place = 0",
                             "UPDATE mutex SET capacity = 4 WHERE place = 0",
                             "UPDATE contender SET name = 'c3' WHERE place = 1",
                             "DELETE FROM contender WHERE place = 1",
                             "UPDATE resource SET fencing = 0",
                             "UPDATE incident SET start_ns = start_ns + 1 WHERE number = 2",
                             "UPDATE incident SET cause = 'nobody paused' WHERE number = 1",
                             "UPDATE incident SET open = 1 - open WHERE number = 1",
                             "DELETE FROM incident WHERE number = (SELECT max(number) FROM incident)",
                             "UPDATE incident_contender SET name = 3 WHERE incident = 0 AND place = 0",
                             "DELETE FROM incident_token WHERE incident = 1 AND place = 2",
                             "UPDATE incident_token SET token = 8 WHERE incident = 0 AND place = 1",
                             "UPDATE summary SET value = value + 1 WHERE field = 'renewals'",
                             "UPDATE alert SET words = 'all is well' WHERE number = 3",
                             "DELETE FROM alert WHERE number = 4"})
    QTest::newRow(change) << QString::fromLatin1(change);
}

// It is said at once, and once more when all events were read, which are good.
void RecordingTroubleTest::whateverStandsBesideTheEventsIsKnownToBeChanged() {
  QFETCH(const QString, change);
  const Recorded recorded;
  QFile::remove(folder_.filePath("beside"));
  QCOMPARE(recorded.write(path("beside")), std::string());
  {
    const auto database = Database::open(path("beside"), Database::Mode::kChange);
    QVERIFY2((*database)->run(change.toLatin1().constData()), (*database)->error().c_str());
    QVERIFY2((*database)->number("SELECT changes()") > 0, "nothing is there to be changed");
  }
  auto reader = RecordingReader::open(path("beside"));
  // With other words the events would be others.
  if (!reader) {
    QVERIFY2(has(reader.error(), "beside is damaged: the words for its events were changed"), reader.error().c_str());
    QVERIFY(change.startsWith("UPDATE kind") || change.startsWith("UPDATE detail"));
    return;
  }
  QCOMPARE(reader->remarks().size(), std::size_t{1});
  QVERIFY2(has(reader->remarks()[0], "it is damaged: what stands beside its events was changed"),
           reader->remarks()[0].c_str());
  std::vector<Event> events;
  while (reader->read_page(events)) {
  }
  QVERIFY2(has(reader->error(), "beside is damaged: what stands beside its events was changed"),
           reader->error().c_str());
  QCOMPARE(events.size(), std::size_t{9'000});
  for (std::size_t at = 0; at < events.size(); ++at) QVERIFY(same(events[at], ToldHistory::event(at + 1)));
  QVERIFY(!RecordingReader::open(path("beside"))->read().has_value());
}

void RecordingTroubleTest::aDamagedBlockLeavesThoseBefore() {
  ToldHistory told;
  told.grow(20'000);
  {
    auto writer = RecordingWriter::create(path("block"));
    QVERIFY((*writer)->finish(told.history(), {}).has_value());
  }
  {
    auto database = Database::open(path("block"), Database::Mode::kChange);
    QVERIFY((*database)->run("UPDATE block SET events = zeroblob(length(events)) WHERE first = 8193"));
  }
  std::vector<Event> events;
  auto reader = RecordingReader::open(path("block"));
  QVERIFY2(reader.has_value(), reader ? "" : reader.error().c_str());
  while (reader->read_page(events)) {
  }
  QCOMPARE(events.size(), std::size_t{8'192});
  QVERIFY2(has(reader->error(),
               "block is damaged: its events 8193 to 12288 cannot be read (they were changed); those "
               "before can"),
           reader->error().c_str());
  reader = tl::make_unexpected(std::string());  // it holds the file
  auto database = Database::open(path("block"), Database::Mode::kChange);
  QVERIFY((*database)->run("DELETE FROM block WHERE first = 8193"));
  database->reset();
  const auto missing = RecordingReader::open(path("block"));
  QVERIFY(!missing.has_value());
  QVERIFY2(has(missing.error(), "its events from 8193 on are missing"), missing.error().c_str());
}

LEASESCOPE_SUITE(RecordingTroubleTest)
#include "recording_trouble_test.moc"
