// A run as a trace that Perfetto opens.
#pragma once
#include <memory>

#include "app/leasescopectl_reports.h"

namespace leasescope::ctl {

std::unique_ptr<Report> make_trace();

}  // namespace leasescope::ctl
