// What a scenario says of the quorum lock, and of each of its contenders.
#pragma once
#include <algorithm>
#include <optional>
#include <string>
#include <string_view>

#include "core/base/describe.h"
#include "core/check/model_kind.h"
#include "core/quorum/priority.h"
#include "core/simba/lease_terms.h"
#include "core/store/port.h"
#include "core/time/clock.h"

namespace leasescope {

struct QuorumPlan {
  int priority = kUsualPriority;
  Duration hold = std::chrono::milliseconds(500);
  Duration rest = std::chrono::seconds(1);
  Duration acknowledge{};  // its own delay
  Duration limit{};
  Duration ttl{};
  int handles = 1;

  std::uint32_t entries() const { return static_cast<std::uint32_t>(handles); }

  template <class Keys>
  static void describe(Keys& keys) {
    constexpr int kMostPriority = 1'000'000;
    constexpr int kMostHandles = 9;
    keys.number("priority", &QuorumPlan::priority, -kMostPriority, kMostPriority,
                "it steals from whom has a lower one");
    keys.span("hold", &QuorumPlan::hold, Duration::zero(), "it holds for so long; 0s: as long as it can");
    keys.span("rest", &QuorumPlan::rest, Duration::zero(), "it rests for so long before it asks again");
    keys.span("acknowledge", &QuorumPlan::acknowledge, Duration::zero(),
              "so long after it let go it tells its thief so");
    keys.span("limit", &QuorumPlan::limit, Duration::zero(), "it gives up asking after so long; 0s: never");
    keys.span("ttl", &QuorumPlan::ttl, Duration::zero(), "of its own locks; 0s: the mutex's");
    keys.number("handles", &QuorumPlan::handles, 1, kMostHandles, "so often it enters, and leaves");
  }
  bool operator==(const QuorumPlan&) const = default;
};

// Why no lock can last so long, or for so short a time, with the remedy; none where it can. 0s: not said.
std::optional<std::string> wrong_ttl(Duration ttl);

struct QuorumTerms {
  static constexpr std::string_view kSystem = "quorum";
  static constexpr Family kFamily = Family::kQuorum;
  using Contender = class QuorumContender;
  using Plan = QuorumPlan;

  enum class Form : std::uint8_t {
    kSpecified,  // as it was published, with its weaknesses
    kCorrected,
  };
  enum class Extend : std::uint8_t {
    kNever,       // a lock ends with its first ttl
    kHeld,        // its holder extends it where it holds it
    kSetMissing,  // and writes the key anew where there is none; nothing but the answer to that ends its belief
  };

  static constexpr int kFewestServers = 3;
  static constexpr int kMostServers = 7;

  Form form = Form::kCorrected;
  int servers = 5;
  std::uint32_t consistency_ppm = 1'000'000;  // the stolen consistency factor, in millionths
  bool fence = true;
  Extend extend = Extend::kNever;

  static std::optional<std::string> wrong_lease(const LeaseTerms& lease) { return wrong_ttl(lease.ttl); }
  static std::optional<std::string> wrong_plan(const Plan& plan) { return wrong_ttl(plan.ttl); }
  std::string advice() const;
  check::Model model(std::uint32_t entries) const {
    using check::ModelKind;
    if (entries > 1) return {fence ? ModelKind::kReentrantFenced : ModelKind::kReentrant, entries};
    return {fence ? ModelKind::kFenced : ModelKind::kOwnerAware};
  }
  std::uint8_t server_count() const { return static_cast<std::uint8_t>(servers); }
  int majority() const { return servers / 2 + 1; }
  bool corrected() const { return form == Form::kCorrected; }
  bool waits_for_all_of_it() const { return consistency_ppm == 1'000'000; }

  template <class Keys>
  static void describe(Keys& keys) {
    keys.word("form", &QuorumTerms::form, {{"specified", Form::kSpecified, kWeak}, {"corrected", Form::kCorrected}},
              "specified: as it was published, with its weaknesses");
    keys.number("servers", &QuorumTerms::servers, kFewestServers, kMostServers,
                "so many independent servers, of which a majority must agree; an even number bears no more failures "
                "than one less");
    keys.share("stolen_consistency_factor", &QuorumTerms::consistency_ppm,
               "a thief waits for its victim's acknowledgement for this share of the ttl; then it holds all the same");
    keys.truth("fence", &QuorumTerms::fence, "each attempt bears a number above all that a majority has seen");
    keys.word("extend", &QuorumTerms::extend,
              {{"never", Extend::kNever}, {"held", Extend::kHeld}, {"set-missing", Extend::kSetMissing, kWeak}},
              "a holder extends its lock every third of the ttl; set-missing: also where the key is lost");
  }
  bool operator==(const QuorumTerms&) const = default;
};

// Of Redlock: what the servers' clocks and its own may differ by while a lease lasts.
constexpr Duration clock_drift(Duration ttl) { return ttl / 100 + std::chrono::milliseconds(2); }

// 1, 2, 4 … 128 ms, without jitter.
constexpr Duration retry_delay(std::uint32_t failures) {
  constexpr std::uint32_t kDoublings = 7;
  return std::chrono::milliseconds(1) * (1 << std::min(failures, kDoublings));
}

}  // namespace leasescope
