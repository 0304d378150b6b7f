#include "core/store/mysql/store_type.h"

#include "core/store/mysql/frames.h"
#include "core/store/mysql/late_answers.h"
#include "core/store/mysql/mysql_store.h"
#include "core/store/mysql/observer.h"
#include "core/store/mysql/probe.h"
#include "core/store/mysql/raw_commands.h"
#include "core/store/mysql/server.h"
#include "core/store/mysql/url.h"

namespace leasescope::mysql {
namespace {

// The library looks into the option file and the environment each time it connects, wherever the line leads.
tl::expected<std::string, std::string> password(const StoreUrl&) { return std::string(); }

std::unique_ptr<Store> make(Loop& loop, const StoreUrl& url, Family, const StoreRoute& route, Duration timeout,
                            WireNames& names, StoreListener& listener) {
  return std::make_unique<MysqlStore>(loop, url, route, timeout, names, listener);
}

std::vector<UrlWay> ways() {
  return {{"mysql://",
           "By a host or a socket",
           3306,
           {"Database"},
           {{"ssl", "TLS", {"on", "off"}},
            {"ssl-ca", "Authority", {}, true},
            {"ssl-cert", "Certificate", {}, true},
            {"ssl-key", "Its key", {}, true},
            {"socket", "Socket", {}, true},
            {"option-file", "Option file", {}, true}}}};
}

StoreType described() {
  StoreType type;
  type.words = {"mysql", "mariadb"};
  type.title = "MySQL";
  type.model = "sql";
  type.schemes = {"mysql://", "mariadb://"};
  type.forms = {"mysql://[user[:password]@]host[:port]/database[?ssl=on&ssl-ca=FILE]"};
  type.ways = ways();
  type.passwords = "~/.my.cnf, MYSQL_PWD";
  type.parse = parse_url;
  type.printable = printable;
  type.tells = false;
  type.rows = true;
  type.descriptors_over_tls = 3;  // the server's, and both ends of the library's socket
  type.password = password;
  type.probe = probe;
  type.make = make;
  type.observe = observe;
  type.raw_commands = raw_commands;
  type.recipe = server_recipe;
  type.answers = answers;
  type.cut_sessions = cut_sessions;
  type.stall = stall;
  type.late_answers = make_late_answers;
  type.frames = make_frames;
  return type;
}

}  // namespace

const StoreType& store_type() {
  static const StoreType type = described();
  return type;
}

}  // namespace leasescope::mysql
