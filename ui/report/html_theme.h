// The window's colours, badges and marks as style sheets have them.
#pragma once
#include <string>

namespace leasescope {

// For light and dark, as the reader's system is: a variable for each colour, a class for each contender's badge (w0 …
// w9) and for each kind of incident (its word).
std::string html_theme();

}  // namespace leasescope
