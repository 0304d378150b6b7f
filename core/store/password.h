// Where a password is found when the URL has none, so that it need not stand on a command line.
#pragma once
#include <string>

#include <tl/expected.hpp>

namespace leasescope {

struct StoreUrl;

// A store's error that a password would mend has these words.
inline constexpr const char* kWantsPassword = "it wants a password";

// The first line of a file. Errors name the file.
tl::expected<std::string, std::string> password_of_file(const std::string& path);

// Where the URL has none, what its type finds beside it (StoreType::password); an error is for the user.
tl::expected<void, std::string> fill_password(StoreUrl& url);

// Of a command line that is about to be read: where its texts are URLs with a password, all but that is left standing,
// so that whoever lists the processes does not see it. Whoever wants the password has taken it before.
void hide_passwords(int argc, char** argv);

// A store's address as it may be written down: as it was typed, without the password in it. Empty where that cannot be
// told apart.
std::string without_password(const std::string& address);

}  // namespace leasescope
