#include "core/store/printable_text.h"

#include <fmt/format.h>

namespace leasescope {

std::string printable_text(std::string_view text, std::size_t most) {
  std::string out;
  for (const char c : text.substr(0, most)) {
    if (c >= ' ' && c <= '~') {
      out += c;
    } else {
      out += fmt::format("\\x{:02x}", static_cast<unsigned char>(c));
    }
  }
  return text.size() > most ? out + "…" : out;
}

}  // namespace leasescope
