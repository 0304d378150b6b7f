#include "ui/report/csv_report.h"

#include <fmt/format.h>

#include "ui/report/csv_text.h"
#include "ui/report/lease_rows.h"

namespace leasescope {
namespace {

constexpr std::string_view kHeader =
    "mutex,lane,contender,owner,token,start_ns,start_from_ns,ttl_end_ns,lease_end_ns,end_ns,end_from_ns,begins,ended,"
    "shared,incidents\r\n";

// Empty where there is none.
std::string nanoseconds(TrueTime at) {
  return at == kOpenEnd ? std::string() : fmt::format("{}", at.time_since_epoch().count());
}

std::string line_of(const ChartData& data, const LeaseRow& row) {
  const LeaseSpan& span = row.span;
  const auto mutex = static_cast<std::size_t>(span.mutex);
  std::string incidents;
  for (const IncidentKind kind : row.incidents)
    incidents += fmt::format("{}{}", incidents.empty() ? "" : " ", text(kind));
  return fmt::format("{},{},{},{},{},{},{},{},{},{},{},{},{},{},{}\r\n",
                     csv_quoted(mutex < data.mutexes().size() ? data.mutexes()[mutex].name : std::string()),
                     row.believed ? "believed" : "held", data.letter(row.contender),
                     csv_quoted(data.contenders()[static_cast<std::size_t>(row.contender)].name),
                     span.token == kNoToken ? std::string() : fmt::format("{}", span.token), nanoseconds(span.start.hi),
                     nanoseconds(span.start.lo), nanoseconds(span.ttl_end), nanoseconds(span.lease_end),
                     nanoseconds(span.end.hi), nanoseconds(span.end.lo), span.renewal ? "renewal" : "grant",
                     ending_word(span.ending), span.shared ? "yes" : "no", incidents);
}

}  // namespace

tl::expected<void, std::string> csv_report(const ReportSubject& subject, ByteSink& out) {
  constexpr std::uint64_t kGrain = 256;  // rows
  const std::uint64_t all = lease_count(subject);
  std::uint64_t done = 0;
  out.put(kHeader);
  each_lease_row(subject, [&](const LeaseRow& row) {
    return out.put(line_of(subject.data, row)) && (++done % kGrain != 0 || out.go_on(done, all));
  });
  // Whoever adds up what was held must know when nobody could tell.
  for (const MutexRow& mutex : subject.data.mutexes()) {
    for (const BandSpan& band : mutex.unobserved) {
      const TrueTime end = band.open() ? subject.data.now() : band.end;
      if (subject.part && (band.begin >= subject.part->second || end <= subject.part->first)) continue;
      out.put(fmt::format("{},not_observed,,{},,{},{},,,{},{},,,,\r\n", csv_quoted(mutex.name),
                          csv_quoted(subject.data.facts().store), nanoseconds(band.begin), nanoseconds(band.begin),
                          nanoseconds(band.end), nanoseconds(band.end)));
    }
  }
  return {};
}

}  // namespace leasescope
