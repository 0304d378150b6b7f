// What a server said, fit to be shown: short, one line, without control codes.
#pragma once
#include <string>
#include <string_view>

namespace leasescope {

// At most `most` bytes of it and "…" for the rest; what is not printable ASCII stands as \x1b.
std::string printable_text(std::string_view text, std::size_t most = 60);

}  // namespace leasescope
