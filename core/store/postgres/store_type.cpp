#include "core/store/postgres/store_type.h"

#include "core/store/postgres/belief_sender.h"
#include "core/store/postgres/conninfo.h"
#include "core/store/postgres/frames.h"
#include "core/store/postgres/late_answers.h"
#include "core/store/postgres/observer.h"
#include "core/store/postgres/postgres_store.h"
#include "core/store/postgres/probe.h"
#include "core/store/postgres/raw_commands.h"
#include "core/store/postgres/server.h"
#include "core/store/postgres/url.h"

namespace leasescope::postgres {
namespace {

// What libpq finds: it has to look for the real host and port, which a line through a proxy does not name.
tl::expected<std::string, std::string> password(const StoreUrl& url) { return password_of_libpq(url); }

std::unique_ptr<Store> make(Loop& loop, const StoreUrl& url, Family family, const StoreRoute& route, Duration timeout,
                            WireNames& names, StoreListener& listener) {
  return std::make_unique<PostgresStore>(loop, url, family, route, timeout, names, listener);
}

std::vector<UrlWay> ways() {
  return {{"postgresql://",
           "By a host, or several",
           5432,
           {"Database"},
           {{"sslmode", "TLS", {"disable", "allow", "prefer", "require", "verify-ca", "verify-full"}},
            {"sslrootcert", "Authority", {}, true},
            {"sslcert", "Certificate", {}, true},
            {"sslkey", "Its key", {}, true}}}};
}

StoreType described() {
  StoreType type;
  type.words = {"postgres", "postgresql"};
  type.title = "PostgreSQL";
  type.model = "sql";
  type.families = {Family::kLease, Family::kRegister, Family::kSession};
  type.schemes = {"postgresql://", "postgres://"};
  type.forms = {"postgresql://[user[:password]@]host[:port][,host…][/database]"};
  type.ways = ways();
  type.passwords = "what libpq finds";
  type.parse = parse_url;
  type.printable = printable;
  type.rows = true;
  type.password = password;
  type.probe = probe;
  type.make = make;
  type.observe = observe;
  type.raw_commands = raw_commands;
  type.tell_beliefs = belief_sender;
  type.hears_beliefs_aside = true;
  type.recipe = server_recipe;
  type.answers = answers;
  type.cut_sessions = cut_sessions;
  type.end_session = end_session;
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

}  // namespace leasescope::postgres
