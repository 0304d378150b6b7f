// Store URLs: redis://user:pw@host:6379/0, postgresql://user:pw@host/db, unix:/path; or a bare word for a private
// server.
#pragma once
#include <cstdint>
#include <map>
#include <string>
#include <string_view>

#include <tl/expected.hpp>

namespace leasescope {

enum class StoreKind : std::uint8_t { kRedis, kPostgres };
std::string_view text(StoreKind kind);  // "redis", "postgres": also the bare words

// A TCP port, or a Unix socket when `unix_path` is set.
struct Endpoint {
  std::string host = "127.0.0.1";
  int port = 0;
  std::string unix_path;
};

struct StoreUrl {
  StoreKind kind = StoreKind::kRedis;
  bool given = false;  // false: a bare word, a private server is started for the run
  Endpoint endpoint;
  std::string user;
  std::string password;
  std::string database;  // a number for Redis, a name for PostgreSQL; empty = the server's default
  std::map<std::string, std::string> options;  // PostgreSQL: what stands behind '?', for libpq
};

// Errors say what was expected. Of a text in which a password may stand they repeat nothing.
tl::expected<StoreUrl, std::string> parse_store_url(std::string_view text);
// For people and histories: without the password.
std::string printable(const StoreUrl& url);

}  // namespace leasescope
