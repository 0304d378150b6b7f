#include "core/history/incident.h"

#include <array>

#include "core/history/incidents/detector.h"

namespace leasescope {

const IncidentType& incident_type(IncidentKind kind) {
  static const std::array<IncidentType, kIncidentKinds> kTypes{{
#define LEASESCOPE_TYPE(Name, name) incidents::name(),
      LEASESCOPE_INCIDENT_KINDS(LEASESCOPE_TYPE)
#undef LEASESCOPE_TYPE
  }};
  return kTypes[static_cast<std::size_t>(kind)];
}

std::string_view text(IncidentKind kind) {
  static constexpr std::array<std::string_view, kIncidentKinds> kTexts{{
#define LEASESCOPE_TEXT(Name, name) #name,
      LEASESCOPE_INCIDENT_KINDS(LEASESCOPE_TEXT)
#undef LEASESCOPE_TEXT
  }};
  return kTexts[static_cast<std::size_t>(kind)];
}

std::string_view title(IncidentKind kind) { return incident_type(kind).title; }
int severity(IncidentKind kind) { return incident_type(kind).severity; }
bool lasts(IncidentKind kind) { return incident_type(kind).lasts; }

}  // namespace leasescope
