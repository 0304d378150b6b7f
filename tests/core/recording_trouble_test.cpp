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
#include "core/history/recording/recording_reader.h"
#include "core/history/recording/recording_writer.h"
#include "tests/support/recordings.h"
#include "tests/support/size_limit.h"
#include "tests/support/suite.h"

using namespace leasescope;
using namespace leasescope::tests;
using namespace std::chrono_literals;

extern char** environ;

namespace {

bool has(const std::string& text, const char* part) { return text.find(part) != std::string::npos; }

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

void RecordingTroubleTest::aChangedFileGivesAnErrorOrTheTruth() {
  ToldHistory told;
  told.grow(9'000);
  for (const IncidentKind kind : kAllIncidentKinds) told.add_incident(kind, false);
  {
    auto writer = RecordingWriter::create(path("whole"));
    (*writer)->head(told_header());
    QVERIFY((*writer)->finish(told.history(), {}).has_value());
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
    if (!reader->error().empty()) ++cut;
    if (reader->error().empty()) QCOMPARE(events.size(), std::size_t{9'000});
    for (std::size_t at = 0; at < events.size(); ++at)
      QVERIFY2(same(events[at], ToldHistory::event(at + 1)), fmt::format("file {}, event {}", i, at + 1).c_str());
    for (std::uint32_t handle = 0; handle < told.history().names.size(); ++handle)
      QCOMPARE(reader->frame().names.text({handle}), told.history().names.text({handle}));
  }
  QVERIFY2(refused > files / 5 && cut > files / 20 && refused + cut < files,
           fmt::format("{} of {} refused, {} cut short", refused, files, cut).c_str());
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
