// What a report of a watch is asked for first: who owned which mutex when, and when the rules of alerts held.
#pragma once
#include <vector>

#include "ui/report/report_text.h"

namespace leasescope {

// Rows beyond these are not in a page or on paper; a sentence says how many there are.
inline constexpr std::size_t kMostEvidence = 2000;

std::vector<ReportSection> evidence_of(const ReportSubject& subject);

}  // namespace leasescope
