#include "core/store/redis/sentinel.h"

#include <fmt/format.h>

#include "core/base/escaped.h"
#include "core/store/server_walk.h"
#include "core/store/url_text.h"

namespace leasescope::redis {
namespace {

using Kind = RespValue::Kind;

std::string option(const StoreUrl& url, const char* name) {
  const auto found = url.options.find(name);
  return found == url.options.end() ? std::string() : found->second;
}

}  // namespace

std::string master_name(const StoreUrl& url) { return option(url, "master"); }

std::vector<Endpoint> named_in(const StoreUrl& url) { return servers_of(url); }

StoreUrl sentinel_url(const StoreUrl& url, const Endpoint& sentinel) {
  StoreUrl out = url;
  out.endpoint = sentinel;
  out.others.clear();
  out.user = option(url, "sentinel-user");
  out.password = option(url, "sentinel-password");
  out.database.clear();
  out.options.erase("master");
  return out;
}

std::vector<std::string> question_for_master(const std::string& name) {
  return {"SENTINEL", "GET-MASTER-ADDR-BY-NAME", name};
}

tl::expected<Endpoint, std::string> read_master(const RespValue& answer, const std::string& name) {
  if (answer.kind == Kind::kError) return tl::unexpected(escaped(answer.text, kLongestError));
  if (answer.kind == Kind::kNil) return tl::unexpected(fmt::format("it knows no master \"{}\"", escaped(name)));
  Endpoint out;
  if (answer.items.size() != 2 || answer.items[0].text.empty() ||
      !url_text::parse_number(answer.items[1].text, 65535, out.port) || out.port == 0)
    return tl::unexpected<std::string>("its answer makes no sense: is it a sentinel?");
  out.host = answer.items[0].text;
  return out;
}

std::string no_master_by(const RespValue& role) {
  if (role.kind == Kind::kError) return escaped(role.text, kLongestError);
  if (role.items.empty()) return "its answer to ROLE makes no sense";
  const std::string& word = role.items[0].text;
  return word == "master" ? std::string() : fmt::format("it is no master but a {}", escaped(word, 20));
}

std::string text_of(const Endpoint& endpoint) {
  if (!endpoint.unix_path.empty()) return endpoint.unix_path;
  const bool v6 = endpoint.host.find(':') != std::string::npos;
  return fmt::format("{}{}{}:{}", v6 ? "[" : "", escaped(endpoint.host), v6 ? "]" : "", endpoint.port);
}

}  // namespace leasescope::redis
