#include "core/store/etcd/raw_commands.h"

#include <fmt/format.h>

#include "core/base/shell_word.h"
#include "core/store/url_servers.h"

namespace leasescope::etcd {
namespace {

std::string endpoints(const StoreUrl& url) {
  const char* const scheme = url.sealed ? "https://" : "http://";
  std::string all = url_text::printed_servers(url), out = scheme;
  for (const char c : all) out += c == ',' ? std::string(",") + scheme : std::string(1, c);
  return out;
}

std::string client(const StoreUrl& url) {
  std::string out = fmt::format("etcdctl --endpoints={}", shell_word(endpoints(url)));
  for (const char* file : {"cacert", "cert", "key"})
    if (const auto found = url.options.find(file); found != url.options.end())
      out += fmt::format(" --{}={}", file, shell_word(found->second));
  return url.user.empty() ? out : fmt::format("{} --user {}", out, shell_word(url.user));
}

// As it stands there: what is shown of a key that is no text, or too long, is another.
bool is_whole(const std::string& key) {
  return key.find("\\x") == std::string::npos && key.find("…") == std::string::npos;
}

}  // namespace

std::vector<std::string> raw_commands(const StoreUrl& url, const Sighting& seen) {
  std::vector<std::string> out;
  for (const auto& [key, value] : seen.raw)
    if (is_whole(key)) out.push_back(fmt::format("{} get {}", client(url), shell_word(key)));
  return out;
}

}  // namespace leasescope::etcd
