#include "simulator/observed/observed_use.h"

#include <algorithm>

namespace leasescope {
namespace {

constexpr std::string_view kSomebody = "somebody";  // what a watch calls whom the store does not name

template <class Container, class Value>
bool holds(const Container& all, const Value& one) {
  return std::find(all.begin(), all.end(), one) != all.end();
}

std::optional<Duration> left_of(const Event& event) {
  if (event.a == kNoDeadline || event.a <= 0) return std::nullopt;
  return Duration(event.a);
}

}  // namespace

std::optional<Name> mutex_titled(const NameTable& names, std::string_view title) {
  for (std::uint32_t handle = 1; handle < names.size(); ++handle)
    if (names.text({handle}) == title) return Name{handle};
  return std::nullopt;
}

void UseFold::append(const Event& event, const NameTable& names) {
  const bool of_all = event.mutex.empty();
  if (event.kind == EventKind::kUnobservedEnded && use_.by == SeenBy::kWatch) look_again(event);
  if (event.mutex != mutex_ && !(of_all && event.kind == EventKind::kUnobservedBegan)) return;
  switch (event.kind) {
    case EventKind::kGranted:
      return grant(event);
    case EventKind::kRenewed:
      return renew(event);
    case EventKind::kReleased:
      return end(event.node, event, SeenTerm::End::kReleased);
    case EventKind::kExpired:
      return end(event.node, event, SeenTerm::End::kRanOut);
    case EventKind::kUnobservedBegan:
      after_gap_ = true;
      return;
    case EventKind::kUnobservedEnded:
      store_ = event.node;
      seen_again_ = event.hi;
      return;
    case EventKind::kQueued:
      if (names.text(event.node) == kSomebody) {
        use_.somebody = use_.somebody || counts(event);
      } else {
        counts(event) ? meet(event.node) : waiting_.push_back(event.node);
      }
      return;
    case EventKind::kDequeued:
      if (!counts(event)) waiting_.erase(std::remove(waiting_.begin(), waiting_.end(), event.node), waiting_.end());
      return;
    case EventKind::kAttempt:
      return answer(event);
    default:
      return;
  }
}

// What holds beside others takes it from nobody.
void UseFold::grant(const Event& event) {
  const bool shared = static_cast<GrantKind>(event.detail) == GrantKind::kShared;
  if (!shared)
    while (!open_.empty()) end(open_.front().owner, event, SeenTerm::End::kTaken);
  SeenTerm term;
  term.owner = event.node;
  term.granted = {event.lo, event.hi, left_of(event), after_gap_};
  term.met = event.hi == seen_again_;
  after_gap_ = false;
  open_.push_back(std::move(term));
  use_.shared = use_.shared || (shared && counts(event));
  if (counts(event)) meet(event.node);
  // What nobody asked for has no answer.
  if (static_cast<GrantKind>(event.detail) != GrantKind::kRestored) send_answer(event);
}

void UseFold::renew(const Event& event) {
  send_answer(event);
  if (use_.by == SeenBy::kContenders && event.lo < event.hi && counts(event))
    use_.round_trips.push_back(event.hi - event.lo);
  for (SeenTerm& term : open_) {
    if (term.owner != event.node) continue;
    // Of what was before the range the last one is what the first one within it is measured from.
    const bool drops = !counts(event) && !term.renewed.empty();
    if (drops) term.renewed.clear();
    term.renewed.push_back({event.lo, event.hi, left_of(event), after_gap_ || drops});
    after_gap_ = false;
    return;
  }
}

void UseFold::end(Name owner, const Event& event, SeenTerm::End how) {
  const auto of = std::find_if(open_.begin(), open_.end(), [&](const SeenTerm& term) { return term.owner == owner; });
  if (of == open_.end()) return;
  of->end_lo = event.lo;
  of->end_hi = event.hi;
  of->end = how;
  if (counts(event)) {
    meet(of->owner);
    use_.terms.push_back(std::move(*of));
  }
  open_.erase(of);
}

// Each contender asks one thing at a time: an earlier answer to it, if one is under way, will be heard no more, as
// where it crashed before that came.
void UseFold::send_answer(const Event& event) {
  if (use_.by != SeenBy::kContenders || event.lo != event.hi) return;
  drop_answers(event.node);
  answers_.emplace_back(event.node, event.hi);
}

void UseFold::answer(const Event& event) {
  if (use_.by != SeenBy::kContenders) return;
  if (counts(event)) meet(event.node);
  const auto under_way =
      std::find_if(answers_.begin(), answers_.end(), [&](const auto& each) { return each.first == event.node; });
  if (under_way == answers_.end()) return;
  const bool heard = static_cast<AttemptResult>(event.detail) == AttemptResult::kWon;
  if (heard && counts(event) && event.lo == event.hi) use_.ways.push_back(event.hi - under_way->second);
  drop_answers(event.node);
}

void UseFold::drop_answers(Name contender) {
  answers_.erase(
      std::remove_if(answers_.begin(), answers_.end(), [&](const auto& each) { return each.first == contender; }),
      answers_.end());
}

// Such a look has the moment of its question and that of its answer. One answer may be about many mutexes.
void UseFold::look_again(const Event& event) {
  const std::pair<Name, TrueTime> look{event.node, event.hi};
  if (event.hi <= event.lo || !counts(event) || look == last_look_) return;
  last_look_ = look;
  looks_.emplace_back(event.node, event.hi - event.lo);
}

void UseFold::meet(Name contender) {
  if (!contender.empty() && !holds(use_.contenders, contender)) use_.contenders.push_back(contender);
}

ObservedUse UseFold::use(TrueTime to) const {
  ObservedUse out = use_;
  out.to = to;
  for (const SeenTerm& term : open_) {
    out.terms.push_back(term);
    if (!holds(out.contenders, term.owner)) out.contenders.push_back(term.owner);
  }
  for (const Name waiter : waiting_)
    if (!holds(out.contenders, waiter)) out.contenders.push_back(waiter);
  for (const auto& [store, took] : looks_)
    if (store == store_) out.round_trips.push_back(took);
  std::stable_sort(out.terms.begin(), out.terms.end(),
                   [](const SeenTerm& a, const SeenTerm& b) { return a.granted.hi < b.granted.hi; });
  return out;
}

}  // namespace leasescope
