#include "core/cas/contender.h"

#include <algorithm>

namespace leasescope {

void CasContender::seek(Effects& out, Clocks now) {
  phase_ = Phase::kSeeks;
  invoke(acquire_operation(), out);
  begin_attempt(out, now);
}

// A register that may be its own already comes first.
void CasContender::begin_attempt(Effects& out, Clocks now) {
  const std::uint8_t count = cell_count(), first = first_cell();
  const bool traced = trace_.any && trace_.cell >= first && trace_.cell < first + count;
  cursor_ = traced ? trace_.cell : static_cast<std::uint8_t>(first + setting_.place % count);
  looked_ = 0;
  shortest_ = kForever;
  stage_ = reads() ? Stage::kWriter : Stage::kTake;
  look(reads() ? 0 : cursor_, out, now);
}

void CasContender::look(std::uint8_t cell, Effects& out, Clocks now) {
  send(RequestKind::kRead, Purpose::kLook, cell, out, now);
}

void CasContender::on_seen(const Reply& reply, std::uint8_t cell, Effects& out, Clocks now) {
  if (phase_ == Phase::kFrees) {  // blind: whoever it is
    const bool is_free = static_cast<CellMode>(reply.answer & ~kLeaseOver) == CellMode::kFree;
    return is_free ? freed(Ending::kOk, out, now)
                   : set(Purpose::kFree, cell, reply.number, CellMode::kFree, reply.token, out, now);
  }
  const Judged judged = judge(reply, cell, now);
  switch (stage_) {
    case Stage::kWriter:
      if (judged.as == Judged::As::kOver) return evict(reply, cell, out, now);
      if (judged.as == Judged::As::kBusy) {
        note_attempt(AttemptResult::kLost, RequestKind::kAcquire, judged.wait, reply.token, out);
        return wait(judged.wait, out, now);
      }
      stage_ = Stage::kTake;
      return look(cursor_, out, now);
    case Stage::kTake:
      return judged.as == Judged::As::kBusy ? next_cell(judged, out, now) : take(reply, cell, out, now);
    case Stage::kOthers:
    case Stage::kConfirm:
      return on_others_seen(reply, cell, judged, out, now);
  }
}

// The whole of a round was in vain: it sleeps until the first of them may be over.
void CasContender::next_cell(const Judged& busy, Effects& out, Clocks now) {
  shortest_ = std::min(shortest_, busy.wait);
  if (++looked_ < cell_count()) {
    cursor_ = static_cast<std::uint8_t>(first_cell() + (cursor_ - first_cell() + 1) % cell_count());
    return look(cursor_, out, now);
  }
  note_attempt(AttemptResult::kLost, RequestKind::kAcquire, shortest_, kNoToken, out);
  wait(shortest_, out, now);
}

void CasContender::take(const Reply& seen, std::uint8_t cell, Effects& out, Clocks now) {
  const bool claims = terms_.kind == CasTerms::Kind::kReadWrite;
  set(Purpose::kTake, cell, seen.number, claims ? CellMode::kClaimed : CellMode::kHeld,
      claims ? seen.token : next_token(seen.token, cell), out, now);
}

void CasContender::on_taken(const Reply& reply, const Flight& call, Effects& out, Clocks now) {
  if (!reply.done) {
    if (call.purpose == Purpose::kConfirm) {  // its claim was over, and somebody has swept it away
      mine_ = {};
      note_attempt(AttemptResult::kLost, RequestKind::kAcquire, Duration::zero(), reply.token, out);
      return begin_attempt(out, now);
    }
    if (judge(reply, call.cell, now).as != Judged::As::kBusy)
      note_attempt(AttemptResult::kLost, RequestKind::kAcquire, Duration::zero(), reply.token, out);
    return on_seen(reply, call.cell, out, now);
  }
  const bool claimed = terms_.kind == CasTerms::Kind::kReadWrite && call.purpose == Purpose::kTake;
  keep(reply, call, claimed ? CellMode::kClaimed : reads() ? CellMode::kShared : CellMode::kHeld);
  if (!claimed) return hold(out, now);
  stage_ = Stage::kOthers;
  cursor_ = reads() ? 0 : 1;
  look(cursor_, out, now);
}

// With its claim in the store it looks at the others: of a writer and a reader who both come at once, one at least sees
// the other.
void CasContender::on_others_seen(const Reply& reply, std::uint8_t cell, const Judged& judged, Effects& out,
                                  Clocks now) {
  if (judged.as == Judged::As::kOver) return evict(reply, cell, out, now);
  if (judged.as == Judged::As::kBusy) {
    note_attempt(AttemptResult::kLost, RequestKind::kAcquire, judged.wait, reply.token, out);
    shortest_ = judged.wait;
    return reads() ? give_up_claim(out, now) : wait(judged.wait, out, now);
  }
  if (reads()) return confirm(reply.token + 1, out, now);
  if (++cursor_ < terms_.cells()) return look(cursor_, out, now);
  confirm(mine_.token + 2, out, now);
}

// Only while the register still has the version of its claim.
void CasContender::confirm(Token token, Effects& out, Clocks now) {
  stage_ = Stage::kConfirm;
  set(Purpose::kConfirm, mine_.cell, mine_.version, reads() ? CellMode::kShared : CellMode::kHeld, token, out, now);
}

// Frees what is over. Whoever held it can neither renew nor confirm it any more.
void CasContender::evict(const Reply& seen, std::uint8_t cell, Effects& out, Clocks now) {
  set(Purpose::kEvict, cell, seen.number, CellMode::kFree, seen.token, out, now);
}

void CasContender::give_up_claim(Effects& out, Clocks now) {
  set(Purpose::kFree, mine_.cell, mine_.version, CellMode::kFree, mine_.token, out, now);
}

// Nobody tells of a release: it looks now and then, not all at once.
void CasContender::wait(Duration delay, Effects& out, Clocks now) {
  const auto half = static_cast<std::uint64_t>((poll() / 2).count());
  const Duration drawn = poll() / 2 + Duration(half == 0 ? 0 : static_cast<std::int64_t>(setting_.draws.below(half)));
  Duration until = std::clamp(delay, Duration::zero(), drawn);
  if (mine_.any) until = std::clamp(renew_at_ - now.steady, Duration::zero(), until);
  out.push(Note{EventKind::kWakeupPlanned, 0, kNoToken, until.count(), 0});
  plan(until, out);
}

}  // namespace leasescope
