#include "core/store/url.h"

#include <cctype>
#include <charconv>
#include <utility>

#include <fmt/format.h>

namespace leasescope {
namespace {

// What is wrong: "is not a port", and the part of the text that is. It is quoted only when no password can be in it.
struct Wrong {
  std::string what;
  std::string part;
};

using Result = tl::expected<StoreUrl, Wrong>;
using Done = tl::expected<void, Wrong>;

constexpr const char* kExpected =
    "expected redis, postgres, redis://[user:password@]host[:port][/number], unix:/path/of/redis.sock or "
    "postgresql://[user[:password]@]host[:port][/database]";

int hex(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  if (c >= 'a' && c <= 'f') return c - 'a' + 10;
  if (c >= 'A' && c <= 'F') return c - 'A' + 10;
  return -1;
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

// Cuts off what stands behind the last (or first) `mark`; empty when there is no mark.
std::string_view cut_behind(std::string_view& text, char mark, bool last = false) {
  const std::size_t at = last ? text.rfind(mark) : text.find(mark);
  if (at == std::string_view::npos) return {};
  const std::string_view behind = text.substr(at + 1);
  text = text.substr(0, at);
  return behind;
}

bool parse_number(std::string_view text, int most, int& out) {
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), out);
  return error == std::errc() && end == text.data() + text.size() && out >= 0 && out <= most;
}

tl::unexpected<Wrong> bad(std::string_view what, std::string_view part = {}) {
  return tl::unexpected(Wrong{std::string(what), std::string(part)});
}

// Anything with an @ or the word may hold one, wherever its author meant it to stand.
bool may_hold_password(std::string_view text) {
  std::string small(text);
  for (char& c : small) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  return small.find('@') != std::string::npos || small.find("pass") != std::string::npos ||
         small.find("pwd") != std::string::npos || small.find("auth") != std::string::npos;
}

std::string words(const Wrong& wrong, std::string_view text) {
  const bool of_part = wrong.what.rfind("is ", 0) == 0;
  if (!may_hold_password(text))
    return fmt::format("{}{}: {}", of_part ? fmt::format("\"{}\" ", wrong.part) : "", wrong.what, kExpected);
  return fmt::format(
      "{}{} (not repeated here, for it may hold a password; in one, : / @ ? # % are written %3A %2F %40 %3F %23 %25): "
      "{}",
      of_part ? "a part of it " : "", wrong.what, kExpected);
}

// An @ behind the host is one of a password that was not written so.
Done check_path(std::string_view path) {
  if (path.find('@') != std::string_view::npos) return bad("there is an @ behind the host");
  return {};
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

Done take_authority(std::string_view authority, StoreUrl& url) {
  std::string_view host = authority;
  if (const std::size_t at = authority.rfind('@'); at != std::string_view::npos) {
    std::string_view login = authority.substr(0, at);
    host = authority.substr(at + 1);
    url.password = percent_decoded(cut_behind(login, ':'));
    url.user = percent_decoded(login);
  }
  if (host.find(',') != std::string_view::npos) return bad("a store URL names one host");
  std::string_view port;
  if (!host.empty() && host.front() == '[') {  // [::1]:6379
    const std::size_t end = host.find(']');
    if (end == std::string_view::npos) return bad("the '[' of the host has no ']'");
    port = host.substr(end + 1);
    if (!port.empty() && port.front() == ':') port.remove_prefix(1);
    host = host.substr(1, end - 1);
  } else {
    port = cut_behind(host, ':');
  }
  if (!host.empty()) url.endpoint.host = percent_decoded(host);
  if (!port.empty() && (!parse_number(port, 65535, url.endpoint.port) || url.endpoint.port == 0))
    return bad("is not a port", port);
  return {};
}

// A Redis URL knows no more of them.
Done take_redis_options(std::string_view query, StoreUrl& url) {
  take_options(query, url);
  for (const auto& [name, into] :
       {std::pair{"user", &url.user}, std::pair{"password", &url.password}, std::pair{"db", &url.database}})
    if (const auto found = url.options.find(name); found != url.options.end()) {
      *into = found->second;
      url.options.erase(found);
    }
  if (!url.options.empty())
    return bad("is not an option of a Redis URL (user, password, db)", url.options.begin()->first);
  int number = 0;
  if (!url.database.empty() && !parse_number(url.database, 1'000'000, number))
    return bad("is not the number of a Redis database", url.database);
  return {};
}

Result parse_redis(std::string_view rest) {
  StoreUrl url;
  url.kind = StoreKind::kRedis;
  url.given = true;
  url.endpoint.port = 6379;
  const std::string_view query = cut_behind(rest, '?');
  const std::size_t slash = rest.find('/');
  const std::string_view path = slash == std::string_view::npos ? "" : rest.substr(slash + 1);
  if (auto fits = check_path(path); !fits) return tl::unexpected(fits.error());
  if (auto taken = take_authority(rest.substr(0, slash), url); !taken) return tl::unexpected(taken.error());
  url.database = std::string(path);
  if (auto taken = take_redis_options(query, url); !taken) return tl::unexpected(taken.error());
  return url;
}

Result parse_unix(std::string_view rest) {
  StoreUrl url;
  url.kind = StoreKind::kRedis;
  url.given = true;
  while (rest.size() > 1 && rest[0] == '/' && rest[1] == '/') rest.remove_prefix(1);
  const std::string_view query = cut_behind(rest, '?');
  url.endpoint.unix_path = percent_decoded(rest);
  if (rest.empty() || rest.front() != '/') return bad("unix: wants the full path of a socket");
  if (auto taken = take_redis_options(query, url); !taken) return tl::unexpected(taken.error());
  return url;
}

Result parse_postgres(std::string_view rest) {
  StoreUrl url;
  url.kind = StoreKind::kPostgres;
  url.given = true;
  url.endpoint.port = 5432;
  take_options(cut_behind(rest, '?'), url);
  const std::size_t slash = rest.find('/');
  const std::string_view path = slash == std::string_view::npos ? "" : rest.substr(slash + 1);
  if (auto taken = take_authority(rest.substr(0, slash), url); !taken) return tl::unexpected(taken.error());
  if (auto fits = check_path(path); !fits) return tl::unexpected(fits.error());
  url.database = percent_decoded(path);
  const auto take = [&url](const char* key, std::string& into) {
    const auto found = url.options.find(key);
    if (found == url.options.end()) return false;
    into = found->second;
    url.options.erase(found);
    return true;
  };
  take("user", url.user);
  take("password", url.password);
  take("dbname", url.database);
  if (std::string port; take("port", port) && !parse_number(port, 65535, url.endpoint.port))
    return bad("is not a port", port);
  take("host", url.endpoint.host);
  if (!url.endpoint.host.empty() && url.endpoint.host.front() == '/')
    url.endpoint.unix_path = fmt::format("{}/.s.PGSQL.{}", url.endpoint.host, url.endpoint.port);
  return url;
}

Result parse(std::string_view text) {
  if (text == "redis" || text == "postgres" || text == "postgresql") {
    StoreUrl url;
    url.kind = text == "redis" ? StoreKind::kRedis : StoreKind::kPostgres;
    return url;
  }
  const std::size_t colon = text.find(':');
  const std::string_view scheme = text.substr(0, colon == std::string_view::npos ? 0 : colon);
  std::string_view rest = colon == std::string_view::npos ? "" : text.substr(colon + 1);
  if (scheme == "unix") return parse_unix(rest);
  if (scheme == "rediss") return bad("rediss:// (TLS) is not supported yet: expected redis:// or unix:");
  const bool slashes = rest.substr(0, 2) == "//";
  if (slashes) rest.remove_prefix(2);
  if (slashes && scheme == "redis") return parse_redis(rest);
  if (slashes && (scheme == "postgresql" || scheme == "postgres")) return parse_postgres(rest);
  return bad("is not a store", text);
}

}  // namespace

std::string_view text(StoreKind kind) { return kind == StoreKind::kRedis ? "redis" : "postgres"; }

tl::expected<StoreUrl, std::string> parse_store_url(std::string_view text) {
  const Result parsed = parse(text);
  if (!parsed) return tl::unexpected(words(parsed.error(), text));
  return *parsed;
}

std::string printable(const StoreUrl& url) {
  if (!url.given) return std::string(text(url.kind));
  const std::string login = url.user.empty() ? "" : url.user + "@";
  const std::string path = url.database.empty() ? "" : "/" + url.database;
  if (url.kind == StoreKind::kRedis && !url.endpoint.unix_path.empty()) return "unix:" + url.endpoint.unix_path;
  const bool v6 = url.endpoint.host.find(':') != std::string::npos;
  const std::string host = v6 ? "[" + url.endpoint.host + "]" : url.endpoint.host;
  const char* scheme = url.kind == StoreKind::kRedis ? "redis" : "postgresql";
  if (!url.endpoint.unix_path.empty())
    return fmt::format("{}://{}{}?host={}&port={}", scheme, login, path, url.endpoint.host, url.endpoint.port);
  return fmt::format("{}://{}{}:{}{}", scheme, login, host, url.endpoint.port, path);
}

}  // namespace leasescope
