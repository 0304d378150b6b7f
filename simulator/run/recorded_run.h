// Between what a run came to and what a recording keeps of it.
#pragma once
#include <tl/expected.hpp>

#include "core/history/history.h"
#include "core/history/history_header.h"
#include "core/history/recording/recorded_outcome.h"
#include "simulator/run/outcome.h"

namespace leasescope {

HistoryHeader history_header(const Scenario& scenario, const Outcome& outcome, TrueTime until);

RecordedOutcome recorded(const Outcome& outcome);
// As the run said it; without `recorded`, of a run that has not ended, there is no verdict.
Outcome outcome_of(const HistoryHeader& header, const History& history, const std::optional<RecordedOutcome>& recorded);
// What it ran under at its end; the error says where its scenario is not one of this program's.
tl::expected<Scenario, std::string> scenario_of(const HistoryHeader& header, const std::string& file);

}  // namespace leasescope
