#include "simulator/model/quorum/redlock_model.h"

#include <algorithm>

namespace leasescope {
namespace {

// Where that attempt holds it, or lies beneath; the end: it does not.
template <class Chain>
auto find_attempt(Chain& chain, std::uint64_t acquisition) {
  return std::find_if(chain.begin(), chain.end(),
                      [acquisition](const RedlockModel::Entry& entry) { return entry.acquisition == acquisition; });
}

}  // namespace

bool RedlockModel::lies_beneath(std::uint32_t mutex, std::uint64_t acquisition) const {
  const std::vector<Entry>& chain = locks_[mutex].chain;
  if (chain.empty() || acquisition == 0) return false;
  return chain.back().stolen_from == acquisition || find_attempt(chain, acquisition) < chain.end() - 1;
}

bool RedlockModel::take(const ServerCall& call, ServerNow now, ServerSteps& out) {
  wake(call.mutex, now, out);  // a key that has run out is gone before anything looks at it
  Lock& lock = locks_[call.mutex];
  switch (call.request.kind) {
    case RequestKind::kObtain:
      obtain(lock, call, now.clock, out);
      break;
    case RequestKind::kExtend:
      extend(lock, call, now.clock, out);
      break;
    case RequestKind::kGiveBack:
      give_back(lock, call, now.clock, out);
      break;
    case RequestKind::kAbort:
      abort(lock, call, now.clock, out);
      break;
    case RequestKind::kTell:
    case RequestKind::kAcknowledge:
      pass_on(call, out);
      break;
    case RequestKind::kSubscribe:
    case RequestKind::kUnsubscribe:
      out.answer(call);
      break;
    default:
      out.answer(call).reply.ending = Ending::kFailed;  // of another family
      break;
  }
  return true;
}

// Whoever lies beneath has ended by then: a thief's lease is at least as long.
void RedlockModel::wake(std::uint32_t mutex, ServerNow now, ServerSteps& out) {
  std::vector<Entry>& chain = locks_[mutex].chain;
  if (chain.empty() || now.clock < chain.back().expires_at) return;
  end(chain.back(), VoteEnd::kRanOut, out.add(mutex));
  chain.clear();
}

void RedlockModel::disturb(Disturbance what, ServerNow /*now*/, ServerSteps& out) {
  if (what != Disturbance::kRestart || terms_.persistence) return;
  for (std::uint32_t mutex = 0; mutex < locks_.size(); ++mutex) {
    if (const Entry* const held = vote(mutex)) end(*held, VoteEnd::kForgotten, out.add(mutex));
    locks_[mutex] = Lock();
  }
}

// ---- the scripts

void RedlockModel::obtain(Lock& lock, const ServerCall& call, ServerTime now, ServerSteps& out) {
  const QuorumCall& asked = call.request.quorum;
  Entry* const held = lock.chain.empty() ? nullptr : &lock.chain.back();
  if (asked.rules.re_enters) {
    ServerStep& step = out.answer(call);
    if (held == nullptr || held->acquisition != asked.other || held->passed)
      return deny(lock, QuorumAnswer::kDenied, now, step);
    // Its end stays where it was.
    step.reply.done = true;
    step.reply.answer = static_cast<std::uint8_t>(QuorumAnswer::kReentrant);
    step.reply.number = static_cast<std::uint64_t>(held->priority);
    step.reply.token = lock.fence;
    held->priority = std::max(held->priority, asked.priority);
    return;
  }
  if (held != nullptr && held->acquisition == asked.acquisition) {  // the same call, come twice
    ServerStep& step = out.answer(call);
    step.reply.done = true;
    step.reply.token = lock.fence;
    return name_victim(*held, step);
  }
  // First whether it may steal: whose fence alone is too low asks again at once.
  if (held != nullptr && !steals(asked.priority, held->priority))
    return deny(lock, QuorumAnswer::kDenied, now, out.answer(call));
  if (asked.other != kNoToken && asked.other <= lock.fence)
    return deny(lock, QuorumAnswer::kBehind, now, out.answer(call));
  Entry next{call.request.contender, asked.acquisition, 0, {}, asked.priority, asked.other, now + asked.span};
  lock.fence = std::max(lock.fence, next.token);
  if (held == nullptr) {
    lock.chain.push_back(next);
    return grant(next, GrantKind::kAsked, now, out.answer(call));
  }
  const Entry victim = *held;
  end(victim, VoteEnd::kStolen, out.add(call.mutex));
  next.stolen_from = victim.acquisition;
  next.victim = victim.owner;
  if (asked.rules.keeps_victim) {
    next.expires_at = std::max(next.expires_at, victim.expires_at);
  } else {
    lock.chain.clear();
  }
  lock.chain.push_back(next);
  ServerStep& step = out.answer(call);
  grant(next, GrantKind::kStolen, now, step);
  name_victim(next, step);
}

void RedlockModel::extend(Lock& lock, const ServerCall& call, ServerTime now, ServerSteps& out) {
  const QuorumCall& asked = call.request.quorum;
  const bool missing = lock.chain.empty();
  if (missing && asked.rules.sets_missing)
    lock.chain.push_back({call.request.contender, asked.acquisition, 0, {}, asked.priority, asked.other, {}});
  ServerStep& step = out.answer(call);
  if (lock.chain.empty() || lock.chain.back().acquisition != asked.acquisition || lock.chain.back().passed)
    return deny(lock, QuorumAnswer::kDenied, now, step);
  Entry& held = lock.chain.back();
  held.expires_at = std::max(held.expires_at, now + asked.span);
  lock.fence = std::max(lock.fence, held.token);
  grant(held, GrantKind::kAsked, now, step);
}

// Who holds it frees it, whoever it had it from. Who was stolen from is forgotten, with all whom it had stolen from, or
// keeps the rest of his lease; he is told that he held it no more. His vote has ended before, but it has to be known
// that he has begun to give back.
void RedlockModel::give_back(Lock& lock, const ServerCall& call, ServerTime now, ServerSteps& out) {
  ServerStep& step = out.answer(call);
  const auto at = find_attempt(lock.chain, call.request.quorum.acquisition);
  if (at == lock.chain.end()) return;
  const bool held = at + 1 == lock.chain.end();
  end(*at, VoteEnd::kGivenBack, step);
  step.reply.done = held && !at->passed;
  if (!call.request.quorum.rules.keeps_victim) {
    lock.chain.erase(lock.chain.begin(), at + 1);
    return;
  }
  std::for_each(lock.chain.begin(), at, [](Entry& victim) { victim.passed = true; });
  lock.chain.erase(at);
  if (held) restore(lock, now, out, call.mutex);
}

// Whoever it was stolen from has it again, for what is left of its lease.
void RedlockModel::abort(Lock& lock, const ServerCall& call, ServerTime now, ServerSteps& out) {
  ServerStep& step = out.answer(call);
  const auto at = find_attempt(lock.chain, call.request.quorum.acquisition);
  if (at == lock.chain.end()) return;
  const bool held = at + 1 == lock.chain.end();
  step.reply.done = true;
  end(*at, VoteEnd::kAborted, step);
  lock.chain.erase(at);
  if (held) restore(lock, now, out, call.mutex);
}

void RedlockModel::restore(Lock& lock, ServerTime now, ServerSteps& out, std::uint32_t mutex) {
  while (!lock.chain.empty() && lock.chain.back().expires_at <= now) lock.chain.pop_back();
  if (!lock.chain.empty()) grant(lock.chain.back(), GrantKind::kRestored, now, out.add(mutex));
}

void RedlockModel::pass_on(const ServerCall& call, ServerSteps& out) const {
  const QuorumCall& asked = call.request.quorum;
  ServerStep& step = out.answer(call);
  step.publishes = true;
  step.channel = Name{asked.to};
  step.message = {call.request.kind == RequestKind::kTell ? StoreEventKind::kStolen : StoreEventKind::kLetGo,
                  call.request.mutex,
                  call.request.contender,
                  place_,
                  asked.acquisition,
                  asked.other,
                  WallTime(asked.span)};
}

void RedlockModel::deny(const Lock& lock, QuorumAnswer answer, ServerTime now, ServerStep& step) {
  step.reply.answer = static_cast<std::uint8_t>(answer);
  step.reply.token = lock.fence;
  if (lock.chain.empty()) return;
  step.reply.owner = lock.chain.back().owner;
  step.reply.remaining = lock.chain.back().expires_at - now;
}

void RedlockModel::grant(const Entry& to, GrantKind how, ServerTime now, ServerStep& step) {
  step.fact = ServerStep::Fact::kOther;
  step.kind = EventKind::kVoteGranted;
  step.detail = static_cast<std::uint8_t>(how);
  step.owner = to.owner;
  step.token = to.token;
  step.lease = to.expires_at - now;
  step.a = step.lease.count();
  step.acquisition = to.acquisition;
  if (!step.replies) return;
  step.reply.done = true;
  step.reply.token = to.token;
  step.reply.remaining = step.lease;
}

// Whichever of its answers comes first: a thief has to know.
void RedlockModel::name_victim(const Entry& of, ServerStep& step) {
  if (of.stolen_from == 0) return;
  step.reply.answer = static_cast<std::uint8_t>(QuorumAnswer::kFromVictim);
  step.reply.owner = of.victim;
  step.reply.number = of.stolen_from;
}

void RedlockModel::end(const Entry& of, VoteEnd how, ServerStep& step) {
  step.fact = ServerStep::Fact::kOther;
  step.kind = EventKind::kVoteEnded;
  step.detail = static_cast<std::uint8_t>(how);
  step.owner = of.owner;
  step.token = of.token;
  step.a = 0;
  step.acquisition = of.acquisition;
}

}  // namespace leasescope
