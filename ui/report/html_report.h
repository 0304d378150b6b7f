// A run as one page that opens in a browser, without a network and without anything beside it: chart, summary,
// incidents and how each came about, settings, and what was not observed.
#pragma once
#include <string>

#include <tl/expected.hpp>

#include "core/base/byte_sink.h"
#include "ui/report/report_subject.h"

namespace leasescope {

// HTML with its style, its script and its pictures inside. It may load nothing, by its own word (a content security
// policy), and no script runs in it but that one. Light or dark as the reader's system is; without a script the cards
// over the chart are the browser's own.
tl::expected<void, std::string> html_report(const ReportSubject& subject, ByteSink& out);

}  // namespace leasescope
