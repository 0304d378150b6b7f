// A replay: a file that says what it came to when it was written, and whether it still does.
#pragma once
#include <cstdint>
#include <string>
#include <string_view>

#include "simulator/scenario/scenario.h"

namespace leasescope {

std::string_view program_version();  // "0.1.0"

ReplayTable replay_note(std::uint64_t trace_hash, std::string failure);
// Why a run with this hash is not what the file tells of; empty when it is.
std::string differs(const ReplayTable& replay, std::uint64_t trace_hash);

}  // namespace leasescope
