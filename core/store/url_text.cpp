#include "core/store/url_text.h"

#include <cctype>
#include <charconv>

#include <fmt/format.h>

namespace leasescope::url_text {
namespace {

int hex(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  if (c >= 'a' && c <= 'f') return c - 'a' + 10;
  if (c >= 'A' && c <= 'F') return c - 'A' + 10;
  return -1;
}

}  // namespace

tl::unexpected<Wrong> wrong(std::string_view what, std::string_view part) {
  return tl::unexpected(Wrong{std::string(what), std::string(part)});
}

bool may_hold_password(std::string_view text) {
  std::string small(text);
  for (char& c : small) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  return small.find('@') != std::string::npos || small.find("pass") != std::string::npos ||
         small.find("pwd") != std::string::npos || small.find("auth") != std::string::npos;
}

std::string percent_decoded(std::string_view text) {
  std::string out;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '%' && i + 2 < text.size() && hex(text[i + 1]) >= 0 && hex(text[i + 2]) >= 0) {
      out += static_cast<char>(hex(text[i + 1]) * 16 + hex(text[i + 2]));
      i += 2;
    } else {
      out += text[i];
    }
  }
  return out;
}

std::string_view cut_behind(std::string_view& text, char mark) {
  const std::size_t at = text.find(mark);
  if (at == std::string_view::npos) return {};
  const std::string_view behind = text.substr(at + 1);
  text = text.substr(0, at);
  return behind;
}

bool parse_number(std::string_view text, int most, int& out) {
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), out);
  return error == std::errc() && end == text.data() + text.size() && out >= 0 && out <= most;
}

Done take_authority(std::string_view authority, StoreUrl& url) {
  std::string_view host = authority;
  if (const std::size_t at = authority.rfind('@'); at != std::string_view::npos) {
    std::string_view login = authority.substr(0, at);
    host = authority.substr(at + 1);
    url.password = percent_decoded(cut_behind(login, ':'));
    url.user = percent_decoded(login);
  }
  if (host.find(',') != std::string_view::npos) return wrong("a store URL names one host");
  std::string_view port;
  if (!host.empty() && host.front() == '[') {  // [::1]:6379
    const std::size_t end = host.find(']');
    if (end == std::string_view::npos) return wrong("the '[' of the host has no ']'");
    port = host.substr(end + 1);
    if (!port.empty() && port.front() == ':') port.remove_prefix(1);
    host = host.substr(1, end - 1);
  } else {
    port = cut_behind(host, ':');
  }
  if (!host.empty()) url.endpoint.host = percent_decoded(host);
  if (!port.empty() && (!parse_number(port, 65535, url.endpoint.port) || url.endpoint.port == 0))
    return wrong("is not a port", port);
  return {};
}

tl::expected<std::string_view, Wrong> take_authority_and_path(std::string_view text, StoreUrl& url) {
  const std::string_view path = cut_behind(text, '/');
  // One of a password that was not written so.
  if (path.find('@') != std::string_view::npos) return wrong("there is an @ behind the host");
  if (auto taken = take_authority(text, url); !taken) return tl::unexpected(taken.error());
  return path;
}

void take_options(std::string_view query, StoreUrl& url) {
  while (!query.empty()) {
    std::string_view pair = query;
    const std::string_view rest = cut_behind(pair, '&');
    const std::string_view value = cut_behind(pair, '=');
    url.options[percent_decoded(pair)] = percent_decoded(value);
    query = rest;
  }
}

bool take_option(StoreUrl& url, const char* name, std::string& into) {
  const auto found = url.options.find(name);
  if (found == url.options.end()) return false;
  into = found->second;
  url.options.erase(found);
  return true;
}

std::string printed(std::string_view scheme, const StoreUrl& url) {
  const std::string login = url.user.empty() ? "" : url.user + "@";
  const std::string path = url.database.empty() ? "" : "/" + url.database;
  const bool v6 = url.endpoint.host.find(':') != std::string::npos;
  const std::string host = v6 ? "[" + url.endpoint.host + "]" : url.endpoint.host;
  return fmt::format("{}://{}{}:{}{}", scheme, login, host, url.endpoint.port, path);
}

}  // namespace leasescope::url_text
