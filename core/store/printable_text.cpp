#include "core/store/printable_text.h"

#include <fmt/format.h>

namespace leasescope {
namespace {

// The bytes of the character that stands first, when it is one that may be shown; else 0.
std::size_t shown(std::string_view text) {
  const auto byte = [&](std::size_t i) { return i < text.size() ? static_cast<unsigned char>(text[i]) : 0; };
  const unsigned first = byte(0);
  if (first < 0x80) return first >= ' ' && first <= '~' ? 1 : 0;
  const std::size_t size = first >= 0xf0 && first < 0xf5   ? 4
                           : first >= 0xe0 && first < 0xf0 ? 3
                           : first >= 0xc2                 ? 2
                                                           : 0;
  for (std::size_t i = 1; i < size; ++i)
    if ((byte(i) & 0xc0) != 0x80) return 0;
  const bool control = first == 0xc2 && byte(1) < 0xa0;  // those of eight bits
  return first >= 0xf5 || control ? 0 : size;
}

}  // namespace

std::string printable_text(std::string_view text, std::size_t most) {
  std::string out;
  while (!text.empty() && out.size() < most) {
    const std::size_t size = shown(text);
    if (size > 0) {
      out += text.substr(0, size);
    } else {
      out += fmt::format("\\x{:02x}", static_cast<unsigned char>(text[0]));
    }
    text.remove_prefix(std::max<std::size_t>(size, 1));
  }
  return text.empty() ? out : out + "…";
}

}  // namespace leasescope
