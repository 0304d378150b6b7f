#include "simulator/fault/kinds.h"

#include <algorithm>

#include <fmt/format.h>

#include "simulator/fault/kind.h"

namespace leasescope {

const std::vector<FaultKind>& all_fault_kinds() {
  static const std::vector<FaultKind> kinds{
#define LEASESCOPE_FAULT_KIND(name) faults::name(),
      LEASESCOPE_FAULT_KINDS(LEASESCOPE_FAULT_KIND)
#undef LEASESCOPE_FAULT_KIND
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
