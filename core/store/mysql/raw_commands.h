// What an operator types to see what stands in the store of a mutex.
#pragma once
#include <string>
#include <vector>

#include "core/observe/sighting.h"
#include "core/store/url.h"

namespace leasescope::mysql {

// As StoreType::raw_commands.
std::vector<std::string> raw_commands(const StoreUrl& url, const Sighting& seen);

}  // namespace leasescope::mysql
