// The sentences that say how an incident came about.
#include <algorithm>

#include <fmt/format.h>

#include "core/history/checkers.h"
#include "core/time/duration_text.h"

namespace leasescope {
namespace {

// A token as a sentence bears it; a contender of before the tokens has none, and no number stands for that.
std::string granted_words(Token token) {
  return token == kNoToken ? std::string("it without a token") : fmt::format("#{}", token);
}
std::string with_words(Token token) {
  return token == kNoToken ? std::string("without a token") : fmt::format("with #{}", token);
}
std::string after_word(Token token) { return token == kNoToken ? std::string() : fmt::format(" #{}", token); }

}  // namespace

std::string Checkers::lost_words(const Mutex& m, Name whose) const {
  const Ending ending = m.ended == whose ? m.ending : Ending::kUnknown;
  switch (ending) {
    case Ending::kDeleted:
      return "it had been deleted by hand.";
    case Ending::kFailedOver:
      return "the replica had taken over without it.";
    case Ending::kRestarted:
      return "the store had come back without it.";
    case Ending::kEarly:
      return "the store kept a shorter lease than it had promised.";
    case Ending::kLateRelease:
      return "a release that it had sent before it started anew came late.";
    case Ending::kClock:
      return clock_words(m.clock);
    default:
      return clock_words(store_clock_);
  }
}

// Why a term is no more, before it was over as promised.
std::string Checkers::lost_term_words(const Mutex& m, Name whose) const {
  if (m.owner == whose) return fmt::format("an acquire of its own that came late had begun #{}.", m.token);
  return lost_words(m, whose);
}

std::string Checkers::lost_fence_words() const {
  switch (store_fault_) {
    case Disturbs::kDeletes:
      return ": its counter had been deleted by hand";
    case Disturbs::kFailsOver:
      return ": the replica had taken over with an older counter";
    case Disturbs::kRestarts:
      return ": it had come back without its counter";
    default:
      return "";
  }
}

std::string Checkers::clock_words(const ClockChange& change) {
  if (change.at == TrueTime::max()) return "the store had forgotten it.";
  const std::string at = format_seconds(change.at.time_since_epoch());
  const auto way = [](std::int64_t ppm) { return ppm < 0 ? "slow" : "fast"; };
  if (change.by == Duration::zero() && change.ppm == 0)
    return fmt::format("the store's clock had gone {} by {} ppm until {} s.", way(change.was), std::abs(change.was),
                       at);
  if (change.by == Duration::zero())
    return fmt::format("the store's clock went {} by {} ppm from {} s on.", way(change.ppm), std::abs(change.ppm), at);
  return fmt::format("the store's clock was set {} by {} s at {} s.", change.by < Duration::zero() ? "back" : "forward",
                     format_seconds(std::chrono::abs(change.by)), at);
}

// The one who came to believe last is the one who should not: the store had given the mutex to the other since.
std::string Checkers::told_late_cause(const Contender& owner, const Contender& late) const {
  const std::string who = label(late.name);
  const std::string by = late.by_message ? "message" : "reply";
  const std::string granted = fmt::format("{} had been granted {}", label(owner.name), granted_words(owner.token));
  if (late.pause.covers(late.lease_end))
    return fmt::format("{} was paused until its lease had ended; then {} was told by a {} that it owns, though {}.",
                       who, who, by, granted);
  return fmt::format("{} was told by a late {} that it owns, after its lease had ended at {} s: {}.", who, by,
                     format_seconds(late.lease_end.time_since_epoch()), granted);
}

const Checkers::Contender* Checkers::twin_of(const Contender& who) const {
  if (!shares_ids_) return nullptr;
  const auto found = std::find_if(contenders_.begin(), contenders_.end(), [&](const Contender& other) {
    return other.id == who.id && other.mutex == who.mutex && !(other.name == who.name);
  });
  return found == contenders_.end() ? nullptr : &*found;
}

std::string Checkers::overlap_cause(const Contender& earlier, const Contender& later, TrueTime at) const {
  const std::string a = label(earlier.name), b = label(later.name);
  const std::string granted = fmt::format("{} was granted {}", b, granted_words(later.token));
  const std::string its = after_word(earlier.token);
  const Mutex& m = mutexes_[earlier.mutex];
  if (earlier.token == later.token && later.token != kNoToken && m.grantee != later.name)
    return fmt::format("{} and {} hold #{} together: to the store their ids are one.", a, b, later.token);
  if (earlier.id == later.id)
    return fmt::format("{} and {} bear one id: to the store {}'s term{} is the next of the same owner.", a, b, b,
                       after_word(later.token));
  if (m.grantee == earlier.name && later.lease_end <= at) return told_late_cause(earlier, later);
  if (at < earlier.lease_end && m.ended == earlier.name && m.ending >= Ending::kEarly)
    return fmt::format("{}'s lease{} ended early and {}: {}", a, its, granted, lost_words(m, earlier.name));
  if (earlier.pause.covers(at))
    return fmt::format("{}'s pause outlived its lease: {}, {} could not know.", a, granted, a);
  if (at < earlier.lease_end && store_clock_.at != TrueTime::max())
    return fmt::format("{}'s lease{} ended early and {}: {}", a, its, granted, clock_words(store_clock_));
  if (earlier.starved.covers(at))
    return fmt::format("{}'s timers starved while its work went on, past the end of its lease: {}.", a, granted);
  if (earlier.drift.covers(at))
    return fmt::format("{}'s clock did not keep time, and it went on believing{} after its lease: {}.", a, its,
                       granted);
  if (earlier.cut.covers(at))
    return fmt::format("{} was cut off from the store and went on believing{} after its lease: {}.", a, its, granted);
  if (m.ended == earlier.name && m.ending == Ending::kReleased)
    return fmt::format("{} released before its application had stopped: {}.", a, granted);
  if (at < earlier.lease_end) return fmt::format("{}'s lease{} ended early and {}.", a, its, granted);
  return fmt::format("{} went on believing{} after its lease had ended: {}.", a, its, granted);
}

std::string Checkers::double_grant_cause(const Event& event, const Mutex& m, const Promise& broken) const {
  return fmt::format("The store granted {} to {} {} s before the lease promised to {} was over: {}",
                     granted_words(event.token), label(event.node), format_seconds(broken.until - event.hi),
                     label(broken.who), lost_words(m, broken.who));
}

std::string Checkers::gap_cause(const Mutex& m, TrueTime since, TrueTime end, const std::string& how) const {
  const bool was_free = !m.ever_granted || m.contended_since > m.free_since;
  const std::string after = was_free ? fmt::format("{} began to contend and nobody held it", label(m.first_contender))
                            : m.released ? fmt::format("{} released", label(m.grantee))
                                         : fmt::format("{}'s lease ended", label(m.grantee));
  return fmt::format("{}; {}, {} s later (more than {} s is long).", after, how, format_seconds(end - since),
                     format_seconds(longest_gap(), 1));
}

std::string Checkers::tokenless_cause(const Event& event, std::uint32_t count) const {
  const std::string writes = count == 1 ? "a write" : fmt::format("{} writes", count);
  return fmt::format("{} refused {} of {}: no token.", label(Name{static_cast<std::uint32_t>(event.a)}), writes,
                     label(event.node));
}

std::string Checkers::stale_cause(const Event& event, const Contender& who) const {
  const std::string a = label(who.name), with = with_words(event.token);
  const std::string resource = label(Name{static_cast<std::uint32_t>(event.a)});
  const bool resumed = who.pause.until == event.hi || (who.pause.until < event.hi && who.pause.until > who.lease_end);
  const std::string seen = fmt::format("{} had seen #{}", resource, event.b);
  const std::string verdict =
      event.kind == EventKind::kWriteStaleAccepted ? "and nothing refused it" : "and the fence refused it";
  const bool late = who.late_writes.since <= event.hi && !who.believes && !resumed;
  if (late)
    return fmt::format("{} of {} {} came late; {}, {}.",
                       who.stale_count > 1 ? fmt::format("{} writes", who.stale_count) : std::string("A write"), a,
                       with, seen, verdict);
  if (who.stale_count > 1) return fmt::format("{} wrote {} times {}; {}, {}.", a, who.stale_count, with, seen, verdict);
  return fmt::format("{} {} {}; {}, {}.", a, resumed ? "resumed and wrote" : "wrote", with, seen, verdict);
}

}  // namespace leasescope
