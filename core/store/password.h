// Where a password is found when the URL has none, so that it need not stand on a command line.
#pragma once
#include <string>

#include <tl/expected.hpp>

namespace leasescope {

// A store's error that a password would mend has these words.
inline constexpr const char* kWantsPassword = "it wants a password";

// The first line of a file. Errors name the file.
tl::expected<std::string, std::string> password_of_file(const std::string& path);

}  // namespace leasescope
