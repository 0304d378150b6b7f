#include "core/store/password.h"

#include <algorithm>
#include <fstream>
#include <string_view>
#include <vector>

#include <fmt/format.h>

#include "core/store/store_type.h"

namespace leasescope {
namespace {

constexpr std::size_t kLongest = 4096;

struct Range {
  std::size_t from, to;
};

// scheme://user:PASSWORD@host?password=PASSWORD, unix:PATH?password=PASSWORD; the login's first, if there is one.
std::vector<Range> passwords_in(std::string_view all) {
  std::vector<Range> out;
  const std::size_t scheme = all.find("://");
  if (scheme == std::string_view::npos && all.substr(0, 5) != "unix:") return out;
  const std::size_t login = scheme == std::string_view::npos ? 5 : scheme + 3,
                    query = std::min(all.find('?', login), all.size());
  std::size_t at = all.substr(0, query).rfind('@');
  if (at == std::string_view::npos || at < login) at = all.rfind('@');  // it was not written as it should be
  const std::size_t colon = all.find(':', login);
  if (at != std::string_view::npos && at > login && colon < at) out.push_back({colon + 1, at});
  constexpr std::string_view kOption = "password=";
  for (std::size_t next = all.find(kOption, login); next != std::string_view::npos; next = all.find(kOption, next)) {
    next += kOption.size();
    out.push_back({next, std::min(all.find('&', next), all.size())});
  }
  return out;
}

void hide_password(char* text) {
  for (const Range& each : passwords_in(text)) std::fill(text + each.from, text + each.to, 'x');
}

}  // namespace

void hide_passwords(int argc, char** argv) {
  for (int i = 1; i < argc; ++i) hide_password(argv[i]);
}

// Backwards, so that places before stay: the whole option with its sign, the login's with its colon, and with its @
// where nobody is named before it.
std::string without_password(const std::string& address) {
  std::string out = address;
  const std::vector<Range> all = passwords_in(address);
  const std::size_t query = std::min(address.find('?'), address.size());
  for (std::size_t i = all.size(); i > 0; --i) {
    auto [from, to] = all[i - 1];
    if (from <= query && (to > query || address[from - 1] == '=')) return {};  // it was not written as it should be
    if (from > query) {
      from = address.find_last_of("?&", from - 1);
      if (address[from] == '?' && to < address.size()) ++from, ++to;  // the sign before the others stays
    } else {
      --from;
      if (address.compare(from - 3, 3, "://") == 0) ++to;
    }
    out.erase(from, to - from);
  }
  return passwords_in(out).empty() ? out : std::string();
}

tl::expected<void, std::string> fill_password(StoreUrl& url) {
  if (!url.password.empty()) return {};
  const auto found = url.type->password(url);
  if (!found) return tl::unexpected(found.error());
  url.password = *found;
  return {};
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
