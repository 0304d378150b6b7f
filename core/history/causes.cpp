#include "core/history/causes.h"

#include <algorithm>

#include <fmt/format.h>

#include "core/time/duration_text.h"

namespace leasescope {
namespace {

constexpr std::string_view kTaken = "whoever took it judges for himself when a lease is over.";

bool held_by(const Standing::Mutex& of, std::uint32_t whose) {
  return std::any_of(of.holds.begin(), of.holds.end(),
                     [&](const Standing::Hold& hold) { return hold.contender == whose; });
}

}  // namespace

std::string granted_words(Token token) {
  return token == kNoToken ? std::string("it without a token") : fmt::format("#{}", token);
}
std::string with_words(Token token) {
  return token == kNoToken ? std::string("without a token") : fmt::format("with #{}", token);
}
std::string after_word(Token token) { return token == kNoToken ? std::string() : fmt::format(" #{}", token); }

std::string lost_words(const Standing& standing, const Standing::Mutex& of, std::uint32_t whose) {
  const Standing::Ending ending = of.ended == whose ? of.ending : Standing::Ending::kUnknown;
  switch (ending) {
    case Standing::Ending::kDeleted:
      return "it had been deleted by hand.";
    case Standing::Ending::kSessionForced:
      return "its session had been ended by force.";
    case Standing::Ending::kFailedOver:
      return "the replica had taken over without it.";
    case Standing::Ending::kRestarted:
      return "the store had come back without it.";
    case Standing::Ending::kEarly:
      return "the store kept a shorter lease than it had promised.";
    case Standing::Ending::kLateRelease:
      return "a release that it had sent before it started anew came late.";
    case Standing::Ending::kClock:
      return clock_words(of.clock);
    case Standing::Ending::kTaken:
      return std::string(kTaken);
    case Standing::Ending::kFreed:
      return "another had freed it.";
    default:
      return held_by(of, whose) && standing.store_clock().at == TrueTime::max() ? std::string(kTaken)
                                                                                : clock_words(standing.store_clock());
  }
}

std::string lost_term_words(const Standing& standing, const Standing::Mutex& of, std::uint32_t whose) {
  if (held_by(of, whose)) return fmt::format("an acquire of its own that came late had begun #{}.", of.token);
  return lost_words(standing, of, whose);
}

std::string clock_words(const Standing::ClockChange& change) {
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

}  // namespace leasescope
