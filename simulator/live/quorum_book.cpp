#include "simulator/live/quorum_book.h"

#include <algorithm>
#include <utility>

namespace leasescope {
namespace {

template <class Chain>
auto find_attempt(Chain& chain, std::uint64_t acquisition) {
  return std::find_if(chain.begin(), chain.end(), [&](const auto& vote) { return vote.acquisition == acquisition; });
}

LeaseBounds later_of(const LeaseBounds& a, const LeaseBounds& b) {
  const LeaseBounds &lo = a.lo < b.lo ? b : a, &hi = a.hi < b.hi ? b : a;
  return {lo.lo, hi.hi, lo.lo_read, hi.hi_read};
}

}  // namespace

// As the fold of the majority sees the servers.
class QuorumBook::Known final : public Majority::Servers {
 public:
  explicit Known(const std::vector<Chain>& servers) : servers_(&servers) {}

  Majority::Vote vote(std::size_t server, std::uint32_t /*mutex*/) const override {
    const Chain& chain = (*servers_)[server];
    if (chain.empty()) return {};
    const Vote& last = chain.back();
    return {last.owner, last.acquisition, last.token, last.until.hi};
  }
  bool lies_beneath(std::size_t server, std::uint32_t /*mutex*/, std::uint64_t acquisition) const override {
    const Chain& chain = (*servers_)[server];
    if (chain.empty() || acquisition == 0) return false;
    return chain.back().stolen_from == acquisition || find_attempt(chain, acquisition) < chain.end() - 1;
  }

 private:
  const std::vector<Chain>* servers_;
};

QuorumBook::QuorumBook(const Facts& facts, Record record)
    : facts_(facts),
      record_(std::move(record)),
      servers_(facts.stores.size()),
      clocks_(facts.stores.size()),
      majority_(facts.stores.size(), 1) {}

void QuorumBook::sending(Name /*node*/, const Request& request, TrueTime now, Sequence cause) {
  calls_.push_back({request, now, cause});
}

Sequence QuorumBook::replied(Name node, const Reply& reply, TrueTime sent, TrueTime received) {
  const auto found = std::find_if(calls_.begin(), calls_.end(), [&](const Call& call) {
    return call.asked.contender == node && call.asked.id == reply.request;
  });
  if (found == calls_.end()) return 0;
  const Call call = *found;
  last_fact_ = 0;
  if (reply.ending != Ending::kOk) {
    calls_.erase(found);
    if (!reply.refused) silence_.unanswered(sent);
    if (reply.ending == Ending::kUnknown) {  // it may have been executed all the same
      calls_.push_back(call);
      calls_.back().asked.id = 0;
    }
    if (gives_back(call)) have_given_back(call.asked.quorum.acquisition, received);
    return last_fact_;
  }
  if (const auto lo = silence_.answered(sent, received))
    record(EventKind::kUnobservedEnded, facts_.store, {*lo, received}, kNoToken, 0, 0, 0);
  if (gives_back(call)) {
    found->answer = reply;
    have_given_back(call.asked.quorum.acquisition, received);
    return last_fact_;
  }
  calls_.erase(found);
  const Sight sight{&call, &reply, {sent, received}};
  switch (call.asked.kind) {
    case RequestKind::kObtain:
      on_obtained(sight);
      break;
    case RequestKind::kExtend:
      on_extended(sight);
      break;
    default:
      break;
  }
  return last_fact_;
}

// Of all servers together: whether a theft elsewhere came before or after one of these answers nobody can tell, and the
// term ends by that one or by the other.
void QuorumBook::have_given_back(std::uint64_t acquisition, TrueTime now) {
  const auto is_of_it = [&](const Call& call) {
    return gives_back(call) && call.asked.id != 0 && call.asked.quorum.acquisition == acquisition;
  };
  if (std::any_of(calls_.begin(), calls_.end(), [&](const Call& call) { return is_of_it(call) && !call.answer; }))
    return;
  for (auto next = calls_.begin(); (next = std::find_if(calls_.begin(), calls_.end(), is_of_it)) != calls_.end();) {
    const Call call = *next;
    calls_.erase(next);
    on_given_back({&call, &*call.answer, {call.sent, now}});
  }
}

// What is on its way may still be executed; as nobody hears of it, it is not told of.
void QuorumBook::abandoned(Name node) {
  calls_.erase(std::remove_if(calls_.begin(), calls_.end(),
                              [&](const Call& call) {
                                return call.asked.contender == node && call.asked.kind != RequestKind::kGiveBack &&
                                       call.asked.kind != RequestKind::kAbort;
                              }),
               calls_.end());
}

// ---- what an answer shows

LeaseBounds QuorumBook::end_after(Duration ttl, const Sight& sight) const {
  return clocks_[sight.server()].end(sight.when.lo, sight.when.hi, sight.when.lo + ttl, sight.when.hi + ttl);
}

void QuorumBook::on_obtained(const Sight& sight) {
  const QuorumCall& asked = sight.asked();
  const Reply& reply = *sight.reply;
  if (asked.rules.re_enters || !reply.done) return;
  const std::uint8_t server = sight.server();
  Chain& chain = servers_[server];
  if (!chain.empty() && chain.back().acquisition == asked.acquisition) return;  // the same call, come twice
  const bool stolen = static_cast<QuorumAnswer>(reply.answer) == QuorumAnswer::kFromVictim;
  Vote next{sight.call->asked.contender, asked.acquisition, 0, asked.other, sight.when, end_after(asked.span, sight)};
  // The answer of whoever has stolen it since came first: it was over by then.
  const auto thief =
      std::find_if(chain.begin(), chain.end(), [&](const Vote& vote) { return vote.stolen_from == asked.acquisition; });
  if (thief != chain.end()) {
    if (asked.rules.keeps_victim) chain.insert(thief, next);
    tell_vote(EventKind::kVoteGranted, next, server, sight.when, sight.call->cause,
              static_cast<std::uint8_t>(stolen ? GrantKind::kStolen : GrantKind::kAsked));
    tell_vote(EventKind::kVoteEnded, next, server, sight.when, sight.call->cause,
              static_cast<std::uint8_t>(VoteEnd::kStolen));
    return;
  }
  if (stolen && !chain.empty() && chain.back().acquisition == reply.number) {
    const Vote victim = chain.back();
    next.stolen_from = victim.acquisition;
    if (asked.rules.keeps_victim) {
      next.until = later_of(next.until, victim.until);
    } else {
      chain.clear();
    }
    chain.push_back(next);
    ended(server, victim, VoteEnd::kStolen, sight.when, sight.call->cause);
    return granted(server, GrantKind::kStolen, sight.when, sight.call->cause);
  }
  clear(sight);
  if (stolen) next.stolen_from = reply.number;
  chain.push_back(next);
  granted(server, stolen ? GrantKind::kStolen : GrantKind::kAsked, sight.when, sight.call->cause);
}

void QuorumBook::on_extended(const Sight& sight) {
  Chain& chain = servers_[sight.server()];
  const QuorumCall& asked = sight.asked();
  const bool known = !chain.empty() && chain.back().acquisition == asked.acquisition;
  if (!sight.reply->done) {
    // Refused before it went back to it, it says nothing of now. Refused by a server that is for it all the same: the
    // thief has held it meanwhile, and what is left of the lease just runs out.
    const bool lasts = sight.reply->owner == sight.call->asked.contender;
    // It may be stolen: the thief's answer, when that comes, tells whether it was.
    const bool stolen = is_obtaining(sight.server(), true);
    if (known && !lasts && !stolen && chain.back().since.hi <= sight.when.lo) clear(sight);
    return;
  }
  const bool stolen_since =
      std::any_of(chain.begin(), chain.end(), [&](const Vote& vote) { return vote.stolen_from == asked.acquisition; });
  if (stolen_since) return;
  const LeaseBounds until = end_after(asked.span, sight);
  if (known) {
    Vote& held = chain.back();
    held.until = later_of(held.until, until);
  } else {
    clear(sight);
    chain.push_back({sight.call->asked.contender, asked.acquisition, 0, sight.reply->token, sight.when, until});
  }
  granted(sight.server(), GrantKind::kAsked, sight.when, sight.call->cause);
}

void QuorumBook::on_given_back(const Sight& sight) {
  Chain& chain = servers_[sight.server()];
  if (sight.call->asked.kind == RequestKind::kGiveBack) has_given_back(sight.server(), sight.asked().acquisition);
  const auto at = find_attempt(chain, sight.asked().acquisition);
  if (at == chain.end()) return;
  const bool aborts = sight.call->asked.kind == RequestKind::kAbort;
  const bool keeps = aborts || sight.asked().rules.keeps_victim, last = at + 1 == chain.end();
  const Vote gone = *at;
  chain.erase(keeps ? at : chain.begin(), at + 1);
  if (keeps && last) chain.clear();
  const bool goes_back = keeps && last && sight.reply->number != 0;
  // Before it is told that the thief's vote ended: the victim holds it from that moment on.
  const bool restored = goes_back && restore(sight);
  // Who is told that it was not his any more has lost it before: to a thief whose answer is still to come, perhaps.
  Span when = sight.when;
  if (last && !sight.reply->done) when.lo = std::min(when.lo, gone.since.lo);
  ended(sight.server(), gone, aborts ? VoteEnd::kAborted : VoteEnd::kGivenBack, when, sight.call->cause);
  if (restored) granted(sight.server(), GrantKind::kRestored, sight.when, sight.call->cause);
}

// Answers of long ago are not mixed up with those of now.
void QuorumBook::has_given_back(std::uint8_t server, std::uint64_t acquisition) {
  constexpr std::size_t kMost = 64;
  gave_back_.emplace_back(server, acquisition);
  if (gave_back_.size() > kMost) gave_back_.pop_front();
}

// The answer names to whom the lock has gone back there. Whoever is known to have given it back since does not hold it.
bool QuorumBook::restore(const Sight& sight) {
  const Reply& reply = *sight.reply;
  const Vote back{reply.owner, reply.number, 0, reply.token, sight.when, end_after(reply.remaining, sight)};
  const std::pair<std::uint8_t, std::uint64_t> him(sight.server(), reply.number);
  // Perhaps he has it once more for a moment, and perhaps with too few others.
  const bool leaves = std::any_of(calls_.begin(), calls_.end(), [&](const Call& call) {
    return gives_back(call) && call.asked.quorum.acquisition == reply.number;
  });
  if (!leaves && std::find(gave_back_.begin(), gave_back_.end(), him) == gave_back_.end()) {
    servers_[sight.server()].push_back(back);
    return true;
  }
  tell_vote(EventKind::kVoteGranted, back, sight.server(), sight.when, sight.call->cause,
            static_cast<std::uint8_t>(GrantKind::kRestored));
  tell_vote(EventKind::kVoteEnded, back, sight.server(), sight.when, sight.call->cause,
            static_cast<std::uint8_t>(VoteEnd::kGivenBack));
  return false;
}

void QuorumBook::clear(const Sight& sight) {
  Chain& chain = servers_[sight.server()];
  if (chain.empty()) return;
  const Vote before = chain.back();
  chain.clear();
  const bool given_back = gives_back(sight.server(), before.acquisition), over = before.until.lo <= sight.when.hi;
  const VoteEnd how = given_back                            ? VoteEnd::kGivenBack
                      : over                                ? VoteEnd::kRanOut
                      : is_obtaining(sight.server(), false) ? VoteEnd::kStolen
                                                            : VoteEnd::kForgotten;
  const TrueTime lo = how == VoteEnd::kRanOut ? before.until.lo : before.since.lo;
  ended(sight.server(), before, how, {std::min(lo, sight.when.hi), sight.when.hi}, sight.call->cause);
}

bool QuorumBook::gives_back(const Call& call) {
  return call.asked.kind == RequestKind::kGiveBack || call.asked.kind == RequestKind::kAbort;
}

bool QuorumBook::gives_back(std::uint8_t server, std::uint64_t acquisition) const {
  return std::any_of(calls_.begin(), calls_.end(), [&](const Call& call) {
    return gives_back(call) && call.asked.store == server && call.asked.quorum.acquisition == acquisition;
  });
}

bool QuorumBook::is_obtaining(std::uint8_t server, bool awaited) const {
  return std::any_of(calls_.begin(), calls_.end(), [&](const Call& call) {
    return (call.asked.id != 0) == awaited && call.asked.store == server && call.asked.kind == RequestKind::kObtain;
  });
}

// ---- what votes come to

// While an answer is awaited that may tell of more, nothing runs out.
TrueTime QuorumBook::runs_out(std::size_t server) const {
  const Chain& chain = servers_[server];
  const auto extends = [&](const Call& call) {
    return call.asked.id != 0 && call.asked.kind == RequestKind::kExtend && call.asked.store == server &&
           call.asked.quorum.acquisition == chain.back().acquisition;
  };
  if (chain.empty() || std::any_of(calls_.begin(), calls_.end(), extends)) return TrueTime::max();
  return chain.back().until.hi;
}

void QuorumBook::clock_asked(std::size_t store, Duration by, TrueTime asked) {
  const ClockStep step = clocks_[store].asked(by, asked);
  for (Vote& vote : servers_[store]) step.may_move(vote.until, asked < vote.until.hi);
}

void QuorumBook::clock_set(std::size_t store, TrueTime done) {
  const ClockStep step = clocks_[store].done(done);
  for (Vote& vote : servers_[store]) step.has_moved(vote.until);
}

TrueTime QuorumBook::due() const { return std::min(silence_.due(longest_silence()), runs_out(first_over())); }

void QuorumBook::tick(TrueTime now) {
  if (const auto from = silence_.begun(now, longest_silence()))
    record(EventKind::kUnobservedBegan, facts_.store, {*from, *from}, kNoToken, 0, 0, 0);
  // In their order: the one that is over last ends the term.
  for (std::size_t server = first_over(); now >= runs_out(server); server = first_over()) {
    const Vote over = servers_[server].back();
    servers_[server].clear();
    ended(static_cast<std::uint8_t>(server), over, VoteEnd::kRanOut, {over.until.lo, over.until.hi}, last_grant_);
  }
}

std::size_t QuorumBook::first_over() const {
  std::size_t out = 0;
  for (std::size_t server = 1; server < servers_.size(); ++server)
    if (runs_out(server) < runs_out(out)) out = server;
  return out;
}

void QuorumBook::granted(std::uint8_t server, GrantKind how, Span when, Sequence cause) {
  calls_.erase(std::remove_if(calls_.begin(), calls_.end(),
                              [&](const Call& call) {
                                return call.asked.id == 0 && call.asked.store == server && call.sent < when.lo;
                              }),
               calls_.end());
  const Vote& vote = servers_[server].back();
  const Sequence told = tell_vote(EventKind::kVoteGranted, vote, server, when, cause, static_cast<std::uint8_t>(how));
  settle(EventKind::kVoteGranted, static_cast<std::uint8_t>(how), vote.acquisition, when, told);
}

void QuorumBook::ended(std::uint8_t server, const Vote& vote, VoteEnd how, Span when, Sequence cause) {
  const Sequence told = tell_vote(EventKind::kVoteEnded, vote, server, when, cause, static_cast<std::uint8_t>(how));
  when.lo = runs_out_from(vote, when.lo);
  settle(EventKind::kVoteEnded, static_cast<std::uint8_t>(how), vote.acquisition, when, told);
}

// Its votes run out one after another, in an order that nobody knows: a majority may be gone as soon as one of them
// may, or as one may have been given back, or stolen, by a call that was not answered yet.
TrueTime QuorumBook::runs_out_from(const Vote& vote, TrueTime from) {
  if (running_out_ == vote.acquisition) from = std::min(from, runs_out_from_);
  for (const Chain& chain : servers_)
    if (!chain.empty() && chain.back().acquisition == vote.acquisition) from = std::min(from, chain.back().until.lo);
  for (const Call& call : calls_) {
    if (gives_back(call) && call.asked.quorum.acquisition == vote.acquisition) from = std::min(from, call.sent);
    const Chain& chain = servers_[call.asked.store];
    const bool may_steal = call.asked.kind == RequestKind::kObtain && !chain.empty() &&
                           chain.back().acquisition == vote.acquisition &&
                           call.asked.quorum.acquisition != vote.acquisition;
    if (may_steal) from = std::min(from, std::max(call.sent, chain.back().since.lo));
  }
  running_out_ = vote.acquisition;
  return runs_out_from_ = from;
}

Sequence QuorumBook::tell_vote(EventKind kind, const Vote& vote, std::uint8_t server, Span when, Sequence cause,
                               std::uint8_t detail) {
  const Duration lease = std::max<Duration>(Duration::zero(), vote.until.lo - when.lo);
  return record(kind, vote.owner, when, vote.token, kind == EventKind::kVoteGranted ? lease.count() : 0,
                facts_.stores[server].handle, cause, detail);
}

void QuorumBook::settle(EventKind kind, std::uint8_t detail, std::uint64_t acquisition, Span when, Sequence cause) {
  last_fact_ = cause;
  for (const Majority::Change& change : majority_.take({kind, detail, acquisition}, 0, when.hi, Known(servers_))) {
    const bool begins = change.kind == EventKind::kGranted;
    const bool ends = change.kind == EventKind::kReleased || change.kind == EventKind::kExpired;
    Span moment = when;
    if (begins) moment.lo = std::min(when.hi, std::max(free_from_, earliest(change)));
    if (ends) free_from_ = std::max(free_from_, moment.lo);
    const Sequence why = change.kind == EventKind::kExpired ? last_grant_ : cause;
    last_fact_ = record(change.kind, change.owner, moment, change.token, change.lease.count(), 0, why, change.detail);
    if (begins || change.kind == EventKind::kRenewed) last_grant_ = last_fact_;
  }
}

// When so many servers as make a majority may have been for it, of those that are known to be.
TrueTime QuorumBook::earliest(const Majority::Change& grant) const {
  std::vector<TrueTime> since;
  for (const Chain& chain : servers_)
    if (!chain.empty() && chain.back().owner == grant.owner && chain.back().token == grant.token)
      since.push_back(chain.back().since.lo);
  std::sort(since.begin(), since.end());
  const std::size_t enough = servers_.size() / 2 + 1;
  return since.size() < enough ? TrueTime{} : since[enough - 1];
}

Sequence QuorumBook::record(EventKind kind, Name node, Span when, Token token, std::int64_t a, std::int64_t b,
                            Sequence cause, std::uint8_t detail) {
  Event event;
  event.lo = std::min(when.lo, when.hi);
  event.hi = when.hi;
  event.kind = kind;
  event.detail = detail;
  event.node = node;
  event.mutex = facts_.mutex;
  event.token = token;
  event.a = a;
  event.b = b;
  event.cause = cause;
  return record_(event);
}

}  // namespace leasescope
