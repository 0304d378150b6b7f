// "Did you mean": which of the known words somebody may have meant who wrote another.
#pragma once
#include <string>
#include <string_view>
#include <vector>

namespace leasescope {

// The one with the fewest letters added, left out, changed or swapped; empty where none is near.
std::string nearest_word(std::string_view written, const std::vector<std::string>& known);

// " (did you mean gc-pause?)", or nothing.
std::string did_you_mean(std::string_view written, const std::vector<std::string>& known);

}  // namespace leasescope
