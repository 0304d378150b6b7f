// A recording that is kept for a while: what is dropped is said to be not observed, and who owned then stays known.
#include "core/history/recording/retention.h"

#include <QFileInfo>
#include <QTemporaryDir>

#include "core/history/ownership.h"
#include "core/history/recording/recording_reader.h"
#include "core/history/recording/recording_writer.h"
#include "tests/support/suite.h"

using namespace leasescope;
using namespace leasescope::tests;
using namespace std::chrono_literals;

namespace {

constexpr int kSeconds = 20'000;

TrueTime at(int second) { return TrueTime{} + std::chrono::seconds(second); }

// "busy" is granted and released each second; "kept" belongs to one owner from second 5 on.
History busy_history() {
  History out;
  const Name busy = out.names.intern("busy"), kept = out.names.intern("kept");
  const Name a = out.names.intern("a"), b = out.names.intern("b");
  const auto put = [&](int second, EventKind kind, Name mutex, Name node, Token token) {
    Event event;
    event.lo = event.hi = at(second);
    event.kind = kind;
    event.mutex = mutex;
    event.node = node;
    event.token = token;
    event.a = kNoDeadline;
    out.events.push_back(event);
  };
  for (int second = 1; second <= kSeconds; ++second) {
    if (second == 5) put(second, EventKind::kGranted, kept, b, 1);
    const auto kind = second % 2 == 1 ? EventKind::kGranted : EventKind::kReleased;
    put(second, kind, busy, a, static_cast<Token>((second + 1) / 2));
  }
  out.now = at(kSeconds);
  return out;
}

}  // namespace

class RetentionTest : public QObject {
  Q_OBJECT

  QTemporaryDir folder_;

  std::string recorded(const char* name) {
    const std::string path = folder_.filePath(name).toStdString();
    auto writer = RecordingWriter::create(path);
    if (!writer) return {};
    (*writer)->head({});
    (*writer)->append(busy_history());
    (*writer)->close();
    return (*writer)->error().empty() ? path : std::string();
  }
  static Dropped drop(const std::string& path, const Retention& retention) {
    const auto opened = Database::open(path, Database::Mode::kChange);
    Dropped out;
    if (opened) out = drop_older(**opened, retention, at(kSeconds));
    if (!opened || (*opened)->failed()) out.events = UINT64_MAX;
    return out;
  }

 private slots:
  void whatIsOlderIsNotObservedAndWhoOwnedThenIsKnown() {
    const std::string path = recorded("old");
    const Dropped dropped = drop(path, {Duration(5'000s), 0});
    QVERIFY(dropped.events > 8'000 && dropped.events < 15'000);
    QVERIFY(dropped.kept_from > at(8'000) && dropped.kept_from <= at(15'000));
    auto reader = RecordingReader::open(path);
    QVERIFY2(reader.has_value(), reader ? "" : reader.error().c_str());
    const auto read = reader->read();
    QVERIFY2(read.has_value(), read ? "" : read.error().c_str());
    const History whole = busy_history();
    QCOMPARE(static_cast<std::uint64_t>(read->events.size()) + dropped.events,
             static_cast<std::uint64_t>(whole.events.size()));
    QCOMPARE(read->last(), whole.last());  // numbers go on as they were
    QCOMPARE(reader->remarks().size(), std::size_t{1});
    QVERIFY2(reader->remarks().front().find("what was before ") == 0, reader->remarks().front().c_str());

    Standing standing(read->legend);
    const Name busy = whole.events.front().mutex, kept = whole.events[4].mutex;
    MutexOwnership of_kept(kept), of_busy(busy);
    for (const Event& event : read->events) {
      const Change change = standing.append(event, read->names);
      of_kept.append(event, change, standing);
      of_busy.append(event, change, standing);
    }
    for (const int second : {100, 6'000}) {
      QVERIFY(of_kept.at(at(second)).unobserved != nullptr);
      QVERIFY(of_busy.at(at(second)).unobserved != nullptr);
    }
    for (const int second : {100, 15'001, kSeconds}) QCOMPARE(of_kept.at(at(second)).surely.size(), std::size_t{1});
    QVERIFY(of_kept.at(at(15'001)).unobserved == nullptr);
    QCOMPARE(drop(path, {Duration(5'000s), 0}).events, std::uint64_t{0});  // once is enough
  }

  // What began before the cut, and was not over by then, goes on after it.
  void aStoreThatIsAwayAndWhoWaitsStayKnown() {
    History told = busy_history();
    const auto tell = [&](int second, EventKind kind, const char* node, const char* mutex) {
      Event event;
      event.lo = event.hi = at(second);
      event.kind = kind;
      event.node = told.names.intern(node);
      if (mutex != nullptr) event.mutex = told.names.intern(mutex);
      const auto before = [&](const Event& each) { return each.hi <= event.hi; };
      told.events.insert(std::partition_point(told.events.begin(), told.events.end(), before), event);
    };
    tell(10, EventKind::kDisconnected, "redis://a", nullptr);
    tell(20, EventKind::kDisconnected, "redis://b", nullptr);
    tell(30, EventKind::kConnected, "redis://b", nullptr);
    tell(40, EventKind::kQueued, "c", "kept");
    tell(50, EventKind::kQueued, "d", "kept");
    tell(60, EventKind::kDequeued, "d", "kept");
    const std::string path = folder_.filePath("away").toStdString();
    auto writer = RecordingWriter::create(path);
    QVERIFY(writer.has_value());
    (*writer)->head({});
    (*writer)->append(told);
    (*writer)->close();
    QVERIFY(drop(path, {Duration(5'000s), 0}).events > 8'000);
    auto reader = RecordingReader::open(path);
    QVERIFY2(reader.has_value(), reader ? "" : reader.error().c_str());
    const auto read = reader->read();
    QVERIFY2(read.has_value(), read ? "" : read.error().c_str());
    QStringList left;
    for (const Event& each : read->events)
      if (each.kind == EventKind::kDisconnected || each.kind == EventKind::kQueued)
        left << QString::fromStdString(std::string(read->names.text(each.node)));
    QCOMPARE(left, (QStringList{"redis://a", "c"}));
  }

  void whatIsTooMuchGoesFromTheOldestOnAndTheFileShrinks() {
    const std::string path = recorded("large");
    const auto size = QFileInfo(path.c_str()).size();
    QVERIFY(drop(path, {std::nullopt, 1}).events > 10'000);
    QVERIFY(QFileInfo(path.c_str()).size() < size);
    const auto reader = RecordingReader::open(path);
    QVERIFY2(reader.has_value(), reader ? "" : reader.error().c_str());
    QVERIFY(reader->events() > 0);  // the last block stays
  }

  void alertsThatWereOverBeforeGoWithIt() {
    const std::string path = folder_.filePath("alerts").toStdString();
    const History history = busy_history();
    const Name busy = history.events.front().mutex;
    {
      auto writer = RecordingWriter::create(path);
      QVERIFY(writer.has_value());
      (*writer)->append(history);
      const auto note = [&](std::uint64_t alert, AlertDeed deed, int second) {
        return AlertNote{alert, deed, at(second), at(second), "nobody", "no_owner", busy, "nobody has owned it"};
      };
      (*writer)->note(history,
                      {note(1, AlertDeed::kBegan, 100), note(1, AlertDeed::kOver, 200), note(2, AlertDeed::kBegan, 300),
                       note(2, AlertDeed::kOver, 19'000), note(3, AlertDeed::kBegan, 400)});
      (*writer)->close();
    }
    QVERIFY(drop(path, {Duration(5'000s), 0}).events > 0);
    const auto reader = RecordingReader::open(path);
    QVERIFY2(reader.has_value(), reader ? "" : reader.error().c_str());
    std::vector<std::uint64_t> left;
    for (const AlertNote& each : *reader->alerts()) left.push_back(each.alert);
    QCOMPARE(left, (std::vector<std::uint64_t>{2, 2, 3}));
  }

  // Of a form that has no alerts: what is dropped is dropped all the same.
  void aRecordingOfTheFirstFormIsKeptForAWhileToo() {
    const std::string path = recorded("first");
    {
      const auto database = Database::open(path, Database::Mode::kChange);
      QVERIFY((*database)->run("DROP TABLE alert; PRAGMA user_version = 1"));
    }
    const Dropped dropped = drop(path, {Duration(5'000s), 0});
    QVERIFY(dropped.events > 8'000 && dropped.events < 15'000);
  }

  void aWriterKeepsToItAndWritesOn() {
    const std::string path = folder_.filePath("written").toStdString();
    RecordingTerms terms;
    terms.retention.keep = Duration(5'000s);
    terms.retained_every = 0ms;
    auto writer = RecordingWriter::create(path, terms);
    QVERIFY(writer.has_value());
    (*writer)->head({});
    (*writer)->append(busy_history());
    (*writer)->close();
    QCOMPARE((*writer)->error(), std::string());
    auto reader = RecordingReader::open(path);
    QVERIFY2(reader.has_value(), reader ? "" : reader.error().c_str());
    QVERIFY(reader->events() < 12'000);
    QVERIFY(reader->read().has_value());
  }
};

LEASESCOPE_SUITE(RetentionTest)
#include "retention_test.moc"
