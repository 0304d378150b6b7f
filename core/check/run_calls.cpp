#include "core/check/run_calls.h"

#include <algorithm>
#include <limits>

#include <fmt/format.h>

#include "core/check/grant_call.h"

namespace leasescope::check {
namespace {

constexpr std::int64_t kNotYet = std::numeric_limits<std::int64_t>::max();

}  // namespace

bool RunCalls::of_an_application(EventKind kind) {
  return kind == EventKind::kInvoked || kind == EventKind::kReturned || kind == EventKind::kGranted ||
         kind == EventKind::kRenewed || kind == EventKind::kReleased || kind == EventKind::kExpired ||
         kind == EventKind::kDisbelieved || kind == EventKind::kStopped || kind == EventKind::kCrashed ||
         kind == EventKind::kAttempt;
}

Call& RunCalls::begin(const Told& told, Operation f) {
  Call call;
  call.process = call.client = calls_.names.intern(told.node);
  call.mutex = calls_.names.intern(told.mutex);
  call.f = f;
  call.ending = Ending::kUnknown;
  call.called = {told.lo, told.sequence};
  call.written = told.written;
  if (told.permits > 0) call.permits = told.permits;
  calls_.calls.push_back(call);
  return calls_.calls.back();
}

void RunCalls::grant(const Told& told) {
  auto call = grant_call(told.kind, {told.lo, told.sequence}, {told.hi, told.sequence}, told.lease);
  if (!call) return;
  call->process = call->client = calls_.names.intern(told.node);
  call->mutex = calls_.names.intern(told.mutex);
  call->fence = told.token;
  if (told.permits > 0) call->permits = told.permits;
  call->written = told.written;
  calls_.calls.push_back(*call);
}

void RunCalls::as_told(const Told& told) {
  const auto key = std::pair(calls_.names.intern(told.node).handle, told.uid);
  if (told.kind == EventKind::kInvoked) {
    called_ = true;
    Call& call = begin(told, told.operation);
    if (told.operation != Operation::kExpire) call.uid = calls_.names.intern(fmt::format("{}", told.uid));
    open_[key] = {calls_.calls.size() - 1};
  } else if (const auto found = open_.find(key); told.kind == EventKind::kReturned && found != open_.end()) {
    Call& call = calls_.calls[found->second.call];
    call.ending = told.ending;
    call.fence = told.token;
    if (told.ending != Ending::kUnknown) call.returned = {told.hi, told.sequence};
    open_.erase(found);
  }
}

void RunCalls::application(const Told& told) {
  now_ = std::max(now_, told.hi);
  if (as_told_) return as_told(told);
  switch (told.kind) {
    case EventKind::kInvoked:
      return on_invoked(told);
    case EventKind::kReturned:
      return on_returned(told);
    case EventKind::kGranted:
      return on_granted(told);
    case EventKind::kRenewed:
      return on_held_on(told);
    case EventKind::kAttempt:
      return on_told_longer(told);
    case EventKind::kDisbelieved:
      return on_let_go(told, holder(told));
    case EventKind::kStopped:
    case EventKind::kCrashed:
      return on_left(told);
    case EventKind::kExpired:
    case EventKind::kReleased:
      return on_ended({told.lo, told.hi, told.sequence, told.token, false, told.kind == EventKind::kReleased},
                      holder(told));
    default:
      return;
  }
}

void RunCalls::on_invoked(const Told& told) {
  called_ = true;
  Call& call = begin(told, told.operation);
  call.uid = calls_.names.intern(fmt::format("{}", told.uid));
  open_[{call.process.handle, told.uid}] = {calls_.calls.size() - 1};
}

std::optional<Moment> RunCalls::called_at(std::string_view node, std::uint64_t uid) {
  const auto found = open_.find({calls_.names.intern(node).handle, uid});
  return found == open_.end() ? std::nullopt : std::optional(calls_.calls[found->second.call].called);
}

void RunCalls::on_returned(const Told& told) {
  const auto found = open_.find({calls_.names.intern(told.node).handle, told.uid});
  if (found == open_.end()) return;
  Call& call = calls_.calls[found->second.call];
  call.ending = told.ending;
  call.fence = told.token;
  if (told.ending != Ending::kUnknown) call.returned = {told.hi, told.sequence};
  const Operation f = call.f;
  const Moment called = call.called;
  const Holder who{call.client.handle, call.mutex.handle};
  std::vector<Term>& terms = terms_[who];
  if (takes(f) && told.ending == Ending::kUnknown) in_doubt_.insert(who);
  if (takes(f) && told.ending == Ending::kOk) {
    if (Term* const again = entered_again(who, told.token)) {
      ++again->entries;
      again->let_go = false;
    } else {
      terms.push_back({told.token, 1});
      // Of several servers a majority was for it, but never at one moment: it is another's already.
      if (!granted(who, told.token, called)) terms.back().gone = Ended{kNotYet, kNotYet, 0, told.token};
    }
  } else if (frees(f) && told.ending == Ending::kOk && terms.empty()) {
    const auto over = over_.find(who);
    if (over != over_.end() && calls_.calls[over->second.call].called < called) free_after_the_end(who);
  } else if (frees(f) && told.ending == Ending::kOk && --terms.back().entries == 0) {
    terms.pop_back();
  }
  const Open open = found->second;
  open_.erase(found);
  settle(open);
  if (frees(f) && told.ending == Ending::kFailed) on_let_go(told, who);
}

RunCalls::Term* RunCalls::term_of(const Holder& who, Token token) {
  std::vector<Term>& terms = terms_[who];
  const auto found = std::find_if(terms.begin(), terms.end(), [&](const Term& term) { return term.token == token; });
  return found == terms.end() ? nullptr : &*found;
}

// Readers bear one token: who had let go of his place, and has been granted one since, has another.
RunCalls::Term* RunCalls::entered_again(const Holder& who, Token token) {
  const auto to = granted_to_.find(who);
  const std::int64_t granted = to != granted_to_.end() && to->second.token == token ? to->second.sequence : 0;
  std::vector<Term>& terms = terms_[who];
  const auto found = std::find_if(terms.begin(), terms.end(), [&](const Term& term) {
    return term.token == token && (!term.let_go || term.since > granted);
  });
  return found == terms.end() ? nullptr : &*found;
}

// A theft ends what its victim holds as soon as he has let go, and for somebody who does not hear of it when it would
// have run out. What was gone is over when another is granted it.
void RunCalls::on_granted(const Told& told) {
  const Holder who = holder(told);
  over_.erase(who);
  granted_to_[who] = {told.token, told.sequence};
  if (told.token == kNoToken && !told.again) begin_anew(who);
  if (!told.again) took_in_vain(who, told.token);
  if (Term* const again = told.stolen ? nullptr : term_of(who, told.token)) again->gone.reset();  // its thief gave up
  const Granted before =
      std::exchange(granted_[who.second], {Name{who.first}, told.token, shifted(told.hi, told.lease)});
  if (before.node.handle == who.first) return;
  const Holder victim{before.node.handle, who.second};
  Term* const term = term_of(victim, before.token);
  const bool lapsed = term != nullptr && term->gone && term->gone->lo == kNotYet;
  if (lapsed || (told.stolen && term != nullptr && term->let_go))
    on_ended({told.lo, told.hi, told.sequence, before.token}, victim);
  else if (told.stolen && term != nullptr)
    term->gone = Ended{before.until, before.until, told.sequence, before.token, true};
  else if (told.stolen)
    on_ended({before.until, before.until, told.sequence, before.token, true}, victim);
}

// At one moment a store, or a majority of several, was for him. Without a token that was an earlier hold of his, where
// it was before his call and another has been granted it meanwhile.
bool RunCalls::granted(const Holder& who, Token token, const Moment& since) const {
  const auto to = granted_to_.find(who);
  if (to == granted_to_.end() || to->second.token != token) return false;
  if (token != kNoToken || to->second.sequence > since.place) return true;
  const auto over = over_.find(who);  // it entered once more what has ended during that call
  if (over != over_.end() && calls_.calls[over->second.call].called > since) return true;
  return granted_.at(who.second).node.handle == who.first;
}

// Where there are no fences nothing but this tells one hold from the next: what its application has let go of is over.
void RunCalls::begin_anew(const Holder& who) {
  std::vector<Term>& terms = terms_[who];
  const auto over = [](const Term& term) { return term.token == kNoToken && term.let_go; };
  terms.erase(std::remove_if(terms.begin(), terms.end(), over), terms.end());
}

// It has been granted what it asks for once more: what it had got in vain before is no part of that call's answer.
void RunCalls::took_in_vain(const Holder& who, Token token) {
  for (auto at = open_.lower_bound({who.first, 0}); at != open_.end() && at->first.first == who.first; ++at) {
    const Call& call = calls_.calls[at->second.call];
    const bool such = call.mutex.handle == who.second && takes(call.f) && at->second.ended;
    if (such && at->second.ended->token == token) at->second.ended.reset();
  }
}

// A lease that was over was renewed all the same.
void RunCalls::on_held_on(const Told& told) {
  const Holder who = holder(told);
  Granted& last = granted_[who.second];
  if (last.node.handle == who.first && last.token == told.token) last.until = shifted(told.hi, told.lease);
  for (auto at = open_.lower_bound({who.first, 0}); at != open_.end() && at->first.first == who.first; ++at)
    if (at->second.ended && at->second.ended->token == told.token) at->second.ended.reset();
  if (const Term* const held = term_of(who, told.token); held != nullptr && !held->let_go) return;  // it is of that
  const auto over = over_.find(who);
  if (over == over_.end() || over->second.term.token != told.token) return;
  if (over->second.term.entries > 0) terms_[who].push_back(over->second.term);
  hold_on(who);
}

// Of several servers a majority renewed it, though never at one moment while a thief went from one to the next: its
// victim may believe for so long.
void RunCalls::on_told_longer(const Told& told) {
  if (told.lease == 0) return;
  const Holder who = holder(told);
  const std::int64_t until = shifted(told.hi, told.lease);
  Granted& last = granted_[who.second];
  if (last.node.handle == who.first && last.token == told.token) last.until = std::max(last.until, until);
  Term* const term = term_of(who, told.token);
  if (term == nullptr || !term->gone || !term->gone->stolen) return;
  term->gone->lo = std::max(term->gone->lo, until);
  term->gone->hi = std::max(term->gone->hi, until);
}

// Its time was over, and nobody was in its way when it renewed or freed it after that: so it held on.
void RunCalls::hold_on(const Holder& who) {
  const auto over = over_.find(who);
  if (over == over_.end()) return;
  calls_.calls[over->second.call].ending = Ending::kFailed;
  over_.erase(over);
}

// A handle that is not the last is freed without a question to the store: its holder did not know.
void RunCalls::free_after_the_end(const Holder& who) {
  Term term = over_.at(who).term;
  hold_on(who);
  if (term.entries < 2) return;
  --term.entries;
  term.gone = Ended{kNotYet, kNotYet, 0, term.token};
  terms_[who].push_back(term);
}

// It crashed or was stopped. Its calls end with it: nobody knows how.
void RunCalls::on_left(const Told& told) {
  const Holder who = holder(told);
  const auto from = open_.lower_bound({who.first, 0}), to = open_.lower_bound({who.first + 1, 0});
  for (auto at = from; at != to; ++at) {
    if (takes(calls_.calls[at->second.call].f)) in_doubt_.insert(who);
    settle(at->second);
  }
  open_.erase(from, to);
  on_let_go(told, who);
}

void RunCalls::on_let_go(const Told& told, const Holder& who) {
  std::vector<Ended> stolen;
  for (Term& term : terms_[who]) {
    if (!std::exchange(term.let_go, true)) term.since = told.sequence;
    if (!term.gone) continue;
    const bool in_time = told.lo < term.gone->lo;
    stolen.push_back(in_time ? Ended{told.lo, told.hi, told.sequence, term.token} : *term.gone);
  }
  for (const Ended& ended : stolen) on_ended(ended, who);
}

// It ran out, or went with a session, or was released, or stolen. While its holder is freeing it, that is the effect of
// his call; else nobody's. What was taken by a call that has not returned yet, its application does not know of: the
// call may be asked anew and take it again. So the end of that call decides. What no application was told of is left
// out.
void RunCalls::on_ended(const Ended& ended, const Holder& who) {
  const Term* const term = term_of(who, ended.token);
  const Term* const now = terms_[who].empty() ? nullptr : &terms_[who].back();
  // Of several places under one token a call frees the latest, and by themselves the earliest runs out.
  const bool is_now = now != nullptr && now->token == ended.token && (ended.freed || now == term);
  const bool last = is_now && now->entries == 1;
  for (auto at = open_.lower_bound({who.first, 0}); at != open_.end() && at->first.first == who.first; ++at) {
    const Call& call = calls_.calls[at->second.call];
    const bool may_end_it = takes(call.f) ? term == nullptr : frees(call.f) && last;
    if (call.mutex.handle != who.second || !may_end_it) continue;
    at->second.ended = ended;
    return;
  }
  if (term != nullptr)
    expire(who, ended);
  else if (in_doubt_.count(who) > 0)
    expire(who, ended).ending = Ending::kUnknown;  // if that call took anything, this is where it ended
}

void RunCalls::settle(const Open& open) {
  if (!open.ended) return;
  const Call& call = calls_.calls[open.call];
  const bool ok = call.ending == Ending::kOk;
  const bool another = call.fence != kNoToken && call.fence != open.ended->token;
  const bool counts = frees(call.f) ? !ok : ok ? !another : call.ending == Ending::kUnknown;
  const Holder who{call.client.handle, call.mutex.handle};
  // What such an unlock has left is what a call took of which nobody knows.
  if (frees(call.f) && ok && in_doubt_.count(who) > 0) expire(who, *open.ended).ending = Ending::kUnknown;
  if (!counts) return;
  Term* const term = term_of(who, open.ended->token);
  if (takes(call.f) && open.ended->stolen && term != nullptr)
    term->gone = open.ended;
  else if (takes(call.f) && !ok)
    expire(who, *open.ended).ending = Ending::kUnknown;  // as is whether it took
  else
    expire(who, *open.ended);
}

Call& RunCalls::expire(const Holder& who, const Ended& ended) {
  Over& over = over_[who] = {calls_.calls.size(), {ended.token}};
  std::vector<Term>& terms = terms_[who];
  const auto term = std::find_if(terms.begin(), terms.end(), [&](const Term& of) { return of.token == ended.token; });
  if (term != terms.end()) {
    over.term = *term;
    terms.erase(term);
  }
  Call call;
  call.process = call.client = Name{who.first};
  call.mutex = Name{who.second};
  call.f = Operation::kExpire;
  call.fence = ended.token;
  call.called = {ended.lo, ended.sequence};
  call.returned = {ended.hi, ended.sequence};
  calls_.calls.push_back(call);
  return calls_.calls.back();
}

void RunCalls::add(const Told& told) { grants_ ? grant(told) : application(told); }

void RunCalls::add(const Event& event, Sequence number, const NameTable& names) {
  if (grants_ ? !grant_operation(event.kind) : !of_an_application(event.kind)) return;
  Told told{event.kind,
            event.lo.time_since_epoch().count(),
            event.hi.time_since_epoch().count(),
            static_cast<std::int64_t>(number),
            names.text(event.node),
            names.text(event.mutex),
            event.token};
  if (event.kind == EventKind::kInvoked || event.kind == EventKind::kReturned) {
    told.operation = static_cast<Operation>(event.detail);
    told.uid = static_cast<std::uint64_t>(event.a);
    if (event.kind == EventKind::kInvoked)
      told.permits = static_cast<std::uint32_t>(event.b);
    else
      told.ending = static_cast<Ending>(event.b);
  }
  if (event.kind == EventKind::kGranted) {
    told.stolen = is_theft(static_cast<GrantKind>(event.detail));
    told.again = !is_new(static_cast<GrantKind>(event.detail));
  }
  const bool won = event.kind == EventKind::kAttempt && event.detail == static_cast<std::uint8_t>(AttemptResult::kWon);
  if (won || event.kind == EventKind::kGranted || event.kind == EventKind::kRenewed) told.lease = event.a;
  add(told);
}

void RunCalls::add(const History& history, Sequence number) {
  const Event& event = history.event(number);
  if (event.kind == EventKind::kFaultBegan || event.kind == EventKind::kFaultEnded) {
    const FaultLegend* const fault = history.legend.fault(event.detail);
    annotate(
        event.lo.time_since_epoch().count(),
        fmt::format("{} {} {}", fault == nullptr ? "fault" : fault->name,
                    event.kind == EventKind::kFaultBegan ? "began at" : "ended at", history.names.text(event.node)));
  }
  add(event, number, history.names);
}

Calls RunCalls::calls() const {
  RunCalls whole = *this;
  for (const auto& [key, open] : open_) whole.settle(open);
  const auto left = whole.terms_;
  for (const auto& [who, terms] : left)
    for (const Term& term : terms)
      if (term.gone && term.gone->lo <= now_) whole.expire(who, *term.gone);
  Calls out = std::move(whole.calls_);
  std::stable_sort(out.calls.begin(), out.calls.end(),
                   [](const Call& a, const Call& b) { return a.called < b.called; });
  return out;
}

}  // namespace leasescope::check
