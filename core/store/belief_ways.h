// Which of the ways to tell what is believed a store has, and whoever tells it by one of them.
#pragma once
#include <memory>
#include <string>

#include <tl/expected.hpp>

#include "core/observe/belief_outlet.h"
#include "core/observe/belief_way.h"
#include "core/store/url.h"

namespace leasescope {

// The error names the remedy: a store without messages has no channel.
tl::expected<void, std::string> check_belief_way(const BeliefWay& way, const StoreUrl& url);

// Of a way that was checked. `refused`: as BeliefOutlet has it; also that no socket can be made.
std::unique_ptr<BeliefOutlet> open_belief_outlet(Loop& loop, const BeliefWay& way, const StoreUrl& url,
                                                 BeliefOutlet::Refused refused);

}  // namespace leasescope
