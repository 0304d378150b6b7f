// An outcome in words, and as the JSON object that `run --json` prints.
#pragma once
#include <string>
#include <string_view>

#include "core/history/figures.h"
#include "simulator/run/outcome.h"

namespace leasescope {

// The form of that object; a field that goes, or means another thing, is another form.
inline constexpr int kOutcomeSchema = 2;

// `figures`: of the whole run; without, of the events that the history still holds.
std::string outcome_json(const Outcome& outcome, const History& history, const Scenario& scenario,
                         const Figures* figures = nullptr);
// What it is called there that nobody holds: "leaderless" where one is to hold alone, else by what several may do.
std::string_view unheld_word(const Scenario& scenario);
// Summary, incidents and verdict for a terminal.
std::string outcome_text(const Outcome& outcome, const History& history, const Scenario& scenario);

}  // namespace leasescope
