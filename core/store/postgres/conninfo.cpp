#include "core/store/postgres/conninfo.h"

#include <libpq-fe.h>

#include <algorithm>
#include <memory>

#include <fmt/format.h>

#include "core/base/escaped.h"

namespace leasescope::postgres {

namespace {

using Connection = std::unique_ptr<PGconn, void (*)(PGconn*)>;

// libpq has put everything together when it finds this value to be none, and connects to nobody.
constexpr const char* kNoWay = "gssencmode";

Connection not_connected(ConnInfo info) {
  info.set(kNoWay, "none");
  return {PQconnectStartParams(info.keywords().data(), info.values().data(), 0), PQfinish};
}

std::string password_of_libpq(const StoreUrl& url, const Endpoint& server) {
  const Connection connection = not_connected(ConnInfo(url, server, server));
  const char* const found = connection == nullptr ? nullptr : PQpass(connection.get());
  return found == nullptr ? std::string() : found;
}

}  // namespace

ConnInfo::ConnInfo(const StoreUrl& url, const Endpoint& server, const Endpoint& address) {
  set("application_name", "leasescope");
  set("connect_timeout", "5");
  set("tcp_user_timeout", "5000");  // a dead peer is noticed even while something is unacknowledged
  set("client_encoding", "UTF8");
  for (const auto& [keyword, value] : url.options) set(keyword, value);
  // A socket's folder stands where a host would; the file's name follows from the port.
  const std::size_t slash = address.unix_path.rfind('/');
  const std::size_t dot = address.unix_path.rfind('.');
  if (!address.unix_path.empty()) {
    set("host", address.unix_path.substr(0, slash));
    set("port", address.unix_path.substr(dot + 1));
  } else {
    const bool named = server.unix_path.empty() && address.host != server.host;
    set("host", named ? server.host : address.host);
    if (named) set("hostaddr", address.host);
    set("port", fmt::format("{}", address.port));
  }
  if (!url.user.empty()) set("user", url.user);
  // libpq looks for one of the host and port it is told, which a proxy's are not.
  const bool elsewhere = address.port != server.port || address.unix_path != server.unix_path;
  const std::string password = url.password.empty() && elsewhere ? password_of_libpq(url, server) : url.password;
  if (!password.empty()) set("password", password);
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

tl::expected<std::map<std::string, std::string>, std::string> completed_by_libpq(
    const std::map<std::string, std::string>& given) {
  ConnInfo info;
  for (const auto& [keyword, value] : given) info.set(keyword, value);
  info.set("password", "none");  // not to be looked for
  const Connection connection = not_connected(info);
  const std::string error = error_of(connection.get());
  if (connection == nullptr || error.find(kNoWay) == std::string::npos) return tl::unexpected(error);
  std::map<std::string, std::string> out;
  const std::unique_ptr<PQconninfoOption, void (*)(PQconninfoOption*)> all(PQconninfo(connection.get()),
                                                                           PQconninfoFree);
  for (const PQconninfoOption* each = all.get(); each != nullptr && each->keyword != nullptr; ++each)
    if (each->val != nullptr) out[each->keyword] = each->val;
  return out;
}

std::string password_of_libpq(const StoreUrl& url) {
  std::string found = password_of_libpq(url, url.endpoint);
  for (const Endpoint& other : url.others)
    if (password_of_libpq(url, other) != found) return {};
  return found;
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
