// A cell of CSV (RFC 4180).
#pragma once
#include <string>
#include <string_view>

namespace leasescope {

// In quotes where it has to be, with the quotes in it doubled.
std::string csv_quoted(std::string_view text);

}  // namespace leasescope
