// However recordings are laid into one, two at a time or all at once: it is the same one.
#include <QTemporaryDir>

#include "core/history/recording/event_words.h"
#include "tests/support/merged.h"
#include "tests/support/suite.h"

using namespace leasescope;
using namespace leasescope::tests;

class MergedHistoryProperties : public QObject {
  Q_OBJECT
 private slots:
  // Each takes eight files through a disk: two hundred are enough for a day.
  void initTestCase() { qputenv("RC_PARAMS", "max_success=200"); }
  void mergingIsAssociative();
  void ofOneItIsItself();
};

namespace {

// Few names, so that they meet, some of them with a number of their own.
std::vector<std::string> some_names(const char* base) {
  std::vector<std::string> out;
  for (const char* const ending : {"", " (2)", " (3)", " (2) (2)", "!"})
    if (*rc::gen::arbitrary<bool>()) out.push_back(std::string(base) + ending);
  if (out.empty()) out.emplace_back(base);
  return out;
}

Recorded any_recording(const std::string& scenario) {
  Recorded out;
  out.header = told_header();
  out.header.fork.reset();
  out.header.until_ns.reset();
  out.header.scenario = scenario;
  out.header.seed = *rc::gen::inRange<std::uint64_t>(0, 3);
  out.header.store = *rc::gen::element<std::string>("redis", "postgres");
  out.header.epoch_ns = 1'000'000 + *rc::gen::inRange<std::int64_t>(0, 40);
  History& history = out.history;
  history.legend.contenders = some_names("c");
  for (const std::string& name : some_names("m")) history.legend.mutexes.push_back({name});
  for (const std::string& name : some_names("r"))
    history.legend.resources.push_back({name, *rc::gen::arbitrary<bool>()});
  for (int i = *rc::gen::inRange(0, 3); i >= 0; --i)
    history.legend.faults.push_back(
        {fmt::format("fault{}", i), "", "", "", Disturbs::kNothing, BandKind::kNone, *rc::gen::arbitrary<bool>()});
  std::vector<Name> who{Name{}};
  for (const std::string& name : history.legend.contenders) who.push_back(history.names.intern(name));
  who.push_back(history.names.intern("a store"));
  const Name mutex = history.names.intern(history.legend.mutexes.front().name);
  const auto any_name = [&] { return who[*rc::gen::inRange<std::size_t>(0, who.size())]; };
  for (int i = *rc::gen::inRange(0, 40); i > 0; --i) {
    Event event;
    event.kind = static_cast<EventKind>(*rc::gen::inRange(0, kEventKinds));
    const bool fault = event.kind == EventKind::kFaultBegan || event.kind == EventKind::kFaultEnded;
    event.detail = static_cast<std::uint8_t>(
        *rc::gen::inRange(0, fault ? static_cast<int>(history.legend.faults.size()) : details_of(event.kind)));
    event.hi = TrueTime(Duration(*rc::gen::inRange<std::int64_t>(0, 60)));
    event.lo = event.hi - Duration(*rc::gen::inRange<std::int64_t>(0, 5));
    event.node = any_name();
    event.mutex = mutex;
    if (names_in_a(event)) event.a = any_name().handle;
    if (names_in_b(event)) event.b = any_name().handle;
    event.cause = static_cast<Sequence>(*rc::gen::inRange<std::size_t>(0, history.events.size() + 1));
    history.events.push_back(event);
    history.now = std::max(history.now, event.hi);
  }
  for (int i = *rc::gen::inRange(0, 4); i > 0; --i) {
    const TrueTime start(Duration(*rc::gen::inRange<std::int64_t>(0, 60)));
    history.incidents.push_back(
        {IncidentKind::kStorm,
         mutex,
         start,
         start + Duration(3),
         false,
         {any_name()},
         {7},
         history.legend.contenders.front() + " was slow, " + history.legend.contenders.back() + " too."});
    ++history.summary.incidents[static_cast<std::size_t>(IncidentKind::kStorm)];
  }
  history.summary.renewals = *rc::gen::inRange<std::uint64_t>(0, 9);
  if (*rc::gen::inRange(0, 4) > 0) {
    out.outcome.emplace();
    out.outcome->simulated_ns = history.now.time_since_epoch().count();
    out.outcome->wall_ns = *rc::gen::inRange<std::int64_t>(1, 9);
    out.outcome->inputs = 3;
  }
  return out;
}

// In memory, where there is such a folder: hundreds of small files.
QString folder() {
  return (QDir("/dev/shm").exists() ? QString("/dev/shm") : QDir::tempPath()) + "/leasescope-merge-XXXXXX";
}

}  // namespace

void MergedHistoryProperties::mergingIsAssociative() {
  QVERIFY(rc::check("left, right and all at once are one", [] {
    const QTemporaryDir home(folder());
    const auto at = [&](const char* name) { return home.filePath(name).toStdString(); };
    const char* const scenarios[]{"one", "two", "three"};
    std::vector<std::string> paths;
    for (const char* const name : scenarios) {
      paths.push_back(at(name));
      RC_ASSERT(record(paths.back(), any_recording(name)).empty());
    }
    const Recorded all = merged(paths);
    RC_ASSERT(all.error.empty());
    RC_ASSERT(record(at("left"), merged({paths[0], paths[1]})).empty());
    RC_ASSERT(record(at("right"), merged({paths[1], paths[2]})).empty());
    const std::string left = difference(merged({at("left"), paths[2]}), all);
    const std::string right = difference(merged({paths[0], at("right")}), all);
    RC_ASSERT(left == std::string());
    RC_ASSERT(right == std::string());
  }));
}

void MergedHistoryProperties::ofOneItIsItself() {
  QVERIFY(rc::check("of one", [] {
    const QTemporaryDir home(folder());
    const std::string path = home.filePath("one").toStdString();
    const Recorded one = any_recording("one");
    RC_ASSERT(record(path, one).empty());
    RC_ASSERT(difference(merged({path}), one) == std::string());
  }));
}

LEASESCOPE_SUITE(MergedHistoryProperties)
#include "merged_history_test.moc"
