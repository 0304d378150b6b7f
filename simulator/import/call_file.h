// A history of calls, in EDN as Knossos has it or in JSON (core/check/README.md), as a history of events.
#pragma once
#include <memory>
#include <string>
#include <string_view>

#include <tl/expected.hpp>

#include "core/history/recording/history_source.h"

namespace leasescope {

// Whether a file that begins so may be one: there is no sign that all of them have.
bool begins_calls(std::string_view begin);
// The error names file, line and what is expected.
tl::expected<std::unique_ptr<HistorySource>, std::string> open_calls(const std::string& path);

}  // namespace leasescope
