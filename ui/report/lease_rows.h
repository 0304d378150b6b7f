// The leases of a run one by one, as a table has them: what each contender believed and what the store held for it.
#pragma once
#include <cstdint>
#include <functional>
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

// By contender as the chart has them, believed before held, in order of time. Of a part, those that meet it. One after
// the other, since there may be millions; `take` answers whether it wants another one.
void each_lease_row(const ReportSubject& subject, const std::function<bool(const LeaseRow&)>& take);
// How many those are.
std::uint64_t lease_count(const ReportSubject& subject);

// "taken_over": for programs that read it.
std::string_view ending_word(SpanEnd ending);

}  // namespace leasescope
