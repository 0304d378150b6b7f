// What libpq is told to connect with.
#pragma once
#include <string>
#include <utility>
#include <vector>

#include "core/store/url.h"

typedef struct pg_conn PGconn;

namespace leasescope::postgres {

// Keyword and value pairs in libpq's order. Where `endpoint` is another than the URL's own, the line leads there (a
// proxy, or an address of the host) and the URL's host is still the one whose certificate is checked.
class ConnInfo {
 public:
  ConnInfo(const StoreUrl& url, const Endpoint& endpoint);

  void set(const std::string& keyword, const std::string& value);
  // Null-terminated arrays that live as long as this does.
  std::vector<const char*> keywords() const;
  std::vector<const char*> values() const;

 private:
  std::vector<std::pair<std::string, std::string>> pairs_;
};

// The password libpq would use for the URL's host and port (PGPASSWORD, PGPASSFILE, ~/.pgpass, a service); empty when
// it knows none. Connects to nobody.
std::string password_of_libpq(const StoreUrl& url);

// A message of libpq or the server, fit to be shown: on one line, not too long.
std::string one_line(std::string text);
// libpq's own.
std::string error_of(const PGconn* connection);

}  // namespace leasescope::postgres
