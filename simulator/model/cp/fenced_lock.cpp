#include "simulator/model/cp/fenced_lock.h"

namespace leasescope {
namespace {

LockEndpoint endpoint_of(const ServerCall& call) { return {call.request.session.session, call.request.session.thread}; }

template <class List>
auto wait_of(List& waits, LockEndpoint endpoint) {
  return std::find_if(waits.begin(), waits.end(), [&](const auto& wait) { return wait.endpoint == endpoint; });
}

}  // namespace

// ---- calls

FencedLock::Acquired FencedLock::acquire(const ServerCall& call, Token index, int limit, bool barred) {
  const LockEndpoint endpoint = endpoint_of(call);
  const std::uint64_t uid = call.request.session.uid;
  Acquired out;
  if (const Memo* said = memo_of(endpoint, uid, true)) {
    out.verdict = said->verdict;
    return out;
  }
  if (!held() && !barred && waits_.empty()) {
    own(endpoint, uid, index, call.request.contender);
    out.outcome = Outcome::kGranted;
    out.verdict = {SessionAnswer::kDone, index, 1};
    return out;
  }
  if (held() && owner_.endpoint == endpoint) {
    const bool full = limit > 0 && owner_.count >= static_cast<std::uint64_t>(limit);
    if (!full) ++owner_.count;
    out.outcome = full ? Outcome::kAnswered : Outcome::kReentered;
    out.verdict = full ? Verdict{SessionAnswer::kLimit, kNoToken, owner_.count}
                       : Verdict{SessionAnswer::kDone, owner_.fence, owner_.count};
    remember(endpoint, uid, true, out.verdict);
    return out;
  }
  out.cancelled = cancel(endpoint, uid);
  if (call.request.session.wait == Duration::zero()) {
    out.verdict.answer = SessionAnswer::kNotLocked;
    remember(endpoint, uid, true, out.verdict);
    return out;
  }
  out.outcome = Outcome::kWaits;
  if (const auto same = wait_of(waits_, endpoint); same != waits_.end()) {
    same->call = call;  // asked again: it keeps its place, and this one is answered
    same->heard = true;
  } else {
    waits_.push_back({endpoint, uid, index, call, true});
  }
  return out;
}

FencedLock::Released FencedLock::release(const ServerCall& call) {
  const LockEndpoint endpoint = endpoint_of(call);
  const std::uint64_t uid = call.request.session.uid;
  Released out;
  if (const Memo* said = memo_of(endpoint, uid, false)) {
    out.verdict = said->verdict;
    return out;
  }
  if (!held() || owner_.endpoint != endpoint) {
    out.verdict.answer = SessionAnswer::kNotOwner;
    out.cancelled = cancel(endpoint, 0);
    return out;
  }
  --owner_.count;
  out.verdict.count = owner_.count;
  out.freed = owner_.count == 0;
  out.reduced = !out.freed;
  if (out.freed) forget(endpoint);
  remember(endpoint, uid, false, out.verdict);
  return out;
}

std::optional<FencedLock::Wait> FencedLock::grant_next() {
  if (held() || waits_.empty()) return std::nullopt;
  const Wait first = waits_.front();
  waits_.erase(waits_.begin());
  own(first.endpoint, first.uid, first.index, first.call.request.contender);
  return first;
}

std::optional<FencedLock::Wait> FencedLock::time_out(LockEndpoint endpoint, std::uint64_t uid) {
  const auto of = wait_of(waits_, endpoint);
  if (of == waits_.end() || of->uid != uid) return std::nullopt;
  const Wait out = *of;
  waits_.erase(of);
  remember(endpoint, uid, true, {SessionAnswer::kNotLocked, kNoToken, 0});
  return out;
}

bool FencedLock::end_session(std::uint64_t session, std::vector<Wait>& ended) {
  const auto of_it = [&](const auto& one) { return one.endpoint.session == session; };
  std::copy_if(waits_.begin(), waits_.end(), std::back_inserter(ended), of_it);
  waits_.erase(std::remove_if(waits_.begin(), waits_.end(), of_it), waits_.end());
  memos_.erase(std::remove_if(memos_.begin(), memos_.end(), of_it), memos_.end());
  const bool held_it = held() && of_it(owner_);
  if (held_it) owner_.count = 0;
  return held_it;
}

std::int64_t FencedLock::place(LockEndpoint endpoint) const {
  const auto of = wait_of(waits_, endpoint);
  return of == waits_.end() ? 0 : of - waits_.begin() + 1;
}

// ---- what it remembers

const FencedLock::Memo* FencedLock::memo_of(LockEndpoint endpoint, std::uint64_t uid, bool acquires) const {
  const auto wanted = std::tie(endpoint, uid, acquires);
  const auto at = std::lower_bound(memos_.begin(), memos_.end(), wanted,
                                   [](const Memo& memo, const auto& key) { return memo.key() < key; });
  return at == memos_.end() || at->key() != wanted ? nullptr : &*at;
}

// Of one that does not hold the latest answer is enough: its thread has one call at a time.
void FencedLock::remember(LockEndpoint endpoint, std::uint64_t uid, bool acquires, const Verdict& verdict) {
  const Memo memo{endpoint, uid, acquires, verdict};
  const bool holds = held() && owner_.endpoint == endpoint;
  const auto [first, last] = memos_of(endpoint);
  if (!holds && first != last) {
    *first = memo;
    memos_.erase(first + 1, last);
  } else {
    memos_.insert(
        std::lower_bound(first, last, memo.key(), [](const Memo& other, const auto& key) { return other.key() < key; }),
        memo);
  }
}

void FencedLock::forget(LockEndpoint endpoint) {
  const auto [first, last] = memos_of(endpoint);
  memos_.erase(first, last);
}

std::pair<FencedLock::Memos::iterator, FencedLock::Memos::iterator> FencedLock::memos_of(LockEndpoint endpoint) {
  const auto first = std::lower_bound(memos_.begin(), memos_.end(), endpoint,
                                      [](const Memo& memo, LockEndpoint wanted) { return memo.endpoint < wanted; });
  const auto last = std::upper_bound(first, memos_.end(), endpoint,
                                     [](LockEndpoint wanted, const Memo& memo) { return wanted < memo.endpoint; });
  return {first, last};
}

void FencedLock::own(LockEndpoint endpoint, std::uint64_t uid, Token fence, Name name) {
  owner_ = {endpoint, uid, fence, name, 1};
  remember(endpoint, uid, true, {SessionAnswer::kDone, fence, 1});
}

std::optional<FencedLock::Wait> FencedLock::cancel(LockEndpoint endpoint, std::uint64_t other_than) {
  const auto of = wait_of(waits_, endpoint);
  if (of == waits_.end() || of->uid == other_than) return std::nullopt;
  const Wait out = *of;
  waits_.erase(of);
  return out;
}

}  // namespace leasescope
