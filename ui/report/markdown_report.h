// A run as Markdown, for an issue, a wiki or a review: summary, incidents and how each came about, what was not
// observed, who took part, settings.
#pragma once
#include <string>

#include <tl/expected.hpp>

#include "core/base/byte_sink.h"
#include "ui/report/report_subject.h"

namespace leasescope {

// Tables and bold as GitHub has them. It names nothing that would be loaded, and no name in it is read as markup.
tl::expected<void, std::string> markdown_report(const ReportSubject& subject, ByteSink& out);

}  // namespace leasescope
