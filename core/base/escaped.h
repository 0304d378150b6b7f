// A text of somebody else's, such as an owner's id on a shared store, as it may be printed: what would move a
// terminal's cursor or is no UTF-8 is written as \x1b, and what is too long is cut.
#pragma once
#include <string>
#include <string_view>

namespace leasescope {

// At most `longest` bytes of it, then "…". What needs nothing is returned as it is.
std::string escaped(std::string_view text, std::size_t longest = 200);
inline constexpr std::size_t kLongestError = 400;  // of what a server says, for `longest`
// The same of a text of several lines, which stay lines; nothing is cut.
std::string escaped_lines(std::string_view text);

}  // namespace leasescope
