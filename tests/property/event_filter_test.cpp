// Filters of events, whatever is asked and whatever happened: no text breaks the reader, and the laws of "not", "and"
// and "or" hold of what passes.
#include "core/history/event_filter.h"

#include <rapidcheck.h>

#include "core/history/event_matcher.h"
#include "tests/support/suite.h"

using namespace leasescope;

namespace {

const std::vector<std::string> kTerms{"kind:granted", "kind:attempt", "by:c1",        "by:c*",           "mutex:jobs",
                                      "store:s",      "resource:r",   "outcome:lost", "token:>2",        "token:1..3",
                                      "token:none",   "time:>2ns",    "time:..5ns",   "cause:none",      "cause:2",
                                      "lost",         "c1",           "#2",           "\"attempt won\"", "g*"};

struct Drawn {
  History history;
  Drawn() {
    for (const char* name : {"c1", "c2", "jobs", "s", "r"}) history.names.intern(name);
    const auto name = [] { return Name{*rc::gen::inRange<std::uint32_t>(0, 6)}; };
    for (int i = *rc::gen::inRange(0, 30); i > 0; --i) {
      Event event;
      event.kind = *rc::gen::element(EventKind::kGranted, EventKind::kAttempt, EventKind::kWriteRejected,
                                     EventKind::kVoteGranted, EventKind::kFaultBegan, EventKind::kReturned);
      event.detail = *rc::gen::inRange<std::uint8_t>(0, 3);
      event.node = name();
      event.mutex = name();
      event.token = *rc::gen::inRange<Token>(0, 5);
      event.lo = event.hi = TrueTime(Duration(*rc::gen::inRange(0, 8)));
      event.a = *rc::gen::inRange(0, 6);
      event.b = *rc::gen::inRange(0, 3);
      event.cause = *rc::gen::inRange<Sequence>(0, 4);
      history.events.push_back(event);
    }
  }

  std::vector<bool> passing(const std::string& filter) const {
    const auto read = EventFilter::parse(filter);
    RC_ASSERT(read.has_value());
    EventMatcher matcher(*read);
    matcher.learn(history.names, history.legend);
    std::vector<bool> out;
    for (const Event& event : history.events) out.push_back(matcher.matches(event));
    return out;
  }
};

// Some terms joined anyhow, in brackets.
std::string anyFilter(int depth = 0) {
  const int kind = depth > 3 ? 0 : *rc::gen::inRange(0, 4);
  if (kind == 0) return *rc::gen::elementOf(kTerms);
  if (kind == 1) return "-(" + anyFilter(depth + 1) + ")";
  return "(" + anyFilter(depth + 1) + (kind == 2 ? " " : " or ") + anyFilter(depth + 1) + ")";
}

template <class Join>
std::vector<bool> joined(const std::vector<bool>& a, const std::vector<bool>& b, Join join) {
  std::vector<bool> out;
  for (std::size_t i = 0; i < a.size(); ++i) out.push_back(join(a[i], b[i]));
  return out;
}

}  // namespace

class EventFilterProperties : public QObject {
  Q_OBJECT
 private slots:
  void notIsTheComplement();
  void andAndOrAreTheirs();
  void anyTextIsReadOrItsErrorHasAColumn();
  void anyValueIsWrittenSoThatItIsReadAgain();
};

void EventFilterProperties::notIsTheComplement() {
  QVERIFY(rc::check("-x passes what x does not", [] {
    const Drawn drawn;
    const std::string x = anyFilter();
    std::vector<bool> others = drawn.passing(x);
    others.flip();
    RC_ASSERT(drawn.passing("-" + x) == others);
    RC_ASSERT(drawn.passing("not " + x) == others);
    RC_ASSERT(drawn.passing("--" + x) == drawn.passing(x));
  }));
}

void EventFilterProperties::andAndOrAreTheirs() {
  QVERIFY(rc::check("x y, x and y, x or y", [] {
    const Drawn drawn;
    const std::string x = anyFilter(), y = anyFilter();
    const std::vector<bool> of_x = drawn.passing(x), of_y = drawn.passing(y);
    const std::vector<bool> both = joined(of_x, of_y, [](bool a, bool b) { return a && b; });
    RC_ASSERT(drawn.passing(x + " " + y) == both);
    RC_ASSERT(drawn.passing(x + " and " + y) == both);
    RC_ASSERT(drawn.passing(x + " or " + y) == joined(of_x, of_y, [](bool a, bool b) { return a || b; }));
    RC_ASSERT(drawn.passing(x + " or " + y + " " + x) == of_x);  // "and" binds before "or"
  }));
}

void EventFilterProperties::anyTextIsReadOrItsErrorHasAColumn() {
  QVERIFY(rc::check("no text breaks the reader", [] {
    const auto pieces = *rc::gen::container<std::vector<std::string>>(rc::gen::elementOf(
        std::vector<std::string>{"kind:",    "time:", "token:", "a",  "-",  " ", "(", ")", "\"", "\\",
                                 "or",       "and",   "not",    "..", "1s", ">", "<", "*", "#",  "9223372036854775807",
                                 "\xc3\xa4", ":"}));
    std::string text;
    for (const std::string& piece : pieces) text += piece;
    const auto read = EventFilter::parse(text);
    if (!read) RC_ASSERT(read.error().column >= 1 && read.error().column <= text.size() + 1);
    RC_ASSERT(filter_place(text).begin <= text.size());
  }));
}

void EventFilterProperties::anyValueIsWrittenSoThatItIsReadAgain() {
  QVERIFY(rc::check("parse(filter_value(v)) has v", [] {
    const auto value = *rc::gen::container<std::string>(rc::gen::elementOf(std::string("ab -()\"\\:*#or\xc3\xa4\t")));
    const auto read = EventFilter::parse("mutex:" + filter_value(value));
    RC_ASSERT(read.has_value());
    RC_ASSERT(read->terms().size() == std::size_t{1} && read->terms()[0].text == value && !read->terms()[0].pattern);
  }));
}

LEASESCOPE_SUITE(EventFilterProperties)
#include "event_filter_test.moc"
