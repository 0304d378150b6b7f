#include "core/store/password.h"

#include <algorithm>
#include <fstream>
#include <string_view>

#include <fmt/format.h>

namespace leasescope {
namespace {

constexpr std::size_t kLongest = 4096;

void blank_out(char* text, std::size_t from, std::size_t to) {
  for (std::size_t i = from; i < to; ++i) text[i] = 'x';
}

// scheme://user:PASSWORD@host?password=PASSWORD
void hide_password(char* text) {
  const std::string_view all(text);
  const std::size_t scheme = all.find("://");
  if (scheme == std::string_view::npos) return;
  const std::size_t login = scheme + 3, query = std::min(all.find('?', login), all.size());
  std::size_t at = all.substr(0, query).rfind('@');
  if (at == std::string_view::npos || at < login) at = all.rfind('@');  // it was not written as it should be
  const std::size_t colon = all.find(':', login);
  if (at != std::string_view::npos && at > login && colon < at) blank_out(text, colon + 1, at);
  constexpr std::string_view kOption = "password=";
  for (std::size_t next = all.find(kOption, login); next != std::string_view::npos; next = all.find(kOption, next)) {
    next += kOption.size();
    blank_out(text, next, std::min(all.find('&', next), all.size()));
  }
}

}  // namespace

void hide_passwords(int argc, char** argv) {
  for (int i = 1; i < argc; ++i) hide_password(argv[i]);
}

tl::expected<std::string, std::string> password_of_file(const std::string& path) {
  std::ifstream file(path);
  std::string line(kLongest, '\0');
  file.read(line.data(), static_cast<std::streamsize>(line.size()));
  line.resize(static_cast<std::size_t>(file.gcount()));
  line.resize(std::min(line.find_first_of("\r\n"), line.size()));
  if (line.empty())
    return tl::unexpected(
        fmt::format("{}: no password can be read from it: expected a file whose first line is the password", path));
  return line;
}

}  // namespace leasescope
