// What a scenario says of the quorum lock.
#pragma once
#include <optional>
#include <string>
#include <string_view>

#include "core/base/describe.h"
#include "core/check/model_kind.h"
#include "core/quorum/plan.h"
#include "core/quorum/ttl.h"
#include "core/simba/lease_terms.h"
#include "core/store/port.h"

namespace leasescope {

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
    keys.truth(
        "fence", &QuorumTerms::fence,
        "each attempt bears a number above all that a server told it; a server refuses one that is not above its own");
    keys.word("extend", &QuorumTerms::extend,
              {{"never", Extend::kNever}, {"held", Extend::kHeld}, {"set-missing", Extend::kSetMissing, kWeak}},
              "a holder extends its lock every third of the ttl; set-missing: also where the key is lost");
  }
  bool operator==(const QuorumTerms&) const = default;
};

}  // namespace leasescope
