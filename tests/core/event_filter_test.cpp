// The language in which events are looked for: what a text means, what is wrong with one, and which events pass.
#include "core/history/event_filter.h"

#include "core/history/event_matcher.h"
#include "core/history/occurring.h"
#include "core/store/port.h"
#include "tests/support/suite.h"

using namespace leasescope;
using namespace std::chrono_literals;

namespace {

// Ten events of two contenders, two mutexes, a store that votes and a resource.
History someEvents() {
  History history;
  history.legend.faults = {{"pause", "GC pause", "{who} pauses", "{who} goes on"}};
  const auto name = [&](const char* text) { return history.names.intern(text); };
  const Name c1 = name("c1"), c10 = name("c10"), jobs = name("jobs"), mails = name("mails: all"),
             ledger = name("ledger"), redis = name("redis-1");
  const auto add = [&](Duration at, EventKind kind, Name node, Name mutex, Token token = kNoToken,
                       std::uint8_t detail = 0, std::int64_t a = 0, std::int64_t b = 0, Sequence cause = 0) {
    Event event;
    event.lo = event.hi = TrueTime(at);
    event.kind = kind;
    event.node = node;
    event.mutex = mutex;
    event.token = token;
    event.detail = detail;
    event.a = a;
    event.b = b;
    event.cause = cause;
    history.events.push_back(event);
  };
  const auto acquire = static_cast<std::int64_t>(RequestKind::kAcquire);
  const auto guard = static_cast<std::int64_t>(RequestKind::kGuard);
  add(0s, EventKind::kStarted, c1, jobs);                                     // 1
  add(1s, EventKind::kGranted, c1, jobs, 40);                                 // 2
  add(1200ms, EventKind::kAttempt, c1, jobs, 40, 0, 0, acquire, 2);           // 3 won
  add(1200300us, EventKind::kAttempt, c10, jobs, 40, 1, 0, acquire);          // 4 lost
  add(1500ms, EventKind::kAttempt, c1, jobs, 40, 0, 0, guard);                // 5 renewal
  add(2s, EventKind::kFaultBegan, c1, {}, kNoToken, 0);                       // 6
  add(3s, EventKind::kGranted, c10, mails, 41);                               // 7
  add(4s, EventKind::kWriteRejected, c1, jobs, 40, 0, ledger.handle, 41, 7);  // 8
  add(5s, EventKind::kVoteGranted, c10, jobs, 42, 0, 0, redis.handle);        // 9
  add(6s, EventKind::kWakeupPlanned, c10, jobs);                              // 10
  return history;
}

std::string letterOf(const History& history, Name name) {
  return history.names.text(name) == "c1" ? "A" : history.names.text(name) == "c10" ? "B" : "";
}

// The numbers of the events that pass: "2 7".
std::string passing(const History& history, const EventFilter& filter) {
  EventMatcher matcher(filter);
  matcher.learn(history.names, history.legend, [&](Name name) { return letterOf(history, name); });
  std::string out;
  for (std::size_t i = 0; i < history.events.size(); ++i)
    if (matcher.matches(history.events[i])) out += (out.empty() ? "" : " ") + std::to_string(i + 1);
  return out;
}

}  // namespace

class EventFilterTest : public QObject {
  Q_OBJECT
 private slots:
  void theseEventsPass_data();
  void theseEventsPass();
  void anErrorSaysItsColumnAndWhatWasExpected_data();
  void anErrorSaysItsColumnAndWhatWasExpected();
  void manyTermsAndDeepBracketsAreRefused();
  void namesThatComeLaterAreLearnt();
  void aLetterIsLearntAnew();
  void thePlaceOfTheLastTermIsFound_data();
  void thePlaceOfTheLastTermIsFound();
  void aValueIsWrittenSoThatItIsReadAgain_data();
  void aValueIsWrittenSoThatItIsReadAgain();
  void whatOccursIsToldOnce();
};

void EventFilterTest::theseEventsPass_data() {
  QTest::addColumn<std::string>("filter");
  QTest::addColumn<std::string>("numbers");
  const auto row = [](const char* filter, const char* numbers) {
    QTest::newRow(filter) << std::string(filter) << std::string(numbers);
  };
  const char* const all = "1 2 3 4 5 6 7 8 9 10";
  row("", all);
  row("   ", all);
  row("kind:granted", "2 7");  // and no vote
  row("kind:attempt", "3 4");
  row("kind:\"attempt lost\"", "4");
  row("kind:attempt_lost", "4");
  row("KIND:Attempt_LOST", "4");
  row("kind:renewal", "5");
  row("kind:*granted", "2 7 9");
  row("kind:\"*granted\"", "");
  row("kind:gc", "6");
  row("kind:gran", "");
  row("kind:wakeup_planned", "10");
  row("contender:c1", "1 2 3 5 6 8");
  row("by:C1", "1 2 3 5 6 8");
  row("who:b", "4 7 9 10");
  row("by:c1*", all);
  row("by:*0", "4 7 9 10");
  row("mutex:jobs", "1 2 3 4 5 8 9 10");
  row("mutex:\"mails: all\"", "7");
  row("mutex:\"\"", "6");
  row("store:redis-1", "9");
  row("resource:ledger", "8");
  row("outcome:lost", "4");
  row("outcome:rejected", "8");
  row("outcome:won", "3 5");
  row("token:40", "2 3 4 5 8");
  row("token:#41", "7");
  row("token:>40", "7 9");
  row("token:>=40", "2 3 4 5 7 8 9");
  row("token:<41", "2 3 4 5 8");
  row("token:=42", "9");
  row("token:41..42", "7 9");
  row("token:41..", "7 9");
  row("token:..40", "2 3 4 5 8");
  row("token:none", "1 6 10");
  row("-token:none", "2 3 4 5 7 8 9");
  row("token:>9223372036854775807", "");
  row("time:>1.2s", "4 5 6 7 8 9 10");
  row("time:>=1.2s", "3 4 5 6 7 8 9 10");
  row("time:<1s", "1");
  row("time:<=1s", "1 2");
  row("time:1.2s", "3 4");  // as both are shown
  row("time:=1.2s", "3");
  row("time:1.2s..1.5s", "3 4 5");
  row("time:2s..", "6 7 8 9 10");
  row("time:..1000ms", "1 2");
  row("cause:2", "3");
  row("cause:none", "1 2 4 5 6 7 9 10");
  row("cause:>2", "8");
  row("lost", "4");
  row("granted", "2 7 9");
  row("c1", all);          // c10 as well: a word is found anywhere in a name
  row("b", "4 6 7 9 10");  // the letter of c10, and a fault began
  row("#41", "7");
  row("\"vote granted\"", "9");
  row("granted c10", "7 9");
  row("granted and c10", "7 9");
  row("granted -c10", "2");
  row("granted not c10", "2");
  row("not (granted or c10)", "1 3 5 6 8");
  row("-(granted or c10)", "1 3 5 6 8");
  row("not not lost", "4");
  row("kind:started or kind:granted token:41", "1 7");  // "and" before "or"
  row("(kind:started or kind:granted) token:40", "2");
  row("kind:granted(by:c1)", "2");
  row("\"or\"", "");
}

void EventFilterTest::theseEventsPass() {
  QFETCH(std::string, filter);
  QFETCH(std::string, numbers);
  const auto read = EventFilter::parse(filter);
  QVERIFY2(read, read ? "" : read.error().text().c_str());
  QCOMPARE(passing(someEvents(), *read), numbers);
}

void EventFilterTest::anErrorSaysItsColumnAndWhatWasExpected_data() {
  QTest::addColumn<std::string>("filter");
  QTest::addColumn<std::string>("error");
  const auto row = [](const char* filter, const char* error) {
    QTest::newRow(filter) << std::string(filter) << std::string(error);
  };
  row("a time:x", "column 8: a time was expected, as 1.2s");
  row("ab time:1.2s..x", "column 15: a time was expected, as 1.2s");
  row("time:>5", "column 7: a time was expected, as 1.2s");
  row("time:", "column 6: a time was expected, as 1.2s");
  row("time:..", "column 6: a time was expected, as 1.2s");
  row("time:2s..1s", "column 10: 2s or more was expected");
  row("token:x", "column 7: a token was expected, as 41, >41, 40..45 or none");
  row("token:-1", "column 7: a token was expected, as 41, >41, 40..45 or none");
  row("kind:", "column 6: a kind of event was expected, as granted");
  row("by: c1", "column 4: a contender's name or letter was expected, as c1 or A");
  row("lost knd:x",
      "column 6: a field was expected before \":\", one of kind, contender, mutex, store, resource, outcome, token, "
      "time, "
      "cause (did you mean kind?); a word with a colon stands in quotes");
  row("a or", "column 5: a term was expected, as kind:granted");
  row("or a", "column 1: a term was expected, as kind:granted");
  row("a and or b", "column 7: a term was expected, as kind:granted");
  row("a - b", "column 4: a term was expected right after -");
  row("(a", "column 3: a closing bracket was expected");
  row("()", "column 2: a term was expected, as kind:granted");
  row("a)", "column 2: a term was expected: no bracket is open that this one closes");
  row("kind:\"a", "column 8: a closing quote was expected");
  row("\"a\"b", "column 4: a space was expected");
  row("\"\"", "column 1: a word was expected, as granted");
  row("not", "column 4: a term was expected, as kind:granted");
  row("\xc3\xa4\xc3\xa4 token:x", "column 10: a token was expected, as 41, >41, 40..45 or none");  // two letters
}

void EventFilterTest::anErrorSaysItsColumnAndWhatWasExpected() {
  QFETCH(std::string, filter);
  QFETCH(std::string, error);
  const auto read = EventFilter::parse(filter);
  QVERIFY(!read);
  QCOMPARE(read.error().text(), error);
}

void EventFilterTest::manyTermsAndDeepBracketsAreRefused() {
  std::string terms;
  for (std::size_t i = 0; i < EventFilter::kMostTerms; ++i) terms += "a ";
  QVERIFY(EventFilter::parse(terms));
  const auto more = EventFilter::parse(terms + "a");
  QVERIFY(!more);
  QCOMPARE(more.error().text(), std::string("column 129: at most 64 terms were expected"));
  const auto brackets = [](std::size_t count) { return std::string(count, '(') + "a" + std::string(count, ')'); };
  QVERIFY(EventFilter::parse(brackets(EventFilter::kDeepest - 1)));
  QVERIFY(!EventFilter::parse(brackets(EventFilter::kDeepest)));
  QVERIFY(!EventFilter::parse(std::string(1'000'000, '(')));  // and no stack is used up
  QVERIFY(!EventFilter::parse(std::string(1'000'000, '-') + "a"));
}

void EventFilterTest::namesThatComeLaterAreLearnt() {
  History history = someEvents();
  EventMatcher matcher(*EventFilter::parse("by:late"));
  matcher.learn(history.names, history.legend);
  Event event = history.events.front();
  event.node = history.names.intern("late");
  QVERIFY(!matcher.matches(event));  // unknown yet, and no harm
  matcher.learn(history.names, history.legend);
  QVERIFY(matcher.matches(event));
}

void EventFilterTest::aLetterIsLearntAnew() {
  History history = someEvents();
  EventMatcher matcher(*EventFilter::parse("by:a"));
  matcher.learn(history.names, history.legend);
  QVERIFY(!matcher.matches(history.events.front()));
  QVERIFY(matcher.means("A"));
  QVERIFY(!matcher.means("B"));
  matcher.forget_names();
  matcher.learn(history.names, history.legend, [&](Name name) { return letterOf(history, name); });
  QVERIFY(matcher.matches(history.events.front()));
}

void EventFilterTest::thePlaceOfTheLastTermIsFound_data() {
  QTest::addColumn<std::string>("typed");
  QTest::addColumn<int>("begin");
  QTest::addColumn<bool>("kind");
  QTest::newRow("nothing") << std::string() << 0 << false;
  QTest::newRow("a word") << std::string("gra") << 0 << false;
  QTest::newRow("a second") << std::string("c1 gra") << 3 << false;
  QTest::newRow("after a space") << std::string("c1 ") << 3 << false;
  QTest::newRow("a field") << std::string("c1 kind:") << 3 << true;
  QTest::newRow("a negated field") << std::string("c1 -kind:gr") << 4 << true;
  QTest::newRow("in brackets") << std::string("(kind:gr") << 1 << true;
  QTest::newRow("in quotes") << std::string("x kind:\"attempt lo") << 2 << true;
  QTest::newRow("after quotes") << std::string("kind:\"attempt lost\" c") << 20 << false;
}

void EventFilterTest::thePlaceOfTheLastTermIsFound() {
  QFETCH(std::string, typed);
  QFETCH(int, begin);
  QFETCH(bool, kind);
  const FilterPlace place = filter_place(typed);
  QCOMPARE(static_cast<int>(place.begin), begin);
  QCOMPARE(place.field == FilterField::kKind, kind);
}

void EventFilterTest::aValueIsWrittenSoThatItIsReadAgain_data() {
  QTest::addColumn<std::string>("value");
  for (const char* value : {"c1", "attempt lost", "a:b", "-x", "or", "a\"b", "a\\b", "*", "(x)", "411@api-1"})
    QTest::newRow(value) << std::string(value);
}

void EventFilterTest::aValueIsWrittenSoThatItIsReadAgain() {
  QFETCH(std::string, value);
  for (const char* field : {"by:", ""}) {
    const auto read = EventFilter::parse(field + filter_value(value));
    QVERIFY2(read, read ? "" : read.error().text().c_str());
    QCOMPARE(read->terms().size(), std::size_t{1});
    QCOMPARE(read->terms()[0].text, value);
    QVERIFY(!read->terms()[0].pattern);
  }
  QCOMPARE(filter_value("c1"), std::string("c1"));
}

void EventFilterTest::whatOccursIsToldOnce() {
  History history = someEvents();
  Occurring occurring;
  for (int round = 0; round < 2; ++round)
    for (const Event& event : history.events) QCOMPARE(occurring.take(event), round == 0);
  QCOMPARE(occurring.mutexes().size(), std::size_t{2});
  QCOMPARE(occurring.stores().size(), std::size_t{1});
  QCOMPARE(occurring.resources().size(), std::size_t{1});
  QCOMPARE(occurring.kinds().size(), std::size_t{9});  // two were granted
}

LEASESCOPE_SUITE(EventFilterTest)
#include "event_filter_test.moc"
