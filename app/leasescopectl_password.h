// A password from the terminal it is typed at.
#pragma once
#include <optional>
#include <string>

namespace leasescope::ctl {

// Asks for it without showing it; none when nobody sits at a terminal.
std::optional<std::string> ask_password(const std::string& store);

}  // namespace leasescope::ctl
