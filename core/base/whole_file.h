// A file that is there whole or not at all: written beside and renamed, every write and the close checked.
#pragma once
#include <string>
#include <string_view>

#include <tl/expected.hpp>

namespace leasescope {

// What a link leads to is written, not the link, and an old file keeps its mode. Where it cannot be replaced (a folder
// of others, a file that is mounted, a device, a pipe) it is written to as it is. The error names the path and says
// why.
tl::expected<void, std::string> write_whole(const std::string& path, std::string_view bytes);

// Why write_whole() could not, as far as it can be known without making anything; empty where it could.
std::string why_unwritable(const std::string& path);

}  // namespace leasescope
