// A file that is there whole or not at all: written beside and renamed, every write and the close checked.
#pragma once
#include <string>
#include <string_view>

#include <tl/expected.hpp>

namespace leasescope {

// A device or a pipe is written to as it is. The error names the path and says why.
tl::expected<void, std::string> write_whole(const std::string& path, std::string_view bytes);

}  // namespace leasescope
