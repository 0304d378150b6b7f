// The history file of a run (core/history/README.md), a line at a time: never more of it in memory than a page.
#pragma once
#include <memory>
#include <string>
#include <string_view>

#include <tl/expected.hpp>

#include "core/history/recording/history_source.h"

namespace leasescope {

// Whether a file that begins so is one.
bool begins_run_lines(std::string_view begin);
// The error names file, line and what is expected.
tl::expected<std::unique_ptr<HistorySource>, std::string> open_run_lines(const std::string& path);

}  // namespace leasescope
