#include "ui/report/lease_rows.h"

namespace leasescope {
namespace {

bool meets(const IncidentMark& incident, TrueTime from, TrueTime to) {
  if (incident.instant()) return incident.start >= from && incident.start <= to;
  return incident.start < to && incident.end > from;
}

std::vector<IncidentKind> incidents_of(const ChartData& data, int who, const LeaseSpan& span) {
  const TrueTime from = span.start.hi, to = held_until(data, span);
  std::vector<IncidentKind> out;
  for (const IncidentKind kind : kAllIncidentKinds) {
    bool found = false;
    data.incidents_in_time().of_contender(kind, who).each(from, to, [&](std::uint32_t place) {
      const IncidentMark& incident = data.incidents()[place];
      found = found || (incident.mutex == span.mutex && meets(incident, from, to));
      return found ? TrueTime::max() : TrueTime::min();
    });
    if (found) out.push_back(kind);
  }
  return out;
}

// Calls with whose it is, whether it was believed, and the lease, until the answer is no.
template <class Take>
void each_lease(const ReportSubject& subject, Take&& take) {
  const ChartData& data = subject.data;
  for (int who = 0; who < static_cast<int>(data.contenders().size()); ++who) {
    const ContenderRow& contender = data.contenders()[static_cast<std::size_t>(who)];
    for (const bool believed : {true, false})
      for (const LeaseSpan& span : believed ? contender.believed : contender.held) {
        const auto& part = subject.part;
        if (part && (span.start.hi >= part->second || held_until(data, span) <= part->first)) continue;
        if (!take(who, believed, span)) return;
      }
  }
}

}  // namespace

void each_lease_row(const ReportSubject& subject, const std::function<bool(const LeaseRow&)>& take) {
  each_lease(subject, [&](int who, bool believed, const LeaseSpan& span) {
    return take({who, believed, span, incidents_of(subject.data, who, span)});
  });
}

std::uint64_t lease_count(const ReportSubject& subject) {
  std::uint64_t count = 0;
  if (subject.part) {
    each_lease(subject, [&](int, bool, const LeaseSpan&) { return ++count != 0; });
    return count;
  }
  for (const ContenderRow& row : subject.data.contenders()) count += row.believed.size() + row.held.size();
  return count;
}

std::string_view ending_word(SpanEnd ending) {
  switch (ending) {
    case SpanEnd::kOpen:
      return "not_ended";
    case SpanEnd::kRenewed:
      return "renewed";
    case SpanEnd::kReleased:
      return "released";
    case SpanEnd::kExpired:
      return "expired";
    case SpanEnd::kTakenOver:
      return "taken_over";
    case SpanEnd::kLost:
      return "lost";
    case SpanEnd::kWatchdog:
      return "watchdog";
    case SpanEnd::kStop:
      return "stopped";
    case SpanEnd::kEvent:
      return "deposed";
    case SpanEnd::kFailure:
      return "failed";
    case SpanEnd::kSession:
      return "session_gone";
    case SpanEnd::kStolen:
      return "stolen";
    case SpanEnd::kUnconfirmed:
      return "unconfirmed";
    case SpanEnd::kUnseen:
      return "not_observed";
  }
  return {};
}

}  // namespace leasescope
