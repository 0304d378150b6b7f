#include "core/store/postgres/conninfo.h"

#include <libpq-fe.h>

#include <algorithm>
#include <memory>

#include <fmt/format.h>

#include "core/base/escaped.h"

namespace leasescope::postgres {

ConnInfo::ConnInfo(const StoreUrl& url, const Endpoint& endpoint) {
  set("application_name", "leasescope");
  set("connect_timeout", "5");
  set("tcp_user_timeout", "5000");  // a dead peer is noticed even while something is unacknowledged
  set("client_encoding", "UTF8");
  for (const auto& [keyword, value] : url.options) set(keyword, value);
  // A socket's folder stands where a host would; the file's name follows from the port.
  const std::size_t slash = endpoint.unix_path.rfind('/');
  const std::size_t dot = endpoint.unix_path.rfind('.');
  if (!endpoint.unix_path.empty()) {
    set("host", endpoint.unix_path.substr(0, slash));
    set("port", endpoint.unix_path.substr(dot + 1));
  } else {
    const bool named = url.endpoint.unix_path.empty() && endpoint.host != url.endpoint.host;
    set("host", named ? url.endpoint.host : endpoint.host);
    if (named) set("hostaddr", endpoint.host);
    set("port", fmt::format("{}", endpoint.port));
  }
  if (!url.user.empty()) set("user", url.user);
  if (!url.password.empty()) set("password", url.password);
  if (!url.database.empty()) set("dbname", url.database);
}

void ConnInfo::set(const std::string& keyword, const std::string& value) {
  const auto found =
      std::find_if(pairs_.begin(), pairs_.end(), [&](const auto& pair) { return pair.first == keyword; });
  if (found == pairs_.end()) {
    pairs_.emplace_back(keyword, value);
  } else {
    found->second = value;
  }
}

std::vector<const char*> ConnInfo::keywords() const {
  std::vector<const char*> out;
  for (const auto& pair : pairs_) out.push_back(pair.first.c_str());
  out.push_back(nullptr);
  return out;
}

std::vector<const char*> ConnInfo::values() const {
  std::vector<const char*> out;
  for (const auto& pair : pairs_) out.push_back(pair.second.c_str());
  out.push_back(nullptr);
  return out;
}

std::string password_of_libpq(const StoreUrl& url) {
  ConnInfo info(url, url.endpoint);
  // No address: libpq has looked for the password when it finds that out, and connects to nobody.
  if (url.endpoint.unix_path.empty()) info.set("hostaddr", "none");
  const std::unique_ptr<PGconn, void (*)(PGconn*)> connection(
      PQconnectStartParams(info.keywords().data(), info.values().data(), 0), PQfinish);
  const char* const found = connection == nullptr ? nullptr : PQpass(connection.get());
  return found == nullptr ? std::string() : found;
}

std::string one_line(std::string text) {
  while (!text.empty() && text.back() == '\n') text.pop_back();
  for (char& c : text)
    if (c == '\n' || c == '\t') c = ' ';
  return escaped(text, kLongestError);
}

std::string error_of(const PGconn* connection) {
  const std::string text = one_line(connection == nullptr ? "out of memory" : PQerrorMessage(connection));
  return text.empty() ? "the server closed the connection" : text;
}

}  // namespace leasescope::postgres
