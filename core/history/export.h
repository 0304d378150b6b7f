// A history as JSON lines: one event a line, names and words spelled out, for scripts and checkers.
#pragma once
#include <iosfwd>

#include "core/history/history.h"

namespace leasescope {

// {"seq":12,"lo_ns":…,"hi_ns":…,"kind":"granted","node":"c1","mutex":"orders","token":33,"cause":9,…}; fields that an
// event of its kind does not use are absent.
void write_history_lines(const History& history, const std::vector<std::string>& fault_kinds, std::ostream& out);

}  // namespace leasescope
