// What a mutex is called in a history of several stores: "orders @ redis://host".
#pragma once
#include <string>
#include <string_view>

namespace leasescope {

std::string mutex_title(std::string_view name, std::string_view store);
// Of a lock that is not ours: "orders (Redisson)", "job (redis-py, likely)".
std::string mutex_title_of_maker(std::string_view name, std::string_view maker, bool likely);
// The name at its store, of a title with a store or without.
std::string_view name_in(std::string_view title);
// Whether a pattern of '*' and '?' is like the title, or like the name in it.
bool is_called(std::string_view pattern, std::string_view title);

}  // namespace leasescope
