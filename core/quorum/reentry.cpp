#include "core/quorum/contender.h"

#include <utility>

namespace leasescope {

void QuorumContender::re_enter(Effects& out, Clocks now) {
  reentry_uid_ = next_uid();
  out.push(Note{EventKind::kInvoked, static_cast<std::uint8_t>(Operation::kTryLock), kNoToken,
                static_cast<std::int64_t>(reentry_uid_), 0});
  ask_aside(RequestKind::kObtain, {setting_.draws.next() | 1, acquisition_, ttl(), {plan_.priority}, rules()}, out,
            now);
}

void QuorumContender::on_reentered(const Reply& reply, std::uint8_t server, Effects& out, Clocks now) {
  if (reply.ending == Ending::kOk && static_cast<QuorumAnswer>(reply.answer) == QuorumAnswer::kReentrant)
    aside_.granted |= bit(server);
  if (!aside_.open) return;
  const bool entered = enough(aside_.granted);
  if (!entered && !hopeless()) return;
  aside_.open = false;
  end_reentry(entered, out);
  to_enter_ = entered ? static_cast<std::uint8_t>(to_enter_ - 1) : std::uint8_t{0};
  if (entered) out.push(Note{EventKind::kReentered, 0, token_, 0, ++handles_});
  plan_aside(out, now);
}

// Its application is told, also when the lock has gone meanwhile: a call that never returns would be open for ever.
void QuorumContender::end_reentry(bool entered, Effects& out) {
  if (reentry_uid_ == 0) return;
  note_returned(Operation::kTryLock, std::exchange(reentry_uid_, 0), entered ? Ending::kOk : Ending::kFailed, token_,
                out);
}

}  // namespace leasescope
