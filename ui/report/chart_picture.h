// The chart as a file of its own: what the run was, a stretch of it, the whole of it, its incidents.
#pragma once
#include <string>

#include <tl/expected.hpp>

#include "core/base/byte_sink.h"
#include "ui/report/report_subject.h"

namespace leasescope {

tl::expected<void, std::string> png_picture(const ReportSubject& subject, ByteSink& out);
tl::expected<void, std::string> svg_picture(const ReportSubject& subject, ByteSink& out);

}  // namespace leasescope
