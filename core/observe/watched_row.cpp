#include "core/observe/watched_row.h"

#include <algorithm>
#include <array>

#include <fmt/format.h>

namespace leasescope {
namespace {

constexpr Duration kHour = std::chrono::hours(1);
constexpr Duration kAtOnce = std::chrono::milliseconds(100);  // what is apart by less was asked in one look

// It says that it owns, and by a look that is no older somebody else does, or nobody. What it says may be newer than
// the look: then its token is higher or, where there is none, it has come to believe since.
bool contradicts(const ToldBelief& of, const SeenMutex& book) {
  const Sighting& last = book.last();
  if (!of.owns || book.known() == SeenMutex::Known::kNothing || last.is_held_by(of.said.owner)) return false;
  const bool tokens = last.token_is_of_term && last.token != kNoToken && of.said.fence != kNoToken;
  return tokens ? of.said.fence <= last.token : of.since_hi <= last.asked;
}

}  // namespace

std::string_view text(WatchState state) {
  static constexpr std::array<std::string_view, kWatchStates> kTexts{"held", "in transition", "leaderless", "free",
                                                                     "not observed"};
  return kTexts[static_cast<std::size_t>(state)];
}

std::string state_text(const WatchedRow& row) {
  std::string out(text(row.state));
  if (!row.note.empty()) out += "; " + row.note;
  if (row.believers > 1) return fmt::format("{}; {} believe that they own it", out, row.believers);
  return row.at_odds ? out + "; another believes that he owns it" : out;
}

std::string counted_text(const WatchedRow& row) {
  if (!row.waiters_age || *row.waiters_age < row.age + kAtOnce) return {};
  return fmt::format("counted {} ago", length_text(*row.waiters_age));
}

std::string system_text(const Sighting& seen) {
  if (seen.maker == kOwnMaker) return fmt::format("{} ({})", seen.system, seen.maker);
  return fmt::format("{}{}{}{}", seen.maker, seen.maker.empty() ? "" : " ", seen.system, seen.likely ? ", likely" : "");
}

WatchedRow row_of(const WatchedMutex& mutex, TrueTime now) {
  const SeenMutex& book = mutex.book;
  const Sighting& last = book.last();
  WatchedRow out;
  out.owner = owner_text(last);
  out.holders = last.holders;
  if (!last.is_shared() && !last.owner.empty()) out.holders = {last.owner};
  out.held = last.is_shared() ? last.held : static_cast<std::uint32_t>(out.holders.size());
  out.unread = last.unread;
  out.permits = last.permits;
  out.token = last.owner.empty() ? kNoToken : last.token;
  out.age = now - last.answered;
  // While nothing is known it may be over since the last look.
  const bool known = book.known() != SeenMutex::Known::kNothing;
  out.lasts_least = std::max(Duration::zero(), (known ? now : last.answered) - book.since_hi());
  if (known && book.since_lo() != TrueTime::min()) out.lasts_most = now - book.since_lo();
  if (book.end_lo() != TrueTime::max() && !last.owner.empty()) out.left = book.end_lo() - now;
  if (known) out.note = last.note;
  out.waiters = last.waiters;
  if (!last.queue.empty())
    out.waiters = std::max(out.waiters.value_or(0), static_cast<std::uint32_t>(last.queue.size()));
  if (out.waiters)
    out.waiters_age = last.waiters_are_of_now ? out.age : now - last.waiters_counted.value_or(last.answered);
  out.handoffs = static_cast<std::size_t>(mutex.handoffs.end() -
                                          std::upper_bound(mutex.handoffs.begin(), mutex.handoffs.end(), now - kHour));
  if (mutex.beliefs != nullptr)
    for (const ToldBelief& each : mutex.beliefs->all()) {
      out.believers += each.owns;
      out.at_odds |= contradicts(each, book);
    }
  const bool waits = out.waiters.value_or(0) > 0;
  const bool late = last.ttl_left && last.answered + *last.ttl_left < now;
  if (book.known() == SeenMutex::Known::kNothing)
    out.state = WatchState::kNotObserved;
  else if (last.owner.empty())
    out.state = waits ? WatchState::kLeaderless : WatchState::kFree;
  else
    out.state = late ? WatchState::kInTransition : WatchState::kHeld;
  return out;
}

LeaseShares lease_shares(const WatchedMutex& mutex, const WatchedRow& row) {
  const Sighting& last = mutex.book.last();
  LeaseShares out;
  out.unobserved = row.state == WatchState::kNotObserved;
  if (row.owner.empty() || out.unobserved) return out;
  out.endless = !row.left;
  if (out.endless) {
    out.left = 1;
    return out;
  }
  const double length = static_cast<double>(std::max<Duration>(mutex.book.length(), *row.left).count());
  if (length <= 0) return out;
  out.left = std::clamp(static_cast<double>(row.left->count()) / length, 0.0, 1.0);
  if (!last.ttl_left || !last.left) return out;
  out.transition = std::clamp(static_cast<double>((*last.left - *last.ttl_left).count()) / length, 0.0, out.left);
  return out;
}

std::string length_text(Duration length) {
  const auto seconds = std::chrono::duration_cast<std::chrono::seconds>(length).count();
  if (seconds < 60) return fmt::format("{:.1f} s", static_cast<double>(length.count()) / 1e9);
  if (seconds < 3600) return fmt::format("{}:{:02}", seconds / 60, seconds % 60);
  if (seconds < 86'400) return fmt::format("{}:{:02}:{:02}", seconds / 3600, seconds / 60 % 60, seconds % 60);
  return fmt::format("{} d {:02}:{:02}", seconds / 86'400, seconds / 3600 % 24, seconds / 60 % 60);
}

}  // namespace leasescope
