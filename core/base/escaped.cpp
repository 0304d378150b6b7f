#include "core/base/escaped.h"

#include <algorithm>
#include <cstdint>

#include <fmt/format.h>

namespace leasescope {
namespace {

// Bytes of the character that begins there; 0 where none does, or one that is shown as nothing or moves something.
std::size_t shown_character(std::string_view text) {
  const auto byte = [&](std::size_t i) { return static_cast<std::uint8_t>(text[i]); };
  const std::uint8_t first = byte(0);
  if (first < 0x80) return first >= 0x20 && first != 0x7f ? 1 : 0;
  const std::size_t size = first >= 0xf0 ? 4 : first >= 0xe0 ? 3 : 2;
  if (first < 0xc2 || first > 0xf4 || text.size() < size) return 0;
  std::uint32_t code = first & (0xffu >> (size + 1));
  for (std::size_t i = 1; i < size; ++i) {
    if ((byte(i) & 0xc0) != 0x80) return 0;
    code = code << 6 | (byte(i) & 0x3f);
  }
  constexpr std::uint32_t least[] = {0x80, 0x800, 0x10000};
  const bool valid = code >= least[size - 2] && code <= 0x10ffff && (code < 0xd800 || code > 0xdfff);
  const bool control = code < 0xa0;
  // They turn the direction of what follows.
  const bool turns =
      (code >= 0x200e && code <= 0x200f) || (code >= 0x2028 && code <= 0x202e) || (code >= 0x2066 && code <= 0x2069);
  return valid && !control && !turns ? size : 0;
}

}  // namespace

std::string escaped(std::string_view text, std::size_t longest) {
  std::string out;
  std::size_t at = 0;
  while (at < std::min(text.size(), longest)) {
    const std::size_t size = shown_character(text.substr(at));
    if (size == 0) out += fmt::format("\\x{:02x}", static_cast<std::uint8_t>(text[at]));
    out += text.substr(at, size);
    at += std::max<std::size_t>(size, 1);
  }
  return at < text.size() ? out + "…" : out;
}

std::string escaped_lines(std::string_view text) {
  std::string out;
  for (std::size_t end = 0; (end = text.find('\n')) != std::string_view::npos; text.remove_prefix(end + 1))
    out += escaped(text.substr(0, end), end) + '\n';
  return out + escaped(text, text.size());
}

}  // namespace leasescope
