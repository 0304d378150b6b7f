#include "core/store/password.h"

#include <fstream>

#include <fmt/format.h>

namespace leasescope {
namespace {

constexpr std::size_t kLongest = 4096;

}  // namespace

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
