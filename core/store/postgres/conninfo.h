// What libpq is told to connect with.
#pragma once
#include <string>
#include <utility>
#include <vector>

#include "core/store/url.h"

typedef struct pg_conn PGconn;

namespace leasescope::postgres {

// Keyword and value pairs in libpq's order; `endpoint` overrides the URL's own, so that a line can lead through a
// proxy.
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

// A message of libpq or the server, fit to be shown: on one line, not too long.
std::string one_line(std::string text);
// libpq's own.
std::string error_of(const PGconn* connection);

}  // namespace leasescope::postgres
