// What is watched for weeks: a recorder lets go of what is over, and nothing of it is missing in a recording.
#include <condition_variable>
#include <cstdint>
#include <memory>
#include <mutex>
#include <string>
#include <utility>
#include <vector>

#include <QTemporaryDir>

#include "core/alerts/alert_desk.h"
#include "core/alerts/alert_kinds.h"
#include "core/history/history_lines.h"
#include "core/history/recorder.h"
#include "core/history/recording/recording_file.h"
#include "core/history/recording/recording_reader.h"
#include "core/history/recording/recording_writer.h"
#include "core/store/port.h"
#include "tests/support/recordings.h"
#include "tests/support/seeds.h"
#include "tests/support/suite.h"
#include "tests/support/watched_by_hand.h"

using namespace leasescope;
using namespace leasescope::tests;
using namespace std::chrono_literals;

namespace {

TrueTime ms(std::int64_t at) { return TrueTime{} + std::chrono::milliseconds(at); }

// What somebody sees who runs no contender of his own: times in ms.
class Seen {
 public:
  const char* mutex = "orders";  // of what is told

  void tell(std::int64_t at, EventKind kind, const std::string& who, Token token = kNoToken, std::int64_t a = 0,
            std::int64_t b = 0, std::uint8_t detail = 0) {
    Event event;
    event.lo = event.hi = ms(at);
    event.kind = kind;
    event.node = recorder_.intern(who);
    event.mutex = recorder_.intern(mutex);
    event.token = token;
    event.a = a;
    event.b = b;
    event.detail = detail;
    recorder_.append(event);
  }
  void granted(std::int64_t at, const std::string& who, Token token) {
    tell(at, EventKind::kGranted, who, token, Duration(1s).count());
  }
  // Its contender calls in vain.
  void called(std::int64_t at, const std::string& who) {
    tell(at, EventKind::kAttempt, who, kNoToken, 0, static_cast<std::int64_t>(RequestKind::kAcquire),
         static_cast<std::uint8_t>(AttemptResult::kLost));
  }
  void believed(std::int64_t at, const std::string& who, Token token) {
    tell(at, EventKind::kBelieved, who, token, kNoDeadline);
  }
  // Handed over so many times, each time with a lower token: one incident each, but for the first of all.
  void fall(std::int64_t at, std::int64_t every, int times) {
    const char* const told = std::exchange(mutex, "falling");
    for (int i = 0; i < times; ++i, at += every, ++falls_) {
      if (falls_ > 0) tell(at, EventKind::kReleased, owner(falls_ - 1), 1'000'000 - falls_ + 1);
      granted(at, owner(falls_), 1'000'000 - falls_);
    }
    mutex = told;
  }

  std::int64_t handle(const char* text) { return recorder_.intern(text).handle; }
  const History& now(std::int64_t at) {
    recorder_.advance(ms(at));
    return recorder_.history();
  }
  const History& history() const { return recorder_.history(); }
  Recorder& recorder() { return recorder_; }
  // All of it is told, and nobody else is to have it.
  void forget(std::int64_t at) {
    now(at);
    recorder_.forget(history().last(), history().incidents);
  }

  // Of that mutex and kind, those that are held.
  std::vector<Incident> held(IncidentKind kind, const char* of) {
    std::vector<Incident> out;
    for (const Incident& each : history().incidents)
      if (each.kind == kind && each.mutex == recorder_.intern(of)) out.push_back(each);
    return out;
  }

 private:
  static std::string owner(Token of) { return of % 2 == 0 ? "x" : "y"; }

  Recorder recorder_{{}, LeaseTerms{5s, 2s, {}}};
  Token falls_ = 0;
};

// A file that cannot be written to while it is shut.
class Gate final : public RecordingSink {
 public:
  explicit Gate(std::unique_ptr<RecordingFile> file) : file_(std::move(file)) {}

  void write(const RecordingBatch& batch) override {
    {
      std::unique_lock held(lock_);
      changed_.wait(held, [&] { return !shut_; });
    }
    file_->write(batch);
  }
  void close() override { file_->close(); }
  std::uint64_t written() const override { return file_->written(); }
  const std::string& error() const override { return file_->error(); }
  const std::string& reason() const override { return file_->reason(); }

  void shut(bool shut) {
    {
      const std::lock_guard held(lock_);
      shut_ = shut;
    }
    changed_.notify_all();
  }

 private:
  std::unique_ptr<RecordingFile> file_;
  std::mutex lock_;
  std::condition_variable changed_;
  bool shut_ = false;
};

std::size_t held_in(const History& history) {
  return static_cast<std::size_t>(std::distance(history.incidents.begin(), history.incidents.end()));
}

std::uint64_t counted(const History& history, IncidentKind kind) {
  return history.summary.incidents[static_cast<std::size_t>(kind)];
}

// So many others have come since, and the last falls of tokens may lie in a piece with what is held.
constexpr int kMany = static_cast<int>(Recorder::kIncidentsHeld) + 100;

// A kind of incident that is over each time, though more of the same may come.
struct Course {
  IncidentKind kind;
  void (*begins)(Seen& seen);           // by 10 s
  void (*goes_on)(Seen& seen, int at);  // from 10 s on, little later
  std::int64_t begin_again_at;          // where that begins an incident of its own
  const char* words;                    // what is said of that one
};

void call_in_turn(Seen& seen, int first, int last, int at, int every) {
  for (int i = first; i < last; ++i, at += every) seen.called(at, "w" + std::to_string(i));
}

const std::vector<Course> kCourses{
    {IncidentKind::kFenceRegression,
     [](Seen& seen) {
       seen.granted(1'000, "a", 100);
       seen.tell(2'000, EventKind::kReleased, "a", 100);
       seen.granted(3'000, "b", 50);
       seen.tell(4'000, EventKind::kReleased, "b", 50);
     },
     [](Seen& seen, int at) { seen.granted(at, "a", 60); }, 10'000,
     "The store granted #60 to a after it had granted #100."},
    {IncidentKind::kFlapping,
     [](Seen& seen) {
       for (const int i : {0, 1, 2, 3}) seen.granted(2'000 * i, i % 2 == 0 ? "a" : "b", static_cast<Token>(i + 1));
     },
     [](Seen& seen, int at) { seen.granted(at, "a", 5); }, 2'000,
     "orders changed its owner 4 times within two leases, and nobody asked for it."},
    {IncidentKind::kStaleWriteAccepted,
     [](Seen& seen) { seen.tell(9'000, EventKind::kWriteStaleAccepted, "a", 1, seen.handle("ledger"), 2); },
     [](Seen& seen, int at) { seen.tell(at, EventKind::kWriteStaleAccepted, "a", 1, seen.handle("ledger"), 2); },
     10'000, "a wrote with #1; ledger had seen #2, and nothing refused it."},
    {IncidentKind::kStaleWriteRejected,
     [](Seen& seen) { seen.tell(9'000, EventKind::kWriteRejected, "a", 1, seen.handle("ledger"), 2); },
     [](Seen& seen, int at) { seen.tell(at, EventKind::kWriteRejected, "a", 1, seen.handle("ledger"), 2); }, 10'000,
     "a wrote with #1; ledger had seen #2, and the fence refused it."},
    {IncidentKind::kTokenlessRefused,
     [](Seen& seen) { seen.tell(9'000, EventKind::kWriteRejected, "a", kNoToken, seen.handle("ledger"), 2); },
     [](Seen& seen, int at) { seen.tell(at, EventKind::kWriteRejected, "a", kNoToken, seen.handle("ledger"), 2); },
     10'000, "ledger refused a write of a: no token."},
    {IncidentKind::kMixedState,
     [](Seen& seen) {
       seen.tell(8'000, EventKind::kWriteAccepted, "b", 2, seen.handle("ledger"));
       seen.tell(9'000, EventKind::kWriteAccepted, "a", 1, seen.handle("archive"));
     },
     [](Seen& seen, int at) { seen.tell(at, EventKind::kWriteAccepted, "a", 1, seen.handle("archive")); }, 10'000,
     "archive took a write of a with #1 after ledger had taken #2: what the two have does not fit together."},
    {IncidentKind::kSharedToken,
     [](Seen& seen) {
       seen.tell(8'000, EventKind::kWriteAccepted, "b", 2, seen.handle("ledger"));
       seen.tell(9'000, EventKind::kWriteAccepted, "a", 2, seen.handle("ledger"));
     },
     [](Seen& seen, int at) { seen.tell(at, EventKind::kWriteAccepted, "a", 2, seen.handle("ledger")); }, 10'000,
     "ledger took a write of a with #2, the token that b had shown before: no fence tells them apart."},
    // Of a mutex: twelve calls within a tenth of a second.
    {IncidentKind::kStorm,
     [](Seen& seen) {
       seen.granted(0, "a", 1);
       call_in_turn(seen, 0, 20, 1'000, 100);  // the first of each is not counted
       call_in_turn(seen, 0, 12, 9'950, 4);
     },
     [](Seen& seen, int at) { call_in_turn(seen, 12, 14, at, 1); }, 9'950,
     "14 calls on orders were answered within 0.051 s, all of them in vain."},
    // Of one contender: twelve calls within a second.
    {IncidentKind::kStorm,
     [](Seen& seen) {
       seen.granted(0, "a", 1);
       seen.called(1'000, "w");
       for (int i = 0; i < 12; ++i) seen.called(9'300 + 55 * i, "w");
     },
     [](Seen& seen, int at) { seen.called(at, "w"); }, 9'300,
     "w had 13 of its calls answered within a second (more than 10 are many)."},
};

}  // namespace

class ForgettingTest : public QObject {
  Q_OBJECT
 private slots:
  void whoWatchesForWeeksHoldsAFewIncidents();
  void ownersWithoutEndTakeTheRoomOfTheirNames();
  void termsOfManyMutexesAreNoMoreThanOfFew();
  void namesWithoutEndAreQuotedRight();
  void whatGoesOnAfterItWasForgottenIsAnother();
  void whatGoesOnWhileItIsHeldIsTheSame();
  void whatIsForgottenIsInTheRecording();
  void whatTheWriterHasNoRoomForIsNotForgotten();
  void aCourseThatWasForgottenIsTwoInTheRecording();

 private:
  std::string path(const char* name) const { return folder_.filePath(name).toStdString(); }
  std::string difference_of(const char* name, const History& history) const {
    auto reader = RecordingReader::open(path(name));
    if (!reader) return reader.error();
    const auto read = reader->read();
    return read ? difference(history, *read) : read.error();
  }
  QTemporaryDir folder_;
};

// A store whose tokens regress at every hand-over, twenty times a second; two believe in another mutex all the while.
void ForgettingTest::whoWatchesForWeeksHoldsAFewIncidents() {
  constexpr int kTimes = kSanitized ? 20'000 : 200'000, kAtOnce = 1'000, kEvery = 50;
  constexpr std::size_t kMost = Recorder::kIncidentsHeld + 100;
  Seen seen;
  seen.mutex = "night";
  seen.believed(0, "a", 7);
  seen.believed(1, "b", 8);
  std::int64_t at = 2;
  for (int i = 0; i < kTimes; i += kAtOnce, at += kAtOnce * kEvery) {
    seen.fall(at, kEvery, kAtOnce);
    seen.forget(at + kAtOnce * kEvery - 1);
    QVERIFY2(held_in(seen.history()) <= kMost, std::to_string(held_in(seen.history())).c_str());
  }
  const History& history = seen.now(at);
  QCOMPARE(counted(history, IncidentKind::kFenceRegression), std::uint64_t{kTimes - 1});
  QCOMPARE(history.summary.fence_regressions, std::uint64_t{kTimes - 1});
  QCOMPARE(history.incidents.size(), std::size_t{kTimes});
  // The one that lasts has its number and its place.
  QCOMPARE(seen.held(IncidentKind::kBeliefOverlap, "night").size(), std::size_t{1});
  QVERIFY(history.incidents.at(0).kind == IncidentKind::kBeliefOverlap && history.incidents.at(0).open);
  QCOMPARE(history.incidents.at(0).end, ms(at));
  seen.tell(at + 5, EventKind::kDisbelieved, "a", 7);
  QVERIFY(!seen.now(at + 10).incidents.at(0).open);
  QCOMPARE(history.incidents.at(0).start, ms(1));
  QCOMPARE(history.incidents.at(0).end, ms(at + 5));
  seen.forget(at + 20);
  QVERIFY(!history.incidents.holds(0));
  QCOMPARE(counted(history, IncidentKind::kBeliefOverlap), std::uint64_t{1});
}

// Twenty hand-offs a second, each to somebody who was never seen: half a day of them. What is judged is the account
// that a watch keeps, with the rules beside it.
void ForgettingTest::ownersWithoutEndTakeTheRoomOfTheirNames() {
  constexpr int kTimes = kSanitized ? 100'000 : 1'000'000, kMutexes = 20, kForgetEvery = 1'000;
  constexpr std::size_t kMostRemembered = 4'000, kMostAnOwner = 96;  // bytes, of which its name is about 25
  AlertRule nobody;
  nobody.name = "nobody";
  nobody.kind = find_alert_kind("no_owner");
  nobody.length = 1s;
  WatchedByHand hand;
  AlertEngine engine({nobody});
  Sequence told = 0;
  std::size_t bytes_at_half = 0;
  for (int i = 0; i < kTimes; ++i) {
    if (i == kTimes / 2) bytes_at_half = hand.watch().bytes();
    hand.pass(50ms);
    // Of seven leases one runs out: each mutex is granted anew after a second.
    const Duration left = i % 7 == 3 ? Duration(500ms) : Duration(8s);
    hand.tell(WatchedByHand::seen("m" + std::to_string(i % kMutexes), "5f1c" + std::to_string(i) + ".0:4242@10.0.0.7",
                                  Token(i + 1), left));
    if (i % kForgetEvery != kForgetEvery - 1) continue;
    const History& history = hand.watch().seen_history();
    for (; told < history.last(); ++told) engine.append(history.event(told + 1), history.names);
    engine.advance(history.now, history.names);
    hand.watch().forget(history.last(), history.incidents);
    QVERIFY2(hand.watch().remembered() <= kMostRemembered, std::to_string(hand.watch().remembered()).c_str());
    QVERIFY2(engine.remembered() <= kMostRemembered, std::to_string(engine.remembered()).c_str());
  }
  const std::size_t an_owner = (hand.watch().bytes() - bytes_at_half) / (kTimes / 2);
  QVERIFY2(an_owner <= kMostAnOwner, std::to_string(an_owner).c_str());
  // Nothing of what is counted or known now is lost with them.
  const History& history = hand.watch().seen_history();
  QCOMPARE(history.summary.handoffs, std::uint64_t{kTimes - kMutexes});
  QCOMPARE(history.incidents.size(), std::size_t{0});
  QCOMPARE(hand.mutex("m19").book.last().owner, "5f1c" + std::to_string(kTimes - 1) + ".0:4242@10.0.0.7");
}

// Each mutex has fifty owners and more, one after the other: of each the last of them stay, its share of all that may
// be kept.
void ForgettingTest::termsOfManyMutexesAreNoMoreThanOfFew() {
  constexpr int kMutexes = 1'100, kOwners = 55;
  constexpr std::size_t kShare = Watch::kMostTermsOfAll / kMutexes;
  static_assert(kShare < Watch::kMostTerms && kMutexes * Watch::kMostTerms > Watch::kMostTermsOfAll);
  static_assert(sizeof(WatchedTerm) <= 40);  // its owner's name lies with all names
  WatchedByHand hand;
  for (int owner = 1; owner <= kOwners; ++owner, hand.pass(1s))
    for (int mutex = 0; mutex < kMutexes; ++mutex) {
      const std::string of = std::to_string(mutex);
      hand.tell(WatchedByHand::seen("m" + of, "o" + std::to_string(owner) + "." + of, Token(owner), 8s));
    }
  std::size_t all = 0;
  const NameTable& names = hand.watch().seen_history().names;
  for (const auto& each : hand.watch().mutexes()) {
    const std::vector<WatchedTerm>& terms = each->terms;
    all += terms.size();
    QVERIFY2(terms.size() >= kShare, each->name.c_str());
    for (std::size_t i = 0; i < terms.size(); ++i) {
      const auto owner = kOwners - static_cast<int>(terms.size() - 1 - i);
      QCOMPARE(std::string(names.text(terms[i].owner)), "o" + std::to_string(owner) + "." + each->name.substr(1));
      QCOMPARE(terms[i].token, Token(owner));
      QCOMPARE(terms[i].end == TrueTime::max(), i + 1 == terms.size());
    }
  }
  QVERIFY2(all <= Watch::kMostTermsOfAll, std::to_string(all).c_str());
}

// More than a writer of lines holds, in turn with those that are written in their place.
void ForgettingTest::namesWithoutEndAreQuotedRight() {
  constexpr int kNames = 40'000;
  History history;
  for (int i = 0; i < kNames; ++i) history.names.intern("a\"" + std::to_string(i));
  HistoryLines lines;
  for (int i = 0; i < kNames; ++i)
    for (const int each : {i, (i + 8'192) % kNames, i}) {
      Event event;
      event.kind = EventKind::kReleased;
      event.node = history.names.intern("a\"" + std::to_string(each));
      history.events = {event};
      std::string out;
      lines.add(history, 1, out);
      const std::string node = R"("node":"a\")" + std::to_string(each) + '"';
      QVERIFY2(out.find(node) != std::string::npos, out.c_str());
    }
}

void ForgettingTest::whatGoesOnAfterItWasForgottenIsAnother() {
  for (const Course& course : kCourses) {
    Seen seen;
    course.begins(seen);
    QCOMPARE(seen.now(9'999).incidents.size(), std::size_t{1});
    QCOMPARE(seen.held(course.kind, "orders").size(), std::size_t{1});
    seen.fall(9'999, 0, kMany);
    seen.forget(9'999);
    QVERIFY2(seen.held(course.kind, "orders").empty(), course.words);
    const std::uint64_t before = counted(seen.now(9'999), course.kind);  // which looks at all of them
    course.goes_on(seen, 10'000);
    QCOMPARE(counted(seen.now(10'010), course.kind), before + 1);
    const std::vector<Incident> held = seen.held(course.kind, "orders");
    QCOMPARE(held.size(), std::size_t{1});
    QCOMPARE(held[0].start, ms(course.begin_again_at));
    QVERIFY(held[0].end >= ms(10'000) && !held[0].open);
    QCOMPARE(held[0].cause, std::string(course.words));
  }
}

void ForgettingTest::whatGoesOnWhileItIsHeldIsTheSame() {
  for (const Course& course : kCourses) {
    Seen seen;
    course.begins(seen);
    seen.fall(9'999, 0, kMany - 200);
    seen.forget(9'999);
    const std::uint64_t before = counted(seen.history(), course.kind);
    course.goes_on(seen, 10'000);
    QCOMPARE(counted(seen.now(10'010), course.kind), before);
    const std::vector<Incident> held = seen.held(course.kind, "orders");
    QCOMPARE(held.size(), std::size_t{1});
    QVERIFY2(held[0].start < ms(10'000) && held[0].end >= ms(10'000), course.words);
  }
}

// All of it, as one has it who never forgets.
void ForgettingTest::whatIsForgottenIsInTheRecording() {
  constexpr int kTimes = 30'000, kAtOnce = 500, kEvery = 50;
  Seen seen, all;
  auto writer = RecordingWriter::create(path("weeks"), {2'000, 500, std::chrono::milliseconds(1), 0});
  QVERIFY2(writer.has_value(), writer ? "" : writer.error().c_str());
  std::int64_t at = 2;
  for (Seen* const each : {&seen, &all}) {
    each->mutex = "night";
    each->believed(0, "a", 7);
    each->believed(1, "b", 8);
  }
  for (int i = 0; i < kTimes; i += kAtOnce, at += kAtOnce * kEvery) {
    for (Seen* const each : {&seen, &all}) {
      each->fall(at, kEvery, kAtOnce);
      if (i == kTimes / 2) each->tell(at + kAtOnce * kEvery, EventKind::kDisbelieved, "a", 7);
      each->now(at + kAtOnce * kEvery);
    }
    (*writer)->offer(seen.history());
    seen.recorder().forget((*writer)->taken(), (*writer)->taken_incidents());
  }
  (*writer)->append(seen.now(at));
  seen.recorder().forget((*writer)->taken(), (*writer)->taken_incidents());
  QVERIFY(held_in(seen.history()) < Recorder::kIncidentsHeld + 100);
  for (Seen* const each : {&seen, &all}) each->recorder().finish(ms(at + 1));
  QCOMPARE(all.held(IncidentKind::kBeliefOverlap, "night").at(0).end, ms(2 + kTimes / 2 * kEvery + kAtOnce * kEvery));
  const auto done = (*writer)->finish(seen.history(), {});
  QVERIFY2(done.has_value(), done ? "" : done.error().c_str());
  QCOMPARE(held_in(all.history()), std::size_t{kTimes});
  QCOMPARE(difference_of("weeks", all.history()), std::string());
}

// The file cannot be written to for a while.
void ForgettingTest::whatTheWriterHasNoRoomForIsNotForgotten() {
  constexpr int kAtOnce = 500, kEvery = 50;
  Seen seen, all;
  auto file = RecordingFile::create(path("shut"));
  QVERIFY2(file.has_value(), file ? "" : file.error().c_str());
  auto made = std::make_unique<Gate>(std::move(*file));
  Gate& gate = *made;
  RecordingWriter writer("shut", std::move(made), {1'000, 100, std::chrono::milliseconds(1), 0});
  std::int64_t at = 0;
  const auto go_on = [&](int times, auto keep) {
    for (int i = 0; i < times; i += kAtOnce, at += kAtOnce * kEvery) {
      for (Seen* const each : {&seen, &all}) {
        each->fall(at, kEvery, kAtOnce);
        each->now(at + kAtOnce * kEvery - 1);
      }
      keep();
      seen.recorder().forget(writer.taken(), writer.taken_incidents());
    }
  };
  go_on(12'000, [&] { writer.append(seen.history()); });
  const std::size_t taken = seen.history().incidents.size();
  QVERIFY(seen.history().incidents.held_from(0) > 1'000);
  gate.shut(true);
  go_on(15'000, [&] { writer.offer(seen.history()); });
  const std::size_t old = seen.history().incidents.size() - Recorder::kIncidentsHeld,
                    held_from = seen.history().incidents.held_from(0);
  const Sequence last = seen.history().last(), had = writer.taken();
  gate.shut(false);  // or nobody could leave
  QVERIFY2(had < last, "it had no room for all of them");
  QVERIFY(held_from >= taken - 100);
  QVERIFY2(held_from <= taken + 3 * std::size_t{kAtOnce} && held_from + 1'000 < old, "more was not taken");
  for (Seen* const each : {&seen, &all}) each->recorder().finish(ms(at));
  const auto done = writer.finish(seen.history(), {});
  QVERIFY2(done.has_value(), done ? "" : done.error().c_str());
  QCOMPARE(difference_of("shut", all.history()), std::string());
}

void ForgettingTest::aCourseThatWasForgottenIsTwoInTheRecording() {
  Seen seen;
  auto writer = RecordingWriter::create(path("twice"), {1'000, 100, std::chrono::milliseconds(1), 0});
  QVERIFY2(writer.has_value(), writer ? "" : writer.error().c_str());
  const auto keep = [&](std::int64_t at) {
    (*writer)->append(seen.now(at));
    seen.recorder().forget((*writer)->taken(), (*writer)->taken_incidents());
  };
  const auto hand_over = [&](std::int64_t at, Token token) {
    seen.granted(at, "a", token);
    seen.tell(at + 1, EventKind::kReleased, "a", token);
    keep(at + 2);
  };
  hand_over(1'000, 100);
  hand_over(2'000, 50);
  hand_over(3'000, 51);
  seen.fall(3'500, 0, kMany);
  keep(3'500);
  hand_over(4'000, 52);
  hand_over(5'000, 53);
  hand_over(6'000, 101);
  const auto done = (*writer)->finish(seen.now(7'000), {});
  QVERIFY2(done.has_value(), done ? "" : done.error().c_str());
  auto reader = RecordingReader::open(path("twice"));
  QVERIFY2(reader.has_value(), reader ? "" : reader.error().c_str());
  std::vector<Incident> falls;
  for (const Incident& each : reader->frame().incidents)
    if (each.mutex == seen.recorder().intern("orders")) falls.push_back(each);
  QCOMPARE(falls.size(), std::size_t{2});
  QCOMPARE(falls[0].start, ms(2'000));
  QCOMPARE(falls[0].end, ms(3'000));
  QCOMPARE(falls[1].start, ms(4'000));
  QCOMPARE(falls[1].end, ms(5'000));
  QCOMPARE(reader->frame().incidents.size(), std::size_t{kMany - 1 + 2});
  QCOMPARE(reader->frame().summary.fence_regressions, std::uint64_t{kMany - 1 + 2});
}

LEASESCOPE_SUITE(ForgettingTest)
#include "forgetting_test.moc"
