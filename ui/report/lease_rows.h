// The leases of a run one by one, as a table has them: what each contender believed and what the store held for it.
#pragma once
#include <string_view>
#include <vector>

#include "core/history/incident.h"
#include "ui/report/report_subject.h"

namespace leasescope {

struct LeaseRow {
  int contender = kNoContender;
  bool believed = false;  // else the store held it
  LeaseSpan span;
  std::vector<IncidentKind> incidents;  // that its contender was part of meanwhile, on that mutex
};

// By contender as the chart has them, believed before held, in order of time. Of a part, those that meet it.
std::vector<LeaseRow> lease_rows(const ReportSubject& subject);

// "taken_over": for programs that read it.
std::string_view ending_word(SpanEnd ending);

}  // namespace leasescope
