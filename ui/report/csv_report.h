// The leases of a run as CSV (RFC 4180), for a spreadsheet or a program; README.md of this room says what the columns
// are.
#pragma once
#include <string>

#include <tl/expected.hpp>

#include "core/base/byte_sink.h"
#include "ui/report/report_subject.h"

namespace leasescope {

tl::expected<void, std::string> csv_report(const ReportSubject& subject, ByteSink& out);

}  // namespace leasescope
