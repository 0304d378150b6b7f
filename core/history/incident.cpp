#include "core/history/incident.h"

#include <array>

namespace leasescope {
namespace {

struct Facts {
  std::string_view text;
  std::string_view title;
  int severity;
};
constexpr std::array<Facts, kIncidentKinds> kFacts{{{"double_grant", "Double grant", 1},
                                                    {"stale_write_accepted", "Stale write accepted", 1},
                                                    {"fence_regression", "Fence regression", 2},
                                                    {"belief_overlap", "Belief overlap", 2},
                                                    {"stale_write_rejected", "Stale write rejected", 3},
                                                    {"late_renewal", "Renewal refused", 4},
                                                    {"leaderless", "Leaderless", 4},
                                                    {"flapping", "Flapping", 4},
                                                    {"store_refuses", "Store refuses", 2},
                                                    {"tokenless_refused", "Refused: no token", 3}}};

const Facts& facts(IncidentKind kind) { return kFacts[static_cast<std::size_t>(kind)]; }

}  // namespace

std::string_view text(IncidentKind kind) { return facts(kind).text; }
std::string_view title(IncidentKind kind) { return facts(kind).title; }
int severity(IncidentKind kind) { return facts(kind).severity; }

}  // namespace leasescope
