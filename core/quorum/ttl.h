// For how long a quorum lock can last.
#pragma once
#include <optional>
#include <string>

#include "core/time/clock.h"

namespace leasescope {

// Of Redlock: what the servers' clocks and its own may differ by while a lease lasts.
constexpr Duration clock_drift(Duration ttl) { return ttl / 100 + std::chrono::milliseconds(2); }

// Why no lock can last so long, or for so short a time, with the remedy; none where it can. 0s: not said.
std::optional<std::string> wrong_ttl(Duration ttl);

}  // namespace leasescope
