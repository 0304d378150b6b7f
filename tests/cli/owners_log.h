// What contenders wrote down of their own ownerships (tests/support/logging_contender.cpp), and how that agrees with
// what `leasescopectl history --json` tells of the same mutex.
//
// Both know each begin and each end between two moments. Both are right if the two have a moment in common; nothing is
// added to what the history states. All moments are in ns of CLOCK_BOOTTIME, which all processes of a machine share.
#pragma once
#include <QByteArray>
#include <QList>
#include <algorithm>
#include <ctime>
#include <limits>
#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include <nlohmann/json.hpp>

namespace leasescope::tests {

using Term = std::pair<std::string, std::int64_t>;  // owner, token

inline constexpr qint64 kNever = std::numeric_limits<qint64>::max();
inline constexpr qint64 kMs = 1'000'000;

inline qint64 ns_of(clockid_t clock) {
  timespec at{};
  ::clock_gettime(clock, &at);
  return qint64{at.tv_sec} * 1'000'000'000 + at.tv_nsec;
}
inline qint64 boot_ns() { return ns_of(CLOCK_BOOTTIME); }

// The wall clock's moment less that of CLOCK_BOOTTIME: of a few readings that during which least passed.
inline qint64 wall_less_boot() {
  qint64 out = 0, least = kNever;
  for (int i = 0; i < 20; ++i) {
    const qint64 before = boot_ns(), wall = ns_of(CLOCK_REALTIME), passed = boot_ns() - before;
    if (passed < least) out = wall - before - passed / 2, least = passed;
  }
  return out;
}

struct Span {
  qint64 from = 0, to = kNever;
  bool meets(const Span& other) const { return from <= other.to && other.from <= to; }
};

// What was done to a process while it owned.
struct OwnerFault {
  qint64 process = 0;
  bool killed = false;  // else it stood still
  qint64 begun = 0;     // it was well until then, and
  qint64 sure = 0;      // did nothing any more from then on
};

// The terms that all asked for.
struct AskedTerms {
  qint64 ttl = 0, lease = 0;  // ns
  bool sessions = false;      // no lease: it ends with its owner's session
  // A store measures a lease in whole milliseconds, by a clock that may go apart from ours by 1/2000.
  qint64 grain() const { return kMs + lease / 2000; }
};

// ---- what was written down

struct LoggedTerm {
  enum class End : std::uint8_t { kLasts, kGiven, kLost, kDied };

  Term term;
  qint64 process = 0;
  Span begin, end;  // each was at some moment between the two
  End how = End::kLasts;
  bool untold = false;             // it was about to release it, and nobody knows whether it did
  qint64 asked = 0, answered = 0;  // of the grant or the last renewal
  qint64 lost = kNever;            // when it wrote down that it owns no more

  bool expired() const { return how == End::kLost || how == End::kDied; }
};

// By their tokens, which is the order in which they were granted.
class OwnersLog {
 public:
  OwnersLog(const QByteArray& lines, const std::vector<OwnerFault>& faults, const AskedTerms& asked) : asked_(asked) {
    for (const QByteArray& line : lines.split('\n')) read(line.split(' '));
    for (const OwnerFault& fault : faults) fault.killed ? kill(fault) : stand_still(fault);
    std::sort(terms_.begin(), terms_.end(), [](const auto& a, const auto& b) { return a.term.second < b.term.second; });
    // One owns at a time.
    for (std::size_t i = 1; i < terms_.size(); ++i) {
      terms_[i - 1].end.to = std::min(terms_[i - 1].end.to, terms_[i].begin.to);
      terms_[i].begin.from = std::max(terms_[i].begin.from, terms_[i - 1].end.from);
    }
  }

  const std::vector<LoggedTerm>& terms() const { return terms_; }
  int handoffs() const {
    int out = 0;
    for (std::size_t i = 1; i < terms_.size(); ++i) out += terms_[i].term.first != terms_[i - 1].term.first;
    return out;
  }
  int expiries() const {
    return static_cast<int>(
        std::count_if(terms_.begin(), terms_.end(), [](const auto& each) { return each.expired(); }));
  }
  // The process that was granted it last, where its last word is that it owns; else 0.
  qint64 owner() const {
    const bool lasts = !terms_.empty() && terms_.back().how == LoggedTerm::End::kLasts;
    return lasts ? terms_.back().process : 0;
  }
  // The name by which it contends; empty: it has written nothing.
  std::string name_of(qint64 process) const {
    const auto found = names_.find(process);
    return found != names_.end() ? found->second : std::string();
  }

 private:
  void read(const QList<QByteArray>& words) {
    if (words.size() != 6) return;
    const qint64 process = words[0].toLongLong(), at = words[4].toLongLong(), sent = words[5].toLongLong();
    const QByteArray& what = words[3];
    names_[process] = words[1].toStdString();
    if (what == "contends") {
      contends_[process] = at;
    } else if (what == "owns") {
      begin({words[1].toStdString(), words[2].toLongLong()}, process, at, sent);
    } else if (const auto last = last_.find(process); last != last_.end()) {
      go_on(terms_[last->second], what, at, sent);
    }
  }
  void begin(const Term& term, qint64 process, qint64 at, qint64 sent) {
    // A session or lease that did not end after all: the same token owns on, and all of that was one term.
    if (const auto last = last_.find(process); last != last_.end() && terms_[last->second].term == term) {
      LoggedTerm& again = terms_[last->second];
      again.how = LoggedTerm::End::kLasts;
      again.end = {std::max(again.begin.from, sent), kNever};
      again.lost = kNever;
      again.asked = sent;
      again.answered = at;
      return;
    }
    LoggedTerm out;
    out.term = term;
    out.process = process;
    out.begin = {sent >= 0 ? sent : contends_[process], at};
    out.end.from = out.begin.from;
    out.asked = sent;
    out.answered = at;
    last_[process] = terms_.size();
    terms_.push_back(out);
  }
  void go_on(LoggedTerm& term, const QByteArray& what, qint64 at, qint64 sent) const {
    if (what == "renewed") {
      term.asked = term.end.from = sent;
      term.answered = at;
    } else if (what == "gives") {
      term.how = LoggedTerm::End::kGiven;
      term.untold = true;
      term.end.from = at;
    } else if (what == "gave" && term.untold) {
      term.untold = false;
      term.end.to = at;
    } else if (what == "lost") {
      // It may have asked once more, and not been told.
      term.how = LoggedTerm::End::kLost;
      term.lost = at;
      term.end =
          asked_.sessions ? Span{term.begin.from, kNever} : Span{std::min(at, earliest_over(term)), at + longest()};
    }
  }

  qint64 longest() const { return asked_.lease + asked_.grain(); }
  qint64 earliest_over(const LoggedTerm& term) const { return term.asked + asked_.lease - asked_.grain(); }
  // Of who did nothing from then on: if no renewal was due yet, none has been asked for since the last one.
  qint64 latest_over(const LoggedTerm& term, qint64 sure) const {
    return (sure < term.asked + asked_.ttl ? term.answered : sure) + longest();
  }

  void kill(const OwnerFault& fault) {
    const auto last = last_.find(fault.process);
    if (last == last_.end()) return;
    LoggedTerm& term = terms_[last->second];
    if (term.how == LoggedTerm::End::kLasts) {
      term.how = LoggedTerm::End::kDied;
      term.end.from = asked_.sessions ? fault.begun : earliest_over(term);
    } else if (!term.untold) {
      return;
    }
    term.end.to = asked_.sessions ? kNever : latest_over(term, fault.sure);
  }
  // What it wrote of an end afterwards it wrote late.
  void stand_still(const OwnerFault& fault) {
    for (LoggedTerm& term : terms_) {
      if (term.process != fault.process || term.begin.to > fault.sure) continue;
      if (term.end.to < fault.begun || term.lost < fault.begun) continue;
      if (term.how == LoggedTerm::End::kLost && asked_.sessions) term.end.from = fault.begun;
      if (term.how == LoggedTerm::End::kLost && !asked_.sessions && term.asked <= fault.sure)
        term.end.to = std::min(term.end.to, latest_over(term, fault.sure));
    }
  }

  const AskedTerms asked_;
  std::vector<LoggedTerm> terms_;
  std::map<qint64, std::size_t> last_;  // term of each process
  std::map<qint64, qint64> contends_;   // since when
  std::map<qint64, std::string> names_;
};

// ---- what is told

struct ToldTerm {
  Term term;
  Span begin, end;  // kNever: it lasts
  std::string ended;
};

struct ToldHistory {
  std::vector<ToldTerm> owned;
  std::vector<Span> gaps;

  ToldHistory() = default;
  // `wall_less_boot`: as above, when the watch began.
  ToldHistory(const nlohmann::json& history, qint64 wall_less_boot) {
    const qint64 epoch = history["epoch_unix_ns"].get<qint64>() - wall_less_boot;
    const auto at = [&](const nlohmann::json& ns) { return ns.is_null() ? kNever : epoch + ns.get<qint64>(); };
    const nlohmann::json& mutex = history["mutexes"][0];
    for (const nlohmann::json& each : mutex["owned"])
      owned.push_back({{each["owner"].get<std::string>(), each["token"].is_null() ? -1 : each["token"].get<qint64>()},
                       {at(each["begin_from_ns"]), at(each["begin_ns"])},
                       {at(each["end_from_ns"]), at(each["end_ns"])},
                       each["ended"].is_null() ? "" : each["ended"].get<std::string>()});
    for (const nlohmann::json& each : mutex["unobserved"]) gaps.push_back({at(each["begin_ns"]), at(each["end_ns"])});
  }

  bool in_gap(const Span& span) const {
    return std::any_of(gaps.begin(), gaps.end(), [&](const Span& gap) { return gap.meets(span); });
  }
  // Whether it leaves open all the time between the two who owned: each moment lies in a gap or within some bounds.
  bool leaves_open(qint64 from, qint64 to) const {
    std::vector<Span> open = gaps;
    for (const ToldTerm& each : owned) open.insert(open.end(), {each.begin, each.end});
    std::sort(open.begin(), open.end(), [](const Span& a, const Span& b) { return a.from < b.from; });
    for (const Span& each : open)
      if (each.from <= from) from = std::max(from, each.to);
    return from >= to;
  }
};

// ---- both

struct Agreement {
  int begins = 0, ends = 0;  // that agree
  int in_gaps = 0;           // begins, ends and terms that differ where nothing was observed
  int unseen = 0;            // terms that came and went while a change lay within bounds
  int untold = 0;            // terms of who was killed before it could write that it owned
  QList<QByteArray> outside;
};

class Comparison {
 public:
  Comparison(const ToldHistory& told, const OwnersLog& log, const std::vector<OwnerFault>& faults,
             const AskedTerms& asked)
      : told_(told), asked_(asked) {
    std::map<Term, const ToldTerm*> by_term;
    qint64 owned_until = 0;
    for (const ToldTerm& each : told.owned) {
      if (!by_term.emplace(each.term, &each).second) say(each.term, "is told of twice");
      if (each.begin.to < owned_until) say(each.term, "begins before the one before it has ended");
      owned_until = std::max(owned_until, each.end.from);
    }
    std::set<Term> logged;
    for (const LoggedTerm& each : log.terms()) {
      logged.insert(each.term);
      const auto found = by_term.find(each.term);
      found != by_term.end() ? compare(each, *found->second) : look_for_room(each);
    }
    for (const ToldTerm& each : told.owned)
      if (logged.count(each.term) == 0) look_for_death(each, log, faults);
  }
  const Agreement& result() const { return out_; }

 private:
  void say(const Term& term, const QByteArray& what) {
    out_.outside << QByteArray::fromStdString(term.first) + " #" + QByteArray::number(qint64{term.second}) + " " + what;
  }
  // From the later of the two on, in us.
  static QByteArray text(const Span& own, const Span& told) {
    const auto since = [&](qint64 at) { return at == kNever ? "never" : QByteArray::number((at - own.from) / 1000); };
    return "between 0 and " + since(own.to) + " us by its owner, " + since(told.from) + " and " + since(told.to) +
           " us by the history";
  }

  void compare(const LoggedTerm& own, const ToldTerm& told) {
    judge(own, own.begin, told.begin, out_.begins, "begins ");
    judge(own, own.end, told.end, out_.ends, "ends ");
    const bool lapsed = own.how == LoggedTerm::End::kDied && !asked_.sessions;
    if (lapsed && told.ended == "released") say(own.term, "died, and is said to have released it");
    const bool too_soon = told.end.to < own.begin.from + asked_.lease - asked_.grain();
    if (own.how == LoggedTerm::End::kGiven && told.ended == "expired" && (too_soon || asked_.sessions))
      say(own.term, "gave it back before it could expire, and is said to have let it");
  }
  void judge(const LoggedTerm& of, const Span& own, const Span& told, int& agree, const char* what) {
    if (own.meets(told)) {
      ++agree;
    } else if (told_.in_gap(own)) {
      ++out_.in_gaps;
    } else {
      say(of.term, what + text(own, told));
    }
  }
  void look_for_room(const LoggedTerm& own) {
    const qint64 from = own.begin.to, to = own.end.from;  // for sure
    if (from < to && !told_.leaves_open(from, to)) return say(own.term, "owned it, and is not told of");
    ++(told_.in_gap({from, std::max(from, to)}) ? out_.in_gaps : out_.unseen);
  }
  void look_for_death(const ToldTerm& told, const OwnersLog& log, const std::vector<OwnerFault>& faults) {
    const bool died = std::any_of(faults.begin(), faults.end(), [&](const OwnerFault& each) {
      return each.killed && log.name_of(each.process) == told.term.first && told.begin.from <= each.sure;
    });
    if (!died) return say(told.term, "is told of, and wrote nothing");
    ++out_.untold;
  }

  const ToldHistory& told_;
  const AskedTerms asked_;
  Agreement out_;
};

}  // namespace leasescope::tests
