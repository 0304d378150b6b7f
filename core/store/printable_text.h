// What a server said, fit to be shown: short, one line, without control codes.
#pragma once
#include <string>
#include <string_view>

namespace leasescope {

// About `most` bytes of it and "…" for the rest; control codes, and what is not UTF-8, stand as \x1b.
inline constexpr std::size_t kLongestError = 400;  // of a server's error, for `most`
std::string printable_text(std::string_view text, std::size_t most = 60);

}  // namespace leasescope
