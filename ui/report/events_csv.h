// The events of a run as CSV (RFC 4180), those that pass a filter; README.md of this room says what the columns are.
#pragma once
#include <memory>
#include <string>

#include <tl/expected.hpp>

#include "core/base/byte_sink.h"
#include "ui/report/report_subject.h"
#include "ui/report/row_report.h"

namespace leasescope {

tl::expected<void, std::string> events_csv(const ReportSubject& subject, ByteSink& out);
// The same while they come. What the subject refers to has to outlive it.
std::unique_ptr<RowReport> event_rows(const ReportSubject& subject);

}  // namespace leasescope
