// The chart in a page: drawn light and dark, and over it what the window's hover card would tell at each place.
#pragma once
#include <string>

#include <tl/expected.hpp>

#include "ui/report/report_subject.h"

namespace leasescope {

// One figure, or two: what lies around the worst incident, or is shown, and the whole run. A zone of an incident leads
// to its row, #incident-N for the N-th of the history's list, from 1.
tl::expected<std::string, std::string> html_chart(const ReportSubject& subject);

}  // namespace leasescope
