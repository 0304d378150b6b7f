// A history on disk: whole lines, at once, and what was written stays whatever comes after.
#include "core/history/history_file.h"

#include <QFile>
#include <QTemporaryDir>
#include <QTest>

#include <nlohmann/json.hpp>

#include "tests/support/size_limit.h"
#include "tests/support/suite.h"

using namespace leasescope;
using leasescope::tests::with_room_for;
using nlohmann::json;

namespace {

Event event_at(int ms, EventKind kind, Name node, Name mutex) {
  Event event;
  event.lo = event.hi = TrueTime{} + std::chrono::milliseconds(ms);
  event.kind = kind;
  event.node = node;
  event.mutex = mutex;
  return event;
}

struct Written {
  History history;
  Name node = history.names.intern("c1");
  Name mutex = history.names.intern("orders");

  void grow(int events) {
    for (int i = 0; i < events; ++i) history.events.push_back(event_at(i, EventKind::kChecked, node, mutex));
  }
};

std::vector<json> lines_of(const QString& path) {
  QFile file(path);
  std::vector<json> lines;
  if (!file.open(QIODevice::ReadOnly)) return lines;
  while (!file.atEnd()) {
    const QByteArray line = file.readLine();
    lines.push_back(line.endsWith('\n') ? json::parse(line.toStdString(), nullptr, false) : json());
  }
  return lines;
}

}  // namespace

class HistoryFileTest : public QObject {
  Q_OBJECT
 private slots:
  void everyKindOfEventIsALine();
  void whatIsNoTextIsReplaced();
  void whatWasAppendedIsInTheFileAtOnce();
  void whatIsNoLongerHeldIsNotWrittenTwice();
  void aLongHistoryTakesNoMoreThanABuffer();
  void aFullDiskKeepsTheLinesBefore();
  void aHeadThatDoesNotFitLeavesNothing();
  void aFullDeviceSaysSo();
  void whatCannotBeOpenedSaysWhy();

 private:
  std::string path(const char* name) const { return folder_.filePath(name).toStdString(); }
  QTemporaryDir folder_;
};

void HistoryFileTest::everyKindOfEventIsALine() {
  Written of;
  for (int kind = 0; kind < kEventKinds; ++kind) {
    Event event = event_at(kind, static_cast<EventKind>(kind), of.node, of.mutex);
    event.token = 33;
    event.cause = static_cast<Sequence>(kind);
    event.b = 1;
    of.history.events.push_back(event);
  }
  of.history.legend.faults.emplace_back().name = "pause";
  auto file = HistoryFile::open(path("kinds.jsonl"));
  QVERIFY(file.has_value());
  QVERIFY(file->append(of.history).has_value());
  const std::vector<json> lines = lines_of(folder_.filePath("kinds.jsonl"));
  QCOMPARE(lines.size(), static_cast<std::size_t>(kEventKinds));
  for (std::size_t i = 0; i < lines.size(); ++i) {
    QVERIFY2(lines[i].is_object(), lines[i].dump().c_str());
    QCOMPARE(lines[i]["seq"].get<std::size_t>(), i + 1);
    QCOMPARE(lines[i]["kind"].get<std::string>(), std::string(text(static_cast<EventKind>(i))));
    QCOMPARE(lines[i]["node"].get<std::string>(), std::string("c1"));
    QCOMPARE(lines[i]["mutex"].get<std::string>(), std::string("orders"));
    QCOMPARE(lines[i]["token"].get<int>(), 33);
    QCOMPARE(lines[i].contains("cause"), i > 0);
  }
  const auto of_kind = [&](EventKind kind) { return lines[static_cast<std::size_t>(kind)]; };
  QCOMPARE(of_kind(EventKind::kFaultBegan)["fault"].get<std::string>(), std::string("pause"));
  QCOMPARE(of_kind(EventKind::kNotification)["owner"].get<std::string>(), std::string("c1"));
  QVERIFY(of_kind(EventKind::kGranted).contains("lease_ns"));
  QVERIFY(of_kind(EventKind::kAttempt).contains("result"));
  QCOMPARE(of_kind(EventKind::kRefused)["reason"].get<std::string>(), std::string("cannot start"));
}

void HistoryFileTest::whatIsNoTextIsReplaced() {
  Written of;
  const Name odd = of.history.names.intern("a\xff\"b\\\n");
  of.history.events.push_back(event_at(1, EventKind::kStarted, odd, of.mutex));
  auto file = HistoryFile::open(path("odd.jsonl"));
  QVERIFY(file->append(of.history).has_value());
  const std::vector<json> lines = lines_of(folder_.filePath("odd.jsonl"));
  QCOMPARE(lines.size(), std::size_t{1});
  QCOMPARE(lines.front()["node"].get<std::string>(), std::string("a\uFFFD\"b\\\n"));
}

void HistoryFileTest::whatWasAppendedIsInTheFileAtOnce() {
  Written of;
  auto file = HistoryFile::open(path("at-once.jsonl"));
  for (int i = 1; i <= 3; ++i) {
    of.grow(1);
    QVERIFY(file->append(of.history).has_value());
    QCOMPARE(lines_of(folder_.filePath("at-once.jsonl")).size(), static_cast<std::size_t>(i));
  }
}

void HistoryFileTest::whatIsNoLongerHeldIsNotWrittenTwice() {
  Written of;
  auto file = HistoryFile::open(path("forgotten.jsonl"));
  for (int i = 0; i < 3; ++i) {
    of.grow(5);
    QVERIFY(file->append(of.history).has_value());
    of.history.forgotten += 5;
    of.history.events.clear();
  }
  const std::vector<json> lines = lines_of(folder_.filePath("forgotten.jsonl"));
  QCOMPARE(lines.size(), std::size_t{15});
  for (std::size_t i = 0; i < lines.size(); ++i) QCOMPARE(lines[i]["seq"].get<std::size_t>(), i + 1);
}

void HistoryFileTest::aLongHistoryTakesNoMoreThanABuffer() {
  Written of;
  of.grow(50'000);  // about 5 MB of text
  rusage before{}, after{};
  auto file = HistoryFile::open(path("long.jsonl"));
  getrusage(RUSAGE_SELF, &before);
  QVERIFY(file->append(of.history).has_value());
  getrusage(RUSAGE_SELF, &after);
  QVERIFY(QFile(folder_.filePath("long.jsonl")).size() > 4'000'000);
  QCOMPARE(file->written(), Sequence{50'000});
#ifndef __SANITIZE_ADDRESS__  // which keeps what was freed
  QVERIFY2(after.ru_maxrss - before.ru_maxrss < 1'024, "kilobytes beside the buffer");
#endif
}

void HistoryFileTest::aFullDiskKeepsTheLinesBefore() {
  Written of;
  of.grow(20'000);
  auto file = HistoryFile::open(path("full.jsonl"));
  const auto done = with_room_for(1'000'003, [&] { return file->append(of.history); });

  QVERIFY(!done.has_value());
  QVERIFY2(done.error().find("full.jsonl could not be written any further: File too large") != std::string::npos,
           done.error().c_str());
  const std::vector<json> lines = lines_of(folder_.filePath("full.jsonl"));
  QCOMPARE(lines.size(), static_cast<std::size_t>(file->written()));
  QVERIFY(QFile(folder_.filePath("full.jsonl")).size() > 999'000);
  for (const json& line : lines) QVERIFY(line.is_object());
  QVERIFY2(done.error().find(std::to_string(lines.size()) + " events before") != std::string::npos,
           done.error().c_str());
  // There is room again, but a gap would be worse than an end.
  QVERIFY(!file->append(of.history).has_value());
  QCOMPARE(lines_of(folder_.filePath("full.jsonl")).size(), lines.size());
}

void HistoryFileTest::aHeadThatDoesNotFitLeavesNothing() {
  auto file = HistoryFile::open(path("headless.jsonl"));
  HistoryHeader header;
  header.toml = std::string(1'000, '#');
  const auto done = with_room_for(500, [&] { return file->head(header); });
  QVERIFY(!done.has_value());
  QVERIFY2(done.error().find("File too large") != std::string::npos, done.error().c_str());
  QCOMPARE(QFile(folder_.filePath("headless.jsonl")).size(), qint64(0));
}

void HistoryFileTest::aFullDeviceSaysSo() {
  Written of;
  of.grow(10);
  auto file = HistoryFile::open("/dev/full");
  QVERIFY(file.has_value());
  const auto done = file->append(of.history);
  QVERIFY(!done.has_value());
  QVERIFY2(done.error().find("No space left on device") != std::string::npos, done.error().c_str());
  QVERIFY2(done.error().find("The 0 events before") != std::string::npos, done.error().c_str());
}

void HistoryFileTest::whatCannotBeOpenedSaysWhy() {
  const auto file = HistoryFile::open(path("no/such/folder.jsonl"));
  QVERIFY(!file.has_value());
  QVERIFY2(file.error().find("No such file or directory") != std::string::npos, file.error().c_str());
}

LEASESCOPE_SUITE(HistoryFileTest)
#include "history_file_test.moc"
