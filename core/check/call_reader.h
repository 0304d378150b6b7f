// Reads a history of calls: one JSON object a line, EDN as Knossos writes it, or the history of a run of Leasescope.
#pragma once
#include <string>
#include <string_view>

#include <tl/expected.hpp>

#include "core/check/call.h"
#include "core/check/notation.h"

namespace leasescope::check {

// Which of the two it is written in shows in its first signs: a JSON object begins with {" and an EDN map does not.
Notation notation_of(std::string_view text);

// What the README of this room says. `grants`: of a run's history the grants of its store, instead of the calls of its
// applications.
tl::expected<Calls, ReadError> read_calls(std::string_view text, bool grants);

}  // namespace leasescope::check
