// Numbers that a server tells as text.
#pragma once
#include <charconv>
#include <cstdint>
#include <string_view>
#include <system_error>

namespace leasescope {

// Whether the whole text is one, in decimal, and fits.
template <class Number>
bool read_number(std::string_view text, Number& out) {
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), out);
  return error == std::errc() && end == text.data() + text.size();
}

// What a text begins with; 0 where that is no number, or none that fits.
template <class Number = std::int64_t>
Number leading_number(std::string_view text) {
  Number out = 0;
  std::from_chars(text.data(), text.data() + text.size(), out);
  return out;
}

}  // namespace leasescope
