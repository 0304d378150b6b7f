// A run as pages of A4 that can be printed: what it was, its chart as a drawing, its incidents and how each came about,
// what was not observed, who took part, and the settings. Nothing is cut: rows and lines that do not fit go to the next
// page.
#pragma once
#include <string>

#include <tl/expected.hpp>

#include "core/base/byte_sink.h"
#include "ui/report/report_subject.h"

namespace leasescope {

tl::expected<void, std::string> pdf_report(const ReportSubject& subject, ByteSink& out);

}  // namespace leasescope
