// A watch that goes on in the recording of the one before: in between nothing is observed, nothing is there twice, and
// what is not its recording is refused.
#include "core/history/recording/continued_file.h"

#include <QFile>
#include <QFileInfo>
#include <QTemporaryDir>
#include <memory>

#include "core/history/ownership.h"
#include "core/history/recorder.h"
#include "core/history/recording/recording_writer.h"
#include "tests/support/show.h"
#include "tests/support/suite.h"

using namespace leasescope;
using namespace std::chrono_literals;

namespace {

constexpr std::int64_t kEpoch = 1'700'000'000'000'000'000;
constexpr const char* kStore = "redis://h";

TrueTime ms(int at) { return TrueTime{} + std::chrono::milliseconds(at); }

HistoryHeader header(int began_ms, const char* store = kStore) {
  HistoryHeader out;
  out.program = "test";
  out.scenario = "watch";
  out.title = "What was seen";
  out.world = "live";
  out.store = store;
  out.epoch_ns = kEpoch + Duration(std::chrono::milliseconds(began_ms)).count();
  return out;
}

// A watch that was begun so long after the first, and what it tells by hand.
class Watching {
 public:
  static std::unique_ptr<Watching> first(const std::string& path) {
    auto out = std::make_unique<Watching>(RecordingWriter::create(path).value());
    out->writer_->head(header(0));
    return out;
  }
  static std::unique_ptr<Watching> again(const std::string& path, int began_ms) {
    auto file = ContinuedFile::open(path, header(began_ms), ms(0));
    if (!file) qFatal("%s", file.error().words.c_str());
    return std::make_unique<Watching>(std::make_unique<RecordingWriter>(path, std::move(*file)));
  }
  explicit Watching(std::unique_ptr<RecordingWriter> writer) : writer_(std::move(writer)) {}

  Watching& tell(int lo, int hi, EventKind kind, const char* who, Token token = kNoToken,
                 const char* mutex = "orders") {
    Event event;
    event.lo = ms(lo);
    event.hi = ms(hi);
    event.kind = kind;
    event.node = history_.names.intern(who);
    event.mutex = history_.names.intern(mutex);
    event.token = token;
    if (kind == EventKind::kGranted || kind == EventKind::kRenewed) event.a = Duration(10s).count();
    history_.events.push_back(event);
    return *this;
  }
  Watching& meets(int at, const char* mutex = "orders") {
    tell(0, at, EventKind::kUnobservedBegan, kStore, kNoToken, mutex);
    return tell(at, at, EventKind::kUnobservedEnded, kStore, kNoToken, mutex);
  }
  // Granted and given back, a ms each.
  Watching& changes(int count, const char* who) {
    for (int i = 1; i <= count; ++i)
      tell(100 + i, 100 + i, i % 2 == 1 ? EventKind::kGranted : EventKind::kReleased, who,
           static_cast<Token>((i + 1) / 2));
    return *this;
  }
  Watching& lasts(IncidentKind kind) {
    Incident incident;
    incident.kind = kind;
    incident.mutex = history_.names.intern("orders");
    incident.open = true;
    history_.incidents.push_back(incident);
    return *this;
  }
  // Known until then; of all mutexes until `of_all`.
  Watching& until(int now, int of_all) {
    history_.now = ms(now);
    writer_->offer(history_, KnownUntil{ms(of_all), ms(of_all)});
    return *this;
  }
  void is_killed() { writer_.reset(); }
  void ends() {
    RecordedOutcome outcome;
    outcome.simulated_ns = history_.now.time_since_epoch().count();
    QVERIFY(writer_->finish(history_, outcome));
  }

 private:
  History history_;
  std::unique_ptr<RecordingWriter> writer_;
};

struct Read {
  History history;
  HistoryHeader header;
  std::optional<RecordedOutcome> outcome;

  Name named(const std::string& name) const {
    for (std::uint32_t i = 0; i < history.names.size(); ++i)
      if (history.names.text({i}) == name) return {i};
    return {};
  }
  // Their bounds in ms.
  QStringList all(EventKind kind, const char* mutex = "orders") const {
    QStringList out;
    const auto text = [](TrueTime at) { return QString::number(at.time_since_epoch() / std::chrono::milliseconds(1)); };
    for (const Event& event : history.events)
      if (event.kind == kind && event.mutex == named(mutex)) out << text(event.lo) + ".." + text(event.hi);
    return out;
  }
  // "a" surely, "?a" perhaps, "*" not observed, "-" nobody.
  QString at(int at_ms, const char* mutex = "orders") const {
    Ownership of(history.legend, named(mutex));
    for (const Event& event : history.events) of.append(event, history.names);
    const Ownership::Moment then = of.at(ms(at_ms));
    QStringList out;
    const auto name = [&](const OwnedStretch* each) {
      return QString::fromStdString(std::string(history.names.text(each->owner)));
    };
    if (then.unobserved != nullptr) out << "*";
    for (const OwnedStretch* each : then.surely) out << name(each);
    for (const OwnedStretch* each : then.perhaps) out << "?" + name(each);
    return out.isEmpty() ? QString("-") : out.join(' ');
  }
};

Read read(const std::string& path) {
  auto reader = RecordingReader::open(path);
  if (!reader) qFatal("%s", reader.error().c_str());
  auto history = reader->read();
  if (!history) qFatal("%s", history.error().c_str());
  return {std::move(*history), reader->header(), reader->outcome()};
}

}  // namespace

class ContinuedFileTest : public QObject {
  Q_OBJECT

  QTemporaryDir folder_;

  std::string path(const char* name) const { return folder_.filePath(name).toStdString(); }
  // Killed at 5 s, while `a` owns.
  std::string killed(const char* name) const {
    auto first = Watching::first(path(name));
    first->meets(100).tell(100, 100, EventKind::kGranted, "a", 1).until(5'000, 4'800);
    first->is_killed();
    return path(name);
  }
  static NotGoneOn refused(const std::string& path, const HistoryHeader& header) {
    auto file = ContinuedFile::open(path, header, ms(0));
    return file ? NotGoneOn{"it was taken"} : file.error();
  }

 private slots:
  void whoOwnsOnIsNotGrantedAnew() {
    const std::string path = killed("lasts");
    auto again = Watching::again(path, 9'000);
    again->meets(100).tell(100, 100, EventKind::kGranted, "a", 1).until(1'000, 900);
    again->ends();
    const Read all = read(path);
    QCOMPARE(all.all(EventKind::kGranted), QStringList{"100..100"});
    // From when all was known until the first look.
    QCOMPARE(all.all(EventKind::kUnobservedBegan), (QStringList{"0..100", "4800..5000"}));
    QCOMPARE(all.all(EventKind::kUnobservedEnded), (QStringList{"100..100", "9100..9100"}));
    QCOMPARE(all.all(EventKind::kRenewed), QStringList{"4800..9100"});
    QCOMPARE(all.at(4'000), QString("a"));
    QVERIFY2(all.at(7'000).startsWith('*'), qPrintable(all.at(7'000)));
    QCOMPARE(all.at(9'500), QString("a"));
    QCOMPARE(*all.header.epoch_ns, kEpoch);
    QCOMPARE(all.history.now, ms(10'000));
    QCOMPARE(all.history.forgotten, Sequence{0});
    QVERIFY(all.outcome && all.outcome->simulated_ns == Duration(10s).count());
  }
  void whoOwnsNoMoreHasEndedInBetween() {
    const std::string path = killed("over");
    auto again = Watching::again(path, 9'000);
    again->meets(100).until(1'000, 900);
    again->is_killed();
    const Read all = read(path);
    QCOMPARE(all.all(EventKind::kReleased), QStringList{"4800..9100"});
    QCOMPARE(all.at(9'500), QString("-"));
  }
  void anotherOwnerAndAMutexThatWasNotThereAreNoIncident() {
    const std::string path = killed("other");
    auto again = Watching::again(path, 9'000);
    again->meets(100, "bills").tell(100, 100, EventKind::kGranted, "b", 7, "bills");
    again->meets(150).tell(150, 150, EventKind::kGranted, "c", 2).until(1'000, 900);
    again->ends();
    const Read all = read(path);
    QCOMPARE(all.all(EventKind::kGranted), (QStringList{"100..100", "4800..9150"}));
    // As little as of the others.
    QCOMPARE(all.all(EventKind::kUnobservedBegan, "bills"), QStringList{"4800..9100"});
    QCOMPARE(all.at(9'500, "bills"), QString("b"));
    Recorder judged(all.history.names, LeaseTerms{});
    for (const Event& event : all.history.events) judged.append(event);
    judged.advance(all.history.now);
    for (const Incident& each : judged.history().incidents)
      QVERIFY2(each.kind != IncidentKind::kDoubleGrant && each.kind != IncidentKind::kFenceRegression &&
                   each.kind != IncidentKind::kLeaderless,
               each.cause.c_str());
  }
  void oneThatIsNotSeenAgainIsNotObserved() {
    const std::string path = killed("unseen");
    for (const int began : {9'000, 20'000}) {
      auto again = Watching::again(path, began);
      again->meets(100, "bills").until(1'000, 900);
      again->is_killed();
    }
    const Read all = read(path);
    QCOMPARE(all.all(EventKind::kUnobservedBegan), (QStringList{"0..100", "4800..5000"}));
    QCOMPARE(all.all(EventKind::kUnobservedBegan, "bills"), (QStringList{"4800..9100", "9900..10000"}));
    QVERIFY(all.at(20'500).startsWith('*'));
    QVERIFY(!all.outcome);
  }
  // In blocks that are full and one that is not.
  void numbersAndNamesGoOn() {
    auto first = Watching::first(path("long"));
    first->meets(100);
    first->changes(5'000, "a");
    first->until(6'000, 5'900);
    first->is_killed();
    auto again = Watching::again(path("long"), 9'000);
    again->meets(100);
    again->changes(5'000, "b");
    again->until(6'000, 5'900);
    again->ends();
    const Read all = read(path("long"));
    QCOMPARE(all.all(EventKind::kGranted).size(), 5'000);
    const auto last_of = [&](std::size_t i) { return all.history.names.text(all.history.events[i].node); };
    QCOMPARE(std::string(last_of(5'001)), std::string("a"));
    QCOMPARE(std::string(last_of(all.history.events.size() - 1)), std::string("b"));
  }
  void oneThatEndedGoesOnToo() {
    auto first = Watching::first(path("ended"));
    first->meets(100).tell(100, 100, EventKind::kGranted, "a", 1).lasts(IncidentKind::kLeaderless);
    first->tell(4'000, 4'000, EventKind::kUnobservedBegan, kStore).until(5'000, 4'900);
    first->ends();
    QVERIFY(read(path("ended")).outcome);
    auto again = Watching::again(path("ended"), 9'000);
    QVERIFY(!read(path("ended")).outcome);  // at once
    again->meets(100).tell(100, 100, EventKind::kGranted, "a", 1).lasts(IncidentKind::kLeaderless).until(1'000, 900);
    again->is_killed();
    const Read all = read(path("ended"));
    QCOMPARE(all.all(EventKind::kUnobservedBegan), (QStringList{"0..100", "4000..4000"}));
    QCOMPARE(all.all(EventKind::kGranted).size(), 1);
    // Of what lasted nobody saw the end, and the numbers of both go on.
    QCOMPARE(all.history.incidents.size(), std::size_t{2});
    QVERIFY(!all.history.incidents[0].open && all.history.incidents[1].open);
  }
  void aRecordingOfNothingYetIsBegun() {
    Watching(RecordingWriter::create(path("empty")).value()).is_killed();
    auto again = Watching::again(path("empty"), 9'000);
    again->meets(100).tell(100, 100, EventKind::kGranted, "a", 1).until(1'000, 900);
    again->ends();
    const Read all = read(path("empty"));
    QCOMPARE(all.all(EventKind::kGranted), QStringList{"100..100"});
    QCOMPARE(*all.header.epoch_ns, *header(9'000).epoch_ns);
  }
  void whatIsAnotherRecordingIsRefused() {
    const std::string path = killed("mine");
    const NotGoneOn stores = refused(path, header(9'000, "redis://other"));
    QVERIFY2(stores.words.find("is a watch of redis://h, and this one would be of redis://other; it is not written "
                               "over: take it away, or name another file") != std::string::npos,
             stores.words.c_str());
    HistoryHeader run = header(9'000);
    run.scenario = "gc-pause";
    QVERIFY(refused(path, run).words.find("is a recording of \"watch\"") != std::string::npos);
    const NotGoneOn future = refused(path, header(-60'000));
    QVERIFY2(future.may_pass && future.words.find("goes on until 65.000 s from now") != std::string::npos,
             future.words.c_str());
    QFile text(folder_.filePath("text"));
    QVERIFY(text.open(QIODevice::WriteOnly) && text.write("{}") == 2);
    text.close();
    QVERIFY(refused(this->path("text"), header(0)).words.find("it is not written over") != std::string::npos);
    QCOMPARE(QFileInfo(folder_.filePath("text")).size(), qint64{2});
    QCOMPARE(read(path).all(EventKind::kUnobservedBegan), QStringList{"0..100"});
  }
  void oneThatIsWrittenIsInUse() {
    auto first = Watching::first(path("busy"));
    first->meets(100).until(1'000, 900);
    const NotGoneOn words = refused(path("busy"), header(9'000));
    QVERIFY2(words.words.find("busy is in use: another leasescope records there") != std::string::npos,
             words.words.c_str());
    first->ends();
    QCOMPARE(refused(path("busy"), header(9'000)).words, std::string("it was taken"));
  }
};

LEASESCOPE_SUITE(ContinuedFileTest)
#include "continued_file_test.moc"
