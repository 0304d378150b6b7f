// A watch that is killed and started again with the same words: it goes on in its recording, what it did not see is
// marked there, and nothing is there twice.
#include <QElapsedTimer>
#include <QTemporaryDir>
#include <csignal>
#include <map>
#include <memory>

#include "core/history/ownership.h"
#include "core/history/recorder.h"
#include "core/history/recording/recording_reader.h"
#include "core/store/redis/asker.h"
#include "core/store/redis/scripts.h"
#include "core/store/redis/store_type.h"
#include "simulator/live/private_server.h"
#include "tests/cli/program.h"
#include "tests/support/suite.h"

using namespace leasescope;
using namespace leasescope::tests;

namespace {

constexpr int kMutexes = 12;
constexpr int kBetweenMs = 50;                              // changes
constexpr Duration kClocks = std::chrono::milliseconds(5);  // the wall clock may be slewed meanwhile

qint64 wall_ns() {
  return std::chrono::duration_cast<std::chrono::nanoseconds>(std::chrono::system_clock::now().time_since_epoch())
      .count();
}

std::string mutex_of(int which) { return "m-" + std::to_string(which); }

// Grants as contenders ask for them, each to an owner of its own.
class Driver {
 public:
  struct Granted {
    std::string mutex, owner;
    qint64 from = 0, to = 0;  // wall time, ns since 1970
  };

  explicit Driver(const StoreUrl& url) : server_(std::chrono::hours(1)) {
    if (!server_.connect(url)) qFatal("no Redis");
    for (int i = 0; i < kMutexes; ++i) take(mutex_of(i), "30000");
    take("kept", "600000");
  }
  // In turn, so that each is looked at before it changes again.
  void go_on(int ms) {
    QElapsedTimer since;
    for (since.start(); since.elapsed() < ms; QTest::qWait(kBetweenMs)) {
      const std::string mutex = mutex_of(next_++ % kMutexes);
      const auto& [owner, token] = owners_[mutex];
      const std::string lease = "simba:{" + mutex + "}";
      ask({"EVAL", redis::scripts(Wire::kFenced).release.text, "2", lease, lease + ":token", owner, token});
      take(mutex, "30000");
    }
  }
  const std::vector<Granted>& granted() const { return granted_; }

 private:
  void ask(const redis::Asker::Words& words) {
    const auto answer = server_.ask(words);
    if (!answer) qFatal("%s", answer.error().c_str());
  }
  void take(const std::string& mutex, const std::string& lease_ms) {
    const std::string lease = "simba:{" + mutex + "}", owner = "0:" + std::to_string(granted_.size() + 1) + "@driver";
    const qint64 from = wall_ns();
    ask({"EVAL", redis::scripts(Wire::kFenced).acquire.text, "3", lease, lease + ":fence", lease + ":token", owner,
         lease_ms});
    granted_.push_back({mutex, owner, from, wall_ns()});
    owners_[mutex] = {owner, std::to_string(++tokens_[mutex])};
  }

  redis::Asker server_;
  std::vector<Granted> granted_;
  std::map<std::string, std::pair<std::string, std::string>> owners_;  // with their tokens
  std::map<std::string, int> tokens_;
  int next_ = 0;
};

// `leasescopectl watch … --record FILE`
class Watching {
 public:
  Watching(const QString& store, const QString& file) {
    process_.start(kLeasescopectl, {"watch", store, "--json", "--record", file});
    if (!process_.waitForStarted()) qFatal("it did not start");
  }
  ~Watching() { process_.kill(), process_.waitForFinished(); }

  const QByteArray& err() { return err_ += process_.readAllStandardError(); }
  // All that there are, and some more, so that something of it is written.
  bool has_begun() {
    return QTest::qWaitFor([&] { return (out_ += process_.readAllStandardOutput()).count("\"granted\"") > kMutexes; },
                           10'000);
  }
  void kill() { process_.kill(), process_.waitForFinished(); }
  // As a service is ended; its exit code.
  int end() {
    ::kill(static_cast<pid_t>(process_.processId()), SIGTERM);
    if (!process_.waitForFinished(15'000)) return -1;
    err();
    return process_.exitStatus() == QProcess::NormalExit ? process_.exitCode() : -2;
  }

 private:
  QProcess process_;
  QByteArray out_, err_;
};

// What is read of the file.
struct Recorded {
  History history;
  HistoryHeader header;
  bool ended = false;

  static Recorded of(const QString& path) {
    auto reader = RecordingReader::open(path.toStdString());
    if (!reader) qFatal("%s", reader.error().c_str());
    auto history = reader->read();
    if (!history) qFatal("%s", history.error().c_str());
    return {std::move(*history), reader->header(), reader->outcome().has_value()};
  }
  Name named(const std::string& name) const {
    for (std::uint32_t i = 0; i < history.names.size(); ++i)
      if (history.names.text({i}) == name) return {i};
    return {};
  }
  Ownership ownership(const std::string& mutex) const {
    Ownership out(history.legend, named(mutex));
    for (const Event& event : history.events) out.append(event, history.names);
    return out;
  }
  TrueTime at(qint64 wall) const { return TrueTime(Duration(wall - *header.epoch_ns)); }
  int grants(const Driver::Granted& of) const {
    const Name mutex = named(of.mutex), owner = named(of.owner);
    return static_cast<int>(std::count_if(history.events.begin(), history.events.end(), [&](const Event& event) {
      return event.kind == EventKind::kGranted && event.mutex == mutex && event.node == owner && !owner.empty();
    }));
  }
};

}  // namespace

class ContinuedWatchTest : public QObject {
  Q_OBJECT

  PrivateServer server_{redis::store_type()};
  QTemporaryDir folder_;
  QString url_;
  std::unique_ptr<Driver> driver_;

  // Before the first look, one gap, and after the last.
  static void there_is_one_gap(const Recorded& all, const std::string& mutex, qint64 killed, qint64 again) {
    const Ownership of = all.ownership(mutex);
    QCOMPARE(of.unobserved().size(), std::size_t{3});
    const UnobservedStretch& gap = of.unobserved()[1];
    QVERIFY2(gap.begin <= all.at(killed) && gap.begin > all.at(killed) - std::chrono::seconds(3) &&
                 gap.end >= all.at(again) && !gap.lasts(),
             mutex.c_str());
    const Ownership::Moment then = of.at(gap.begin + (gap.end - gap.begin) / 2);
    QVERIFY2(then.unobserved != nullptr, mutex.c_str());  // not free
  }
  static void nothing_is_twice(const Recorded& all, const std::vector<Driver::Granted>& granted) {
    std::map<std::string, std::vector<UnobservedStretch>> gaps;
    for (const Driver::Granted& each : granted)
      if (gaps.count(each.mutex) == 0) gaps[each.mutex] = all.ownership(each.mutex).unobserved();
    int seen = 0;
    for (const Driver::Granted& each : granted) {
      const int count = all.grants(each);
      const QByteArray words = QByteArray::fromStdString(each.mutex + " " + each.owner + ", granted at ") +
                               QByteArray::number((all.at(each.from).time_since_epoch()).count()) +
                               " ns: " + QByteArray::number(count);
      QVERIFY2(count <= 1, words);
      const auto& dark = gaps[each.mutex];
      const auto holds = [&](const UnobservedStretch& gap) {
        const bool begun = &gap == &dark.front() || all.at(each.to) + kClocks >= gap.begin;  // nobody looked before
        return begun && (gap.lasts() || all.at(each.from) - kClocks <= gap.end);
      };
      const bool in_gap = std::any_of(dark.begin(), dark.end(), holds);
      QVERIFY2(in_gap || count == 1, words);
      seen += !in_gap;
    }
    QVERIFY2(seen > 30, QByteArray::number(seen));
  }
  static void no_incident_is_made_up(const Recorded& all) {
    Recorder judged(all.history.names, LeaseTerms{});
    for (const Event& event : all.history.events) judged.append(event);
    judged.advance(all.history.now);
    for (const IncidentList* const list : {&all.history.incidents, &judged.history().incidents})
      for (const Incident& each : *list)
        QVERIFY2(each.kind != IncidentKind::kDoubleGrant && each.kind != IncidentKind::kFenceRegression &&
                     each.kind != IncidentKind::kLeaderless && each.kind != IncidentKind::kBeliefOverlap,
                 each.cause.c_str());
  }

 private slots:
  void initTestCase() {
    const auto started = server_.start();
    QVERIFY2(started.has_value(), started ? "" : started.error().c_str());
    url_ = QString::fromStdString(printable(server_.url()));
    driver_ = std::make_unique<Driver>(server_.url());
  }

  void killedAndStartedAgainItGoesOn() {
    const QString file = folder_.filePath("night.recording");
    auto watch = std::make_unique<Watching>(url_, file);
    driver_->go_on(1'000);
    QVERIFY2(watch->has_begun(), watch->err());
    driver_->go_on(2'000);
    watch->kill();
    const qint64 killed = wall_ns();
    driver_->go_on(2'000);
    const qint64 begun = wall_ns();
    watch = std::make_unique<Watching>(url_, file);
    driver_->go_on(3'000);
    QVERIFY2(watch->has_begun(), watch->err());
    // Meanwhile nobody else records there.
    const Ran second = leasescopectl({"watch", url_, "--record", file});
    QCOMPARE(second.exit, 2);
    SAYS(second, "night.recording is in use: another leasescope records there");
    QVERIFY2(watch->end() == 0, watch->err());
    QVERIFY2(watch->err().contains("night.recording: goes on after ") &&
                 watch->err().contains(" s are marked as not observed"),
             watch->err());

    const Recorded all = Recorded::of(file);
    QVERIFY(all.ended);
    for (int i = 0; i < kMutexes; ++i) there_is_one_gap(all, mutex_of(i), killed, begun);
    there_is_one_gap(all, "kept", killed, begun);
    if (QTest::currentTestFailed()) return;
    nothing_is_twice(all, driver_->granted());
    if (QTest::currentTestFailed()) return;
    no_incident_is_made_up(all);
    // Who held it all the time was granted it once.
    const Ownership kept = all.ownership("kept");
    QVERIFY(kept.owned().size() == 1);
    for (const QStringList& reads : {QStringList{"recording", "info", file}, QStringList{"replay", file, "--quiet"}}) {
      const Ran ran = leasescopectl(reads);
      QVERIFY2(ran.exit == 0, ran.out + ran.err);
    }
  }
  void whatIsNoRecordingOfTheseStoresIsRefused() {
    const QString run = folder_.filePath("run.recording");
    QCOMPARE(leasescopectl({"run", "gc-pause", "--record", run}).exit, 0);
    const QByteArray before = read_whole(run);
    const Ran of_run = leasescopectl({"watch", url_, "--record", run});
    QCOMPARE(of_run.exit, 2);
    SAYS(of_run, "run.recording is a recording of \"gc-pause\", in which no watch goes on; it is not written over");
    QCOMPARE(read_whole(run), before);
    PrivateServer other(redis::store_type());
    QVERIFY(other.start().has_value());
    const Ran elsewhere = leasescopectl(
        {"watch", QString::fromStdString(printable(other.url())), "--record", folder_.filePath("night.recording")});
    QCOMPARE(elsewhere.exit, 2);
    SAYS(elsewhere, "night.recording is a watch of " + url_.toUtf8() + ", and this one would be of ");
  }
};

LEASESCOPE_SUITE(ContinuedWatchTest)
#include "continued_watch_test.moc"
