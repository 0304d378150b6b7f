// What a team has recorded as one history: of each observer one account, and all of them by the wall clock.
#pragma once
#include <memory>
#include <string>
#include <vector>

#include <tl/expected.hpp>

#include "core/history/recording/history_source.h"
#include "core/history/team/catalogue.h"

namespace leasescope::team {

// Of the recordings that are named, at least one. Where they are of several observers, each one's mutexes bear its name
// (observed_by).
tl::expected<std::unique_ptr<HistorySource>, std::string> history_of(const std::shared_ptr<TeamReading>& team,
                                                                     const std::vector<TeamRecording>& recordings);

// "orders @ api-1", "orders @ redis://host, api-1": a title from which the mutex's name is known as from any other.
std::string observed_by(const std::string& title, const std::string& observer);

}  // namespace leasescope::team
