// Whatever the events, names and incidents are: what is read is what was recorded.
#include <limits>

#include <QDir>
#include <QTemporaryDir>

#include "core/history/recording/event_block.h"
#include "core/history/recording/event_words.h"
#include "core/history/recording/recording_reader.h"
#include "core/history/recording/recording_writer.h"
#include "tests/support/recordings.h"
#include "tests/support/suite.h"

using namespace leasescope;
using namespace leasescope::tests;

class RecordingProperties : public QObject {
  Q_OBJECT
 private slots:
  void everyEventGoesThrough();
  void whateverBytesTheyAreUnpackingEnds();
  void everyHistoryGoesThrough();
};

namespace {

// Also the ends of what there is.
template <class Number>
rc::Gen<Number> number() {
  using Limits = std::numeric_limits<Number>;
  return rc::gen::oneOf(rc::gen::element<Number>(Limits::min(), Limits::max(), 0, 1, Limits::max() / 2),
                        rc::gen::arbitrary<Number>(), rc::gen::inRange<Number>(0, 100));
}

Event any_event() {
  Event out;
  out.lo = TrueTime(Duration(*number<std::int64_t>()));
  out.hi = TrueTime(Duration(*number<std::int64_t>()));
  out.token = *number<std::uint64_t>();
  out.a = *number<std::int64_t>();
  out.b = *number<std::int64_t>();
  out.node.handle = *number<std::uint32_t>();
  out.mutex.handle = *number<std::uint32_t>();
  out.cause = *number<std::uint32_t>();
  out.kind = static_cast<EventKind>(*rc::gen::inRange(0, 256));
  out.detail = static_cast<std::uint8_t>(*rc::gen::inRange(0, 256));
  return out;
}

// One that a history may hold: its names are there, and it has a word.
Event told_event(std::uint32_t names) {
  Event out = any_event();
  out.kind = static_cast<EventKind>(*rc::gen::inRange(0, kEventKinds));
  const bool fault = out.kind == EventKind::kFaultBegan || out.kind == EventKind::kFaultEnded;
  if (!fault) out.detail = static_cast<std::uint8_t>(*rc::gen::inRange(0, details_of(out.kind)));
  out.node.handle %= names;
  out.mutex.handle %= names;
  if (names_in_a(out) || out.kind == EventKind::kNotification) out.a = *rc::gen::inRange<std::int64_t>(0, 4);
  if (names_in_b(out)) out.b = *rc::gen::inRange<std::int64_t>(0, names);
  return out;
}

Incident any_incident(std::uint32_t names) {
  Incident out;
  out.kind = kAllIncidentKinds[*rc::gen::inRange<std::size_t>(0, kAllIncidentKinds.size())];
  out.mutex.handle = *rc::gen::inRange(0U, names);
  out.start = TrueTime(Duration(*number<std::int64_t>()));
  out.end = TrueTime(Duration(*number<std::int64_t>()));
  out.open = *rc::gen::arbitrary<bool>();
  for (const std::uint32_t who : *rc::gen::container<std::vector<std::uint32_t>>(rc::gen::inRange(0U, names)))
    out.contenders.push_back(Name{who});
  out.tokens = *rc::gen::container<std::vector<Token>>(number<Token>());
  out.cause = *rc::gen::arbitrary<std::string>();
  return out;
}

History any_history() {
  History out;
  for (const std::string& name : *rc::gen::arbitrary<std::vector<std::string>>()) out.names.intern(name);
  for (const char* const name : {"a", "b", "c"}) out.names.intern(name);
  const auto names = static_cast<std::uint32_t>(out.names.size());
  out.forgotten = *rc::gen::inRange<Sequence>(0, 100'000);
  const int events = *rc::gen::inRange(0, 100);
  for (int i = 0; i < events; ++i) out.events.push_back(told_event(names));
  const int incidents = *rc::gen::inRange(0, 70);
  for (int i = 0; i < incidents; ++i) {
    out.incidents.push_back(any_incident(names));
    ++out.summary.incidents[static_cast<std::size_t>(out.incidents.back().kind)];
  }
  for (const SummaryCount& field : kSummaryCounts) out.summary.*field.of = *number<std::uint64_t>();
  for (const SummaryLength& field : kSummaryLengths) out.summary.*field.of = Duration(*number<std::int64_t>());
  out.now = TrueTime(Duration(*number<std::int64_t>()));
  return out;
}

}  // namespace

void RecordingProperties::everyEventGoesThrough() {
  QVERIFY(rc::check("pack and unpack", [] {
    const auto first = *rc::gen::inRange<std::uint64_t>(1, UINT32_MAX);
    std::vector<Event> events, read;
    for (int i = *rc::gen::inRange(0, 40); i > 0; --i) events.push_back(any_event());
    if (*rc::gen::arbitrary<bool>() && !events.empty()) events.assign(events.size(), events.front());
    std::string bytes;
    pack_events(events.data(), events.size(), first, bytes);
    RC_ASSERT(events.empty() || unpack_events(bytes, events.size(), first, read));
    RC_ASSERT(read.size() == events.size());
    for (std::size_t i = 0; i < events.size(); ++i) RC_ASSERT(same(events[i], read[i]));
    // Neither more nor fewer of them are in it.
    RC_ASSERT(events.empty() || !unpack_events(bytes + '\0', events.size(), first, read));
    RC_ASSERT(events.empty() || !unpack_events(bytes.substr(0, bytes.size() - 1), events.size(), first, read));
  }));
}

void RecordingProperties::whateverBytesTheyAreUnpackingEnds() {
  QVERIFY(rc::check("unpack", [] {
    const auto bytes = *rc::gen::arbitrary<std::string>();
    std::vector<Event> events(3);
    const bool whole = unpack_events(bytes, *rc::gen::inRange<std::size_t>(1, 5'000), 1, events);
    RC_ASSERT(whole || events.size() == 3);
  }));
}

void RecordingProperties::everyHistoryGoesThrough() {
  // A thousand files, of which none waits for a disk where there is a folder in memory.
  const QTemporaryDir folder((QDir("/dev/shm").exists() ? QString("/dev/shm") : QDir::tempPath()) +
                             "/leasescope-XXXXXX");
  const std::string path = folder.filePath("any").toStdString();
  QVERIFY(rc::check("record and read", [&] {
    QDir(folder.path()).remove("any");
    const History history = any_history();
    auto writer = RecordingWriter::create(path);
    RC_ASSERT(writer.has_value());
    (*writer)->append(history);
    RC_ASSERT((*writer)->finish(history, {}).has_value());
    auto reader = RecordingReader::open(path);
    if (!reader) RC_FAIL(reader.error());
    const auto read = reader->read();
    if (!read) RC_FAIL(read.error());
    History expected = history;
    if (history.events.empty()) expected.forgotten = 0;  // there is no event that would tell
    RC_ASSERT(difference(expected, *read) == std::string());
  }));
}

LEASESCOPE_SUITE(RecordingProperties)
#include "recording_test.moc"
