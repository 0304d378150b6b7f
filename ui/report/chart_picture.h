// The chart as a file of its own: what the run was, a stretch of it, the whole of it, its incidents.
#pragma once
#include <string>

#include <tl/expected.hpp>

#include "ui/report/report_subject.h"

namespace leasescope {

tl::expected<std::string, std::string> png_picture(const ReportSubject& subject);
tl::expected<std::string, std::string> svg_picture(const ReportSubject& subject);

}  // namespace leasescope
