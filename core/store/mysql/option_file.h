// What the option files of MySQL's own programs (my.cnf) say to a client. Read here and not by the client library,
// which would begin TLS by itself where a file asks for it, and shakes hands while the loop waits.
#pragma once
#include <map>
#include <string>

#include <tl/expected.hpp>

#include "core/store/url.h"

namespace leasescope::mysql {

// By name, with dashes; what stands later counts. A flag without a value is "".
using OptionsOfFile = std::map<std::string, std::string>;

// Of the groups [client], [client-server] and [client-mariadb]. The URL's `option-file` names the only file, and with
// an empty name none; else the usual ones are read as far as they are there: /etc/my.cnf, /etc/mysql/my.cnf, my.cnf in
// $MARIADB_HOME or $MYSQL_HOME, ~/.my.cnf. Errors name a file that the URL names and nobody can read.
tl::expected<OptionsOfFile, std::string> options_of_file(const StoreUrl& url);

}  // namespace leasescope::mysql
