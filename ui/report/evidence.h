// What a report of a watch is asked for first: who owned which mutex when, which alerts fired, and when rules of alerts
// that are given would have held.
#pragma once
#include <vector>

#include "ui/report/report_text.h"

namespace leasescope {

// Rows beyond these are not in a page or on paper; a sentence says how many there are.
inline constexpr std::size_t kMostEvidence = 2000;

// It is one of a watch.
bool is_of_watch(const ReportSubject& subject);
std::vector<ReportSection> evidence_of(const ReportSubject& subject, const RunAccount& account);

}  // namespace leasescope
