// The sentences that say how an incident came about.
#include <fmt/format.h>

#include "core/history/checkers.h"
#include "core/time/duration_text.h"

namespace leasescope {

std::string Checkers::store_clock_words() const {
  if (store_clock_at_ == TrueTime::max()) return "the store had forgotten it.";
  return fmt::format(
      "the store's clock was set {} by {} s at {} s.", store_clock_by_ < Duration::zero() ? "back" : "forward",
      format_seconds(std::chrono::abs(store_clock_by_)), format_seconds(store_clock_at_.time_since_epoch()));
}

std::string Checkers::overlap_cause(const Contender& earlier, const Contender& later, TrueTime at) const {
  const std::string a = label(earlier.name);
  const std::string granted = fmt::format("{} was granted #{}", label(later.name), later.token);
  if (earlier.pause.covers(at))
    return fmt::format("{}'s pause outlived its lease: {}, {} could not know.", a, granted, a);
  if (at < earlier.lease_end && store_clock_at_ != TrueTime::max())
    return fmt::format("{}'s lease #{} ended early and {}: {}", a, earlier.token, granted, store_clock_words());
  if (earlier.cut.covers(at))
    return fmt::format("{} was cut off from the store and went on believing #{} after its lease: {}.", a, earlier.token,
                       granted);
  if (at < earlier.lease_end) return fmt::format("{} released before its application had stopped: {}.", a, granted);
  return fmt::format("{} went on believing #{} after its lease had ended: {}.", a, earlier.token, granted);
}

std::string Checkers::double_grant_cause(const Event& event, const Mutex& m) const {
  return fmt::format("The store granted #{} to {} {} s before the lease promised to {} was over: {}", event.token,
                     label(event.node), format_seconds(m.promised_until - event.hi), label(m.grantee),
                     store_clock_words());
}

std::string Checkers::stale_cause(const Event& event, const Contender& who) const {
  const std::string a = label(who.name);
  const std::string resource = label(Name{static_cast<std::uint32_t>(event.a)});
  const bool resumed = who.pause.until == event.hi || (who.pause.until < event.hi && who.pause.until > who.lease_end);
  const std::string seen = fmt::format("{} had seen #{}", resource, event.b);
  const std::string verdict =
      event.kind == EventKind::kWriteStaleAccepted ? "and nothing refused it" : "and the fence refused it";
  if (who.stale_count > 1)
    return fmt::format("{} wrote {} times with #{}; {}, {}.", a, who.stale_count, event.token, seen, verdict);
  return fmt::format("{} {} with #{}; {}, {}.", a, resumed ? "resumed and wrote" : "wrote", event.token, seen, verdict);
}

}  // namespace leasescope
