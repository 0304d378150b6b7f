// What libpq is told to connect with, and what it makes of a URL.
#pragma once
#include <map>
#include <string>
#include <utility>
#include <vector>

#include <tl/expected.hpp>

#include "core/store/url.h"

typedef struct pg_conn PGconn;

namespace leasescope::postgres {

// Keyword and value pairs in libpq's order. Where `address` is another than the server's own, the line leads there (a
// proxy, or an address of the host) and the server's host is still the one whose certificate is checked.
class ConnInfo {
 public:
  ConnInfo() = default;
  ConnInfo(const StoreUrl& url, const Endpoint& server, const Endpoint& address);
  // To the URL's first server.
  ConnInfo(const StoreUrl& url, const Endpoint& address) : ConnInfo(url, url.endpoint, address) {}

  void set(const std::string& keyword, const std::string& value);
  // Null-terminated arrays that live as long as this does.
  std::vector<const char*> keywords() const;
  std::vector<const char*> values() const;

 private:
  std::vector<std::pair<std::string, std::string>> pairs_;
};

// What libpq connects with: these, then what a service's file, the environment and libpq itself have to say, by
// keyword. Connects to nobody. Errors are libpq's words.
tl::expected<std::map<std::string, std::string>, std::string> completed_by_libpq(
    const std::map<std::string, std::string>& given);

// The password libpq would use for the URL's hosts and ports (PGPASSWORD, PGPASSFILE, ~/.pgpass, a service); empty when
// it knows none, or another for each of them. Connects to nobody.
std::string password_of_libpq(const StoreUrl& url);

// A message of libpq or the server, fit to be shown: on one line, not too long.
std::string one_line(std::string text);
// libpq's own.
std::string error_of(const PGconn* connection);

}  // namespace leasescope::postgres
