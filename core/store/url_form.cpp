#include "core/store/url_form.h"

#include <algorithm>
#include <cctype>

#include <fmt/format.h>

#include "core/store/url_text.h"

namespace leasescope {
namespace {

using namespace url_text;

// Whatever would end a part of a URL is written %XX; `also`: what may stand in this one.
std::string percent_encoded(std::string_view text, std::string_view also = {}) {
  constexpr std::string_view kSafe = "-._~!$'()*+,;";
  std::string out;
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    const bool plain = std::isalnum(byte) != 0 || kSafe.find(c) != std::string_view::npos ||
                       also.find(c) != std::string_view::npos || byte >= 0x80;
    out += plain ? std::string(1, c) : fmt::format("%{:02X}", byte);
  }
  return out;
}

// "user:password@h1:1,h2:2"
void split_authority(std::string_view text, UrlParts& parts) {
  const std::size_t at = text.rfind('@');
  if (at != std::string_view::npos) {
    std::string_view login = text.substr(0, at);
    parts.password = percent_decoded(cut_behind(login, ':'));
    parts.user = percent_decoded(login);
    text.remove_prefix(at + 1);
  }
  parts.host = text;
  if (text.find(',') != std::string_view::npos) return;
  const std::size_t bracket = text.rfind(']'), colon = text.rfind(':');
  if (colon != std::string_view::npos && (bracket == std::string_view::npos || bracket < colon)) {
    parts.port = text.substr(colon + 1);
    parts.host = text.substr(0, colon);
  }
  if (parts.host.size() > 1 && parts.host.front() == '[' && parts.host.back() == ']')
    parts.host = parts.host.substr(1, parts.host.size() - 2);
}

// The last takes what is left.
void split_path(std::string_view text, std::size_t many, UrlParts& parts) {
  parts.path.clear();
  for (std::size_t i = 0; i < many; ++i) {
    std::string_view one = text;
    text = i + 1 < many ? cut_behind(one, '/') : std::string_view();
    parts.path.push_back(percent_decoded(one));
  }
}

void split_options(std::string_view query, UrlParts& parts) {
  while (!query.empty()) {
    std::string_view pair = query;
    query = cut_behind(pair, '&');
    const std::string value = percent_decoded(cut_behind(pair, '='));
    const std::string name = percent_decoded(pair);
    if (name == "user")
      parts.user = value;
    else if (name == "password")
      parts.password = value;
    else
      parts.options.emplace_back(name, value);
  }
}

std::string joined_authority(const UrlParts& parts) {
  const bool one = parts.host.find(',') == std::string::npos;
  const bool v6 = one && !parts.host.starts_with('[') && parts.host.find(':') != parts.host.rfind(':');
  return fmt::format("{}{}{}{}{}{}{}", percent_encoded(parts.user), parts.user.empty() ? "" : "@", v6 ? "[" : "",
                     parts.host, v6 ? "]" : "", !one || parts.port.empty() ? "" : ":", one ? parts.port : "");
}

// Up to the last that is said.
std::string joined_path(const UrlParts& parts) {
  std::string out, slashes;
  for (std::size_t i = 0; i < parts.path.size(); ++i) {
    slashes += '/';
    if (parts.path[i].empty()) continue;
    out += slashes + percent_encoded(parts.path[i], i + 1 == parts.path.size() ? "/:=" : ":=");
    slashes.clear();
  }
  return out;
}

}  // namespace

std::string UrlParts::option(std::string_view name) const {
  const auto found = std::find_if(options.begin(), options.end(), [&](const auto& each) { return each.first == name; });
  return found == options.end() ? std::string() : found->second;
}

void UrlParts::set_option(std::string_view name, const std::string& value) {
  const auto found = std::find_if(options.begin(), options.end(), [&](const auto& each) { return each.first == name; });
  if (value.empty()) {
    if (found != options.end()) options.erase(found);
  } else if (found != options.end()) {
    found->second = value;
  } else {
    options.emplace_back(name, value);
  }
}

const UrlWay* way_of(std::string_view text, const std::vector<UrlWay>& ways) {
  for (const UrlWay& each : ways)
    if (text.starts_with(each.scheme)) return &each;
  return nullptr;
}

UrlParts url_parts(std::string_view text, std::string_view scheme, const UrlWay& way) {
  UrlParts parts;
  parts.scheme = scheme;
  text.remove_prefix(std::min(scheme.size(), text.size()));
  const std::string_view query = cut_behind(text, '?');
  if (way.port == 0) {
    while (text.starts_with("//")) text.remove_prefix(1);
    parts.path = {percent_decoded(text)};
  } else {
    // The '/' of a password that was not written so is none of the path's.
    const std::size_t at = text.rfind('@'), slash = text.find('/', at == std::string_view::npos ? 0 : at);
    split_authority(text.substr(0, slash), parts);
    split_path(slash == std::string_view::npos ? std::string_view() : text.substr(slash + 1), way.path.size(), parts);
  }
  split_options(query, parts);
  return parts;
}

std::string url_without_password(const UrlParts& parts, const UrlWay& way) {
  std::string out = parts.scheme, query;
  const auto add = [&query](std::string_view name, std::string_view value) {
    query += fmt::format("{}{}={}", query.empty() ? '?' : '&', percent_encoded(name), percent_encoded(value, "/:@"));
  };
  if (way.port == 0) {
    out += percent_encoded(parts.path.empty() ? "" : parts.path.front(), "/:=");
    if (!parts.user.empty()) add("user", parts.user);
  } else {
    out += joined_authority(parts) + joined_path(parts);
  }
  for (const auto& [name, value] : parts.options) add(name, value);
  return out + query;
}

}  // namespace leasescope
