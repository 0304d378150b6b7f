// The store that a command line names, and its password: from a file, from where its clients look for one, or typed at
// the terminal.
#pragma once
#include <optional>
#include <string>

#include <tl/expected.hpp>

#include "core/store/url.h"

namespace leasescope::ctl {

// Asks for it without showing it; none when nobody sits at a terminal.
std::optional<std::string> ask_password(const std::string& store);

// Of a store that is there already; `of_no_use` says why a bare word, a private server, would be. The password is the
// file's first line, where one is named.
tl::expected<StoreUrl, std::string> given_store(const std::string& text, const std::string& password_file,
                                                const std::string& of_no_use);

}  // namespace leasescope::ctl
