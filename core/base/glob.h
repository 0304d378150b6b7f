// Names as a shell has them: '*' stands for any letters, '?' for one.
#pragma once
#include <string_view>

namespace leasescope {

bool is_like(std::string_view pattern, std::string_view name);

}  // namespace leasescope
