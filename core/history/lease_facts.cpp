#include "core/history/lease_facts.h"

#include <algorithm>
#include <iterator>

namespace leasescope {
namespace {

constexpr Duration kShortGap = std::chrono::seconds(1);
// Terms lie in order of time, in the live world but for the bounds of what is known.
constexpr Duration kDisorder = std::chrono::seconds(2);
constexpr int kMostLooked = 10'000;  // so many terms of others lie between an incident and a lease that it is of

bool disturbs_somebody(Disturbs what) {
  return what == Disturbs::kPauses || what == Disturbs::kCuts || what == Disturbs::kStarves ||
         what == Disturbs::kDrifts || what == Disturbs::kDelaysWrites;
}

}  // namespace

void LeaseFacts::append(const Event& event, const NameTable& names, const Legend& legend) {
  switch (event.kind) {
    case EventKind::kGranted:
      return granted(event);
    case EventKind::kRenewed:
      return renewed(event);
    case EventKind::kReleased:
    case EventKind::kExpired:
      return ended(event);
    case EventKind::kAttempt:
      return called(event);
    case EventKind::kWakeupPlanned:
      wakes_[event.node.handle] = event.hi + Duration(event.a);
      return;
    case EventKind::kFaultBegan:
      if (disturbs_somebody(legend.disturbs(event.detail)))
        spells_[event.node.handle].push_back({event.detail, event.b, event.hi, kNever, Duration(event.a)});
      return;
    case EventKind::kFaultEnded: {
      const auto found = spells_.find(event.node.handle);
      if (found == spells_.end()) return;
      for (auto spell = found->second.rbegin(); spell != found->second.rend(); ++spell)
        if (spell->fault == event.detail && spell->row == event.b && spell->end == kNever) {
          spell->end = event.hi;
          return;
        }
      return;
    }
    case EventKind::kClockChanged:
      // What has been so since the run began is no step.
      if (event.a != 0 && event.hi > TrueTime{} && !is_contender(event.node, names, legend))
        steps_.push_back({event.hi, Duration(event.a)});
      return;
    case EventKind::kStarted:
      contenders_[event.node.handle] = true;
      return;
    default:
      return;
  }
}

// ---- terms

void LeaseFacts::granted(const Event& event) {
  called(event);
  Course& of = courses_[event.mutex.handle];
  end_gap(of, event.lo);
  // What ran out unheard of is over, and so is an earlier term of the same owner.
  const auto over = [&](std::size_t place) {
    Term& term = of.terms[place];
    if (term.until > event.lo && term.who != event.node) return false;
    term.ended = std::min(term.until, event.lo);
    return true;
  };
  of.open.erase(std::remove_if(of.open.begin(), of.open.end(), over), of.open.end());
  of.open.push_back(of.terms.size());
  of.terms.push_back({event.node, event.token, event.lo, deadline_after(event.lo, event.a)});
  if (++terms_ >= kMostTerms) forget();
}

void LeaseFacts::renewed(const Event& event) {
  Course& of = courses_[event.mutex.handle];
  end_gap(of, event.lo);
  for (const std::size_t place : of.open)
    if (of.terms[place].who == event.node) {
      of.terms[place].until = deadline_after(event.lo, event.a);
      return;
    }
  granted(event);  // it began before what is known, or was over already
}

void LeaseFacts::ended(const Event& event) {
  Course& of = courses_[event.mutex.handle];
  const auto whose = [&](std::size_t place) {
    Term& term = of.terms[place];
    if (term.who != event.node) return false;
    term.ended = event.hi;
    term.released = event.kind == EventKind::kReleased;
    return true;
  };
  of.open.erase(std::remove_if(of.open.begin(), of.open.end(), whose), of.open.end());
  if (!of.open.empty() || of.free) return;
  of.free = true;
  of.gap = {event.hi};
}

void LeaseFacts::forget() {
  terms_ = 0;
  for (auto& [mutex, of] : courses_) {
    std::vector<Term> kept;
    for (std::size_t place = 0; place < of.terms.size(); ++place) {
      const bool open = std::find(of.open.begin(), of.open.end(), place) != of.open.end();
      if (open || place >= of.terms.size() / 2) kept.push_back(of.terms[place]);
    }
    of.terms = std::move(kept);
    of.open.clear();
    for (std::size_t place = 0; place < of.terms.size(); ++place)
      if (of.terms[place].ended == kNever) of.open.push_back(place);
    if (of.gaps.size() > of.terms.size())
      of.gaps.erase(of.gaps.begin(), of.gaps.end() - static_cast<std::ptrdiff_t>(of.terms.size()));
    terms_ += of.terms.size();
  }
}

// ---- gaps

// Whoever calls is awake: what it had planned is over.
void LeaseFacts::called(const Event& event) {
  const auto wake = wakes_.find(event.node.handle);
  if (wake == wakes_.end()) return;
  const auto of = courses_.find(event.mutex.handle);
  if (of != courses_.end() && of->second.free && wake->second <= event.hi)
    of->second.gap.meant = std::min(of->second.gap.meant, wake->second);
  wakes_.erase(wake);
}

void LeaseFacts::end_gap(Course& of, TrueTime at) {
  if (!of.free) return;
  of.free = false;
  of.gap.until = std::max(at, of.gap.since);
  if (of.gap.until - of.gap.since > kShortGap) of.gaps.push_back(of.gap);
}

// ---- what is asked

const LeaseFacts::Term* LeaseFacts::term(Name mutex, Name who, Token token, TrueTime at) const {
  const auto of = courses_.find(mutex.handle);
  if (of == courses_.end()) return nullptr;
  const std::vector<Term>& terms = of->second.terms;
  const auto later = std::upper_bound(terms.begin(), terms.end(), at + kDisorder,
                                      [](TrueTime time, const Term& term) { return time < term.granted; });
  int looked = 0;
  for (auto term = std::make_reverse_iterator(later); term != terms.rend() && looked < kMostLooked; ++term, ++looked)
    if (term->granted <= at && term->who == who && (token == kNoToken || term->token == token)) return &*term;
  return nullptr;
}

const LeaseFacts::Spell* LeaseFacts::spell(Name who, Disturbs what, TrueTime at, const Legend& legend) const {
  const auto found = spells_.find(who.handle);
  if (found == spells_.end()) return nullptr;
  for (auto spell = found->second.rbegin(); spell != found->second.rend(); ++spell)
    if (legend.disturbs(spell->fault) == what && spell->covers(at)) return &*spell;
  return nullptr;
}

const LeaseFacts::ClockStep* LeaseFacts::store_step(TrueTime after, TrueTime until) const {
  const auto later = std::upper_bound(steps_.begin(), steps_.end(), until,
                                      [](TrueTime time, const ClockStep& step) { return time < step.at; });
  return later == steps_.begin() || std::prev(later)->at < after ? nullptr : &*std::prev(later);
}

const LeaseFacts::Gap* LeaseFacts::gap(Name mutex, TrueTime at) const {
  const auto found = courses_.find(mutex.handle);
  if (found == courses_.end()) return nullptr;
  const Course& of = found->second;
  if (of.free && of.gap.since <= at) return &of.gap;
  const auto later = std::upper_bound(of.gaps.begin(), of.gaps.end(), at,
                                      [](TrueTime time, const Gap& gap) { return time < gap.since; });
  return later == of.gaps.begin() || std::prev(later)->until < at ? nullptr : &*std::prev(later);
}

bool LeaseFacts::is_contender(Name who, const NameTable& names, const Legend& legend) {
  const auto [known, fresh] = contenders_.try_emplace(who.handle, false);
  if (fresh)
    known->second =
        std::find(legend.contenders.begin(), legend.contenders.end(), names.text(who)) != legend.contenders.end();
  return known->second;
}

}  // namespace leasescope
