#include "core/quorum/contender.h"

#include <algorithm>

namespace leasescope {
namespace {

// 1, 2, 4 … 128 ms, without jitter.
constexpr Duration retry_delay(std::uint32_t failures) {
  constexpr std::uint32_t kDoublings = 7;
  return std::chrono::milliseconds(1) * (1 << std::min(failures, kDoublings));
}

}  // namespace

void QuorumContender::ask(Effects& out, Clocks now) {
  if (release_.uid != 0) end_release(Ending::kUnknown, out);  // one call after the other
  uid_ = next_uid();
  failures_ = 0;
  limit_at_ = now.steady + plan_.limit;
  out.push(Note{EventKind::kInvoked, static_cast<std::uint8_t>(Operation::kLock), kNoToken,
                static_cast<std::int64_t>(uid_), 0});
  attempt(out, now);
}

void QuorumContender::attempt(Effects& out, Clocks now) {
  phase_ = Phase::kObtaining;
  acquisition_ = setting_.draws.next() | 1;  // 0 is none
  token_ = terms_.fence ? seen_ + 1 : kNoToken;
  victim_count_ = thief_count_ = 0;
  had_majority_ = false;
  deadline_ = now.steady + ttl() - clock_drift(ttl());
  attempt_ = Attempt{};
  attempt_.maybe = all_servers();
  aside_ = Aside{};
  send_round(RequestKind::kObtain, {acquisition_, token_, ttl(), {plan_.priority}, rules()}, attempt_, out, now);
  out.push(Arm{QuorumTimer::kWatch, deadline_ - now.steady});
}

void QuorumContender::send_round(RequestKind kind, const QuorumCall& call, Round& round, Effects& out, Clocks now) {
  round.first = requests_ + 1;
  round.sent = now.steady;
  for (int server = 0; server < terms_.servers; ++server) send(kind, server, out).quorum = call;
}

QuorumRules QuorumContender::rules() const {
  return {terms_.corrected(), terms_.extend == QuorumTerms::Extend::kSetMissing, false};
}

void QuorumContender::on_obtained(const Reply& reply, std::uint8_t server, Effects& out, Clocks now) {
  const bool answered = reply.ending == Ending::kOk;
  const auto answer = static_cast<QuorumAnswer>(reply.answer);
  const bool stole = answered && answer == QuorumAnswer::kFromVictim;
  if (answered && !reply.done) {
    attempt_.maybe &= static_cast<std::uint8_t>(~bit(server));
    attempt_.remaining = std::max(attempt_.remaining, reply.remaining);
    if (answer == QuorumAnswer::kBehind) attempt_.behind |= bit(server);
  }
  if (answered && reply.done) attempt_.granted |= bit(server);
  if (acquisition_ == 0) return;
  if (stole) victims_[victim_count_++] = victim_of(reply, server);
  if (phase_ != Phase::kObtaining) {
    if (stole) tell_late(victims_[victim_count_ - 1], out);
    return go_on_yielding(out, now);
  }
  if (thief_count_ > 0) return all_answered() ? on_stolen_attempt(out, now) : void();
  if (enough(attempt_.granted)) return on_majority(out, now);
  if (all_answered()) fail_attempt(out, now);
}

void QuorumContender::on_majority(Effects& out, Clocks now) {
  if (now.steady >= deadline_) return fail_attempt(out, now);
  had_majority_ = true;
  claim_until_ = now.wall + (deadline_ - now.steady);
  out.push(Note{EventKind::kAttempt, static_cast<std::uint8_t>(AttemptResult::kWon), token_,
                (deadline_ - now.steady).count(), static_cast<std::int64_t>(RequestKind::kObtain)});
  victim_count_ == 0 ? hold(true, out, now) : await(out, now);
}

// What a majority of servers granted is taken back where it did not come to one.
void QuorumContender::fail_attempt(Effects& out, Clocks now) {
  const AttemptResult result = attempt_.unknown  ? AttemptResult::kUnknown
                               : attempt_.failed ? AttemptResult::kFailed
                                                 : AttemptResult::kLost;
  const bool failed = result == AttemptResult::kFailed;
  out.push(Note{EventKind::kAttempt, static_cast<std::uint8_t>(result), kNoToken,
                failed ? 0 : attempt_.remaining.count(), static_cast<std::int64_t>(RequestKind::kObtain)});
  abandon(out, now);
}

void QuorumContender::try_again(Effects& out, Clocks now) {
  end_attempt();
  if (stopping()) {
    refused(out);
    return rest(out);
  }
  // Where only its fence was too low it knows a better one by now.
  const bool at_once = enough(attempt_.granted | attempt_.behind) && attempt_.behind != 0;
  const Duration delay = at_once ? Duration::zero() : retry_delay(failures_++);
  if (past_limit(now.steady + delay)) {
    refused(out);
    return rest(out);
  }
  phase_ = Phase::kResting;
  out.push(Arm{QuorumTimer::kCycle, delay});
}

void QuorumContender::refused(Effects& out) {
  note_returned(Operation::kLock, uid_, Ending::kFailed, kNoToken, out);
  uid_ = 0;
}

// As it was published the key is freed, whoever had it before. Corrected, who gives up leaves all as it was; and where
// who has held it gives it back, whoever has not let go yet keeps the rest of his lease, so that nobody holds beside
// him.
void QuorumContender::take_back(Effects& out) {
  for (std::uint8_t server = 0; server < terms_.server_count(); ++server) {
    if ((attempt_.maybe & bit(server)) == 0) continue;
    const bool aborts = terms_.corrected() && asks();
    QuorumRules how{};
    how.keeps_victim = !aborts && restores(server);
    send(aborts ? RequestKind::kAbort : RequestKind::kGiveBack, server, out).quorum = {acquisition_, 0, {}, {0}, how};
  }
}

// Of a server that has not answered nobody knows whether it was stolen there.
bool QuorumContender::restores(std::uint8_t server) const {
  if (!terms_.corrected()) return false;
  return (attempt_.granted & bit(server)) == 0 ||
         std::any_of(victims_.begin(), victims_.begin() + victim_count_,
                     [&](const Victim& victim) { return victim.by == server && !victim.acknowledged; });
}

// Nobody needs to wait for what it has not got, nor for whom it has not taken it from. Whom it took a vote from when it
// had its majority already had none. With a fence he gets none either: his calls are behind at each server of that
// majority. Without one such a call may come when this thief has gone, and be enough.
bool QuorumContender::clean() const {
  const bool knows_all = had_majority_ ? terms_.fence || all_answered() : all_answered() && !attempt_.unknown;
  return knows_all && std::all_of(victims_.begin(), victims_.begin() + victim_count_, [this](const Victim& victim) {
           return victim.acknowledged || (victim.late && terms_.fence);
         });
}

void QuorumContender::end_attempt() {
  if (acquisition_ != 0 && clean()) cleared_[next_cleared_++ % kMostCleared] = acquisition_;
  acquisition_ = 0;
  thief_count_ = 0;
}

}  // namespace leasescope
