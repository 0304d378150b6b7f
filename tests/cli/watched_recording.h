// Recordings as a watch writes them, of what a test says was seen.
#pragma once
#include <QDateTime>
#include <QTest>

#include "core/history/recorder.h"
#include "core/history/recording/recording_writer.h"
#include "core/observe/watch_record.h"

namespace leasescope::tests {

inline const QDateTime kBegin = QDateTime::fromString(QStringLiteral("2026-11-28T03:12:00Z"), Qt::ISODate);

inline Event told(EventKind kind, Name node, Name mutex, Duration lo, Duration hi, Token token = kNoToken) {
  Event event;
  event.kind = kind;
  event.node = node;
  event.mutex = mutex;
  event.lo = TrueTime(lo);
  event.hi = TrueTime(hi);
  event.token = token;
  if (kind == EventKind::kGranted) event.a = Duration(std::chrono::seconds(10)).count();
  return event;
}

// What a recording has beside what was seen; none: it does not say.
struct Beside {
  std::optional<WatchSettings> settings;
  std::optional<std::vector<AlertNote>> alerts;
};

// From kBegin on, for so long.
inline void record(const QString& path, Recorder& recorder, Duration length, const Beside& beside = {}) {
  recorder.advance(TrueTime(length));
  HistoryHeader header;
  header.program = "test";
  header.scenario = kWatchName;
  header.title = "What was seen";
  header.world = "live";
  header.store = "redis://host:6379";
  header.toml = watch_scenario();
  header.epoch_ns = kBegin.toMSecsSinceEpoch() * 1'000'000;
  auto writer = RecordingWriter::create(path.toStdString());
  QVERIFY2(writer, writer ? "" : writer.error().c_str());
  header.watch = beside.settings;
  (*writer)->head(header);
  if (beside.alerts) (*writer)->note(recorder.history(), *beside.alerts);
  RecordedOutcome outcome;
  outcome.simulated_ns = outcome.wall_ns = length.count();
  QVERIFY((*writer)->finish(recorder.history(), outcome));
}

}  // namespace leasescope::tests
