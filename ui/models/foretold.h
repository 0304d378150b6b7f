// What a scenario says will go wrong, as its reader is told of it: which kinds of incident, in what words, and the mark
// that says most.
#pragma once
#include <QString>
#include <optional>
#include <vector>

#include "core/history/incident_list.h"
#include "simulator/scenario/scenario.h"
#include "ui/models/glyph.h"

namespace leasescope {

// What is expected where nothing fences, all fields of it.
Expectations unfenced(const Scenario& scenario);
// Whether it is to be more than none.
bool expectsSome(const Expectations& expected, const std::string& field);
// Which kind of incident a field of the summary counts, or says the length of; none: it is about something else.
std::optional<IncidentKind> kindOf(const std::string& field);

// The kinds of which some are expected, in the order in which a reader wants to know: what broke, then what the fence
// caught, then the rest, by its severity.
std::vector<IncidentKind> foretold(const Expectations& expected);
// "two believe, nobody leads", "nothing unsafe".
QString foretoldText(const Expectations& expected);

// The mark that says most about an expectation, and by the same order about what happened.
Glyph telling(const Expectations& expected);
Glyph telling(const IncidentList& incidents);

}  // namespace leasescope
