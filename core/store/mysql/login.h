// How a line logs in, of the URL and the option file together: as whom, and over TLS or not.
#pragma once
#include <optional>
#include <string>

#include <tl/expected.hpp>

#include "core/store/tls/context.h"
#include "core/store/url.h"

namespace leasescope::mysql {

struct Login {
  std::string user;      // empty: as the client library has it, $USER
  std::string password;  // empty: MYSQL_PWD, or none
  std::string plugin_folder;
  std::string plugin;             // that is tried first; empty: the server's
  std::optional<tls::Terms> tls;  // none: without TLS
};

// What an error begins with, for whoever knows the remedy.
inline constexpr const char* kNoMore = "the option file asks for TLS no more, as it did when the run began";

// What the URL says goes before what the file says. Reads the file anew; where it asks for TLS no more, a sealed URL
// does not go in the clear. Errors name what is wrong.
tl::expected<Login, std::string> login_of(const StoreUrl& url);

}  // namespace leasescope::mysql
