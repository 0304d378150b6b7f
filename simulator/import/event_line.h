// One line of a history file as the event that it was written of: core/history/history_lines.h backwards.
#pragma once
#include <cstdint>

#include "core/check/value_fields.h"
#include "core/history/history.h"

namespace leasescope {

// What lines do not say of a run, and what they lead to.
struct LineTerms {
  Duration ttl{};  // of a belief that does not tell its own
};

// Names and kinds of fault that are new are added to `into`, which has no events. The number is that of the line.
struct NumberedEvent {
  Event event;
  std::int64_t number = 0;
};
check::Read<NumberedEvent> event_of_line(const check::Value& map, const LineTerms& terms, History& into);

}  // namespace leasescope
