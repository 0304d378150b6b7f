// What a report of a watch is asked for first: who owned which mutex when, which alerts fired, and when rules of alerts
// that are given would have held.
#pragma once
#include <vector>

#include "ui/report/report_text.h"

namespace leasescope {

// Rows beyond these are not in a page or on paper; a sentence says how many there are.
inline constexpr std::size_t kMostEvidence = 2000;

std::vector<ReportSection> evidence_of(const ReportSubject& subject);

}  // namespace leasescope
