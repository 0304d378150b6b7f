// A store's URL as a form is filled in: the parts of its text, and what each store says of its own (StoreType::ways),
// so that a form knows no store by its name. Text and parts go into each other; whether it is a right URL the store
// says.
#pragma once
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace leasescope {

// What may stand behind the '?' of a URL.
struct UrlOption {
  std::string_view name;                  // "sslmode"
  std::string_view title;                 // for people: "TLS"
  std::vector<std::string_view> choices;  // what it may be; empty: any text
  bool file = false;                      // the path of one
};

// One way that a URL of a store goes: Redis has one in the clear, one over TLS, one through sentinels, …
struct UrlWay {
  std::string_view scheme;             // "rediss://"
  std::string_view title;              // for people: "Over TLS"
  int port = 0;                        // the usual one; 0: it has no host, but the path of a socket
  std::vector<std::string_view> path;  // what stands behind the hosts, between slashes: {"Master", "Database"}
  std::vector<UrlOption> options;      // those a form has; a URL may have others
};

struct UrlParts {
  std::string scheme;
  std::string host;  // as it is written; several: with their ports, by commas
  std::string port;  // of one host; empty: the usual one
  std::string user, password;
  std::vector<std::string> path;                             // as many as its way has
  std::vector<std::pair<std::string, std::string>> options;  // in their order

  bool operator==(const UrlParts&) const = default;
  std::string option(std::string_view name) const;  // empty: it has none
  // Empty: it is left out.
  void set_option(std::string_view name, const std::string& value);
};

// The one whose scheme the text begins with; null: none.
const UrlWay* way_of(std::string_view text, const std::vector<UrlWay>& ways);
// Of a text that begins with `scheme`, which is the way's or another word for it. A password is taken out wherever it
// stands.
UrlParts url_parts(std::string_view text, std::string_view scheme, const UrlWay& way);
// Never with the password.
std::string url_without_password(const UrlParts& parts, const UrlWay& way);

}  // namespace leasescope
