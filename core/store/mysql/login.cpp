#include "core/store/mysql/login.h"

#include <algorithm>
#include <cctype>
#include <string_view>

#include <fmt/format.h>

#include "core/store/mysql/option_file.h"

namespace leasescope::mysql {
namespace {

constexpr const char* kCertificate = "ssl-cert";
constexpr const char* kKey = "ssl-key";
constexpr const char* kAuthorities = "ssl-ca";

std::string option(const std::map<std::string, std::string>& options, const std::string& name) {
  const auto found = options.find(name);
  return found == options.end() ? std::string() : found->second;
}

std::string small(std::string text) {
  std::transform(text.begin(), text.end(), text.begin(), [](unsigned char c) { return std::tolower(c); });
  return text;
}

bool says_no(const std::string& value) {
  const std::string word = small(value);
  return word == "0" || word == "off" || word == "false" || word == "no" || word == "disabled";
}

// As MySQL's own programs take it: a certificate that is named asks for TLS too, and PREFERRED does not ask for it.
bool file_wants_tls(const OptionsOfFile& file) {
  const auto has = [&](const char* name) { return file.count(name) != 0; };
  if (has("skip-ssl") || has("disable-ssl")) return false;
  if (has("ssl")) return !says_no(option(file, "ssl"));
  const std::string mode = small(option(file, "ssl-mode"));
  if (!mode.empty()) return mode != "disabled" && mode != "preferred";
  return has(kAuthorities) || has(kCertificate);
}

bool url_wants_tls(const StoreUrl& url) {
  return option(url.options, "ssl") == "on" || url.options.count(kAuthorities) != 0 ||
         url.options.count(kCertificate) != 0;
}

// What would make TLS stricter, and is not done, is not passed over.
const char* not_done(const OptionsOfFile& file) {
  for (const char* const name :
       {"ssl-crl", "ssl-crlpath", "ssl-capath", "ssl-fp", "ssl-fplist", "tls-fp", "tls-fplist"})
    if (file.count(name) != 0) return name;
  return nullptr;
}

}  // namespace

tl::expected<Login, std::string> login_of(const StoreUrl& url) {
  const auto file = options_of_file(url);
  if (!file) return tl::unexpected(file.error());
  const auto either = [&](const std::string& said, const char* name) {
    return said.empty() ? option(*file, name) : said;
  };
  Login out;
  out.user = either(url.user, "user");
  out.password = either(url.password, "password");
  out.plugin_folder = option(*file, "plugin-dir");
  out.plugin = option(*file, "default-auth");
  const bool by_url = url_wants_tls(url);
  const bool refused = !url.endpoint.unix_path.empty() || option(url.options, "ssl") == "off";
  if (refused || (!by_url && !file_wants_tls(*file))) {
    if (url.sealed) return tl::unexpected<std::string>(kNoMore);
    return out;
  }
  if (const char* const name = not_done(*file); name != nullptr)
    return tl::unexpected(
        fmt::format("the option file says {}, which is not done here: trust is told by ssl-ca alone", name));
  tls::Terms terms{either(option(url.options, kAuthorities), kAuthorities),
                   either(option(url.options, kCertificate), kCertificate), either(option(url.options, kKey), kKey)};
  if (terms.certificate_file.empty() != terms.key_file.empty())
    return tl::unexpected<std::string>("ssl-cert and ssl-key come together");
  out.tls = terms;
  return out;
}

}  // namespace leasescope::mysql
