// The checkers against one that tries every order: on small random histories they must agree, and no sub-history that
// offends is shorter than the one they show.
#include <bit>
#include <functional>

#include "core/check/call_reader.h"
#include "core/check/call_writer.h"
#include "core/check/fast_path.h"
#include "core/check/offence.h"
#include "tests/support/call_histories.h"
#include "tests/support/seeds.h"
#include "tests/support/suite.h"

using namespace leasescope;
using namespace leasescope::tests;
using namespace leasescope::check;
using leasescope::tests::CallHistories;

class CheckProperties : public QObject {
  Q_OBJECT
 private slots:
  void theSearchAgreesWithTryingEveryOrder();
  void theFastPathAgreesWithTryingEveryOrder();
  void noShorterSubHistoryOffends();
  void aLeaseIsLegalWhenItsCallsHaveMomentsThatAre();
  void theOrderOfALegalHistoryIsOne();
  void whatIsWrittenIsJudgedLikeWhatWasRead();
  void withoutTimesWhatIsWrittenIsJudgedAlikeToo();
};

namespace {

using Ops = std::vector<Op>;

// Whether an order is left when so much has taken effect: by trying each call next that need not come later. Nothing is
// remembered, and nothing of the search is used but the model's step.
bool some_order(const Model& model, const Ops& ops, std::uint32_t open, const State& state) {
  std::uint32_t certain = 0;
  for (std::size_t i = 0; i < ops.size(); ++i)
    if ((open >> i & 1U) != 0 && ops[i].must) certain |= 1U << i;
  if (certain == 0) return true;
  for (std::size_t i = 0; i < ops.size(); ++i) {
    if ((open >> i & 1U) == 0) continue;
    std::uint32_t left = open & ~(1U << i);
    bool first = true;
    for (std::size_t j = 0; j < ops.size(); ++j) {
      if ((left >> j & 1U) == 0 || !(ops[j].returned < ops[i].called)) continue;
      if (ops[j].must) first = false;
      left &= ~(1U << j);  // it was over by then, and so did not take effect
    }
    State after = state;
    if (first && step(model, after, *ops[i].call) && some_order(model, ops, left, after)) return true;
  }
  return false;
}

bool some_order(const Model& model, const Ops& ops) { return some_order(model, ops, (1U << ops.size()) - 1, State{}); }

Ops ops_of(const Calls& calls) {
  Ops out;
  for (const Call& call : calls.calls) out.push_back({&call, call.called, call.returned, call.ending == Ending::kOk});
  return out;
}

// What is known of it at that moment: who has not returned may have taken effect.
Ops until(const Ops& ops, Moment end) {
  Ops out;
  for (Op op : ops) {
    if (end < op.called) continue;
    if (op.returned > end || !op.must) {
      op.must = false;
      op.returned = kNever;
    }
    out.push_back(op);
  }
  return out;
}

// The first return at which no order is left; by trying them all.
Moment end_of_the_illegal_beginning(const Model& model, const Ops& ops) {
  std::vector<Moment> returns;
  for (const Op& op : ops)
    if (op.must) returns.push_back(op.returned);
  std::sort(returns.begin(), returns.end());
  for (const Moment& end : returns)
    if (!some_order(model, until(ops, end))) return end;
  return kNever;
}

// Whether no order is left of these, whatever became of the others.
bool offends(const Model& model, const Ops& beginning, std::uint32_t certain) {
  Ops ops = beginning;
  for (std::size_t i = 0; i < ops.size(); ++i) ops[i].must = ops[i].must && (certain >> i & 1U) != 0;
  return !some_order(model, ops);
}

std::size_t fewest_that_offend(const Model& model, const Ops& beginning) {
  std::size_t fewest = beginning.size() + 1;
  for (std::uint32_t certain = 0; certain < (1U << beginning.size()); ++certain) {
    const auto count = static_cast<std::size_t>(std::popcount(certain));
    if (count < fewest && offends(model, beginning, certain)) fewest = count;
  }
  return fewest;
}

// So many histories, as many of each model.
template <class Look>
void of_all_models(int count, std::uint32_t most, Look look) {
  for (int i = 0; i < count; ++i) {
    CallHistories from(static_cast<ModelKind>(i % kModels), static_cast<std::uint64_t>(i));
    const Calls calls = from.next(most);
    if (!look(from.model(), calls, ops_of(calls))) {
      qWarning("history %d, model %s", i, std::string(text(from.model().kind)).c_str());
      for (const Call& call : calls.calls)
        qWarning("  %s %s %s fence %d permits %u ttl %d deadline %d  %d.%d ... %d.%d",
                 std::string(calls.text(call.client)).c_str(), std::string(text(call.f)).c_str(),
                 std::string(text(call.ending)).c_str(), static_cast<int>(call.fence), call.permits,
                 static_cast<int>(call.ttl.value_or(-1)), static_cast<int>(call.deadline.value_or(-1)),
                 static_cast<int>(call.called.ns), static_cast<int>(call.called.place),
                 static_cast<int>(call.returned.ns), static_cast<int>(call.returned.place));
      QFAIL("this one");
    }
  }
}

}  // namespace

void CheckProperties::theSearchAgreesWithTryingEveryOrder() {
  int legal = 0, illegal = 0;
  of_all_models(100'000, 8, [&](const Model& model, const Calls&, const Ops& ops) {
    const bool expected = some_order(model, ops);
    (expected ? legal : illegal) += 1;
    const auto found = expected ? Searched::kLegal : Searched::kIllegal;
    return search(model, ops, {}).found == found && search(model, ops, {}, 0).found == found;
  });
  QVERIFY2(legal > illegal / 9 && illegal > legal / 9, qPrintable(QString("%1 legal, %2 not").arg(legal).arg(illegal)));
}

void CheckProperties::theFastPathAgreesWithTryingEveryOrder() {
  int legal = 0, illegal = 0;
  of_all_models(100'000, 8, [&](const Model& model, const Calls&, const Ops& ops) {
    const auto fast = fast_path(model, ops);
    if (!fast) return true;
    (*fast ? legal : illegal) += 1;
    return *fast == some_order(model, ops);
  });
  QVERIFY2(legal > 100 && illegal > 100, "it is taken often, and comes to both verdicts");
}

void CheckProperties::noShorterSubHistoryOffends() {
  std::size_t seen[8] = {};
  of_all_models(50'000, 6, [&](const Model& model, const Calls&, const Ops& ops) {
    const Searched searched = search(model, ops, {});
    if (searched.found != Searched::kIllegal) return true;
    if (search(model, ops, {}, 0).stuck != searched.stuck) return false;
    const Moment end = end_of_the_illegal_beginning(model, ops);
    if (ops[searched.stuck].returned != end) return false;
    const Offence offence = shortest_offence(model, ops, searched.stuck, {});
    // The same places in the beginning, which leaves out what was called later.
    std::uint32_t certain = 0;
    Ops beginning;
    for (std::uint32_t i = 0; i < ops.size(); ++i) {
      if (end < ops[i].called) continue;
      if (std::find(offence.ops.begin(), offence.ops.end(), i) != offence.ops.end()) certain |= 1U << beginning.size();
      beginning.push_back(ops[i]);
    }
    beginning = until(beginning, end);
    ++seen[offence.ops.size()];
    return offence.shortest && offends(model, beginning, certain) &&
           static_cast<std::size_t>(std::popcount(certain)) == offence.ops.size() &&
           offence.ops.size() == fewest_that_offend(model, beginning);
  });
  QVERIFY2(seen[1] > 50 && seen[2] > 50 && seen[3] > 10 && seen[4] > 0,
           qPrintable(QString("of lengths: %1 %2 %3 %4 %5 %6")
                          .arg(seen[1])
                          .arg(seen[2])
                          .arg(seen[3])
                          .arg(seen[4])
                          .arg(seen[5])
                          .arg(seen[6])));
}

// Moments on a grid in which all times of the histories are whole: with one for each call, in that order, there is
// nothing left to choose but who comes first at equal ones.
void CheckProperties::aLeaseIsLegalWhenItsCallsHaveMomentsThatAre() {
  int legal = 0, illegal = 0;
  for (int seed = 0; seed < static_cast<int>(seeds(600)); ++seed) {
    CallHistories from(ModelKind::kLease, static_cast<std::uint64_t>(seed) + 900'000);
    const Calls calls = from.next(4);
    Ops ops = ops_of(calls);
    for (Op& op : ops) {  // bounded, so that there are moments to try
      op.must = true;
      if (op.returned == kNever) op.returned = {op.called.ns + 2, INT64_MAX};
    }
    std::vector<Call> owned;
    for (const Op& op : ops) {
      owned.push_back(*op.call);
      owned.back().returned = op.returned;
    }
    for (std::size_t i = 0; i < ops.size(); ++i) ops[i].call = &owned[i];
    bool found = false;
    std::vector<Call> at(owned);
    const std::function<void(std::size_t)> place = [&](std::size_t i) {
      if (found) return;
      if (i == ops.size()) {
        Ops points = ops;  // the order of the record still counts, so its windows stay
        for (std::size_t k = 0; k < points.size(); ++k) points[k].call = &at[k];
        found = some_order(from.model(), points);
        return;
      }
      for (std::int64_t ns = ops[i].called.ns; ns <= ops[i].returned.ns && !found; ++ns) {
        at[i].called = at[i].returned = {ns, 0};
        place(i + 1);
      }
    };
    place(0);
    (found ? legal : illegal) += 1;
    QCOMPARE(search(from.model(), ops, {}).found, found ? Searched::kLegal : Searched::kIllegal);
  }
  const int few = kSanitized ? 0 : 50;
  QVERIFY(legal > few && illegal > few);
}

void CheckProperties::theOrderOfALegalHistoryIsOne() {
  of_all_models(4'000, 7, [&](const Model& model, const Calls&, const Ops& ops) {
    const Searched searched = search(model, ops, {}, ops.size() % 2 == 0 ? 0 : kPatience);
    if (searched.found != Searched::kLegal) return true;
    State state;
    std::vector<bool> done(ops.size());
    for (const std::uint32_t op : searched.order) {
      for (std::size_t other = 0; other < ops.size(); ++other)  // nobody comes before one that had returned
        if (ops[other].must && !done[other] && other != op && ops[other].returned < ops[op].called) return false;
      if (done[op] || !step(model, state, *ops[op].call)) return false;
      done[op] = true;
    }
    for (std::size_t i = 0; i < ops.size(); ++i)
      if (ops[i].must && !done[i]) return false;
    return true;
  });
}

namespace {

// Whether what was read from there has that verdict, and what is written of it too.
bool judged_so(const Model& model, const std::string& text, Verdict expected, bool timed) {
  const auto read = read_calls(text, false);
  if (!read) qWarning("%zu:%zu: %s", read.error().place.line, read.error().place.column, read.error().what.c_str());
  const bool same = read && read->timed == timed && judge(model, *read, {}, Wanted::kVerdict).verdict == expected;
  if (!same) qWarning("%s", text.c_str());
  return same;
}

// In both notations, and from the one to the other.
bool written_so(const Model& model, const Calls& calls, Verdict expected) {
  const std::string json = json_lines(calls), knossos = edn(calls);
  if (!judged_so(model, json, expected, calls.timed) || !judged_so(model, knossos, expected, calls.timed)) return false;
  return judged_so(model, edn(*read_calls(json, false)), expected, calls.timed) &&
         judged_so(model, json_lines(*read_calls(knossos, false)), expected, calls.timed);
}

std::string without_times(std::string text) {
  for (std::size_t at = 0; (at = text.find(":time ", at)) != std::string::npos;)
    text.erase(at, text.find(':', at + 1) - at);
  return text;
}

}  // namespace

void CheckProperties::whatIsWrittenIsJudgedLikeWhatWasRead() {
  of_all_models(20'000, 8, [&](const Model& model, const Calls& calls, const Ops&) {
    return calls.calls.empty() || written_so(model, calls, judge(model, calls, {}, Wanted::kVerdict).verdict);
  });
}

void CheckProperties::withoutTimesWhatIsWrittenIsJudgedAlikeToo() {
  of_all_models(20'000, 8, [&](const Model& model, const Calls& timed, const Ops&) {
    const auto calls = read_calls(without_times(edn(timed)), false);
    if (!calls || model.kind == ModelKind::kLease || calls->calls.empty()) return calls.has_value();
    return written_so(model, *calls, judge(model, *calls, {}, Wanted::kVerdict).verdict);
  });
}

LEASESCOPE_SUITE(CheckProperties)
#include "check_test.moc"
