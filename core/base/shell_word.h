// Words for a POSIX shell.
#pragma once
#include <string>
#include <string_view>

namespace leasescope {

// As it is where that is plain, else between single quotes: the shell reads it as one word, which is that text.
std::string shell_word(std::string_view text);

}  // namespace leasescope
