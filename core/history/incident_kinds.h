// The register of incident kinds: one line each, by its file in core/history/incidents/.
#pragma once
#include <array>
#include <cstdint>

#define LEASESCOPE_INCIDENT_KINDS(KIND)          \
  KIND(DoubleGrant, double_grant)                \
  KIND(StaleWriteAccepted, stale_write_accepted) \
  KIND(FenceRegression, fence_regression)        \
  KIND(BeliefOverlap, belief_overlap)            \
  KIND(StaleWriteRejected, stale_write_rejected) \
  KIND(LateRenewal, late_renewal)                \
  KIND(Leaderless, leaderless)                   \
  KIND(Flapping, flapping)                       \
  KIND(StoreRefuses, store_refuses)              \
  KIND(TokenlessRefused, tokenless_refused)      \
  KIND(MixedState, mixed_state)                  \
  KIND(SteppedDown, stepped_down)                \
  KIND(UnknownOwner, unknown_owner)              \
  KIND(LateHandover, late_handover)              \
  KIND(Storm, storm)                             \
  KIND(SharedToken, shared_token)

namespace leasescope {

enum class IncidentKind : std::uint8_t {
#define LEASESCOPE_ENUMERATOR(Name, name) k##Name,
  LEASESCOPE_INCIDENT_KINDS(LEASESCOPE_ENUMERATOR)
#undef LEASESCOPE_ENUMERATOR
};

inline constexpr std::array kAllIncidentKinds{
#define LEASESCOPE_KIND(Name, name) IncidentKind::k##Name,
    LEASESCOPE_INCIDENT_KINDS(LEASESCOPE_KIND)
#undef LEASESCOPE_KIND
};
inline constexpr int kIncidentKinds = static_cast<int>(kAllIncidentKinds.size());

}  // namespace leasescope
