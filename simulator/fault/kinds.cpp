#include "simulator/fault/kinds.h"

#include <algorithm>

#include <fmt/format.h>

#include "simulator/fault/kind.h"

namespace leasescope {

const std::vector<FaultKind>& all_fault_kinds() {
  static const std::vector<FaultKind> kinds{
      faults::pause(),
      faults::partition(),
      faults::clock_step(),
      faults::store_clock_step(),
      faults::lost_notification(),
      faults::stop(),
      faults::start(),
      faults::crash(),
      faults::restart(),
      faults::starve(),
      faults::clock_drift(),
      faults::clock_strobe(),
      faults::clock_sine(),
      faults::clock_slew(),
      faults::loss(),
      faults::delay(),
      faults::jitter(),
      faults::duplicate(),
      faults::reorder(),
      faults::clog(),
      faults::swizzle(),
      faults::half_open(),
      faults::late_notification(),
      faults::late_packet(),
      faults::restart_as(),
      faults::store_crash(),
      faults::store_failover(),
      faults::replica_cut(),
      faults::store_freeze(),
      faults::store_slow(),
      faults::store_clock_drift(),
      faults::store_clock_strobe(),
      faults::delete_key(),
      faults::delete_row(),
      faults::row_stall(),
      faults::pool_exhausted(),
      faults::late_callbacks(),
      faults::late_request(),
  };
  return kinds;
}

const FaultKind* find_fault_kind(std::string_view name) {
  for (const FaultKind& kind : all_fault_kinds())
    if (kind.name == name) return &kind;
  return nullptr;
}

std::vector<std::string> fault_kind_names() {
  std::vector<std::string> names;
  for (const FaultKind& kind : all_fault_kinds()) names.emplace_back(kind.name);
  return names;
}

std::vector<FaultLegend> fault_legend() {
  std::vector<FaultLegend> legend;
  for (const FaultKind& kind : all_fault_kinds()) {
    FaultLegend& of = legend.emplace_back();
    of.name = of.spoken = kind.name;
    std::replace(of.spoken.begin(), of.spoken.end(), '_', ' ');
    of.began = !kind.began.empty() ? std::string(kind.began)
                                   : fmt::format("{{who}}: {}{}", of.spoken, kind.lasts ? " for {for}" : "");
    of.ended = !kind.ended.empty() ? std::string(kind.ended) : fmt::format("{{who}}: {} ends", of.spoken);
    of.disturbs = kind.disturbs;
    of.band = kind.band;
    of.lasts = kind.lasts;
  }
  return legend;
}

int index_of(const FaultKind& kind) { return static_cast<int>(&kind - all_fault_kinds().data()); }

}  // namespace leasescope
